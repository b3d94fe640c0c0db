from exercise.league import COLUMNS, Team


def accepts(teams: list[Team], wishes: list[tuple[str, bool]]) -> bool:
    """At least one team, names that an alphabet orders, and wishes for columns that there are; by
    name only where large and small letters make no difference."""
    names = [team.name.lower() for team in teams]
    differ = len(set(names)) == len(names) and all(map(is_plain, names))
    if not differ or not teams or any(min(team.won, team.drawn) < 0 for team in teams):
        return False
    plain = sorted(team.name for team in teams) == sorted((t.name for t in teams), key=str.lower)
    return all(column in COLUMNS and (column != "name" or plain) for column, _ in wishes)


def is_plain(name: str) -> bool:
    return name.isascii() and all(char.isalnum() or char in " '-." for char in name)
