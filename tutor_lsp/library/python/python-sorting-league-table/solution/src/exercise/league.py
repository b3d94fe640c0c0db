"""League table: who is first, who shares a place, and sorted by any column.

A `Team` has a name and four numbers: `team.name`, `team.won`, and so on. All names in a list of
teams are different.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Team:
    name: str
    won: int
    drawn: int
    scored: int  # goals
    conceded: int  # goals of the others

    def __repr__(self) -> str:
        return self.name


def points(team: Team) -> int:
    """Return the points of a team: 3 for a match won, 1 for a draw. (Given.)"""
    return 3 * team.won + team.drawn


def difference(team: Team) -> int:
    """Return how many more goals a team scored than it conceded. (Given.)"""
    return team.scored - team.conceded


def scored(team: Team) -> int:
    """Return the goals of a team. (Given.)"""
    return team.scored


def name(team: Team) -> str:
    """Return the name of a team. (Given.)"""
    return team.name


COLUMNS: dict[str, Callable[[Team], Any]] = {
    "name": name,
    "points": points,
    "difference": difference,
    "scored": scored,
}

TEAMS = [
    Team("Owls", won=3, drawn=1, scored=9, conceded=4),
    Team("Lions", won=2, drawn=1, scored=12, conceded=9),
    Team("bees", won=3, drawn=1, scored=8, conceded=6),
    Team("Foxes", won=2, drawn=1, scored=6, conceded=2),
    Team("Wolves", won=2, drawn=1, scored=6, conceded=2),
    Team("Yaks", won=0, drawn=2, scored=3, conceded=18),
]


def by_name(teams: list[Team]) -> list[Team]:
    """Return a new list of the teams in the order of the alphabet, where
    large and small letters are the same. The given list stays unchanged.
    ex-1 - First principle: a key says what to compare
    Read: LESSON.md, "What to compare"
    Test: test_by_name_follows_the_alphabet
    Start here: what should be compared in place of a whole team?
    """
    return sorted(teams, key=lambda team: team.name.lower())


def table(teams: list[Team]) -> list[Team]:
    """Return a new list of the teams, the best first: most points; with equal
    points, the larger difference; if that is equal too, by name as in
    `by_name`.
    ex-2 - First principle: a tuple breaks ties
    Read: LESSON.md, "Breaking ties"
    Test: test_table_has_most_points_first
    Start here: which three values decide, and which must be turned round?
    """
    return sorted(teams, key=lambda team: (-points(team), -difference(team), team.name.lower()))


def best(teams: list[Team], skill: Callable[[Team], int]) -> Team:
    """Return the team with the highest skill, where `skill` is a function
    such as `scored`. If several are equal, it is the one that comes first in
    `by_name`.
    ex-3 - First principle: hand the function over, do not call it
    Read: LESSON.md, "Functions as values"
    Test: test_best_asks_the_skill
    Start here: which built-in finds the largest, and does it take a key?
    """
    return max(by_name(teams), key=skill)


def strength(team: Team) -> tuple[int, int]:
    """Return points and difference. Teams with equal strength share a place. (Given.)"""
    return points(team), difference(team)


def places(teams: list[Team]) -> dict[str, int]:
    """Return the place of each team in the `table`, from 1, by its name.
    Teams of equal `strength` share the place of the first of them, and the
    places after it stay empty: after two teams in place 2 comes place 4.
    ex-4 - First principle: sorting brings equals together
    Read: LESSON.md, "Equals are neighbours"
    Test: test_places_count_from_one
    Start here: count the table's teams, compare each with the one before it
    """
    result: dict[str, int] = {}
    place, before = 0, (-1, 0)
    for number, team in enumerate(table(teams), start=1):
        if strength(team) != before:
            place, before = number, strength(team)
        result[team.name] = place
    return result


def sheet(teams: list[Team], wishes: list[tuple[str, bool]]) -> list[str]:
    """Return the lines of a result sheet. First, "Best attack: Owls": the
    team that `scored` most. Then a line for each team, such as "1. Owls: 10
    points", with its place, in the order of the wishes, the most important
    first: pairs of a name in `COLUMNS` and whether the largest comes first.
    Then what is equal is in order `by_name`.
    ex-5 - First principle: sorting keeps the order of equals
    Read: LESSON.md, "One wish after the other"
    Test: test_sheet_without_wishes_is_by_name
    Start here: begin with the order that matters least
    """
    order = by_name(teams)
    for column, largest_first in reversed(wishes):
        order.sort(key=COLUMNS[column], reverse=largest_first)
    place = places(teams)
    lines = [f"Best attack: {best(teams, scored).name}"]
    for team in order:
        lines.append(f"{place[team.name]}. {team.name}: {points(team)} points")
    return lines
