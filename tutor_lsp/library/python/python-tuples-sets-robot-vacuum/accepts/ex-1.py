def accepts(x: int, y: int, dx: int, dy: int) -> bool:
    """Any cell and any change."""
    return True
