def accepts(cents: int) -> bool:
    """No amount is negative."""
    return 0 <= cents < 10**8
