from exercise.league import Team


def accepts(teams: list[Team]) -> bool:
    """Names that differ in their letters, large or small, and that an alphabet orders."""
    names = [team.name.lower() for team in teams]
    return len(set(names)) == len(names) and all(name.isascii() for name in names)
