def accepts(title: str) -> bool:
    """No blanks but spaces."""
    return all(char == " " or not char.isspace() for char in title)
