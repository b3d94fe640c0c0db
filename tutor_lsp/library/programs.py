"""The programs that a learner's tests run on, as their author wrote them: `variants/ex-N.md` has
right ones, `mistakes/ex-N.md` wrong ones. The fence of each names the file that it replaces.
"""

import re

from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.core.exercise.files import wrong_path
from tutor_lsp.core.session import Programs, WrongProgram
from tutor_lsp.library.code_pieces import Piece, read_pieces
from tutor_lsp.library.entry import BrokenExerciseError, Entry, EntryUnit
from tutor_lsp.library.texts import Texts

RIGHT, WRONG = "variants", "mistakes"
_SHOWS = re.compile(r"`(?P<call>[^`]+)` is `(?P<gives>[^`]+)`\.?")


def read_programs(texts: Texts, entry: Entry) -> dict[str, Programs]:
    """The programs of each unit that asks for tests. Raises BrokenExerciseError."""
    asking = [unit for unit in entry.units if unit.kind == UnitKind.TEST]
    known = {f"{RIGHT}/{unit.id}.md" for unit in asking}
    there = texts.below(RIGHT) if texts.has(RIGHT) else {}
    if stray := sorted(there.keys() - known):
        raise BrokenExerciseError(f"{stray[0]} belongs to no unit that asks for tests")
    return {unit.id: _of_unit(texts, unit) for unit in asking}


def _of_unit(texts: Texts, unit: EntryUnit) -> Programs:
    right, wrong = (f"{part}/{unit.id}.md" for part in (RIGHT, WRONG))
    variants, mistakes = (read_pieces(name, texts.one(name)) for name in (right, wrong))
    named = {_file(piece) for piece in (*variants, *mistakes)}
    if len(named) > 1:
        files = ", ".join(sorted(named))
        raise BrokenExerciseError(
            f"{right} and {wrong} replace {files}: all programs of a unit replace the same file"
        )
    return Programs(
        file=next(iter(named)),
        right=tuple(piece.code for piece in variants),
        wrong=tuple(map(_wrong, mistakes)),
    )


def _wrong(piece: Piece) -> WrongProgram:
    says, shows = piece.says, _SHOWS.fullmatch(piece.keys.get("Shows", ""))
    if shows is None:
        raise BrokenExerciseError(
            f"{piece.where} needs an input that shows it, and what a right program gives there, in "
            "a line of its own: Shows: `price(199, 10)` is `179`"
        )
    tag = piece.keys.get("Tag", "")
    return WrongProgram(
        piece.name, piece.code, says, shows["call"], shows["gives"], tag, piece.hint
    )


def _file(piece: Piece) -> str:
    if not piece.file.startswith("src/") or wrong_path(piece.file) is not None:
        raise BrokenExerciseError(
            f"{piece.where} does not name the file that it replaces: its fence begins with the "
            "language and a file of src/"
        )
    return piece.file
