from exercise.league import Team


def accepts(teams: list[Team]) -> bool:
    """Names that differ in their letters, large or small, and that an alphabet orders."""
    names = [team.name.lower() for team in teams]
    return len(set(names)) == len(names) and all(map(is_plain, names))


def is_plain(name: str) -> bool:
    return name.isascii() and all(char.isalnum() or char in " '-." for char in name)
