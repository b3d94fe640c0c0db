"""Whether a hint's code is the declaration that a unit asks for: put into its file, and run."""

import asyncio
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from tutor_lsp.core.exercise.declared import declaration, declares
from tutor_lsp.core.exercise.exercise import Unit, sharing
from tutor_lsp.core.exercise.parts import put_back, text_of, with_code
from tutor_lsp.core.exercise.report import TestOutcome
from tutor_lsp.core.language.language import Lines
from tutor_lsp.core.text.positions import split_lines
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies
from tutor_lsp.tutor.hinting.coach.mended import mended

MOST_FILES = 12
_MARGIN = "    "


async def passes_in_file(
    trials: ShadowCopies,
    opened: OpenExercise,
    unit: Unit,
    found: Sequence[str],
    texts: Mapping[str, str],
    *,
    every: bool,
    is_step: Callable[[str], bool],
    limit_s: float,
) -> bool | None:
    """Whether a test of the unit, or `every` one, passes with one of these pieces as its file, or
    put into it, that did not pass before; None if that is not known in time.

    `is_step` tells what may be added in any case. Raises TutorError.
    """
    made = await asyncio.to_thread(_files, opened, unit, found, texts, is_step)
    if not made:
        return False
    try:
        async with asyncio.timeout(limit_s):
            before = await _passing(trials, opened, unit, {}, texts)
            for text in made[:MOST_FILES]:
                now = await _passing(trials, opened, unit, {unit.file: text}, texts)
                if now >= set(unit.tests) if every else now - before:
                    return True
    except TimeoutError:
        return None
    return False if len(made) <= MOST_FILES else None


def _files(
    opened: OpenExercise,
    unit: Unit,
    found: Sequence[str],
    texts: Mapping[str, str],
    is_step: Callable[[str], bool],
) -> list[str]:
    """The texts of the file that are worth a run, without duplicates. Blocks: parses."""
    lines, reader = opened.lines, opened.toolchain
    mine, reference = texts.get(unit.file, ""), opened.vault.solution.get(unit.file, "")
    if unit.asks_for_tests:
        return list(dict.fromkeys(_with_tests(opened, unit, found, mine, reference)))
    found = [_uncommented(piece, lines) for piece in found]
    whole = [piece for piece in found if declares(piece, unit.stub, lines)]
    made = dict.fromkeys(whole)
    shared = bool(sharing(opened.exercise.units, unit))
    broken = unit.kind.given_broken
    for piece in found:
        if is_step(piece) or not (broken or piece in whole or reader.functions(piece)):
            continue
        placed: Iterable[str] = mended(mine, piece, reference, reader)
        if shared:
            placed = in_part(opened, unit, piece, mine, reference)
        elif not broken:
            placed = added(mine, piece, unit.stub, lines, reference)
        for text in placed:
            if reader.syntax_error(unit.file, text) is None:
                made.setdefault(text)
    return list(made)


def in_part(
    opened: OpenExercise, unit: Unit, piece: str, mine: str, reference: str
) -> Iterator[str]:
    """The learner's file with a piece as the unit's part, and the reference's with it there or in a
    block of any unit: what the learner has in other parts may not build."""
    lines, given = opened.lines, opened.exercise.starter.get(unit.file, "")
    rest = put_back(reference, given, [unit.id], lines)
    bases = [mine] if rest is None else [mine, rest]
    for base in bases:
        if (text := with_code(base, unit.id, piece, lines)) is not None:
            yield text
    own = text_of(reference, unit.id, lines) or ""
    for other in sharing(opened.exercise.units, unit):
        yield from added(bases[-1], piece, other.stub, lines, own)


def _uncommented(piece: str, lines: Lines) -> str:
    """Code of which every row is marked as a comment, without the marks."""
    rows = split_lines(piece)
    marked = [row.lstrip().startswith(lines.comment) for row in rows if row.strip()]
    if not marked or not all(marked):
        return piece
    return "\n".join(re.sub(rf"^(\s*)(?:{lines.marks}) ?", r"\1", row) for row in rows)


def _with_tests(
    opened: OpenExercise, unit: Unit, found: Sequence[str], mine: str, reference: str
) -> Iterator[str]:
    """Each piece with tests alone, below what the reference begins with, and below what the learner
    has; with all that the language needs to run it."""
    reader, given = opened.toolchain, opened.vault.originals
    rows = split_lines(reference)
    first = next((site.line - 1 for site in reader.tests(reference)), 0)
    while first and rows[first - 1].lstrip().startswith("#["):
        first -= 1
    for piece in found:
        if not reader.tests(piece):
            continue
        for above in ("", "\n".join(rows[:first]), mine.rstrip()):
            text = f"{above}\n\n\n{piece}\n"
            if reader.syntax_error(unit.file, text) is None:
                yield reader.complete({**given, unit.file: text})[unit.file]


def added(mine: str, piece: str, stub: str, lines: Lines, reference: str) -> Iterator[str]:
    """The learner's file with a piece at its end, at the end of each block that declares the stub,
    and in a block of its own that begins as one of the reference does."""
    rows = split_lines(mine)
    inner = _inside(piece, stub, lines) or piece
    for _, last in _blocks(rows, stub, lines):
        yield "\n".join((*rows[:last], textwrap.indent(inner, _MARGIN), *rows[last:]))
    yield f"{mine.rstrip()}\n\n\n{piece}\n"
    theirs = split_lines(reference)
    for first, last in _blocks(theirs, stub, lines):
        closed = theirs[last : last + 1] if theirs[first].rstrip().endswith("{") else []
        block = "\n".join((theirs[first], textwrap.indent(inner, _MARGIN), *closed))
        yield f"{mine.rstrip()}\n\n\n{block}\n"


def _inside(piece: str, stub: str, lines: Lines) -> str:
    """What a block that declares the stub holds; empty if the piece is none."""
    rows = split_lines(piece)
    first, last = next(_blocks(rows, stub, lines), (0, 0))
    return textwrap.dedent("\n".join(rows[first + 1 : last])).strip("\n")


def _blocks(rows: Sequence[str], stub: str, lines: Lines) -> Iterator[tuple[int, int]]:
    """The blocks whose heads declare the stub: the row of the head, and that after the last row
    inside."""
    for at, row in enumerate(rows):
        if not row.rstrip().endswith(("{", ":")) or row[:1].isspace():
            continue
        if declaration([row], stub, lines) is None:
            continue
        inside = (n for n, each in enumerate(rows[at + 1 :], at + 1) if each[:1].strip())
        last = next(inside, len(rows))
        while last > at + 1 and not rows[last - 1].strip():
            last -= 1
        yield at, last


async def _passing(
    trials: ShadowCopies,
    opened: OpenExercise,
    unit: Unit,
    files: Mapping[str, str],
    texts: Mapping[str, str],
) -> set[str]:
    report = await trials.run(opened, files, unit.tests, texts=texts)
    return {test.name for test in report.tests if test.outcome is TestOutcome.PASSED}
