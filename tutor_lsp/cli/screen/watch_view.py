"""What `watch` shows of an exercise, as lines. Pure."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tutor_lsp.cli.screen.render import MARKS
from tutor_lsp.cli.screen.watch_screen import Frame, Line
from tutor_lsp.tutor.ide.diagnostics import diagnostics
from tutor_lsp.tutor.ide.lenses import state_words
from tutor_lsp.tutor.ide.view import UnitView, View

if TYPE_CHECKING:
    from tutor_lsp.cli.screen.out import Part

BAR = 24
"""Cells of the progress bar."""
KEYS = (("h", "hint"), ("n", "next"), ("l", "list"), ("o", "lesson"), ("a", "attempt"))


def frame(view: View, body: Sequence[Line], doing: str) -> Frame:
    """The whole view; `body` is what the last key asked for, `doing` what goes on."""
    session = view.session
    stands = view.standing
    filled = BAR * stands.units_passing // max(1, len(view.units))
    head: list[Line] = [
        (("strong", view.exercise.title), ("dim", f"  {session.language} · {session.node}")),
        (
            ("good", "█" * filled),
            ("dim", "░" * (BAR - filled)),
            f"  {stands.units_words}" + ("" if stands.unrun else " units"),
            ("dim", "" if stands.unrun else f" · {stands.tests_words} tests"),
        ),
        (),
        *focus_lines(view),
        (),
    ]
    keys: list[Part] = []
    for key, word in (*KEYS, ("q", "quit")):
        keys += [("strong", key), f" {word}  "]
    foot: list[Line] = [(("dim", doing),), tuple(keys)]
    return Frame(head, list(body), foot, sentence(view))


def focus_lines(view: View) -> list[Line]:
    """The focus unit with its first failure, or what to do when all is done."""
    if view.session.passed:
        onward = f" Next: {view.next_title} (n)." if view.next_title else " n starts the next."
        return [(("good", "✓ Passed."), onward)]
    if view.all_green:
        return [(("good", "✓ All tests pass."), " a finishes with a review. Or keep polishing.")]
    item = view.focus
    if item is None:
        return []
    lines: list[Line] = [
        (
            MARKS[item.state.value],
            f" {item.unit.id} ",
            ("strong", item.unit.stub),
            f"  {state_words(item)}",
        ),
    ]
    said = failure(view, item)
    if said:
        lines.append(("  ", said))
    place = item.site.line if item.site is not None else item.unit.line
    lines.append(("  ", ("place", f"{item.unit.file}:{place}")))
    if item.stuck:
        lines.append((("dim", "  Stuck? h gives a hint."),))
    return lines


def failure(view: View, item: UnitView) -> str:
    """What stands in the way of a unit, in one sentence; empty if nothing does."""
    if view.build_error is not None:
        error = view.build_error
        return f"It does not build yet: {error.file}:{error.line}: {error.message}"
    if view.refusal or view.not_run:
        return view.refusal or view.not_run or ""
    shown = diagnostics(view).get(item.unit.file, [])
    line = item.name_span.line
    return next((entry.message for entry in shown if entry.span.line == line), "")


def unit_lines(view: View) -> list[Line]:
    """All units, one line each."""
    return [
        (
            ("strong", "▶ ") if item.focus else "  ",
            MARKS[item.state.value],
            f" {item.unit.id} ",
            ("strong", item.unit.stub),
            f"  {item.unit.first_principle}",
            ("dim", f"  {state_words(item)}"),
        )
        for item in view.units
    ]


def lesson_lines(view: View) -> list[Line]:
    """Where the lesson and the focus unit's section are."""
    item = view.focus
    heading = item.unit.lesson_heading if item is not None else ""
    line = view.heading_lines.get(heading)
    place = f"{view.root / 'LESSON.md'}" + (f":{line}" if line is not None else "")
    return [("Lesson  ", ("place", place)), (("dim", f"        {heading}"),)]


def sentence(view: View) -> Line:
    """The view in one line."""
    stands = view.standing
    parts: list[Part] = [stands.tests_words + ("" if stands.unrun else " tests")]
    if view.session.passed:
        return (*parts, ("good", " · passed"))
    if view.all_green:
        return (*parts, ("good", " · all pass"), ": a finishes with a review")
    item = view.focus
    if item is not None:
        said = failure(view, item) or state_words(item)
        parts += [f" · {item.unit.id} ", ("strong", item.unit.stub), f": {said}"]
    return tuple(parts)
