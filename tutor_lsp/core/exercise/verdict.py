"""Pass or not yet: what a reviewer may say of a run, and how it is told to people.

PASS needs all tests green and a score of at least 70. An all-green run is PASS unless an input
was executed on which the learner's code differs from the reference. FAIL with a score of 90 or
more contradicts itself. People never read the word FAIL.
"""

from dataclasses import replace

from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome, TestReport
from tutor_lsp.core.session import CounterExample, Review
from tutor_lsp.core.text.plain_text import spoken

PASS = "PASS"  # noqa: S105 - a verdict, not a secret
FAIL = "FAIL"
PASS_SCORE = 70
"""The least score of a PASS, and the floor for an all-green run."""
TOO_HIGH_TO_FAIL = 90


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
    """The review after the rules, whatever the reviewer said. Applying it twice changes nothing.

    `counter_example` is an input that was executed, on which the learner's code differs from the
    reference. On a green run without one the verdict is PASS, the score at least 70, and what the
    reviewer held against it becomes the improvement, if there is none yet. Where the verdict is
    another one than the reviewer's, the summary is what the run says.
    """
    green = is_green(report)
    verdict = PASS if green and counter_example is None else FAIL
    score = min(max(review.score, 0), 100)
    summary, improvement = review.summary, review.improvement
    if verdict == PASS:
        score = max(score, PASS_SCORE)
        if review.verdict != PASS:
            summary = sentence(report)
            if not improvement and review.findings:
                improvement = review.findings[0].claim
    else:
        score = min(score, TOO_HIGH_TO_FAIL - 1)
        if review.verdict == PASS:
            summary = sentence(report)
    if green and counter_example is not None and review.counter_example != counter_example:
        told = (
            f"{sentence(report)} One case is still open: {spoken(case_sentence(counter_example))}"
        )
        summary = told if review.verdict == PASS else f"{told} {summary}"
    return replace(
        review,
        verdict=verdict,
        score=score,
        summary=summary,
        improvement=improvement,
        counter_example=counter_example if green else None,
    )


def case_sentence(example: CounterExample) -> str:
    """An executed counter-example in one sentence, with both values."""
    after = f"after `{'; '.join(example.setup)}`, " if example.setup else ""
    if example.gave.startswith("`"):
        return f"{after}{example.gave}; expected {example.expected}."
    return f"{after}`{example.call}` gave {example.gave}, expected {example.expected}."


def count_passed(report: TestReport) -> tuple[int, int]:
    """How many tests passed, and how many there are."""
    passed = sum(test.outcome is TestOutcome.PASSED for test in report.tests)
    return passed, len(report.tests)


def sentence(report: TestReport, previous: TestReport | None = None) -> str:
    """A run in one sentence for people, compared with the run before it if there was one."""
    if is_green(report):
        total = len(report.tests)
        return "The test passes." if total == 1 else f"All {total} tests pass."
    if report.outcome is RunOutcome.CANCELLED:
        return "The run was stopped before it ended."
    if report.outcome is RunOutcome.NOT_RUN:
        return f"The tests were not run: {report.reason or 'no reason was given.'}"
    if report.outcome is RunOutcome.BUILD_ERROR:
        return f"Not yet: {_build_trouble(report)}"
    passed, total = count_passed(report)
    if not total:
        return f"Not yet: {report.reason or 'no test gave a result.'}"
    told = f"Not yet: {passed} of {total} {'test passes' if total == 1 else 'tests pass'}"
    return f"{told}{_compared(passed, previous)}."


def _build_trouble(report: TestReport) -> str:
    if not report.build_errors:
        return report.reason or "the code does not build."
    first = report.build_errors[0]
    return f"{does_not_build(first.file, first.line)}."


def does_not_build(file: str, line: int | str) -> str:
    """That the code does not build, and where; without a full stop."""
    return f"the code does not build, see {file} line {line}"


def not_counted(report: TestReport) -> str | None:
    """Why an attempt with this report is not counted, in one whole sentence; None where the
    report's own reason says so."""
    if report.outcome is not RunOutcome.BUILD_ERROR:
        return None
    if not report.build_errors:
        why = report.reason or "the code does not build"
        return f"This attempt was not counted: {why.rstrip('.')}."
    first = report.build_errors[0]
    said = (first.message.strip().splitlines() or [""])[0].rstrip(".")
    trouble = does_not_build(first.file, first.line)
    return f"This attempt was not counted: {trouble}{f' ({said})' if said else ''}."


def _compared(passed: int, previous: TestReport | None) -> str:
    if previous is None or not previous.tests:
        return ""
    more = passed - count_passed(previous)[0]
    if more == 0:
        return ", as many as last time"
    return f", {abs(more)} {'more' if more > 0 else 'fewer'} than last time"
