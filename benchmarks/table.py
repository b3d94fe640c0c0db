"""Figures beside their yardsticks from the same run, as a table of ratios and as JSON."""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

HEAD = f"{'':52} {'ratio':>6}   {'quartiles':>13}   {'bar':>5}   medians"


@dataclass(frozen=True, slots=True)
class Figure:
    """What something takes, beside a yardstick that was measured in turns with it.

    `ours` and `theirs` belong together pair by pair, both in `unit`. `bar` is the most that the
    median of their ratios should be, None where nothing is promised.
    """

    what: str
    yardstick: str
    ours: Sequence[float]
    theirs: Sequence[float]
    bar: float | None = None
    unit: str = "ms"

    @property
    def ratios(self) -> list[float]:
        """Ours by theirs, pair by pair."""
        return [mine / other for mine, other in zip(self.ours, self.theirs, strict=True)]

    @property
    def ratio(self) -> float:
        """The median of the ratios: a slow moment of the machine falls out of it."""
        return statistics.median(self.ratios)

    @property
    def quartiles(self) -> tuple[float, float]:
        """The first and the third quartile of the ratios."""
        found = self.ratios
        if len(found) == 1:
            return found[0], found[0]
        low, _, high = statistics.quantiles(found, n=4, method="inclusive")
        return low, high

    @property
    def name(self) -> str:
        """What identifies it from run to run."""
        return f"{self.what}, of {self.yardstick}"

    def line(self) -> str:
        """Its row of the table; a ratio over the bar is marked."""
        low, high = self.quartiles
        bar = "" if self.bar is None else f"{self.bar:.2f}"
        over = "!" if self.bar is not None and self.ratio > self.bar else " "
        mine, other = statistics.median(self.ours), statistics.median(self.theirs)
        return (f"{self.name:52} {self.ratio:6.2f}{over}  {low:5.2f} … {high:5.2f}   {bar:>5}   "
                f"{mine:.4g} and {other:.4g} {self.unit}")  # fmt: skip

    def row(self) -> dict[str, Any]:
        """It as JSON."""
        return {
            "figure": self.what,
            "yardstick": self.yardstick,
            "ratio": round(self.ratio, 3),
            "quartiles": [round(each, 3) for each in self.quartiles],
            "bar": self.bar,
            "unit": self.unit,
            "ours": round(statistics.median(self.ours), 3),
            "theirs": round(statistics.median(self.theirs), 3),
            "pairs": len(self.ours),
        }


def show(figures: Iterable[Figure]) -> None:
    """Print their rows; flushed, because the next ones take a while."""
    for figure in figures:
        print(figure.line(), flush=True)
