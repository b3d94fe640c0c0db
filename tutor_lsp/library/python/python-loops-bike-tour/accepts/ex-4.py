from exercise.tour import FULL


def accepts(battery: int, needed: int) -> bool:
    """What a battery can hold, and what it shall hold."""
    return 0 <= battery <= FULL and 0 <= needed <= FULL
