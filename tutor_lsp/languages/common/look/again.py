"""Runs tests again that did not say which call failed, instrumented to report their calls.

A panic inside of the exercise, a test that is out of time or an argument that a loop gives it: what
is written in the test does not say which of its calls it was. The copy in which these tests run
again lies in the build folder, if there is one, so it stays built; only the sentence comes of it.
"""

import asyncio
import errno
import os
import shutil
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Protocol, Self

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.report import RawReport, RawTest, RunOutcome, TestOutcome
from tutor_lsp.core.ports import Files, FunctionSite, RunLimits
from tutor_lsp.languages.common.look.marks import Calls, Marker, told
from tutor_lsp.languages.common.proof.placing import put_files
from tutor_lsp.process.scratch import scratch_folder

FOLDER = "tutor-look"
"""In the build folder."""
MOST_TESTS = 40
HANGS_S, TOTAL_S = 2.0, 15.0
"""How long a test that was out of time may take again, and all together, at most."""
OUTPUT_BYTES = 256 * 1024
LARGEST = 1024 * 1024
"""Bytes of a file that may be a text; what is larger is copied as it is."""
MOST_BYTES, MOST_FILES = 64 * 1024 * 1024, 5000
"""What is run again at most."""
_NOT_PASSED = frozenset({TestOutcome.FAILED, TestOutcome.ERRORED, TestOutcome.TIMEOUT})
_TREES = ("src", "tests", ".cargo")

Run = Callable[[Path, Sequence[str], RunLimits], Awaitable[RawReport]]
Targets = Mapping[str, str]


class Reads(Protocol):
    """What of a toolchain is needed."""

    build_folder: str | None
    suffixes: tuple[str, ...]

    def functions(self, text: str) -> tuple[FunctionSite, ...]:
        """Every function of a text."""


async def looked_again(
    tool: Reads,
    marker: Marker,
    raw: RawReport,
    root: Path,
    targets: Targets,
    limits: RunLimits,
    run: Run,
) -> RawReport:
    """The report of a run in the folder `root`, with what another run of some of its tests told.
    `targets` says by test name which stub a test is about; `run` runs tests in a folder."""
    if raw.outcome is not RunOutcome.FAILED:
        return raw
    failed = [each for each in raw.tests if _may_tell(each)]
    if not failed:
        return raw
    try:
        folder = await asyncio.to_thread(_Folder.read, root)
    except OSError:
        return raw
    own = folder.of(tool.suffixes)
    stubs = list(_stubs(tool, own))
    wanted = await asyncio.to_thread(_wanted, marker, failed, own, stubs, targets)
    if not wanted:
        return raw
    names = [each.name for each in wanted]
    short = replace(
        limits,
        total_s=min(TOTAL_S, limits.total_s),
        test_s=min(HANGS_S, limits.test_s),
        output_bytes=max(OUTPUT_BYTES, limits.output_bytes),
        keeps_files=False,
    )

    def run_short(copy: Path) -> Awaitable[RawReport]:
        return run(copy, names, short)

    marking = _Marking(marker, folder, own, stubs, names)
    try:
        if tool.build_folder is not None:
            copy = root / tool.build_folder / FOLDER
            if copy.parent.is_symlink():  # what is behind it is not ours to clear
                return raw
            again = await marking.run_in(copy, {tool.build_folder}, run_short)
        else:
            async with scratch_folder("look") as copy:
                again = await marking.run_in(copy, (), run_short)
    except (OSError, TutorError):  # the folder is read-only, or gone
        return raw
    if again is None:
        return raw
    seen = {each.name: each for each in again.tests}

    def with_call(test: RawTest) -> RawTest:
        other = seen.get(test.name)
        if test not in wanted or other is None or other.outcome is not test.outcome:
            return test
        calls = marking.calls.get(_file(test), {})
        return told(test, calls, other.output, short.test_s * 1000)

    return replace(raw, tests=tuple(with_call(each) for each in raw.tests))


def _may_tell(test: RawTest) -> bool:
    return (
        test.outcome in _NOT_PASSED
        and not test.not_implemented
        and test.broken is None
        and test.said is None
        and not test.waited
    )


def _file(test: RawTest) -> str:
    return test.location.file if test.location is not None else test.file


def _wanted(
    marker: Marker, failed: Sequence[RawTest], files: Files, stubs: Sequence[str], targets: Targets
) -> list[RawTest]:
    """Those whose sentence lacks something; of those that hang, one for each stub. Parses."""
    found: list[RawTest] = []
    hung: set[str] = set()
    for test in failed:
        late = test.outcome is TestOutcome.TIMEOUT
        target = targets.get(test.name, test.name)
        if len(found) == MOST_TESTS or (late and target in hung):
            continue
        if marker.lacks(test, files, stubs):
            found.append(test)
            if late:
                hung.add(target)
    return found


def _stubs(tool: Reads, files: Files) -> Iterator[str]:
    """The names of all functions of the exercise, each once."""
    texts = (text for file, text in files.items() if not file.startswith("tests/"))
    yield from dict.fromkeys(site.name for text in texts for site in tool.functions(text))


class _Marking:
    """Tests of an exercise that are made to tell the calls in `calls`, by file."""

    def __init__(
        self,
        marker: Marker,
        folder: "_Folder",
        files: Files,
        stubs: Sequence[str],
        names: Sequence[str],
    ) -> None:
        self._marker = marker
        self._folder = folder
        self._files = files
        self._stubs = stubs
        self._names = names
        self.calls: dict[str, Calls] = {}

    async def run_in(
        self, folder: Path, keep: Collection[str], run: Callable[[Path], Awaitable[RawReport]]
    ) -> RawReport | None:
        """What they say in a copy; once more without what does not build there. None where none
        tells anything. Raises OSError, and what `run` raises."""
        without: Collection[int] = ()
        for _ in range(2):
            texts = await asyncio.to_thread(self._marked, without)
            if not any(self.calls.values()):
                return None
            await put_files(folder, texts, keep=keep)
            await asyncio.to_thread(self._folder.copy_large, folder)
            report = await run(folder)
            if report.outcome is not RunOutcome.BUILD_ERROR:
                return report
            without = {each.line for each in report.build_errors if each.file in self.calls}
            if not without:
                return None
        return None

    def _marked(self, without: Collection[int]) -> dict[str, str]:
        texts = {**self._folder.texts, **self._marker.helpers()}
        for file, text in self._files.items():
            if file.startswith("tests/") and any(name in text for name in self._names):
                texts[file], self.calls[file] = self._marker.marked(
                    file, self._files, self._stubs, self._names, without
                )
        return texts


@dataclass(frozen=True, slots=True)
class _Folder:
    """What a run may need of a folder: `large` are the files that are no texts to read."""

    root: Path
    texts: Files
    large: Sequence[str]

    @classmethod
    def read(cls, root: Path) -> Self:
        """Raises OSError, also where there is too much. Blocks."""
        texts, large, in_all = dict[str, str](), list[str](), 0
        trees = ((root / tree).rglob("*") for tree in _TREES)
        for number, path in enumerate(chain(root.iterdir(), *trees)):
            if path.is_symlink() or not path.is_file():
                continue
            name, size = path.relative_to(root).as_posix(), path.stat().st_size
            in_all += size
            if in_all > MOST_BYTES or number > MOST_FILES:
                raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(root))
            if size > LARGEST:
                large.append(name)
            else:
                texts[name] = path.read_bytes().decode("utf-8", "surrogateescape")
        return cls(root, texts, large)

    def of(self, suffixes: Sequence[str]) -> Files:
        """The texts with these suffixes."""
        return {n: text for n, text in self.texts.items() if PurePosixPath(n).suffix in suffixes}

    def copy_large(self, folder: Path) -> None:
        """Copy what is no text into a folder that has the texts. Raises OSError. Blocks."""
        for name in self.large:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.root / name, folder / name, follow_symlinks=False)
