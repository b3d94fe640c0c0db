"""Runs a program with libraries that lie unpacked beside this package.

    python -I -S launch.py BYTECODE (-m MODULE | -c CODE | SCRIPT) [ARGUMENT …]
    python -I -S launch.py BYTECODE --compile

This package lies in `LIBRARIES/any`, beside all that runs with every version of Python; what was
compiled for one version lies in `LIBRARIES/cp311` and so on. They come first on the path. Modules
may be in one file, `any/modules.pack`, which has those compiled that are needed to start. Nothing
is written there: other bytecode is kept below the folder BYTECODE, which need not exist and may be
read-only. The environment stays as it is, so programs that are started from here know nothing of
all this. `--compile` writes the bytecode of everything else, at low priority.
"""

# pathlib takes longer to load than all of this
# ruff: noqa: PTH110, PTH118, PTH120, PTH123

from __future__ import annotations

import _imp
import marshal
import mmap
import os
import runpy
import sys
from collections.abc import Iterator, Mapping
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    ModuleSpec,
    SourceFileLoader,
)
from importlib.util import MAGIC_NUMBER
from types import CodeType
from typing import Any

HERE = os.path.abspath(__file__)  # noqa: PTH100 - as above
LIBRARIES = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
TAG = sys.implementation.cache_tag


HEAD = 16
"""How many bytes say how long a pack and its index are."""


class Pack:
    """Modules in one file, by their paths below the libraries: sources, and code for some versions
    of Python. Never changes."""

    def __init__(self, path: str = "") -> None:
        """Exits where the file is cut off: half a module may load without an error."""
        self._modules: Mapping[str, Mapping[str, tuple[int, int]]] = {}
        self.mtime = 0.0
        self._tag = None
        if path:
            with open(path, "rb") as file:
                head = file.read(HEAD)
                halves = head[: HEAD // 2], head[HEAD // 2 :]
                whole, index_size = (int.from_bytes(each, "little") for each in halves)
                state = os.fstat(file.fileno())
                if len(head) < HEAD or state.st_size < whole:
                    sys.exit(f"{path} is damaged: only {state.st_size} bytes of it are there")
                self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
                self.mtime = state.st_mtime
            self._begin = HEAD + index_size
            index = marshal.loads(self._bytes[HEAD : self._begin])  # noqa: S302 - our own package
            self._modules = index["modules"]
            # what another version of Python has compiled would end this one
            self._tag = TAG if index["magic"].get(TAG) == MAGIC_NUMBER else None

    def __iter__(self) -> Iterator[str]:
        return (os.path.join(LIBRARIES, name) for name in self._modules)

    def _place(self, path: str, kind: str | None) -> tuple[int, int] | None:
        places = self._modules.get(path[len(LIBRARIES) + 1 :])
        return places.get(kind) if places is not None and kind is not None else None

    def size(self, path: str) -> int | None:
        """How long the source of a module is, None if it is not here."""
        place = self._place(path, "")
        return None if place is None else place[1]

    def source(self, path: str) -> bytes | None:
        """The source of a module."""
        return self._part(self._place(path, ""))

    def code(self, path: str) -> bytes | None:
        """The code of a module for this Python, marshalled."""
        return self._part(self._place(path, self._tag))

    def _part(self, place: tuple[int, int] | None) -> bytes | None:
        if place is None:
            return None
        start, size = self._begin + place[0], place[1]
        return self._bytes[start : start + size]


class Library(SourceFileLoader):
    """Loads a module of the libraries; its bytecode is kept elsewhere."""

    pack = Pack()
    bytecode = ""
    launch: tuple[str, ...] = ()
    """What a command line needs behind the interpreter to run with the same libraries."""

    @property
    def kept(self) -> str:
        """Where its bytecode is."""
        return os.path.join(self.bytecode, f"{os.path.relpath(self.path, LIBRARIES)}.{TAG}.pyc")

    def get_code(self, fullname: str) -> CodeType | None:
        packed = self.pack.code(self.path)
        if packed is None:
            return super().get_code(fullname)
        code: CodeType = marshal.loads(packed)  # noqa: S302 - our own package
        _imp._fix_co_filename(code, self.path)  # type: ignore[attr-defined]  # noqa: SLF001
        return code

    def path_stats(self, path: str) -> Mapping[str, Any]:
        size = self.pack.size(path)
        return (
            super().path_stats(path) if size is None else {"mtime": self.pack.mtime, "size": size}
        )

    def get_data(self, path: str) -> bytes:
        packed = self.pack.source(path)
        if packed is not None:
            return packed
        return super().get_data(self.kept if path.endswith(".pyc") else path)

    # The name of the last parameter is part of what importlib calls.
    def set_data(self, path: str, data: Any, *, _mode: int = 0o666) -> None:
        super().set_data(self.kept, data, _mode=_mode)


class Folder(FileFinder):
    """Finds the modules of a folder, which need not exist: they may all be packed."""

    def find_spec(self, fullname: str, target: Any = None) -> ModuleSpec | None:
        place = os.path.join(self.path, fullname.rpartition(".")[2])
        package = os.path.join(place, "__init__.py")
        for path in (package, f"{place}.py"):
            if Library.pack.size(path) is not None:
                loader = Library(fullname, path)
                spec = ModuleSpec(fullname, loader, origin=path, is_package=path == package)
                spec.has_location = True
                if path == package:
                    spec.submodule_search_locations = [place]
                return spec
        return super().find_spec(fullname, target)


def use(bytecode: str) -> None:
    """Put the libraries on the path, in front. Exits where none that is compiled can be loaded, or
    the modules are not all there."""
    # Programs load those late, and would say so in the middle of their work.
    if os.statvfs(LIBRARIES).f_flag & getattr(os, "ST_NOEXEC", 0):
        sys.exit(f"{LIBRARIES}: failed to map segment: this disk is mounted with noexec")
    Library.bytecode = bytecode
    Library.launch = (HERE, bytecode)
    packed = os.path.join(LIBRARIES, "any", "modules.pack")
    if os.path.exists(packed):
        Library.pack = Pack(packed)

    def hook(path: str) -> object:
        if not path.startswith(LIBRARIES + os.sep):
            raise ImportError(path)
        return Folder(path, (ExtensionFileLoader, EXTENSION_SUFFIXES), (Library, SOURCE_SUFFIXES))

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
    tops = tuple(os.path.join(top, "") for top in sys.path[:2])
    pack = Library.pack
    yield from (path for path in pack if pack.code(path) is None and path.startswith(tops))
    for top in tops:
        for folder, _, names in os.walk(top):
            # Its exercises are the learner's, who gets copies.
            if os.path.join("tutor_lsp", "library", "") not in os.path.join(folder, ""):
                found = (os.path.join(folder, name) for name in names if name.endswith(".py"))
                yield from (path for path in found if pack.code(path) is None)


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
