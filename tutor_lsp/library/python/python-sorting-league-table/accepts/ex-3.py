from collections.abc import Callable

from exercise.league import Team


def accepts(teams: list[Team], skill: Callable[[Team], int]) -> bool:
    """At least one team, and names that an alphabet orders."""
    names = [team.name.lower() for team in teams]
    differ = len(set(names)) == len(names) and all(map(is_plain, names))
    return differ and len(teams) > 0 and callable(skill)


def is_plain(name: str) -> bool:
    return name.isascii() and all(char.isalnum() or char in " '-." for char in name)
