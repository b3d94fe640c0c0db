"""Makes each class of lsprotocol when it is first used: making all of them takes most of the time
that importing pygls takes, and few are needed.

The module is the installed one, and so are its classes: only their bodies run later, and attrs adds
to a class in place (without slots) instead of making another. Where anything about the module is
not as expected, it is imported as usual. A class that cannot be made when it is first used would be
noticed too late for that: so only versions are imported this way of which every class was made and
compared with the usual one, see `KNOWN`.
"""

import builtins
import importlib
import importlib.util
import logging
import os
import sys
import threading
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, FunctionType, ModuleType
from typing import Any

import attrs

NAME = "lsprotocol.types"
KNOWN = ("2025.0.0",)
"""Versions of lsprotocol of which every class is the same when it is made later."""
READERS = ("lsprotocol._hooks", "lsprotocol.converters")
"""Modules that hold on to the one that they found."""
log = logging.getLogger("tutor_lsp")
_bodies: dict[type, CodeType] = {}
"""Classes that are not made yet, and the code of their bodies."""
_making: set[type] = set()
_names: dict[str, Any] = {}
"""What the names in types mean."""
_lock = threading.RLock()


class _Made(type):
    """The type of classes that have been made."""


class _Later(type):
    """The type of classes that are made when an attribute of them or an instance is needed."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        _make(cls)
        return type.__call__(cls, *args, **kwargs)

    def __getattr__(cls, name: str) -> Any:
        _make(cls)
        return type.__getattribute__(cls, name)


def install() -> None:
    """Import `lsprotocol.types` so, where it was not imported yet."""
    if NAME in sys.modules:
        return
    spec = importlib.util.find_spec(NAME)
    loader = spec.loader if spec is not None else None
    if spec is None or not isinstance(loader, SourceFileLoader) or not _is_known(loader.path):
        return
    try:
        _import(spec, loader)
    except Exception:  # whatever does not fit, the plain import serves
        log.exception("%s is imported as usual", NAME)
        _forget()
        importlib.import_module(NAME)


def _is_known(path: str) -> bool:
    # What installed a package notes the version beside it; importlib.metadata loads slowly.
    around = os.path.dirname(os.path.dirname(path))  # noqa: PTH120
    notes = (os.path.join(around, f"lsprotocol-{each}.dist-info") for each in KNOWN)  # noqa: PTH118
    return any(os.path.isdir(note) for note in notes)  # noqa: PTH112


def _forget() -> None:
    """Leave nothing of an import that failed, nor what read the module meanwhile."""
    _bodies.clear()
    _names.clear()
    package = sys.modules["lsprotocol"]  # there since its module was looked for
    for name in (NAME, *READERS):
        sys.modules.pop(name, None)
        vars(package).pop(name.rpartition(".")[2], None)


def _import(spec: ModuleSpec, loader: SourceFileLoader) -> None:
    package = importlib.import_module("lsprotocol")
    code = loader.get_code(NAME)
    module = importlib.util.module_from_spec(spec)
    classes: dict[type, CodeType] = {}
    made: list[type] = []
    module.__dict__["__builtins__"] = {**vars(builtins), **_stand_ins(classes, made)}
    sys.modules[NAME] = module
    exec(code, module.__dict__)  # type: ignore[arg-type]  # noqa: S102 - the installed module's code
    module.__dict__.update(__builtins__=builtins, attrs=attrs)
    if not _bodies:
        raise ImportError(f"no class of {NAME} can be made later")
    for cls in classes.keys() - _bodies.keys():  # not an attrs class
        _fill(cls, classes[cls])
    _names.update(module.ALL_TYPES_MAP)
    package.__dict__["types"] = module
    # All names in types would be looked up at once, which makes every class.
    importlib.import_module(READERS[0]).__dict__["_resolved_forward_references"] = True
    for cls in made:
        attrs.resolve_types(cls, _names, {})


def _stand_ins(classes: dict[type, CodeType], made: list[type]) -> dict[str, Any]:
    """Builtins for the module: the body of a class without bases and methods is kept in `classes`;
    what attrs is to make of it later is noted in `_bodies`, what it makes at once in `made`.
    """

    def build_class(body: FunctionType, name: str, *bases: type, **more: Any) -> Any:
        methods = any(isinstance(const, CodeType) for const in body.__code__.co_consts)
        if bases or more or methods:
            return builtins.__build_class__(body, name, *bases, **more)
        cls = _Later(name, (), {"__module__": NAME, "__qualname__": name})
        classes[cls] = body.__code__
        return cls

    def define(cls: type) -> type:
        if cls not in classes:
            made.append(attrs.define(cls))
            return made[-1]
        _bodies[cls] = classes[cls]
        return cls

    stand_in = ModuleType("attrs")
    stand_in.__dict__.update({**vars(attrs), "define": define})

    def import_(name: str, *args: Any) -> Any:
        return stand_in if name == "attrs" else builtins.__import__(name, *args)

    return {"__build_class__": build_class, "__import__": import_}


def _make(cls: type) -> None:
    """Run the body of a class and let attrs make it, once; whoever asks meanwhile waits."""
    with _lock:
        if cls in _making or cls not in _bodies:
            return
        _making.add(cls)
        try:
            _fill(cls, _bodies[cls])
            attrs.define(cls, slots=False)
            attrs.resolve_types(cls, _names, {})
        finally:
            _making.discard(cls)
        del _bodies[cls]
        cls.__class__ = _Made  # nothing waits for it any longer


def _fill(cls: type, body: CodeType) -> None:
    found: dict[str, Any] = {}
    exec(body, vars(sys.modules[NAME]), found)  # noqa: S102 - as above
    for name, value in found.items():
        setattr(cls, name, value)
