from exercise.search import words


def accepts(notes: dict[str, str], query: str) -> bool:
    """A query has at least one word."""
    return len(words(query)) > 0
