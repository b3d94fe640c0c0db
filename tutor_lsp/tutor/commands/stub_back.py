"""One stub of a text as it was, and nothing else of that changed."""

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Unit, UnitKind, sharing
from tutor_lsp.core.exercise.parts import parts, put_back, without
from tutor_lsp.core.ports import FunctionSite
from tutor_lsp.core.text.positions import LineIndex
from tutor_lsp.languages.registry import languages
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.stub_place import Given, GivenFile, stub_rows, tops_of_others


def spliced(opened: OpenExercise, unit: Unit, text: str, old: str) -> str:
    """The text with one stub as it was in an older text; all of that where it cannot be found."""
    if sharing(opened.exercise.units, unit):
        return _part_spliced(opened, unit, text, old)
    if unit.kind is not UnitKind.BODY:
        return old
    try:
        if with_stub(opened, unit, old) == text:
            return old
    except TutorError:
        return old
    then, now = _place(opened, unit, old), _place(opened, unit, text)
    if then is None or now is None:
        return old
    return text[: now[0]] + old[then[0] : then[1]] + text[now[1] :]


def _part_spliced(opened: OpenExercise, unit: Unit, text: str, old: str) -> str:
    """The text with one unit's part of a file as it was in an older text."""
    given, lines = opened.exercise.starter[unit.file], opened.lines
    if put_back(old, given, [unit.id], lines) == text:
        return old
    return put_back(text, old, [unit.id], lines) or without(text, [unit.id], lines)


def _with_part(opened: OpenExercise, unit: Unit, text: str) -> str | None:
    """The text with one unit's part of a file as it was given; None where the comment is gone that
    tells which lines are the unit's, or those that follow."""
    stubs, there = opened.stubs({unit.file: text}), parts(text, opened.lines)
    for other in sharing(opened.exercise.units, unit):
        site = stubs.site(other.id)
        if other.id not in there and (site is None or site.signature):
            return None
    return put_back(text, opened.exercise.starter[unit.file], [unit.id], opened.lines)


def with_stub(opened: OpenExercise, unit: Unit, text: str) -> str:
    """The text with one stub as it was given, and nothing else changed.

    Raises TutorError `REFUSED` where it is not sure which lines are the stub's.
    """
    starter = opened.exercise.starter[unit.file]
    given = opened.stubs({unit.file: starter}).site(unit.id)
    shared = bool(sharing(opened.exercise.units, unit))
    if given is None or not text.strip() or (unit.kind is not UnitKind.BODY and not shared):
        return starter
    if shared:
        whole = _with_part(opened, unit, text)
        if whole is None:
            raise _unclear(unit)
        return whole
    place = _place(opened, unit, text)
    if place is None:
        raise _unclear(unit)
    start, end = place
    stub = starter[_from(starter, given) : given.end]
    if start == end:
        language = languages()[opened.exercise.language]
        gap = "\n" * (language.blank_lines + 1)
        before, after = text[:start].rstrip(), text[end:].lstrip("\r\n")
        above = "\n" if before.endswith("{") else gap if before else ""
        below = "\n" if not after or after.lstrip().startswith(language.lines.closes) else gap
        stub = above + stub + below
        start, end = len(before), len(text) - len(after)
    if "\r\n" in text:
        stub = stub.replace("\n", "\r\n")
    return text[:start] + stub + text[end:]


def _unclear(unit: Unit) -> TutorError:
    return TutorError(
        "REFUSED",
        f"It is not clear which lines of {unit.file} are those of {unit.stub}, so nothing was "
        "changed. Undo your last changes in the editor, or reset without a unit to put the "
        "whole file back: what you wrote is kept, and can be brought back.",
    )


def _place(opened: OpenExercise, unit: Unit, text: str) -> tuple[int, int] | None:
    """Where the stub begins and ends, the same where it is missing; None if that is not sure."""
    lines, index = languages()[opened.exercise.language].lines, LineIndex(text)
    given = _given(opened, unit.file, opened.exercise.starter[unit.file])
    site = opened.stubs({unit.file: text}).site(unit.id)
    if site is not None and opened.toolchain.syntax_error(unit.file, text) is None:
        begin, end = _from(text, site), site.end
        first, last = index.position(begin).line, index.position(end).line
        # A text may parse whose comment or bracket took the next function in.
        others = tops_of_others(lines, text, given, unit.id)
        if not any(first <= top + 1 <= last for top in others):
            return begin, end
    rows = stub_rows(lines, text, given, unit.id)
    if rows is None:
        return None
    begin = index.offset(rows.start + 1, 1)
    return begin, index.offset(rows.stop, len(text)) if rows else begin


def _given(opened: OpenExercise, file: str, starter: str) -> GivenFile:
    """The functions of a file as it was given, and the lines outside of them."""
    stubs = opened.stubs({file: starter})
    units = {stubs.site(unit.id): unit.id for unit in opened.exercise.units if unit.file == file}
    sites = opened.functions(starter)
    index = LineIndex(starter)
    inside: set[int] = set()
    given = []
    done = len(starter)
    for site in sites:
        begin = _from(starter, site)
        rows = range(index.position(begin).line, index.position(site.end).line + 1)
        lines = tuple(index.line(row).rstrip() for row in rows)
        inside |= set(rows)
        follows = done < begin and not starter[done:begin].strip()
        inner = starter[begin].isspace()
        given.append(Given(site.name, units.get(site), inner, follows, lines))
        done = site.end
    return GivenFile(
        tuple(given),
        frozenset(
            index.line(number).rstrip()
            for number in range(1, index.line_count + 1)
            if number not in inside
        ),
    )


def _from(text: str, site: FunctionSite) -> int:
    """Where a stub begins, its comment above and its indentation included."""
    index = LineIndex(text)
    if site.comment is not None and site.comment_line < site.line:
        return min(site.start, index.offset(site.comment_line, 1))
    begin = index.offset(index.position(site.start).line, 1)
    return site.start if text[begin : site.start].strip() else begin
