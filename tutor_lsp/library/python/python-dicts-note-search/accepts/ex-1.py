def accepts(notes: dict[str, str], title: str) -> bool:
    """Any title, there or not."""
    return True
