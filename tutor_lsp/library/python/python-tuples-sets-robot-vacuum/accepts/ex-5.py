from exercise.robot import MOVES, Cell


def accepts(width: int, depth: int, start: Cell, moves: str) -> bool:
    """A room with cells, and moves that `MOVES` has."""
    return 1 <= width <= 1000 and 1 <= depth <= 1000 and all(move in MOVES for move in moves)
