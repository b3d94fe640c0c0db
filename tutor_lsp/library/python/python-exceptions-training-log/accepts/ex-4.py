from collections.abc import Callable


def accepts(lines: list[str], read: Callable[[str], tuple[str, int]]) -> bool:
    """Any lines, and any function that reads one."""
    return callable(read)
