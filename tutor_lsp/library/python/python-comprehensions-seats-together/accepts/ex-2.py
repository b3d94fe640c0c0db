def accepts(row: str) -> bool:
    """Every character of a row is a seat."""
    return "\n" not in row
