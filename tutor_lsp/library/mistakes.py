"""Known mistakes as their author wrote them: `mistakes/ex-N.md`."""

from tutor_lsp.core.exercise.mistakes import Mistake
from tutor_lsp.library.code_pieces import Piece, read_pieces


def read_mistakes(name: str, text: str) -> tuple[Mistake, ...]:
    """The mistakes of a unit, from the text of its file of that name. Raises
    BrokenExerciseError."""
    return tuple(map(_mistake, read_pieces(name, text)))


def _mistake(piece: Piece) -> Mistake:
    tag, error = piece.keys.get("Tag", ""), piece.keys.get("Error", "")
    return Mistake(piece.name, piece.says, piece.code, tag, error, piece.hint, piece.line)
