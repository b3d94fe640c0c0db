"""Results on the learner's own stubs: quiet, one per stub."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from tutor_lsp.core.exercise.exercise import UnitState
from tutor_lsp.core.exercise.report import TestOutcome, TestResult
from tutor_lsp.core.exercise.standing import from_before
from tutor_lsp.core.exercise.undone import undone_at
from tutor_lsp.core.session import Place
from tutor_lsp.core.text.plain_text import clean, plain_words
from tutor_lsp.core.text.positions import split_lines
from tutor_lsp.core.text.quotes import find_quote
from tutor_lsp.core.text.translation import n, t
from tutor_lsp.tutor.ide.view import Span, UnitView, View
from tutor_lsp.tutor.voice.phrases import plain_question

CODES = {
    TestOutcome.FAILED: "test-failed",
    TestOutcome.ERRORED: "test-errored",
    TestOutcome.TIMEOUT: "test-timeout",
}


class Severity(IntEnum):
    """Numbers as in the protocol."""

    ERROR = 1
    WARNING = 2
    INFORMATION = 3
    HINT = 4


@dataclass(frozen=True, slots=True)
class Related:
    """A place that explains a diagnostic: relative file, 1-based line. `beside` is what to say
    right beside the diagnostic's own message, whose sentence it leaves out."""

    file: str
    line: int
    message: str
    beside: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """What to publish. `lesson_line` is where `codeDescription` leads, in LESSON.md; `body` are the
    first and last 1-based line of the body of the stub that it is about, if it is about one.
    """

    file: str
    span: Span
    severity: Severity
    code: str
    message: str
    related: tuple[Related, ...] = ()
    lesson_line: int | None = None
    body: tuple[int, int] | None = None


def diagnostics(view: View, *, build_errors: bool = True) -> dict[str, list[Diagnostic]]:
    """All diagnostics by relative file. Every file that can carry one is a key, so that an empty
    list clears what was shown before. `build_errors` is false where another server reports them.
    """
    found: dict[str, list[Diagnostic]] = {
        file: [] for file in view.exercise.files if file.startswith(("src/", "tests/"))
    }
    for shown in _all(view, build_errors=build_errors):
        found.setdefault(shown.file, []).append(shown)
    return found


def _all(view: View, *, build_errors: bool) -> Iterator[Diagnostic]:
    for item in view.units:
        yield from _of_unit(view, item)
    error = view.build_error
    if error is not None and build_errors:
        span = Span(error.line, error.column, error.end_line, error.end_column)
        gone = ", ".join(file for file in view.changed_files if file not in view.texts)
        said = t(f"{error.message} ({gone} is gone: tutor.restore)") if gone else error.message
        yield Diagnostic(error.file, span, Severity.ERROR, "build-error", said)
    here = view.focus or next(iter(view.units), None)
    not_run = view.standing.not_run
    if view.refusal is not None and here is not None:
        at, body = here.name_span, _body(view, here)
        yield Diagnostic(here.unit.file, at, Severity.WARNING, "not-run", view.refusal, body=body)
    elif not_run is not None:
        for file in sorted({item.unit.file for item in view.units}):
            yield Diagnostic(file, Span(1, 1, 1, 1), Severity.WARNING, "not-run", not_run)
    for file in view.changed_files:
        if file in view.texts and file.startswith("tests/"):
            message = t(
                f"{file} differs from the original: a check runs it as it is here, an attempt runs "
                "the original. tutor.restore puts that back."
            )
            yield Diagnostic(file, Span(1, 1, 1, 1), Severity.INFORMATION, "not-run", message)
    yield from _of_review(view)


def _body(view: View, item: UnitView) -> tuple[int, int] | None:
    return view.body_lines(item) if item.site is not None else None


def _of_unit(view: View, item: UnitView) -> Iterator[Diagnostic]:
    file, span = item.unit.file, item.name_span
    lesson_line = view.heading_lines.get(item.unit.lesson_heading)
    body = _body(view, item)
    failing = _failing(item)
    if item.state is UnitState.TODO:
        severity = Severity.INFORMATION if item.focus else Severity.HINT
        message = undone_at(item.unit)
        yield Diagnostic(file, span, severity, "todo", message, (), lesson_line, body)
    elif failing:
        code, message = CODES[failing[0].outcome], _sentence(item, failing)
        first = failing[0]
        if first.build_error is None and first.file == file:
            span = _line(view, file, first.line) or span
        told = failing[:1] if first.build_error is not None else failing
        related = tuple(_related(r, said=r is first) for r in told if r.file and r.line)
        yield Diagnostic(file, span, Severity.ERROR, code, message, related, lesson_line, body)


def _line(view: View, file: str, number: int | None) -> Span | None:
    """A line of a file without its margins, if it is there."""
    rows = split_lines(view.texts.get(file, ""))
    if number is None or not 0 < number <= len(rows):
        return None
    row = rows[number - 1]
    return Span(number, len(row) - len(row.lstrip()) + 1, number, len(row.rstrip()) + 1)


def _sentence(item: UnitView, failing: list[TestResult]) -> str:
    first = failing[0].message or t(f"{failing[0].name} does not pass")
    count = n(
        " ({failing} of {count} test)",
        " ({failing} of {count} tests)",
        len(item.unit.tests),
        failing=len(failing),
    )
    waits = ""
    if item.waits_for and not any(unit.stub in first for unit in item.waits_for):
        names = ", ".join(f"`{unit.stub}` ({unit.id})" for unit in item.waits_for)
        waits = t(f" It builds on {names}, not passing yet: start there.")
    return from_before(clean(first) + count, old=item.old) + waits


def failures(item: UnitView) -> list[TestResult]:
    """The results that the diagnostic on a unit's name tells, in its message or related to it."""
    failing = _failing(item)
    return [*failing[:1], *(result for result in failing[1:] if result.file and result.line)]


def _failing(item: UnitView) -> list[TestResult]:
    if item.state in (UnitState.TODO, UnitState.PASSING):
        return []
    return [result for result in item.failing if result.outcome in CODES]


def _related(result: TestResult, *, said: bool) -> Related:
    if result.build_error is not None:
        cause = clean(result.build_error.labelled)
        return Related(result.file or "", result.line or 1, cause, cause)
    sentence = t(f"{result.name}: {result.message or t('does not pass')}")
    beside = result.name if said else sentence
    return Related(result.file or "", result.line or 1, sentence, beside)


def _of_review(view: View) -> Iterator[Diagnostic]:
    """Findings on the lines they quote, and the question on the line that it is about."""
    review = view.review
    if review is None:
        return
    said = [
        (Place(each.file, each.line, each.end_line, each.quote), plain_words(each.claim))
        for each in review.findings
    ]
    if review.question and review.answer is not None:
        said.append((review.answer.at, plain_question(plain_words(review.question))))
    for at, text in said:
        found = find_quote(view.texts.get(at.file), at.line, at.end_line, at.quote)
        if found is not None:
            span = Span(found.line, found.column, found.end_line, found.end_column)
            yield Diagnostic(at.file, span, Severity.INFORMATION, "review", text)
