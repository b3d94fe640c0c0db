"""Running tests once more that did not say which call they failed in, made to tell their calls.

A panic inside of the exercise, a test that is out of time or an argument that a loop gives it: what
is written in the test does not say which of its calls it was. The copy in which these tests run
again lies in the build folder, if there is one, so it stays built; only the sentence comes of it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

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
_NOT_PASSED = frozenset({TestOutcome.FAILED, TestOutcome.ERRORED, TestOutcome.TIMEOUT})
_TREES = ("src", "tests", ".cargo")

Run = Callable[[Path, Sequence[str], RunLimits], Awaitable[RawReport]]
Targets = Mapping[str, str]


class Reads(Protocol):
    """What of a toolchain is needed."""

    build_folder: str | None

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
    files = await asyncio.to_thread(_texts, root)
    stubs = list(_stubs(tool, files))
    wanted = await asyncio.to_thread(_wanted, marker, failed, files, stubs, targets)
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

    def run_short(folder: Path) -> Awaitable[RawReport]:
        return run(folder, names, short)

    marking = _Marking(marker, files, stubs, names)
    try:
        if tool.build_folder is not None:
            copy = root / tool.build_folder / FOLDER
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
        own = marking.calls.get(_file(test), {})
        return told(test, own, other.output, short.test_s * 1000)

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
        self, marker: Marker, files: Files, stubs: Sequence[str], names: Sequence[str]
    ) -> None:
        self._marker = marker
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
            report = await run(folder)
            if report.outcome is not RunOutcome.BUILD_ERROR:
                return report
            without = {each.line for each in report.build_errors if each.file in self.calls}
            if not without:
                return None
        return None

    def _marked(self, without: Collection[int]) -> dict[str, str]:
        texts = {**self._files, **self._marker.helpers()}
        for file, text in self._files.items():
            if file.startswith("tests/") and any(name in text for name in self._names):
                texts[file], self.calls[file] = self._marker.marked(
                    file, self._files, self._stubs, self._names, without
                )
        return texts


def _texts(root: Path) -> dict[str, str]:
    """What a run may need. Raises OSError. Blocks."""
    found = [*root.iterdir(), *(path for tree in _TREES for path in (root / tree).rglob("*"))]
    return {
        path.relative_to(root).as_posix(): path.read_bytes().decode("utf-8", "surrogateescape")
        for path in found
        if path.is_file() and not path.is_symlink()
    }
