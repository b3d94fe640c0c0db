def accepts(lines: list[str]) -> bool:
    """Any lines."""
    return True
