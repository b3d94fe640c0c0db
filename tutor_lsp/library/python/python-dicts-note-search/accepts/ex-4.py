from exercise.search import words


def accepts(index: dict[str, set[str]], query: str) -> bool:
    """A query has at least one word."""
    return len(words(query)) > 0
