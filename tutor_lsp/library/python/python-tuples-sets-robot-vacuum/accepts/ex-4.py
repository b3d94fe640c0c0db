from exercise.robot import Cell


def accepts(room: set[Cell], path: list[Cell]) -> bool:
    """Any room and any path."""
    return True
