"""Runs one test of a file that looks at inputs on many versions of a package."""

import importlib
import importlib.abc
import importlib.util
import json
import pathlib
import sys
import types
from collections.abc import Sequence
from importlib.machinery import ModuleSpec

_TEXTS = json.loads((pathlib.Path(__file__).parent / "tutor_versions.json").read_text("utf-8"))
_CODES: dict[str, types.CodeType] = {}


class _Version(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the modules of a version that are its own."""

    def __init__(self, texts: dict[str, str]) -> None:
        self._texts = texts

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> ModuleSpec | None:
        return importlib.util.spec_from_loader(name, self) if name in self._texts else None

    def exec_module(self, module: types.ModuleType) -> None:
        code = compile(self._texts[module.__name__], f"{module.__name__}.py", "exec")
        exec(code, module.__dict__)  # noqa: S102 - a version of the exercise


def _forget(package: str) -> dict[str, types.ModuleType]:
    mine = [name for name in sys.modules if name == package or name.startswith(f"{package}.")]
    return {name: sys.modules.pop(name) for name in mine}


def run(version: str, file: str, test: str) -> None:
    """Run a test of the file on a version; the package is afterwards what it was."""
    known = _forget(_TEXTS["package"])
    finder = _Version(_TEXTS["versions"][version])
    module = types.ModuleType("tutor_watched")
    before = sys.modules.get(module.__name__)
    sys.meta_path.insert(0, finder)
    sys.modules[module.__name__] = module
    try:
        if file not in _CODES:
            _CODES[file] = compile(_TEXTS["files"][file], file, "exec")
        exec(_CODES[file], module.__dict__)  # noqa: S102 - a test file of the exercise
        getattr(module, test)()
    finally:
        sys.meta_path.remove(finder)
        _forget(_TEXTS["package"])
        sys.modules.update(known)
        if before is None:
            del sys.modules[module.__name__]
        else:
            sys.modules[module.__name__] = before
