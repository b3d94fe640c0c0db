"""How long long work still takes, from how long its stages took before on this machine. Pure."""

from collections.abc import Mapping, Sequence
from statistics import median

from tutor_lsp.core.text.translation import t

KEPT = 9
"""Durations of a stage that are kept, the newest."""
SOON_S = 3.0
"""Seconds below which what is left isn't worth a word."""

FAR_ENOUGH = 15
"""Percent of the way after which the rest can be told from it."""

Durations = Mapping[str, Sequence[float]]
"""Seconds that each stage took in earlier runs, by its name, the newest at the end."""


def with_run(known: Durations, run: Mapping[str, float]) -> dict[str, list[float]]:
    """The durations with those of one more complete run."""
    stages = {**known, **run}
    return {
        stage: [*known.get(stage, ()), *([run[stage]] if stage in run else [])][-KEPT:]
        for stage in stages
    }


def seconds_left(
    known: Durations, stages: Sequence[str], stage: str, elapsed_s: float
) -> float | None:
    """About how many seconds are left, `elapsed_s` into a stage; `stages` are all there may be, in
    order. None where the stage was never timed, or takes longer than ever."""
    if not known.get(stage) or elapsed_s > max(known[stage]):
        return None
    # A stage that no earlier run had is not to be expected.
    later = (known[each] for each in stages[stages.index(stage) + 1 :] if known.get(each))
    return max(median(known[stage]) - elapsed_s, 0.0) + sum(map(median, later))


def seconds_left_by_way(gone: int, left: int, gone_s: float, elapsed_s: float) -> float | None:
    """About how many seconds are left of work that was never timed: `gone` percent of the way took
    `gone_s`, `left` are to come, and `elapsed_s` have passed since it began. None where too little
    is known, or what is under way takes longer."""
    if gone < FAR_ENOUGH:
        return None
    rest = gone_s * (gone + left) / gone - elapsed_s
    return rest if rest > 0 else None


def left_in_words(seconds: float | None) -> str:
    """`about 40 s left`; empty where that is not known, or hardly anything."""
    if seconds is None or seconds < SOON_S:
        return ""
    if seconds < 90:
        return t(f"about {max(round(seconds / 5) * 5, 5)} s left")
    return t(f"about {round(seconds / 60)} min left")
