"""Words for runs, attempts and reviews. These texts never say FAIL."""

from collections.abc import Iterable

from tutor_lsp.core.exercise.exercise import UnitState
from tutor_lsp.core.exercise.judge import PUT_BACK
from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome, TestReport, TestResult
from tutor_lsp.core.exercise.undone import undone_in_short
from tutor_lsp.core.exercise.verdict import PASS, STOPPED, count_passed
from tutor_lsp.core.learner.recommendation import Advice
from tutor_lsp.core.session import Place, Review
from tutor_lsp.core.text.plain_text import (
    clean,
    clip,
    code_span,
    in_one_line,
    line,
    plain_words,
    spoken,
    verbatim,
)
from tutor_lsp.tutor.interface.notifications import ReviewReady, TestsRan
from tutor_lsp.tutor.interface.results import AttemptResult
from tutor_lsp.tutor.voice.phrases import (
    NO_REVIEW,
    improvement,
    question,
    unpractised_lines,
    works_without,
)
from tutor_lsp.tutor.voice.units import MARKS
from tutor_lsp.tutor.voice.voice import Voice, Words, item, sentence, words

PRINTED = 200
"""Characters of what a test printed that are shown."""


def check(voice: Voice, result: TestReport) -> Words:
    """`tutor.check`."""
    done = result.outcome is RunOutcome.PASSED
    onward = voice.t("Attempt (tutor.attempt) to get a review.") if done else None
    note, without = voice.ours(result.note), _unpractised(result)
    return words(
        run_title(voice, result),
        run(voice, result),
        None if done else first_trouble(voice, result),
        without,
        note,
        onward,
        body=(
            units(voice, result),
            line(verbatim(run(voice, result))),
            spoken(note),
            onward,
        ),
    )


def _unpractised(result: TestReport) -> str | None:
    """In one line what passing code was to use and does without; None if nothing, or tests fail."""
    said = unpractised_lines(result) if result.outcome is RunOutcome.PASSED else []
    return plain_words(said[0]) if said else None


def tests_ran(voice: Voice, result: TestsRan) -> Words:
    """`tutor/testsRan`."""
    return check(voice, result.report)


def run_title(voice: Voice, result: TestReport) -> str:
    """A run in a few words."""
    passed, total = count_passed(result)
    match result.outcome:
        case RunOutcome.PASSED if not total:
            return voice.t("There are no tests")
        case RunOutcome.PASSED:
            return voice.n("The test passes", "All {count} tests pass", total)
        case RunOutcome.TIMEOUT if not total:
            return voice.t("It took too long")
        case RunOutcome.FAILED if not total:
            return voice.t("The tests did not run")
        case RunOutcome.BUILD_ERROR:
            return voice.t("It does not build yet")
        case RunOutcome.CANCELLED:
            return voice.t("Stopped")
        case RunOutcome.NOT_RUN:
            return voice.t("The tests did not run")
        case _:
            return voice.n(
                "{passed} of {count} test passes",
                "{passed} of {count} tests pass",
                total,
                passed=passed,
            )


def run(voice: Voice, result: TestReport) -> str:
    """A run in one sentence."""
    passed, total = count_passed(result)
    reason = voice.ours(result.reason or "")
    if result.outcome is RunOutcome.TIMEOUT:
        reason = reason or voice.t("The run took too long and was stopped.")
    match result.outcome:
        case RunOutcome.PASSED if not total:
            return reason or voice.t("There are no tests.")
        case RunOutcome.PASSED:
            return voice.n("The test passes.", "All {count} tests pass.", total)
        case RunOutcome.BUILD_ERROR if result.build_errors:
            first = result.build_errors[0]
            return voice.t(
                "It does not build yet: {message} ({file}, line {line}).",
                message=in_one_line(first.message).rstrip("."),
                file=first.file,
                line=first.line,
            )
        case RunOutcome.BUILD_ERROR:
            said = voice.t("It does not build yet.")
            return f"{said} {reason}" if reason else said
        case RunOutcome.CANCELLED:
            return reason or voice.ours(STOPPED)
        case RunOutcome.FAILED if not total:
            return reason or voice.t("The tests did not run.")
        case RunOutcome.NOT_RUN:
            return reason or voice.t("The tests did not run.")
        case RunOutcome.TIMEOUT if not total:
            return reason
    said = voice.n(
        "Not yet: {passed} of {count} test passes.",
        "Not yet: {passed} of {count} tests pass.",
        total,
        passed=passed,
    )
    return f"{said} {reason}" if reason else said


def first_trouble(voice: Voice, result: TestReport) -> str | None:
    """What the first test that does not pass says, None where nothing was begun."""
    for test in result.tests:
        if _begun(test):
            said = in_one_line(test.message or voice.t("{test} does not pass", test=test.name))
            return sentence(f"{test.stub or test.name}: {said}")
    return None


def units(voice: Voice, result: TestReport) -> str | None:
    """Build errors, then the units with what fails in them, as a list."""
    errors = [
        item("✗", code_span(f"{each.file}:{each.line}:{each.column}"), verbatim(each.message))
        for each in result.build_errors
    ]
    without: dict[str | None, list[str]] = {}
    for each in result.unpractised or ():
        if said := works_without(each):
            without.setdefault(each.unit, []).append(item(said, indent=1))
    lines = [
        line
        for tests in _by_unit(result.tests)
        for line in (*_unit(voice, tests), *without.get(tests[0].unit, ()))
    ]
    return "\n".join([*errors, *lines]) or None


def _by_unit(tests: Iterable[TestResult]) -> list[list[TestResult]]:
    """In the order of units, whatever that of their test files; then each test of none alone."""
    groups: dict[str, list[TestResult]] = {}
    for test in tests:
        groups.setdefault(test.unit or f"\0{test.name}", []).append(test)
    return sorted(groups.values(), key=_place)


def _place(tests: list[TestResult]) -> tuple[bool, int]:
    unit = tests[0].unit or ""
    return not unit, int("".join(filter(str.isdecimal, unit)) or 0)


def _unit(voice: Voice, tests: list[TestResult]) -> list[str]:
    first = tests[0]
    name = f"{first.unit} {code_span(first.stub or '')}" if first.unit else code_span(first.name)
    failing = [test for test in tests if test.outcome is not TestOutcome.PASSED]
    begun = [test for test in failing if _begun(test)]
    if not failing:
        return [item(MARKS[UnitState.PASSING], name)]
    if not begun:
        todo = next((test for test in failing if test.outcome is TestOutcome.TODO), None)
        if todo is not None:
            short = undone_in_short(todo.stub or "", todo.message or "")
            return [item(MARKS[UnitState.TODO], f"{name}:", spoken(short))]
        # Why a test did not run is the tutor's own sentence.
        why = voice.ours(failing[0].message or "") or voice.t("did not run")
        return [item(MARKS[UnitState.STALE], f"{name}:", spoken(why))]
    message = begun[0].message or ""
    missing = begun[0].line is None and message.endswith(PUT_BACK)
    said = in_one_line(voice.ours(message) if missing else message) or voice.t(
        "{test} does not pass", test=begun[0].name
    )
    if len(tests) > 1 and " tests)" not in said:
        count = voice.t("{failing} of {count} tests", failing=len(failing), count=len(tests))
        said = f"{said} ({count})"
    lines = [item(MARKS[UnitState.FAILING], f"{name}:", verbatim(said))]
    lines += [
        item(f"{code_span(test.name)}:", verbatim(test.message), indent=1)
        for test in begun[1:]
        if test.message and in_one_line(test.message) not in said
    ]
    printed = _printed(failing)
    if printed:
        lines.append(item(voice.t("it printed: {text}", text=printed), indent=1))
    return lines


def _begun(test: TestResult) -> bool:
    left_out = (TestOutcome.PASSED, TestOutcome.TODO, TestOutcome.NOT_RUN)
    return test.outcome not in left_out


def _printed(tests: list[TestResult]) -> str:
    """What the first of them that printed anything printed, in one short line."""
    text = next((test.output for test in tests if test.output.strip()), "")
    return code_span(clip(" ⏎ ".join(clean(text).strip().splitlines()), PRINTED))


def attempt(voice: Voice, result: AttemptResult) -> Words:
    """`tutor.attempt`."""
    reviewed, step = result.review, mastery(voice, result)
    ran, missing = _ran(voice, result), _missing(voice, result)
    passed = reviewed is not None and reviewed.verdict == PASS
    summary = in_one_line(plain_words(reviewed.summary)) if reviewed is not None else None
    details = voice.t("Details: .tutor/coach.md") if reviewed is not None else None
    note = voice.ours(result.note or "")
    left_out = result.report.note if result.report.note not in (result.note or "") else ""
    left_out = voice.ours(left_out)
    without = _unpractised(result.report)
    said = [summary or ran, without, note, left_out, missing, step]
    if passed and result.next:
        said.append(voice.t("Next: {title} (tutor.next).", title=result.next[0].title))
    return words(
        _verdict(voice, reviewed) if reviewed is not None else run_title(voice, result.report),
        *said,
        details,
        body=(
            units(voice, result.report),
            None if not ran or _says(summary, ran) else line(verbatim(ran)),
            *_reviewed(voice, reviewed),
            spoken(missing or ""),
            step,
            spoken(note),
            spoken(left_out),
            next_list(voice, result.next) if passed else _stuck(voice, result),
        ),
    )


def _says(summary: str | None, ran: str) -> bool:
    return summary is not None and summary.startswith(ran.rstrip("."))


def _ran(voice: Voice, result: AttemptResult) -> str | None:
    """The run; None where the note on what was not counted says it, too."""
    uncounted = result.attempt is None and result.report.outcome is RunOutcome.BUILD_ERROR
    return None if uncounted and result.note else run(voice, result.report)


def _missing(voice: Voice, result: AttemptResult) -> str | None:
    if not result.review_error:
        return None
    return voice.t(
        "The attempt is kept, but its review is missing: {why} tutor.attempt requests it again.",
        why=sentence(voice.ours(result.review_error)),
    )


def _stuck(voice: Voice, result: AttemptResult) -> str | None:
    fails = result.report.outcome in (RunOutcome.FAILED, RunOutcome.TIMEOUT)
    return voice.t("Stuck? tutor.hint") if fails else None


def mastery(voice: Voice, result: AttemptResult) -> str:
    """What an attempt did to the learner's mastery of the topic."""
    step = result.mastery
    topic = f"“{result.topic}”" if result.topic else step.node
    if step.before == step.after:
        return voice.t("Mastery of {topic}: {after} of 3.", topic=topic, after=step.after)
    return voice.t(
        "Mastery of {topic}: {before} → {after} of 3.",
        topic=topic,
        before=step.before,
        after=step.after,
    )


def next_list(voice: Voice, advice: Iterable[Advice]) -> str | None:
    """What to do next, each with its reason."""
    rows = [
        item(spoken(each.title), f"({spoken(each.reason)})", f"`{each.node}`") for each in advice
    ]
    if not rows:
        return voice.t("There is nothing more to recommend in this language for now.")
    return "\n".join([voice.t("Next:"), *rows, "", voice.t("tutor.next starts the first of them.")])


def _verdict(voice: Voice, reviewed: Review) -> str:
    said = voice.t("Passed") if reviewed.verdict == PASS else voice.t("Not yet")
    return voice.t("{verdict} · {score} of 100", verdict=said, score=reviewed.score)


def review(voice: Voice, result: Review | None) -> Words:
    """`tutor.review`; null is worded for clients that show only messages."""
    if result is None:
        return words(voice.t("No review yet"), voice.ours(NO_REVIEW))
    return words(
        _verdict(voice, result),
        in_one_line(plain_words(result.summary)),
        body=tuple(_reviewed(voice, result)),
    )


def _reviewed(voice: Voice, reviewed: Review | None) -> Iterable[str | None]:
    if reviewed is None:
        return
    yield reviewed.summary
    yield "\n".join(
        item(
            f"`{each.file}:{each.line}`", each.claim, f"({each.evidence})" if each.evidence else ""
        )
        for each in reviewed.findings
    )
    if reviewed.dropped_findings:
        yield voice.n(
            "{count} remark was left out because it quotes what is not in your code.",
            "{count} remarks were left out because they quote what is not in your code.",
            reviewed.dropped_findings,
        )
    if reviewed.improvement:
        yield improvement(reviewed.improvement, _at(reviewed.improvement_at))
    if reviewed.question:
        at = _at(reviewed.answer.at) if reviewed.answer is not None else ""
        yield question(reviewed.question, at, answered=reviewed.answer is not None)


def review_ready(voice: Voice, result: ReviewReady) -> Words:
    """`tutor/reviewReady`."""
    made, number = review(voice, result.review), result.attempt
    title = voice.t("Review of attempt {number}: {verdict}", number=number, verdict=made.title)
    return Words(title, made.sentences, made.body)


def _at(place: Place | None) -> str:
    return f" (`{place.file}:{place.line}`)" if place is not None else ""
