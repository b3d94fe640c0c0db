"""Pass or not yet: what a reviewer may conclude from a run, and how that is worded.

PASS needs all tests green and a score of at least 70. An all-green run is PASS unless an executed
input shows that the learner's code differs from the reference. FAIL with a score of 90 or
more contradicts itself. People never read the word FAIL.
"""

from dataclasses import replace

from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome, TestReport
from tutor_lsp.core.session import CounterExample, Review
from tutor_lsp.core.text.plain_text import spoken
from tutor_lsp.core.text.translation import marked, n, t

PASS = "PASS"  # noqa: S105 - a verdict, not a secret
FAIL = "FAIL"
PASS_SCORE = 70
"""The least score of a PASS, and the floor for an all-green run."""
TOO_HIGH_TO_FAIL = 90
STOPPED = marked("Stopped: nothing was counted.")
"""A run that was cancelled, in one sentence."""


def is_green(report: TestReport) -> bool:
    """Whether every test of a complete run passed, and there was at least one."""
    return (
        report.outcome is RunOutcome.PASSED
        and bool(report.tests)
        and all(test.outcome is TestOutcome.PASSED for test in report.tests)
    )


def settle(
    review: Review, report: TestReport, counter_example: CounterExample | None = None
) -> Review:
    """The review after the rules are applied. Applying them twice changes nothing.

    `counter_example` is an executed input for which the learner's code differs from the
    reference. On a green run without one the verdict is PASS, the score at least 70, and the
    reviewer's objection becomes the improvement, if there is none yet. If the verdict
    changes, the summary is that of the run.
    """
    green = is_green(report)
    verdict = PASS if green and counter_example is None else FAIL
    least, most = (PASS_SCORE, 100) if verdict == PASS else (0, TOO_HIGH_TO_FAIL - 1)
    summary, improvement = review.summary, review.improvement
    if verdict != review.verdict:
        summary = sentence(report)
        if verdict == PASS and not improvement and review.findings:
            improvement = review.findings[0].claim
    if green and counter_example is not None and review.counter_example != counter_example:
        standing = t(
            f"{sentence(report)} One case is still open: {spoken(case_sentence(counter_example))}"
        )
        summary = standing if review.verdict == PASS else f"{standing} {summary}"
    return replace(
        review,
        verdict=verdict,
        score=min(max(review.score, least), most),
        summary=summary,
        improvement=improvement,
        counter_example=counter_example if green else None,
    )


def case_sentence(example: CounterExample) -> str:
    """An executed counter-example in one sentence, with both values."""
    after = t(f"after `{'; '.join(example.setup)}`, ") if example.setup else ""
    if example.gave.startswith("`"):
        return t(f"{after}{example.gave}; expected {example.expected}.")
    return t(f"{after}`{example.call}` gave {example.gave}, expected {example.expected}.")


def count_passed(report: TestReport) -> tuple[int, int]:
    """How many tests passed, and how many there are."""
    passed = sum(test.outcome is TestOutcome.PASSED for test in report.tests)
    return passed, len(report.tests)


def sentence(report: TestReport, previous: TestReport | None = None) -> str:
    """A run in one sentence for people, compared with the run before it if there was one."""
    if is_green(report):
        total = len(report.tests)
        return n("The test passes.", "All {count} tests pass.", total)
    if report.outcome is RunOutcome.CANCELLED:
        return t(STOPPED)
    if report.outcome is RunOutcome.NOT_RUN:
        return t(f"The tests were not run: {t(report.reason or 'no reason was given.')}")
    if report.outcome is RunOutcome.BUILD_ERROR:
        return t(f"Not yet: {_build_trouble(report)}")
    passed, total = count_passed(report)
    if not total:
        return t(f"Not yet: {t(report.reason or 'no test gave a result.')}")
    told = n(
        "Not yet: {passed} of {count} test passes",
        "Not yet: {passed} of {count} tests pass",
        total,
        passed=passed,
    )
    return f"{told}{_compared(passed, previous)}."


def _build_trouble(report: TestReport) -> str:
    if not report.build_errors:
        return t(report.reason or "the code does not build.")
    first = report.build_errors[0]
    return f"{does_not_build(first.file, first.line)}."


def does_not_build(file: str, line: int | str) -> str:
    """A clause: the code does not build, and where."""
    return t(f"the code does not build, see {file} line {line}")


def not_counted(report: TestReport) -> str | None:
    """Why an attempt with this report is not counted, in one sentence; None if the report's own
    reason says so."""
    if report.outcome is not RunOutcome.BUILD_ERROR:
        return None
    if not report.build_errors:
        why = t(report.reason or "the code does not build")
        return t(f"This attempt was not counted: {why.rstrip('.')}.")
    first = report.build_errors[0]
    message = (first.message.strip().splitlines() or [""])[0].rstrip(".")
    trouble = does_not_build(first.file, first.line)
    return t(f"This attempt was not counted: {trouble}{f' ({message})' if message else ''}.")


def _compared(passed: int, previous: TestReport | None) -> str:
    if previous is None or not previous.tests:
        return ""
    more = passed - count_passed(previous)[0]
    if more == 0:
        return t(", as many as last time")
    return t(f", {more} more than last time" if more > 0 else f", {-more} fewer than last time")
