def accepts(title: str, hour: int, minute: int, length: int) -> bool:
    """A time of day, and a film that does not end before it starts."""
    return 0 <= hour < 24 and 0 <= minute < 60 and length >= 0
