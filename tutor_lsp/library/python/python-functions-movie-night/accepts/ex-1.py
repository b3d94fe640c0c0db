def accepts(hours: int, minutes: int) -> bool:
    """No time is negative."""
    return hours >= 0 and minutes >= 0
