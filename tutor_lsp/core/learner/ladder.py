"""Graded hints L1 → L2 → L3, and when the solution of a unit may be shown."""

from collections.abc import Sequence
from dataclasses import dataclass

from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.report import RunOutcome, TestReport
from tutor_lsp.core.exercise.units import first_failing
from tutor_lsp.core.session import Hint, UnitProgress

HIGHEST_LEVEL = 3
FREE_REVEAL_AFTER = 4
"""Runs of a unit with changed text that did not pass, after which its solution is free."""
STUCK_AFTER = 5
"""Runs with changed text and the same first failing test, after which a learner is stuck."""


_DOES_NOT_BUILD = "does not build: "
_MESSAGE = 200


@dataclass(frozen=True, slots=True)
class HintStep:
    """What the next hint is. `level` is 1–3.

    `stored` is the L3 hint to show again instead of a call; `moved_on` then says that the code
    differs from the one it was written for. `unchanged_since_l2` holds when L3 comes next
    although the code is still the one that L2 was given for.
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

    Without results it is the one known from before, else the unit's first test, since on stubs
    all of them fail; "" if every test of the unit passes, which none does in what does not build.
    """
    if report is not None and any(test.unit == unit.id for test in report.tests):
        failing = first_failing(unit, report)
        if failing or report.outcome is not RunOutcome.BUILD_ERROR:
            return failing.name if failing else ""
    if progress is not None and progress.first_failing:
        return progress.first_failing
    return unit.tests[0] if unit.tests else ""


def ladder_of(test: str, report: TestReport | None) -> str:
    """What the next hint is counted under, and stored with as `Hint.test`.

    It is the test, or what keeps the code from being built, wherever that stands: hints on that
    use up none of the test's own.
    """
    if report is None or report.outcome is not RunOutcome.BUILD_ERROR or not report.build_errors:
        return test
    return _DOES_NOT_BUILD + report.build_errors[0].message[:_MESSAGE]


def next_hint(
    hints: Sequence[Hint], unit: str, ladder: str, text_hash: str, *, question: bool = False
) -> HintStep:
    """The step after the hints of a session for a unit and its ladder (see `ladder_of`).

    A failing test that has had no hint starts at L1, the third call gives L3, and from then on
    the L3 that was given is shown again, unless a question is asked about the code as it is
    now, or the code still does not build after a change: that is a new call at L3. `text_hash`
    identifies the unit's text now.
    """
    given = [hint for hint in hints if hint.unit == unit and hint.test == ladder]
    level = min(max((hint.level for hint in given), default=0) + 1, HIGHEST_LEVEL)
    last = [hint for hint in given if hint.level == HIGHEST_LEVEL]
    moved_on = bool(last) and last[-1].text_hash != text_hash
    if last and not question and not (moved_on and ladder.startswith(_DOES_NOT_BUILD)):
        return HintStep(level, stored=last[-1], moved_on=moved_on)
    second = [hint for hint in given if hint.level == HIGHEST_LEVEL - 1]
    unchanged = not last and bool(second) and second[-1].text_hash == text_hash
    return HintStep(level, unchanged_since_l2=unchanged)


def reveal_rule(
    progress: UnitProgress | None, *, known: bool = False, confirm: bool = False
) -> RevealRule:
    """Whether the solution of a unit may be shown: free after 4 changed runs, or confirmed, or
    `known`: shown before, or of a unit that passes."""
    tried = len(progress.failing_texts) if progress else 0
    left = 0 if known else max(FREE_REVEAL_AFTER - tried, 0)
    return RevealRule(allowed=confirm or not left, free=not left, runs_left=left)


def reveal_refusal(rule: RevealRule, stub: str) -> str:
    """What to say when a solution is not shown yet: both ways to it."""
    tries = "one more run" if rule.runs_left == 1 else f"{rule.runs_left} more runs"
    return (
        f"The solution of `{stub}` opens after {tries} with changed code. "
        "To see it now, confirm that you want to: the topic then counts in full only after you "
        "have done it once more on your own."
    )


def is_stuck(progress: UnitProgress | None) -> bool:
    """Whether five changed runs or more have left the same test as the first failing one."""
    return progress is not None and progress.stuck_runs >= STUCK_AFTER
