"""Test programs that were built for the same texts in another folder of this process.

A check builds in the learner's folder, an attempt in a copy of it: mostly of the same texts. Cargo
would build both; a program is taken over if all that it was made of is known to be the same.
"""

import asyncio
import hashlib
import json
import posixpath
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tutor_lsp.toolchains.build_cache import BuildCache
from tutor_lsp.toolchains.rust_events import Build
from tutor_lsp.toolchains.rust_sources import texts

KEPT = "kept"
"""Folder below the build folder, out of the way of what cargo keeps there."""
_SETTINGS = (".cargo/config.toml", ".cargo/config", "rust-toolchain.toml", "rust-toolchain")
_ENVIRONMENT = "# env-dep:"
_TEST = re.compile(r"^\s*#\[test\]", re.MULTILINE)
_ITEM_MACRO = re.compile(r"^\S*!\s*[({\[]|\bmod\s+\w+\s*;|\binclude!", re.MULTILINE)
"""What may bring in more tests than the file shows, or take some away."""


class RustReuse:
    """What can be taken over for one build."""

    def __init__(self, cache: BuildCache, workspace: Path, target: Path) -> None:
        """`target` is the build folder."""
        self._cache = cache
        self._workspace = workspace
        self._target = target
        self._key = self._tests = ""
        self._flags: tuple[str, ...] = ()

    async def find(self, flags: Sequence[str]) -> Build | None:
        """A build of the texts as they are now, with these flags; None if cargo has to build.

        Raises OSError where the build folder cannot be written.
        """
        self._flags = tuple(flags)
        self._key, self._tests = await asyncio.to_thread(_keys, self._workspace, self._flags)
        said = self._cache.get(self._key)
        if said is None:
            return None
        known = json.loads(said)
        files = {
            name: self._cache.get(f"{self._key}/{name}") for name in known["programs"].values()
        }
        whole = {name: data for name, data in files.items() if data is not None}
        if len(whole) < len(files):
            return None
        folder = self._target / KEPT / self._key
        await asyncio.to_thread(_place, folder, whole)
        programs = {source: str(folder / name) for source, name in known["programs"].items()}
        return Build(warnings=known["warnings"], programs=programs, finished=True)

    async def keep(self, build: Build) -> None:
        """Keep what cargo has built, before anything of it runs, unless it was made of more than
        the texts that `find` saw."""
        files = await asyncio.to_thread(self._made, build)
        if files:
            names = {source: Path(program).name for source, program in build.programs.items()}
            said = json.dumps({"warnings": build.warnings, "programs": names})
            self._cache.put(self._key, said.encode())
            for name, data in files.items():
                self._cache.put(f"{self._key}/{name}", data)

    def _made(self, build: Build) -> dict[str, bytes]:
        try:
            known = set(texts(self._workspace))
            target = self._target.resolve()
            read = [path for file in build.made for path in _read(file, target)]
            if build.scripted or not known.issuperset(read):
                return {}
            programs = [Path(program) for program in build.programs.values()]
            files = {program.name: program.read_bytes() for program in programs}
            if _keys(self._workspace, self._flags)[0] != self._key:
                return {}
        except (OSError, ValueError):
            return {}
        return files

    def names(self, file: str) -> list[str] | None:
        """The tests that the program of a test file said that it has, whatever else it was built
        of."""
        said = self._cache.get(f"{self._tests}/{file}")
        return None if said is None else [str(name) for name in json.loads(said)]

    def keep_names(self, file: str, text: str, names: Sequence[str]) -> None:
        """Keep the names of its tests, unless a macro may have made some of them."""
        if len(_TEST.findall(text)) == len(names) and not _ITEM_MACRO.search(text):
            self._cache.put(f"{self._tests}/{file}", json.dumps(list(names)).encode())


def _keys(workspace: Path, flags: Sequence[str]) -> tuple[str, str]:
    """Names of all texts, and of the tests and the manifest alone; both with the flags, and with
    what sets cargo's ways in this folder and those above."""
    begin = json.dumps([*flags, *_settings(workspace)]).encode()
    whole, tests = (hashlib.blake2b(begin, digest_size=16) for _ in range(2))
    for name, data in texts(workspace).items():
        part = json.dumps([name, hashlib.blake2b(data).hexdigest()]).encode()
        whole.update(part)
        if not name.startswith("src/"):
            tests.update(part)
    return whole.hexdigest(), tests.hexdigest()


def _settings(workspace: Path) -> Iterator[str]:
    for folder in (workspace, *workspace.parents):
        for name in _SETTINGS:
            path = folder / name
            if path.is_file():
                yield path.read_text(encoding="utf-8", errors="replace")


def _read(made: str, target: Path) -> Iterator[str]:
    """What the compiler read for a file that it made, as paths in the workspace.

    Raises ValueError where it used a variable of the environment, OSError if it did not tell.
    """
    file = Path(made)
    if not file.is_relative_to(target):
        raise ValueError(made)
    told = file.with_name(f"{file.stem.removeprefix('lib') if file.suffix else file.name}.d")
    for line in told.read_text(encoding="utf-8").splitlines():
        if line.startswith(_ENVIRONMENT):
            raise ValueError(line)
        if line.endswith(":"):
            yield posixpath.normpath(line[:-1].replace("\\ ", " "))


def _place(folder: Path, files: Mapping[str, bytes]) -> None:
    """Put programs there, and nothing else beside their folder. Raises OSError."""
    if folder.parent.is_dir():
        for other in folder.parent.iterdir():
            if other != folder:
                shutil.rmtree(other, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        path = folder / name
        new = folder / f"{name}.new"
        new.write_bytes(data)
        new.chmod(0o755)
        new.replace(path)
