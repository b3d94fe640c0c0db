"""Graded hints L1 → L2 → L3, and when the solution of a unit may be shown."""

from collections.abc import Sequence
from dataclasses import dataclass

from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.report import RunOutcome, TestReport
from tutor_lsp.core.exercise.units import first_failing
from tutor_lsp.core.session import Hint, UnitProgress
from tutor_lsp.core.text.translation import n, t

HIGHEST_LEVEL = 3
FREE_REVEAL_AFTER = 4
"""Failing runs of a unit with changed text after which its solution is free."""
STUCK_AFTER = 5
"""Runs with changed text and the same first failing test after which a learner is stuck."""


_DOES_NOT_BUILD = "does not build: "
_PASSED = " (after pass {})"
_MESSAGE = 200


@dataclass(frozen=True, slots=True)
class HintStep:
    """The next hint to give. `level` is 1–3.

    `stored` is the L3 hint to show again instead of calling a model; `moved_on` then says that the
    code differs from that it was written for. `unchanged_since_l2` means that L3 comes next
    although the code has not changed since L2.
    """

    level: int
    stored: Hint | None = None
    moved_on: bool = False
    unchanged_since_l2: bool = False


@dataclass(frozen=True, slots=True)
class RevealRule:
    """Whether a solution may be shown, and how many more runs until it is `free`."""

    allowed: bool
    free: bool
    runs_left: int


def hint_test(unit: Unit, report: TestReport | None, progress: UnitProgress | None) -> str:
    """The test that a hint on this unit is about: the first that does not pass.

    Without results, the one known from before, or else the unit's first test, because stubs fail
    them all; "" if every test of the unit passes, which is never so if the code does not build.
    """
    if report is not None and any(test.unit == unit.id for test in report.tests):
        failing = first_failing(unit, report)
        if failing or report.outcome is not RunOutcome.BUILD_ERROR:
            return failing.name if failing else ""
    if progress is not None and progress.first_failing:
        return progress.first_failing
    return unit.tests[0] if unit.tests else ""


def ladder_of(test: str, report: TestReport | None, progress: UnitProgress | None) -> str:
    """The key under which the next hint is counted, and stored as `Hint.test`.

    It is the test, or whatever prevents the build, wherever that is: hints on a build error do not
    count towards the test's own. Nor do those of before the unit's last pass.
    """
    passed = _PASSED.format(progress.passes) if progress is not None and progress.passes else ""
    if report is None or report.outcome is not RunOutcome.BUILD_ERROR or not report.build_errors:
        return test + passed
    return _DOES_NOT_BUILD + report.build_errors[0].message[:_MESSAGE] + passed


def next_hint(
    hints: Sequence[Hint], unit: str, ladder: str, text_hash: str, *, question: bool = False
) -> HintStep:
    """The step after a session's hints for a unit and its ladder (see `ladder_of`).

    A failing test without hints starts at L1 and the third call gives L3; from then on that L3
    hint, and no answer to a question, is shown again, unless a question is asked about the current
    code, or the code still does not build after a change: that is a new call at L3. `text_hash`
    identifies the unit's current text.
    """
    earlier = [hint for hint in hints if hint.unit == unit and hint.test == ladder]
    level = min(max((hint.level for hint in earlier), default=0) + 1, HIGHEST_LEVEL)
    last = [hint for hint in earlier if hint.level == HIGHEST_LEVEL and not hint.question]
    moved_on = bool(last) and last[-1].text_hash != text_hash
    if last and not question and not (moved_on and ladder.startswith(_DOES_NOT_BUILD)):
        return HintStep(level, stored=last[-1], moved_on=moved_on)
    second = [hint for hint in earlier if hint.level == HIGHEST_LEVEL - 1]
    unchanged = not last and bool(second) and second[-1].text_hash == text_hash
    return HintStep(level, unchanged_since_l2=unchanged)


def reveal_rule(
    progress: UnitProgress | None, *, known: bool = False, confirm: bool = False
) -> RevealRule:
    """Whether a unit's solution may be shown: free after 4 changed runs, or confirmed, or
    `known`: shown before, or the unit passes."""
    tried = len(progress.failing_texts) if progress else 0
    left = 0 if known else max(FREE_REVEAL_AFTER - tried, 0)
    return RevealRule(allowed=confirm or not left, free=not left, runs_left=left)


def reveal_refusal(rule: RevealRule, stub: str) -> str:
    """The message if a solution is not shown yet: both ways to get it."""
    tries = n("one more run", "{count} more runs", rule.runs_left)
    return t(
        f"The solution of `{stub}` opens after {tries} with changed code. "
        "To see it now, confirm that you want to; the topic then counts in full only once you "
        "have done it again on your own."
    )


def is_stuck(progress: UnitProgress | None) -> bool:
    """Whether at least five changed runs have had the same first failing test."""
    return progress is not None and progress.stuck_runs >= STUCK_AFTER
