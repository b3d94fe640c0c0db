"""The entry points of installed packages, as `importlib.metadata` finds them, which takes longer to
load than all that a short verb reads. It is asked where packages lie otherwise than in folders."""

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Protocol

from tutor_lsp.lazy_imports import named_object

PACKAGED = (".dist-info", ".egg-info")
NAME = "Name: "


class Dist(Protocol):
    """The package that an entry point is of."""

    @property
    def name(self) -> str:
        """As it is installed."""


class Point(Protocol):
    """What is used of `importlib.metadata.EntryPoint`."""

    @property
    def name(self) -> str:
        """Its name in its group."""

    @property
    def value(self) -> str:
        """`module:object`, or a module alone."""

    @property
    def dist(self) -> Dist | None:
        """Its package, None where that is not known."""

    def load(self) -> object:
        """What it names. Raises whatever importing that does."""


@dataclass(frozen=True, slots=True)
class _Dist:
    folder: str

    @property
    def name(self) -> str:
        for file in ("METADATA", "PKG-INFO"):
            path = Path(self.folder, file)
            for line in path.read_text("utf-8").splitlines() if path.is_file() else ():
                if line.startswith(NAME):
                    return line.removeprefix(NAME).strip()
        return Path(self.folder).stem.partition("-")[0]


@dataclass(frozen=True, slots=True)
class _Point:
    group: str
    name: str
    value: str
    dist: _Dist

    def load(self) -> object:
        module, _, name = self.value.partition("[")[0].strip().partition(":")
        return named_object(module.strip(), name.strip())


def entry_points(group: str) -> list[Point]:
    """The entry points of a group. Blocks at the first call."""
    found = _in_folders()
    if found is None:
        from importlib import metadata

        return list(metadata.entry_points(group=group))
    return [point for point in found if point.group == group]


@cache
def _in_folders() -> tuple[_Point, ...] | None:
    """All of them, None where some may be elsewhere."""
    finders = (finder for finder in sys.meta_path if hasattr(finder, "find_distributions"))
    if any(finder is not PathFinder for finder in finders):
        return None
    seen: set[str] = set()
    points: list[_Point] = []
    for folder in sys.path:
        names = _names(folder or os.curdir)
        if names is None or folder.lower().endswith(".egg"):
            return None
        here: set[str] = set()
        for each in names:
            package = each.rpartition(".")[0].partition("-")[0].lower().replace("_", "-")
            if each.lower().endswith(PACKAGED) and package not in seen:
                here.add(package)
                points += _of(os.path.join(folder, each))  # noqa: PTH118 - hundreds of them
        seen |= here
    return tuple(points)


def _names(folder: str) -> list[str] | None:
    """What is in a folder of the path, nothing where it is not there, None if it is no folder."""
    try:
        return os.listdir(folder)  # noqa: PTH208 - as above
    except NotADirectoryError:
        return None
    except OSError:
        return []


def _of(folder: str) -> Iterator[_Point]:
    try:
        with open(os.path.join(folder, "entry_points.txt"), encoding="utf-8") as file:  # noqa: PTH118, PTH123
            text = file.read()
    except OSError:
        return
    group = ""
    for line in map(str.strip, text.splitlines()):
        name, _, value = line.partition("=")
        if line.startswith("["):
            group = line.strip("[]")
        elif value and not line.startswith("#"):
            yield _Point(group, name.strip(), value.strip(), _Dist(folder))
