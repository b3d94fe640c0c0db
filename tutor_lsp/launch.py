"""Runs a program with libraries that lie unpacked beside this package.

    python -I -S launch.py BYTECODE (-m MODULE | -c CODE | SCRIPT) [ARGUMENT …]
    python -I -S launch.py BYTECODE --compile

This package lies in `LIBRARIES/any`, beside all that runs with every version of Python; what was
compiled for one version lies in `LIBRARIES/cp311` and so on. They come first on the path. Nothing
is written there: bytecode is kept below the folder BYTECODE, which need not exist and may be
read-only. The environment stays as it is, so programs that are started from here know nothing of
all this. `--compile` writes the bytecode of everything, at low priority.
"""

# pathlib takes longer to load than all of this
# ruff: noqa: PTH118, PTH120, PTH123

from __future__ import annotations

import os
import runpy
import sys
from collections.abc import Iterator
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    SourceFileLoader,
)
from types import CodeType
from typing import Any

HERE = os.path.abspath(__file__)  # noqa: PTH100 - as above
LIBRARIES = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
TAG = sys.implementation.cache_tag


class Library(SourceFileLoader):
    """Loads a module of the libraries; its bytecode is kept elsewhere."""

    bytecode = ""
    launch: tuple[str, ...] = ()
    """What a command line needs behind the interpreter to run with the same libraries."""

    @property
    def kept(self) -> str:
        """Where its bytecode is."""
        return os.path.join(self.bytecode, f"{os.path.relpath(self.path, LIBRARIES)}.{TAG}.pyc")

    def get_data(self, path: str) -> bytes:
        return super().get_data(self.kept if path.endswith(".pyc") else path)

    # The name of the last parameter is part of what importlib calls.
    def set_data(self, path: str, data: Any, *, _mode: int = 0o666) -> None:
        super().set_data(self.kept, data, _mode=_mode)


def use(bytecode: str) -> None:
    """Put the libraries on the path, in front. Exits where none that is compiled can be loaded."""
    # Programs load those late, and would say so in the middle of their work.
    if os.statvfs(LIBRARIES).f_flag & getattr(os, "ST_NOEXEC", 0):
        sys.exit(f"{LIBRARIES}: failed to map segment: this disk is mounted with noexec")
    Library.bytecode = bytecode
    Library.launch = (HERE, bytecode)
    of_libraries = FileFinder.path_hook(
        (ExtensionFileLoader, EXTENSION_SUFFIXES), (Library, SOURCE_SUFFIXES)
    )

    def hook(path: str) -> object:
        if not path.startswith(LIBRARIES + os.sep):
            raise ImportError(path)
        return of_libraries(path)

    sys.path_hooks.insert(0, hook)  # type: ignore[arg-type]
    compiled = f"cp{sys.version_info.major}{sys.version_info.minor}"
    sys.path[:0] = [os.path.join(LIBRARIES, name) for name in (compiled, "any")]


def compile_all() -> None:
    """Write all bytecode that is not there yet, what the tests of an exercise need first."""
    os.nice(10)
    for path in sorted(_sources(), key=lambda path: "pytest" not in path):
        try:
            Library("compiled", path).get_code("compiled")
        except (SyntaxError, ValueError):
            continue  # for another version of Python


def _sources() -> Iterator[str]:
    for top in sys.path[:2]:
        for folder, _, names in os.walk(top):
            # Its exercises are the learner's, who gets copies.
            if os.path.join("tutor_lsp", "library", "") not in os.path.join(folder, ""):
                yield from (os.path.join(folder, name) for name in names if name.endswith(".py"))


def main() -> None:
    """Do what the command line says."""
    if not sys.flags.safe_path:
        del sys.path[0]  # this package's own folder
    _, bytecode, what, *rest = sys.argv
    use(bytecode)
    if what == "--compile":
        compile_all()
    elif what == "-m":
        name, *rest = rest
        sys.argv[:] = [what, *rest]
        if not sys.flags.safe_path:
            sys.path.insert(0, os.getcwd())  # noqa: PTH109 - as above
        runpy.run_module(name, run_name="__main__", alter_sys=True)
    elif what == "-c":
        code, *rest = rest
        sys.argv[:] = [what, *rest]
        _run(compile(code, "<string>", "exec"))
    else:
        sys.argv[:] = [what, *rest]
        sys.path.insert(0, os.path.dirname(os.path.abspath(what)))  # noqa: PTH100 - as above
        with open(what, "rb") as file:
            program = compile(file.read(), what, "exec", dont_inherit=True)
        _run(program, what)


def _run(code: CodeType, file: str | None = None) -> None:
    """Run it as the main program."""
    module = type(sys)("__main__")
    if file is not None:
        module.__file__ = file
    sys.modules["__main__"] = module
    exec(code, module.__dict__)  # noqa: S102 - the purpose of this


if __name__ == "__main__":
    main()
