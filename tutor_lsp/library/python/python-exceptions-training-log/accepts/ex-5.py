import re

from exercise.training import Journal


def accepts(lines: list[str], journal: Journal) -> bool:
    """Lines as for `read_line`, and a journal that is closed and not overfull."""
    whole = all(is_line(line) for line in lines)
    return whole and not journal.is_open and len(journal.entries) <= journal.room


def is_line(line: str) -> bool:
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
