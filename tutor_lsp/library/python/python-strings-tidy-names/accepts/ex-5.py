def accepts(title: str, file: str) -> bool:
    """No blanks in the title but spaces, and no dashes side by side."""
    plain = all(char == " " or not char.isspace() for char in title)
    return plain and "--" not in title
