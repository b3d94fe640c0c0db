"""Notices code of the exercise that reaches into the run that judges it, and says so at once.

Everything that is used here is taken hold of before that code is loaded. What is noticed goes out
before the call that was noticed goes on, so nothing that it then finds can take it back. Honest
code uses none of what is looked for; a determined forger in the same process is not kept out.
"""

# os.path as in the paths of pytest; an older Python than ours may run this
# ruff: noqa: UP035, PTH118
from __future__ import annotations

import ast
import os
import re
import sys
from operator import is_
from threading import get_ident
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import FrameType

Report = Callable[[str, int, str], None]
"""Takes file, line and what was noticed; never raises."""

FRAMES = {
    "f_back", "f_locals", "f_globals", "f_builtins", "gi_frame", "cr_frame", "ag_frame", "tb_frame",
}  # fmt: skip
FRAME = "looks into the functions that call it (`{}`)"
ALL_MODULES = "goes through the loaded modules (`sys.modules`)"
RUNNER = re.compile(r"(?:_pytest|pluggy|ctypes|_ctypes)(?:\.|\Z)")
DECIDES = re.compile(
    r"pytest\Z|pluggy(?:\.|\Z)|_pytest\.(?:runner|python|fixtures|nodes|main|reports|outcomes|raises"
    r"|python_api|assertion|config|skipping|recwarn|monkeypatch|mark|_code|unraisableexception)"
)
CODE = ("__code__", "__defaults__", "__kwdefaults__")
PROCESS = re.compile(r"/proc/(?:self|thread-self|\d+)/(?:task/\d+/)?(?:mem|fd|environ|maps)\b")
UNSTABLE = {"warnings", "sys", "__main__", "exercise"}
"""Modules whose functions others replace for a while, and the exercise's own."""

UNSTABLE_NAMES = {"__doc__", "__abstractmethods__", "_abc_impl", "__annotations__", "__dict__"}
UNSTABLE_NAMES |= {"__weakref__", "__parameters__", "__firstlineno__", "__static_attributes__"}
"""Of a class: what the interpreter itself keeps there."""


def read_sources(folder: str) -> Iterator[tuple[str, ast.Module]]:
    """Path and syntax tree of every source file that parses."""
    for where, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(where, name)
            if name.endswith(".py"):
                try:
                    with open(path, "rb") as file:  # noqa: PTH123
                        yield path, ast.parse(file.read(), path)
                except (OSError, SyntaxError, ValueError, RecursionError):
                    continue


def findings(tree: ast.AST, tests: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Line and description of what a source only holds to reach into a run."""
    names = set(tests)
    looked_up: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Subscript, ast.Compare)) or is_lookup(node):
            looked_up.update(map(id, ast.iter_child_nodes(node)))
        said: Iterable[str | None] = ()
        if isinstance(node, ast.Attribute):
            said = of_attribute(node, id(node) in looked_up)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            said = of_import(node, names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            said = [of_name(node.value, names)]
        for what in said:
            if what is not None:
                yield node.lineno, what  # type: ignore[attr-defined]


def of_name(name: str, tests: set[str]) -> str | None:
    """What is wrong with naming that, in code or in a text."""
    if name in FRAMES:
        return FRAME.format(name)
    if RUNNER.match(name):
        return f"reaches into the program that runs the tests (`{name}`)"
    return f"reaches into the tests (`{name}`)" if name in tests else None


def of_attribute(node: ast.Attribute, looked_up: bool) -> Iterator[str]:
    """An attribute of a frame, or all modules."""
    if node.attr in FRAMES:
        yield FRAME.format(node.attr)
    elif is_modules(node) and not looked_up:
        yield ALL_MODULES


def of_import(node: ast.Import | ast.ImportFrom, tests: set[str]) -> Iterator[str | None]:
    """Modules that belong to the run."""
    module = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
    for name in [module] if module else [alias.name for alias in node.names]:
        yield of_name("_pytest" if name == "__main__" else name, set())
        yield of_name(name.rpartition(".")[2], tests)
    if module == "sys" and any(alias.name == "modules" for alias in node.names):
        yield ALL_MODULES


def is_modules(node: ast.AST) -> bool:
    """`sys.modules` itself."""
    whole = isinstance(node, ast.Attribute) and node.attr == "modules"
    return whole and isinstance(node.value, ast.Name) and node.value.id == "sys"  # type: ignore[attr-defined]


def is_lookup(node: ast.AST) -> bool:
    """`sys.modules.get`, `sys.modules.pop`: one module by its name."""
    named = isinstance(node, ast.Attribute) and node.attr in ("get", "pop", "setdefault")
    return named and is_modules(node.value)  # type: ignore[attr-defined]


def assignments(folder: str, name: str) -> Iterator[tuple[str, int]]:
    """Where a source gives an attribute of that name a value."""
    for path, tree in read_sources(folder):
        for node in ast.walk(tree):
            stored = isinstance(node, ast.Attribute) and isinstance(node.ctx, (ast.Store, ast.Del))
            if stored and node.attr == name:  # type: ignore[attr-defined]
                yield path, node.lineno  # type: ignore[attr-defined]
            elif isinstance(node, ast.Constant) and node.value == name:
                yield path, node.lineno


class Fingerprint:
    """Functions and classes as they were when this was made: whether they are still the same."""

    def __init__(self, modules: Iterable[ModuleType], own: Iterable[type]) -> None:
        self._rows: list[tuple[str, Any, list[str], list[Any]]] = []
        self._compare = is_
        kinds = (FunctionType, BuiltinFunctionType, type)
        classes: dict[type, None] = dict.fromkeys(own)
        for module in modules:
            space = vars(module)
            # of a copy: a module may grow while others are loaded
            names = [name for name, value in list(space.items()) if isinstance(value, kinds)]
            self._add(module.__name__, space, names)
            inside = [space[name] for name in names if isinstance(space[name], type)]
            top = module.__name__.partition(".")[0]
            classes.update((c, None) for c in inside if c.__module__.partition(".")[0] == top)
        self.classes = frozenset(classes)
        for kind in classes:
            if kind.__module__ != "builtins":
                self._add(kind.__qualname__, vars(kind), list(vars(kind)))

    def _add(self, owner: str, space: Any, names: list[str]) -> None:
        names = [name for name in names if name not in UNSTABLE_NAMES]
        self._rows.append((owner, space, names, [space[name] for name in names]))

    def changed(self) -> tuple[str, str] | None:
        """Owner and name of the first that is another one now."""
        same, compare = all, self._compare
        for owner, space, names, values in self._rows:
            if not same(map(compare, map(space.get, names), values)):
                for name, value in zip(names, values):  # noqa: B905
                    if space.get(name) is not value:
                        return owner, name
        return None


def of_runner() -> list[ModuleType]:
    """The loaded modules of the test framework that have a say in what a test comes to."""
    loaded = list(sys.modules.items())
    return [module for name, module in loaded if DECIDES.match(name)]


class Watch:
    """Looks at calls by which code gets hold of what it was not given; stays for good."""

    def __init__(self, source: str, report: Report) -> None:
        self._source = source
        self._report = report
        self._busy: set[int] = set()
        self._getframe = sys._getframe  # noqa: SLF001
        direct = self._direct
        self._watched: dict[str, Callable[[Any, FrameType], str | None]] = {
            "sys._getframe": self._frames,
            "sys._current_frames": direct("looks at what other code is doing"),
            "sys._current_exceptions": direct("looks at what other code is doing"),
            "sys.settrace": self._trace,
            "sys.setprofile": self._trace,
            "sys.monitoring.register_callback": self._trace,
            "gc.get_objects": direct("goes through all objects (`gc.get_objects`)"),
            "gc.get_referrers": direct("goes through all objects (`gc.get_referrers`)"),
            "gc.get_referents": direct("goes through all objects (`gc.get_referents`)"),
            "object.__setattr__": self._assigned,
            "object.__getattr__": self._read,
            "open": self._opened,
            "ctypes.cdata": direct("writes to memory (`ctypes`)"),
            "ctypes.addressof": direct("writes to memory (`ctypes`)"),
            "ctypes.dlsym": direct("reaches into the interpreter (`ctypes`)"),
            "ctypes.dlopen": direct("reaches into the interpreter (`ctypes`)"),
        }

    def begin(self) -> None:
        """From here on."""
        watched, busy, ident = self._watched.get, self._busy, get_ident
        getframe, place, report = self._getframe, self._place, self._report

        def hook(event: str, args: Any) -> None:
            look = watched(event)
            if look is None:
                return
            thread = ident()
            if thread in busy:
                return
            busy.add(thread)
            try:
                frame = getframe(1)
                said = look(args, frame)
                if said is not None:
                    report(*place(frame), said)
            finally:
                busy.discard(thread)

        sys.addaudithook(hook)

    def _is_own(self, frame: FrameType) -> bool:
        name = frame.f_code.co_filename
        return name.startswith(self._source) or (name[:1] == "<" and name[:7] != "<frozen")

    def _place(self, frame: FrameType | None) -> tuple[str, int]:
        while frame is not None:
            if frame.f_code.co_filename.startswith(self._source):
                return frame.f_code.co_filename, frame.f_lineno
            frame = frame.f_back
        return "", 0

    def _direct(self, said: str) -> Callable[[Any, FrameType], str | None]:
        return lambda args, frame: said if self._is_own(frame) else None

    def _frames(self, args: Any, frame: FrameType) -> str | None:
        caller: FrameType | None = frame
        while caller is not None and caller.f_globals.get("__name__") == "inspect":
            caller = caller.f_back
        if caller is not None and self._is_own(caller):
            return FRAME.format("sys._getframe")
        return None

    def _trace(self, args: Any, frame: FrameType) -> str | None:
        if self._is_own(frame) or frame.f_globals.get("__name__") == "threading":
            return "follows and changes the run of other code (`sys.settrace`)"
        return None

    def _assigned(self, args: Any, frame: FrameType) -> str | None:
        target, name = args[0], args[1]
        if name not in CODE or not self._is_own(frame) or not isinstance(target, FunctionType):
            return None
        if target.__code__.co_filename.startswith(self._source):
            return None
        return f"changes a function that is not its own (`{name}`)"

    def _read(self, args: Any, frame: FrameType) -> str | None:
        if args[1] in FRAMES and self._is_own(frame):
            return FRAME.format(args[1])
        return None

    def _opened(self, args: Any, frame: FrameType) -> str | None:
        path = args[0]
        if not isinstance(path, str) or path[:6] != "/proc/" or not PROCESS.match(path):
            return None
        file, _ = self._place(frame)
        return f"reaches into the running program (`{path}`)" if file else None
