def accepts(name: str, limit: int) -> bool:
    """No negative limit, and at most one dash at the end of what is left."""
    return limit >= 0 and not name[:limit].endswith("--")
