def accepts(file: str) -> bool:
    """Any name."""
    return True
