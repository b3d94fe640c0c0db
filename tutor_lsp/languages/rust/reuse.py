"""Test programs that were built for the same texts in another folder of this process.

A check builds in the learner's folder, an attempt in a copy of it: mostly of the same texts. Cargo
would build both; a program is taken over if all that it was made of is known to be the same.
"""

import asyncio
import hashlib
import json
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tutor_lsp.languages.common.build_cache import BuildCache
from tutor_lsp.languages.rust.direct.setup import setup
from tutor_lsp.languages.rust.events import Build
from tutor_lsp.languages.rust.refresh import ENVIRONMENT, dep_info, texts

_TEST = re.compile(r"^\s*#\[test\]\s*(?:#\[[^\]\n]*\]\s*)*(?:pub\s+)?fn\s+(\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Seen:
    """The texts of a folder under its setup: keys for all of them and for those of the tests, and
    their files' signs."""

    setup: str
    key: str
    tests: str
    known: frozenset[str]
    signs: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Names:
    """The tests of a program, and whether it writes a log of its own."""

    names: tuple[str, ...]
    logs: bool


class RustReuse:
    """What can be taken over for one build."""

    def __init__(self, cache: BuildCache, workspace: Path, target: Path) -> None:
        """`target` is the build folder."""
        self._cache = cache
        self._workspace = workspace
        self._target = target
        self._seen: _Seen | None = None
        self._flags: tuple[str, ...] = ()

    async def find(self, flags: Sequence[str], folder: Path) -> Build | None:
        """A build of the texts as they are now, with these flags; None if cargo has to build.

        Its programs are put into `folder`, which must be empty. Raises OSError.
        """
        self._flags = tuple(flags)
        seen = self._seen = await asyncio.to_thread(_look, self._workspace, self._flags)
        said = self._cache.get(seen.key)
        if said is None:
            return None
        known = json.loads(said)
        names = known["programs"].values()
        files = {name: self._cache.get(f"{seen.key}/{name}") for name in names}
        whole = {name: data for name, data in files.items() if data is not None}
        if len(whole) < len(files):
            return None
        await asyncio.to_thread(_place, folder, whole)
        programs = {source: str(folder / name) for source, name in known["programs"].items()}
        return Build(warnings=known["warnings"], programs=programs, finished=True)

    @property
    def setup(self) -> str | None:
        """What else decides, as `find` saw it; None before that."""
        return None if self._seen is None else self._seen.setup

    async def keep(self, build: Build) -> None:
        """Keep what has just been built, before anything of it runs, unless it may have been made
        of more or other texts than those that `find` saw."""
        seen = self._seen
        if seen is None or build.fresh or build.scripted:
            return
        files = await asyncio.to_thread(self._made, seen, build)
        if files:
            names = {source: Path(program).name for source, program in build.programs.items()}
            said = json.dumps({"warnings": build.warnings, "programs": names})
            self._cache.put(seen.key, said.encode())
            for name, data in files.items():
                self._cache.put(f"{seen.key}/{name}", data)

    def _made(self, seen: _Seen, build: Build) -> dict[str, bytes]:
        try:
            target = self._target.resolve()
            if not seen.known.issuperset(
                path for file in build.made for path in _read(file, target)
            ):
                return {}
            programs = [Path(program) for program in build.programs.values()]
            files = {program.name: program.read_bytes() for program in programs}
            return files if _look(self._workspace, self._flags) == seen else {}
        except (OSError, ValueError):
            return {}

    def names(self, file: str) -> Names | None:
        """What the program of a test file said of its tests, whatever else it was built of."""
        said = None if self._seen is None else self._cache.get(f"{self._seen.tests}/{file}")
        if said is None:
            return None
        known = json.loads(said)
        return Names(tuple(known["names"]), known["logs"])

    def keep_names(self, file: str, text: str, names: Names) -> None:
        """Keep that, if it is just what the text of the test file shows: neither a macro nor code
        of the learner's has had a part in it."""
        shown = sorted(_TEST.findall(text))
        if self._seen is not None and shown == sorted(_short(name) for name in names.names):
            said = json.dumps({"names": names.names, "logs": names.logs})
            self._cache.put(f"{self._seen.tests}/{file}", said.encode())


def _short(name: str) -> str:
    return name.rpartition("::")[2]


def _look(workspace: Path, flags: Sequence[str]) -> _Seen:
    """The texts as they are, with all that decides what cargo makes of them. Raises OSError."""
    said = setup(workspace, flags)
    whole, tests = (hashlib.blake2b(said.encode(), digest_size=16) for _ in range(2))
    found, signs = texts(workspace)
    for name, data in found.items():
        part = json.dumps([name, hashlib.blake2b(data).hexdigest()]).encode()
        whole.update(part)
        if not name.startswith("src/"):
            tests.update(part)
    return _Seen(said, whole.hexdigest(), tests.hexdigest(), frozenset(found), signs)


def _read(made: str, target: Path) -> Iterator[str]:
    """What the compiler read for a file that it made, as paths in the workspace.

    Raises ValueError where it used a variable of the environment, OSError if it did not tell.
    """
    file = Path(made)
    if not file.is_relative_to(target):
        raise ValueError(made)
    for line in dep_info(file).read_text(encoding="utf-8").splitlines():
        if line.startswith(ENVIRONMENT):
            raise ValueError(line)
        if line.endswith(":"):
            yield posixpath.normpath(line[:-1].replace("\\ ", " "))


def _place(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        (folder / name).write_bytes(data)
        (folder / name).chmod(0o755)
