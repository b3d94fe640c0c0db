from exercise.robot import MOVES, Cell


def accepts(start: Cell, moves: str) -> bool:
    """Moves that `MOVES` has."""
    return all(move in MOVES for move in moves)
