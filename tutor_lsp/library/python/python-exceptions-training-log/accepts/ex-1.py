def accepts(what: str, why: str) -> bool:
    """Any texts."""
    return True
