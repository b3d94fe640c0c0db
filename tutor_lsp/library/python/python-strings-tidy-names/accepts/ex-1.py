def accepts(title: str) -> bool:
    """No blanks at the ends but spaces."""
    return title.strip() == title.strip(" ")
