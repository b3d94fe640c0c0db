"""Runs in which every test has a process of its own: what such languages share."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tutor_lsp.core.exercise.report import (
    NO_TESTS,
    BuildError,
    Location,
    RawTest,
    RunOutcome,
    TestOutcome,
)
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.core.text.translation import marked
from tutor_lsp.languages.common.build_cache import BuildCache
from tutor_lsp.languages.common.proof.elsewhere import loading
from tutor_lsp.languages.common.running import BaseRun
from tutor_lsp.languages.common.tampering import REPLACED, Stamp, left_by_build, replaced, stamps

NOT_FOUND = marked("None of the tests that were asked for exists.")

Tested = tuple[RunOutcome, str | None, tuple[RawTest, ...]]
"""How a run ended, why, and its tests."""
_GREEN = (TestOutcome.PASSED, TestOutcome.NOT_RUN)


@dataclass(frozen=True, slots=True)
class Listed:
    """A test of a program; `place` is where it is defined."""

    program: Path
    name: str
    place: Location

    @property
    def short(self) -> str:
        """Its name without modules."""
        return self.name.rpartition("::")[2]

    def not_run(self) -> RawTest:
        """The result of a test that did not run."""
        return RawTest(self.short, TestOutcome.NOT_RUN, location=self.place)


class ApartRun(BaseRun):
    """One run."""

    async def _around(self, cache: BuildCache, folder: Path) -> dict[str, str]:
        """What takes the tests to other surroundings, if they are to run in such; `folder` is of
        what is built."""
        around = dict(self._limits.around)
        if around:
            with contextlib.suppress(OSError):  # whatever is wrong there, the build says
                around |= await loading(cache, self._root, folder)
        return around

    async def _unless_replaced(self, folder: Path, testing: Awaitable[Tested]) -> Tested:
        """What `testing` gives, unless it changes what was built in `folder`."""
        before = await asyncio.to_thread(self._stamps, folder)
        try:
            tested = await testing
        finally:
            await self._containment.clear(self._token)
        if await asyncio.to_thread(replaced, before):
            return RunOutcome.NOT_RUN, REPLACED, ()
        return tested

    def _stamps(self, folder: Path) -> dict[Path, Stamp]:
        return {} if self._containment.isolated else stamps(left_by_build(folder))

    async def _run_listed(
        self, listed: Sequence[Listed], test: Callable[[Listed], Awaitable[RawTest | None]]
    ) -> Tested:
        """Run those that were asked for, all at once, as far as slots allow, early ones first.
        `test` gives None where no time was left."""
        if not listed:
            return RunOutcome.NOT_RUN, NO_TESTS, ()
        names = self._names
        wanted = [each for each in listed if names is None or {each.name, each.short} & {*names}]
        if not wanted:
            return RunOutcome.NOT_RUN, NOT_FOUND, tuple(each.not_run() for each in listed)

        results: dict[Listed, RawTest | None] = {}
        first = [each for each in wanted if self._is_early(each.name)]

        async def tested(each: Listed) -> None:
            results[each] = await test(each)
            done = [found for one in first if (found := results.get(one)) is not None]
            if len(done) == len(first):
                self._tell_early(done, left=len(results) < len(wanted))

        async with asyncio.TaskGroup() as group:
            for each in sorted(wanted, key=lambda each: each not in first):
                group.create_task(tested(each))
        tests = tuple(
            replace(results.get(each) or each.not_run(), file=each.place.file) for each in listed
        )
        ended = [result for result in results.values() if result is not None]
        if len(ended) < len(wanted):
            return RunOutcome.TIMEOUT, too_long(self._limits, len(wanted) - len(ended)), tests
        green = all(result.outcome in _GREEN for result in ended)
        return (RunOutcome.PASSED if green else RunOutcome.FAILED), None, tests


def too_long(limits: RunLimits, left: int) -> str:
    """Why a run timed out whose tests did not all run; `left` is how many did not."""
    return marked(f"The tests took longer than {limits.total_s:g} s together; {left} did not run.")


def built_too_long(limit_s: float) -> Tested:
    """What a build that was stopped says instead of tests."""
    said = marked(f"Building took longer than {limit_s:g} s and was stopped.")
    return RunOutcome.TIMEOUT, said, ()


def not_built(errors: Sequence[BuildError], unplaced: Sequence[str]) -> Tested | None:
    """What a build that failed says instead of tests; None where it says nothing."""
    if errors:
        return RunOutcome.BUILD_ERROR, located(errors[0]), ()
    return (RunOutcome.BUILD_ERROR, unplaced[0], ()) if unplaced else None


def located(error: BuildError) -> str:
    """An error of the build with its place, on one line."""
    return f"{error.file}, line {error.line}: {error.message}"
