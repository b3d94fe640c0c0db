"""Hover: on the stub's line at most six lines, the hint whole; on the comment all there is."""

from dataclasses import dataclass

from tutor_lsp.core.exercise.exercise import LESSON
from tutor_lsp.core.exercise.report import TestOutcome, TestResult
from tutor_lsp.core.exercise.standing import BEFORE
from tutor_lsp.core.session import Hint
from tutor_lsp.core.text.plain_text import clean, code_span, fenced, in_one_line, spoken
from tutor_lsp.tutor.ide.lenses import state_text
from tutor_lsp.tutor.ide.links import stub_named
from tutor_lsp.tutor.ide.view import Span, UnitView, View

NAME_LINES = 6
"""Paragraphs of a hover on a name: more is not read."""

MARKS = {TestOutcome.PASSED: "✓", TestOutcome.TODO: "○", TestOutcome.NOT_RUN: "–"}


@dataclass(frozen=True, slots=True)
class Hover:
    """Markdown and the range that it belongs to."""

    markdown: str
    span: Span


def hover(view: View, file: str, line: int, column: int) -> Hover | None:
    """The hover at a 1-based place, or None where the tutor has nothing to say."""
    if file == LESSON:
        return _in_lesson(view, line, column)
    for item in view.in_file(file):
        site = item.site
        if site is None:
            continue
        span = item.name_span
        if line == span.line:
            on_name = span.column <= column <= span.end_column
            whole = span if on_name else Span(line, 1, line, 1000)
            return Hover("\n\n".join(_name_lines(item)), whole)
        if site.comment is not None and site.comment_line <= line <= site.comment_end_line:
            block = Span(site.comment_line, 1, site.comment_end_line, 1000)
            return Hover(_block(view, item), block)
    return None


def _in_lesson(view: View, line: int, column: int) -> Hover | None:
    """On a stub's name how it stands; on a heading the same for each stub that it is about."""
    named = stub_named(view, LESSON, line, column)
    if named is not None:
        span, item = named
        lines = _name_lines(item)
        if item.site is not None:
            lines.insert(0, fenced(item.site.signature.strip(), view.exercise.language))
        return Hover("\n\n".join(lines), span)
    about = [i for i in view.units if view.heading_lines.get(i.unit.lesson_heading) == line]
    if not about:
        return None
    shown = [f"`{item.unit.stub}`: {state_text(item)}" for item in about]
    return Hover("\n\n".join(shown), Span(line, 1, line, 1000))


def _test_line(result: TestResult, limit: int) -> str:
    mark = MARKS.get(result.outcome, "✗")
    message = result.message if result.outcome != TestOutcome.PASSED else None
    said = f": {spoken(_short(message, limit))}" if message else ""
    return f"{mark} `{result.name}`{said}"


def _short(text: str, limit: int) -> str:
    line = in_one_line(text)
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _name_lines(item: UnitView) -> list[str]:
    lines = [f"**{state_text(item)}**"]
    prints = next((result.output for result in item.failing if result.output.strip()), "")
    room = NAME_LINES - 1 - bool(item.hint) - bool(prints)
    shown = [*item.failing, *(r for r in item.results if r.outcome == TestOutcome.PASSED)]
    lines += [_test_line(result, 120) for result in shown[:room]]
    if prints:
        lines.append(f"It printed: {code_span(_short(clean(prints), 120))}")
    if item.hint is not None:
        lines.append(f"{_hint_title(item, item.hint)}: {in_one_line(item.hint.text)}")
    return lines


def _hint_title(item: UnitView, hint: Hint) -> str:
    return f"Hint {hint.level}" + (f" (from {BEFORE})" if item.hint_old else "")


def _block(view: View, item: UnitView) -> str:
    parts = [f"**{state_text(item)}** — {spoken(item.unit.first_principle)}"]
    results = {result.name: result for result in item.results}
    parts.append(
        "\n".join(
            "- " + (_test_line(results[name], 2000) if name in results else f"○ `{name}`")
            for name in item.unit.tests
        )
    )
    for result in item.failing:
        if result.output.strip():
            printed = clean(result.output[-1600:]).rstrip("\n")[-800:]
            parts.append(f"`{result.name}` printed:\n{fenced(printed, 'text')}")
    if item.waits_for:
        names = ", ".join(f"`{unit.stub}`" for unit in item.waits_for)
        parts.append(f"Builds on {names}, which does not pass yet.")
    if item.hint is not None:
        parts.append(f"**{_hint_title(item, item.hint)}**\n\n{item.hint.text}")
        if item.hint.code:
            parts.append(fenced(item.hint.code, view.exercise.language))
    if view.exercise.proof.line:
        parts.append(view.exercise.proof.line)
    return "\n\n".join(parts)
