"""What installed packages add to the tutor, by entry points."""

import importlib.util
import shlex
import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeVar

from tutor_lsp.core.mend import Mend, Problem
from tutor_lsp.languages.entry_points import Point, entry_points

T = TypeVar("T")
Loaded = tuple[Mapping[str, T], tuple[str, ...], frozenset[str]]


def load(group: str, made: Callable[[object], T], name: Callable[[T], str]) -> Loaded[T]:
    """What the entry points of a group name, by name; one sentence for each that cannot be used, as
    a broken package of somebody else must not take the tutor with it; and which names are ours.
    Blocks."""
    found: dict[str, T] = {}
    ours: set[str] = set()
    problems: list[str] = []
    ours_first = sorted(
        entry_points(group=group),
        key=lambda point: (not _is_ours(point), point.value),
    )
    for point in ours_first:
        try:
            each = made(point.load())
            known = name(each)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever such a package raises
            said = f"{type(error).__name__}: {error}"
            problems.append(
                Problem(
                    f"The package {_package(point)} cannot be used ({said}): repair or remove it.",
                    *_removals(point),
                )
            )
            continue
        if known in found:
            problems.append(
                Problem(
                    f"{_package(point)} adds “{known}” once more: remove one of the packages.",
                    *_removals(point),
                )
            )
            continue
        found[known] = each
        if _is_ours(point):
            ours.add(known)
    return MappingProxyType(found), tuple(problems), frozenset(ours)


def _is_ours(point: Point) -> bool:
    return point.value.startswith("tutor_lsp.")


def _removals(point: Point) -> tuple[Mend, ...]:
    """The line that removes a package, where there is a pip to do that."""
    if point.dist is None or importlib.util.find_spec("pip") is None:
        return ()
    line = shlex.join([sys.executable, "-m", "pip", "uninstall", point.dist.name])
    return (Mend("line", line=line),)


def _package(point: Point) -> str:
    return point.dist.name if point.dist is not None else point.value
