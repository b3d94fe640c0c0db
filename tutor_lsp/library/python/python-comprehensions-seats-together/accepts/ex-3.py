def accepts(row: str, chosen: set[int]) -> bool:
    """Seats are numbered from 1."""
    return "\n" not in row and all(number >= 1 for number in chosen)
