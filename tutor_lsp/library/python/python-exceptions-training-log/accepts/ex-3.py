import re


def accepts(line: str) -> bool:
    """Words with spaces between them; minutes that are a number are written as plain digits."""
    if any(char.isspace() and char != " " for char in line):
        return False
    return all(is_plain(word) for word in line.split())


def is_plain(word: str) -> bool:
    if re.fullmatch(r"-?[0-9]{1,20}", word):
        return True
    try:
        int(word)
    except ValueError:
        return len(word) < 1000
    return False
