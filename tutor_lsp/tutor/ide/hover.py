"""Hover: on the stub's line at most six lines, the hint whole; on the comment all there is."""

from collections.abc import Collection
from dataclasses import dataclass

from tutor_lsp.core.exercise.exercise import LESSON, UnitState
from tutor_lsp.core.exercise.report import TestOutcome, TestResult
from tutor_lsp.core.exercise.standing import from_before
from tutor_lsp.core.session import Hint
from tutor_lsp.core.text.plain_text import clean, clip, code_span, fenced, in_one_line, spoken
from tutor_lsp.core.text.translation import t
from tutor_lsp.library.markdown import as_text
from tutor_lsp.tutor.ide.actions import ways_on
from tutor_lsp.tutor.ide.diagnostics import failures
from tutor_lsp.tutor.ide.lenses import state_text
from tutor_lsp.tutor.ide.links import stub_named
from tutor_lsp.tutor.ide.view import Span, UnitView, View
from tutor_lsp.tutor.voice.phrases import stuck_in_line, tried_out, works_without

NAME_LINES = 6
"""Paragraphs of a hover on a name: more is not read."""

MARKS = {TestOutcome.PASSED: "✓", TestOutcome.TODO: "○", TestOutcome.NOT_RUN: "–"}


@dataclass(frozen=True, slots=True)
class Hover:
    """Markdown and the range that it belongs to."""

    markdown: str
    span: Span


def hover(
    view: View, file: str, line: int, column: int, *, diagnostics_beside: bool = False
) -> Hover | None:
    """The hover at a 1-based place, or None if the tutor has nothing to show.

    What comes first is the state, then what can be done. With `diagnostics_beside` the client shows
    the diagnostics of the place in the same hover, and what they say isn't repeated.
    """
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
            told = failures(item) if diagnostics_beside and on_name else ()
            return Hover("\n\n".join(_name_lines(view, item, told)), whole)
        if site.comment is not None and site.comment_line <= line <= site.comment_end_line:
            block = Span(site.comment_line, 1, site.comment_end_line, 1000)
            return Hover(_block(view, item), block)
    return None


def plain(markdown: str) -> str:
    """A hover for clients that show text only."""
    return as_text(markdown)


def _in_lesson(view: View, line: int, column: int) -> Hover | None:
    """On a stub's name, its state; on a heading, that of each stub that it is about."""
    named = stub_named(view, LESSON, line, column)
    if named is not None:
        span, item = named
        lines = _name_lines(view, item)
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
    said = f": {spoken(clip(in_one_line(message), limit))}" if message else ""
    return f"{mark} `{result.name}`{said}"


def _ways(view: View, item: UnitView) -> list[str]:
    """The ways on from a last hint, by the titles of the code actions that take them."""
    titles = [spoken(each.title) for each in ways_on(view, item)]
    return [stuck_in_line(titles)] if titles else []


def _without(view: View, item: UnitView) -> list[str]:
    """What a unit that passes was to use and does without."""
    if view.report is None or item.state is not UnitState.PASSING:
        return []
    here = (each for each in view.report.unpractised or () if each.unit == item.unit.id)
    return [said for each in here if (said := works_without(each)) is not None]


def _name_lines(view: View, item: UnitView, told: Collection[TestResult] = ()) -> list[str]:
    lines = [f"**{state_text(item)}**", *_without(view, item), *_ways(view, item)]
    prints = next((result.output for result in item.failing if result.output.strip()), "")
    room = NAME_LINES - len(lines) - bool(item.hint) - bool(prints)
    passed = [result for result in item.results if result.outcome == TestOutcome.PASSED]
    shown = [*(result for result in item.failing if result not in told), *passed]
    lines += [_test_line(result, 120) for result in shown[:room]]
    if prints:
        lines.append(t(f"It printed: {code_span(clip(in_one_line(clean(prints)), 120))}"))
    if item.hint is not None:
        said = in_one_line(" ".join(filter(None, (item.hint.text, _tried(item.hint)))))
        lines.append(f"{_hint_title(item, item.hint)}: {said}")
    return lines


def _hint_title(item: UnitView, hint: Hint) -> str:
    return from_before(t(f"Hint {hint.level}"), old=item.hint_old)


def _tried(hint: Hint) -> str:
    return tried_out(hint.tried, model=hint.source == "model")


def _block(view: View, item: UnitView) -> str:
    said = f"**{state_text(item)}** — {spoken(item.unit.first_principle)}"
    parts = [said, *_without(view, item), *_ways(view, item)]
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
            parts.append(t(f"`{result.name}` printed:\n{fenced(printed, 'text')}"))
    if item.waits_for:
        names = ", ".join(f"`{unit.stub}`" for unit in item.waits_for)
        parts.append(t(f"Builds on {names}, which does not pass yet."))
    if item.hint is not None:
        parts.append(f"**{_hint_title(item, item.hint)}**\n\n{item.hint.text}")
        if item.hint.code:
            parts.append(fenced(item.hint.code, view.exercise.language))
        if tried := _tried(item.hint):
            parts.append(tried)
    if view.exercise.proof.line:
        parts.append(view.exercise.proof.line)
    return "\n\n".join(parts)
