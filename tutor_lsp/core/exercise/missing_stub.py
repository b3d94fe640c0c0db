"""Build errors about a stub that is not there as the tests use it: told in its own file. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping

from tutor_lsp.core.exercise.exercise import Exercise, Unit
from tutor_lsp.core.exercise.report import BuildError
from tutor_lsp.core.exercise.stub_comment import unit_of_line
from tutor_lsp.core.exercise.units import Stubs
from tutor_lsp.core.text.positions import LineIndex, split_lines
from tutor_lsp.core.text.translation import t

_QUOTED = re.compile(r"`([^`\n]+)`")


def at_their_stubs(
    errors: Iterable[BuildError], exercise: Exercise, texts: Mapping[str, str], stubs: Stubs
) -> tuple[BuildError, ...]:
    """The errors of a build of `texts`, from which `stubs` was read.

    One that names a stub which has no definition any more, where another file asks for it (a test,
    a header) or at the beginning of its own, becomes one at the stub's place in the learner's file,
    where that function is what the learner changed. So does one in a test's line that uses a stub
    with another signature than it was given.
    """
    return tuple(dict.fromkeys(_all(errors, exercise, texts, stubs)))


def _all(
    errors: Iterable[BuildError], exercise: Exercise, texts: Mapping[str, str], stubs: Stubs
) -> Iterator[BuildError]:
    lost = [unit for unit in exercise.units if unit.file in texts and stubs.site(unit.id) is None]
    for error in errors:
        named = {word for text in _QUOTED.findall(error.message) for word in text.split("::")}
        missing = [unit for unit in lost if unit.stub in named and _asked_for(error, unit)]
        if not missing:
            yield _at_signature(error, exercise, texts, stubs) or error
        for unit in missing:
            line, first, end = _place(unit, texts[unit.file], stubs)
            said = t(f"`{unit.stub}` is not defined here, but the tests need it.")
            yield BuildError(unit.file, line, first, line, end, None, said)


def _at_signature(
    error: BuildError, exercise: Exercise, texts: Mapping[str, str], stubs: Stubs
) -> BuildError | None:
    """The error at the stub whose signature the learner changed, if a test's line uses that."""
    if not error.file.startswith("tests/"):
        return None
    rows = split_lines(texts.get(error.file, ""))
    used = rows[error.line - 1].strip().rstrip("{;, ") if 0 < error.line <= len(rows) else ""
    words = set(re.findall(r"\w+", used))
    unit = next((u for u in exercise.units if u.stub in words and stubs.resigned(u.id)), None)
    site = stubs.site(unit.id) if unit is not None else None
    if unit is None or site is None:
        return None
    # What a compiler advises is about the tests, which are right.
    message = error.message.partition("; ")[0]
    said = t(f"`{unit.stub}` does not fit its use `{used}`: {message}")
    place = (site.line, site.column, site.line, site.end_column)
    return BuildError(unit.file, *place, error.code, said)


def _asked_for(error: BuildError, unit: Unit) -> bool:
    """Whether it is told where the name is asked for, or of a file as a whole."""
    whole = error.file == unit.file and (error.line, error.column) == (1, 1)
    return whole or error.file != unit.file


def _place(unit: Unit, text: str, stubs: Stubs) -> tuple[int, int, int]:
    """Line, first and last column: the name of the function that has the unit's comment now, else
    the comment, else where the stub stood in the starter."""
    renamed = stubs.commented(unit)
    if renamed is not None:
        return renamed.line, renamed.column, renamed.end_column
    index = LineIndex(text)
    line = min(unit.line, index.line_count)
    for number, said in enumerate(split_lines(text), 1):
        head = unit_of_line(said)
        if head is not None and head["unit"].lower() == unit.id:
            line = number
            break
    said = index.line(line)
    return line, len(said) - len(said.lstrip()) + 1, len(said.rstrip()) + 1
