def accepts(end: int, walk: int, bus: int) -> bool:
    """No time is negative."""
    return end >= 0 and walk >= 0 and bus >= 0
