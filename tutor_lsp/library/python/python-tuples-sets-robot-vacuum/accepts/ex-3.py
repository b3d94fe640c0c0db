def accepts(width: int, depth: int) -> bool:
    """Nothing is smaller than nothing; rooms are no halls."""
    return 0 <= width <= 1000 and 0 <= depth <= 1000
