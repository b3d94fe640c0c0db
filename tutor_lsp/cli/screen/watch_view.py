"""What `watch` shows of an exercise, as lines. Pure."""

from collections.abc import Iterable, Sequence

from tutor_lsp.cli.screen.out import KeptLines, Part, Verbatim
from tutor_lsp.cli.screen.render import UNIT_MARKS, markdown
from tutor_lsp.cli.screen.watch_keys import COMMON, FURTHER, HELP, KEYS, NAMES, QUIT, WAY_KEYS, Key
from tutor_lsp.cli.screen.watch_screen import Frame, Line
from tutor_lsp.core.exercise.standing import Standing
from tutor_lsp.core.text.translation import filled, form_of, marked, t
from tutor_lsp.tutor.exercise.units import section_of
from tutor_lsp.tutor.ide.actions import ways_on
from tutor_lsp.tutor.ide.diagnostics import diagnostics
from tutor_lsp.tutor.ide.lenses import state_words
from tutor_lsp.tutor.ide.view import UnitView, View

BAR = 24
"""Cells of the progress bar."""
NOW = {"units": marked("{words} units"), "tests": marked("{words} tests")}
BEFORE = {"units": marked("units: {words}"), "tests": marked("tests: {words}")}
"""What is counted, of results that hold and of old ones."""


def frame(view: View, body: Sequence[Line], doing: str, page: int = 0) -> Frame:
    """The whole view; `body` is what the last key requested, of which `page` is shown where it does
    not fit, `doing` the work in progress or the line that is typed."""
    session = view.session
    stands = view.standing
    filled = BAR * stands.units_passing // max(1, len(view.units))
    head: list[Line] = [
        (("strong", view.exercise.title), ("dim", f"  {session.language} · {session.node}")),
        (
            ("good", "█" * filled),
            ("dim", "░" * (BAR - filled)),
            f"  {counted(stands, stands.units_words, 'units')}",
            ("dim", "" if stands.unrun else f" · {counted(stands, stands.tests_words, 'tests')}"),
        ),
        (),
        *focus_lines(view),
        (),
    ]
    foot: list[Line] = [(("dim", Verbatim(doing)),), key_line((*COMMON, HELP, QUIT))]
    ways = ways_on(view, view.focus) if view.focus is not None else []
    if ways:
        named = {WAY_KEYS[way.command] for way in ways}
        onward = [key for key in FURTHER if key.key in named]
        foot.insert(1, (("dim", f"{t('Still stuck?')}  "), *key_line(onward)))
    return Frame(head, list(body), foot, sentence(view), page)


def key_line(keys: Iterable[Key]) -> Line:
    """Keys, each with its word."""
    return tuple(part for key in keys for part in (("strong", key.key), f" {t(key.word)}  "))


def counted(stands: Standing, words: str, what: str) -> str:
    """`8 of 11 tests`, `tests: 8 of 11 before this edit`, or `not run yet`."""
    if stands.unrun:
        return words
    form = (BEFORE if stands.old else NOW)[what]
    return filled(form_of(form), form, {"words": words})


def focus_lines(view: View) -> list[Line]:
    """The focus unit with its first failure, or what to do when all is done."""
    if view.session.passed:
        following = view.next_title
        onward = t(f"Next: {following} (n).") if following else t("n starts the next.")
        return [(("good", f"✓ {t('Passed.')}"), f" {onward}")]
    if view.standing.all_green:
        onward = t("a finishes with a review.")
        return [(("good", f"✓ {t('All tests pass.')}"), f" {onward}")]
    item = view.focus
    if item is None:
        return []
    lines: list[Line] = [
        (
            UNIT_MARKS[item.state.value],
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
        lines.append((("dim", f"  {t('Stuck? h gives a hint.')}"),))
    return lines


def failure(view: View, item: UnitView) -> str:
    """What blocks a unit, in one sentence; empty if nothing does."""
    if view.build_error is not None:
        error = view.build_error
        return t(f"It does not build yet: {error.file}:{error.line}: {error.message}")
    if view.refusal or view.standing.not_run:
        return view.refusal or view.standing.not_run or ""
    shown = diagnostics(view).get(item.unit.file, [])
    line = item.name_span.line
    return next((entry.message for entry in shown if entry.span.line == line), "")


def unit_lines(view: View) -> list[Line]:
    """All units, one line each."""
    return [
        (
            ("strong", "▶ ") if item.focus else "  ",
            UNIT_MARKS[item.state.value],
            f" {item.unit.id} ",
            ("strong", item.unit.stub),
            f"  {item.unit.first_principle}",
            ("dim", f"  {state_words(item)}"),
        )
        for item in view.units
    ]


def lesson_lines(view: View) -> list[Line]:
    """Where the lesson is, and its section for the focus unit."""
    item = view.focus
    heading = item.unit.lesson_heading if item is not None else ""
    line = view.heading_lines.get(heading)
    place = f"{view.root / 'LESSON.md'}" + (f":{line}" if line is not None else "")
    read = KeptLines()
    if item is not None:
        markdown(read, section_of(view, item).rstrip())
    return [(f"{t('Lesson')}  ", ("place", place)), *read.lines]


def output_lines(view: View) -> list[Line]:
    """All that the failing tests of the focus unit said and printed."""
    item = view.focus
    lines: list[Line] = []
    for result in item.failing if item is not None else ():
        lines.append((("bad", "✗ "), ("strong", result.name)))
        if result.message:
            lines.append(("  ", Verbatim(result.message)))
        if result.file is not None:
            lines.append(("  ", ("place", f"{result.file}:{result.line}")))
        printed = result.output.rstrip("\n").split("\n") if result.output.strip() else []
        lines += [("    ", ("dim", Verbatim(text))) for text in printed]
    return lines or [(t("No test of this unit fails."),)]


def key_lines() -> list[Line]:
    """All keys, one line each."""
    names = {key: t(name) for key, name in NAMES.items()}
    return [(("strong", f"{names.get(key.key, key.key):>5}"), f"  {t(key.does)}") for key in KEYS]


def sentence(view: View) -> Line:
    """The view in one line."""
    stands = view.standing
    parts: list[Part] = [counted(stands, stands.tests_words, "tests")]
    if view.session.passed:
        return (*parts, ("good", f" · {t('passed')}"))
    if view.standing.all_green:
        return (*parts, ("good", f" · {t('all pass')}"), f": {t('a finishes with a review')}")
    item = view.focus
    if item is not None:
        said = failure(view, item) or state_words(item)
        parts += [f" · {item.unit.id} ", ("strong", item.unit.stub), f": {said}"]
    return tuple(parts)
