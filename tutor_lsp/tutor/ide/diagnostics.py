"""Results on the learner's own stubs: quiet, one per stub."""

from dataclasses import dataclass
from enum import IntEnum

from tutor_lsp.core.exercise.exercise import UnitState
from tutor_lsp.core.exercise.report import TestOutcome, TestResult
from tutor_lsp.core.exercise.standing import BEFORE
from tutor_lsp.core.session import Place
from tutor_lsp.core.text.plain_text import clean, told
from tutor_lsp.core.text.quotes import find_quote
from tutor_lsp.tutor.ide.view import Span, UnitView, View

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
    """A place that explains a diagnostic: relative file, 1-based line."""

    file: str
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """What to publish. `lesson_line` is where `codeDescription` leads, in LESSON.md."""

    file: str
    span: Span
    severity: Severity
    code: str
    message: str
    related: tuple[Related, ...] = ()
    lesson_line: int | None = None


def diagnostics(view: View, *, build_errors: bool = True) -> dict[str, list[Diagnostic]]:
    """All diagnostics by relative file. Every file that can carry one is a key, so that an empty
    list clears what was shown before. `build_errors` is false where another server reports them.
    """
    found: dict[str, list[Diagnostic]] = {
        file: [] for file in view.exercise.files if file.startswith(("src/", "tests/"))
    }
    for item in view.units:
        shown = _of_unit(view, item)
        if shown is not None:
            found.setdefault(item.unit.file, []).append(shown)
    error = view.build_error
    if error is not None and build_errors:
        span = Span(error.line, error.column, error.end_line, error.end_column)
        gone = ", ".join(file for file in view.changed_files if file not in view.texts)
        said = f"{error.message} ({gone} is gone: tutor.restore)" if gone else error.message
        found.setdefault(error.file, []).append(
            Diagnostic(error.file, span, Severity.ERROR, "build-error", said)
        )
    here = view.focus or next(iter(view.units), None)
    if view.refusal is not None and here is not None:
        found.setdefault(here.unit.file, []).append(
            Diagnostic(here.unit.file, here.name_span, Severity.WARNING, "not-run", view.refusal)
        )
    elif view.not_run is not None:
        for file in sorted({item.unit.file for item in view.units}):
            found.setdefault(file, []).append(
                Diagnostic(file, Span(1, 1, 1, 1), Severity.WARNING, "not-run", view.not_run)
            )
    for file in view.changed_files:
        if file in view.texts and file.startswith("tests/"):
            message = (
                f"{file} is not as it was given: a check runs it as it is here, an attempt as it "
                "was given. Put it back with tutor.restore."
            )
            found.setdefault(file, []).append(
                Diagnostic(file, Span(1, 1, 1, 1), Severity.INFORMATION, "not-run", message)
            )
    for shown in _of_review(view):
        found.setdefault(shown.file, []).append(shown)
    return found


def _of_unit(view: View, item: UnitView) -> Diagnostic | None:
    lesson_line = view.heading_lines.get(item.unit.lesson_heading)
    if item.state is UnitState.PASSING:
        return None
    failing = [result for result in item.failing if result.outcome in CODES]
    if item.state is UnitState.TODO or not failing:
        if item.state is not UnitState.TODO:
            return None
        severity = Severity.INFORMATION if item.focus else Severity.HINT
        message = f"{item.unit.id}: {clean(item.unit.first_principle)}. Not written yet."
        return Diagnostic(
            item.unit.file, item.name_span, severity, "todo", message, (), lesson_line
        )
    return Diagnostic(
        item.unit.file,
        item.name_span,
        Severity.ERROR,
        CODES[failing[0].outcome],
        _sentence(item, failing),
        tuple(_related(result) for result in failing if result.file and result.line),
        lesson_line,
    )


def _sentence(item: UnitView, failing: list[TestResult]) -> str:
    first = failing[0].message or f"{failing[0].name} does not pass"
    count = f" ({len(failing)} of {len(item.unit.tests)} tests)"
    waits = ""
    if item.waits_for and not any(unit.stub in first for unit in item.waits_for):
        names = ", ".join(f"`{unit.stub}` ({unit.id})" for unit in item.waits_for)
        waits = f" It builds on {names}, not passing yet: start there."
    return clean(first) + count + (f" (from {BEFORE})" if item.old else "") + waits


def _related(result: TestResult) -> Related:
    return Related(
        result.file or "", result.line or 1, f"{result.name}: {result.message or 'does not pass'}"
    )


def _of_review(view: View) -> list[Diagnostic]:
    """Findings on their quotes, and the question on the line that it is about."""
    review = view.review
    if review is None:
        return []
    said = [
        (Place(each.file, each.line, each.end_line, each.quote), told(each.claim))
        for each in review.findings
    ]
    if review.question and review.answer is not None:
        text = f"A question, if you like: {told(review.question)} The answer is in .tutor/coach.md."
        said.append((review.answer.at, text))
    shown = []
    for at, text in said:
        found = find_quote(view.texts.get(at.file), at.line, at.end_line, at.quote)
        if found is not None:
            span = Span(found.line, found.column, found.end_line, found.end_column)
            shown.append(Diagnostic(at.file, span, Severity.INFORMATION, "review", text))
    return shown
