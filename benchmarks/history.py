"""Ratios from run to run: one JSON line for each run, in a file that only grows.

A ratio that is a quarter over what it usually was is told; nothing ever fails on time.
"""

import json
import statistics
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.table import Figure

WARN_AT = 1.25
USUAL_OF = 10
"""How many runs back count for what is usual."""


def read(path: Path) -> list[dict[str, Any]]:
    """The runs in a file, oldest first; a line that a killed run cut short is left out."""
    if not path.exists():
        return []
    runs = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            runs.append(json.loads(line))
        except ValueError:
            continue
    return runs


def note(path: Path, commit: str, when: str, figures: Iterable[Figure]) -> None:
    """Add a run; `when` is its time in ISO 8601, `commit` what was measured."""
    run = {"when": when, "commit": commit, "ratios": {each.name: each.ratio for each in figures}}
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    gap = "" if not before or before.endswith("\n") else "\n"
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{gap}{json.dumps(run)}\n")


def warnings(runs: list[dict[str, Any]], figures: Iterable[Figure]) -> Iterator[str]:
    """A sentence for each figure whose ratio is over `WARN_AT` times its median in the last
    `USUAL_OF` of the runs that have it."""
    for figure in figures:
        had = [run["ratios"][figure.name] for run in runs if figure.name in run["ratios"]]
        if not had:
            continue
        usual = statistics.median(had[-USUAL_OF:])
        if figure.ratio > WARN_AT * usual:
            yield (
                f"warning: {figure.name} is {figure.ratio:.2f}, "
                f"{figure.ratio / usual:.2f} times the usual {usual:.2f}"
            )
