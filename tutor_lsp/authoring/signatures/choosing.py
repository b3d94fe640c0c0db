"""Which inputs to keep: few that tell all known versions apart. Pure."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations

from tutor_lsp.core.exercise.signatures import MOST_PROBES, UNKNOWN

APART = 2
"""On how many inputs two versions differ that behave differently, if they do so on as many."""
LEAST = 20
"""How many inputs are kept at least, so that what nobody has thought of differs on one."""


def choose(
    outcomes: Mapping[str, Sequence[str]],
    right: Sequence[str],
    sizes: Sequence[int],
    own: int = 0,
    most: int = MOST_PROBES,
    least: int = LEAST,
) -> list[int]:
    """The places of the inputs to keep, in order. `outcomes` has each version's by input; of inputs
    that tell as much apart the shorter one is kept. Where few tell all apart, others are kept too:
    those that come to what no other does by `right`, the reference, before the tests' `own`, which
    are the first, and short ones. An outcome that is not known differs from none."""
    rows = {tuple(row) for row in outcomes.values()}
    left: dict[int, set[int]] = defaultdict(set)
    for pair, (one, other) in enumerate(combinations(sorted(rows), 2)):
        for at, (mine, theirs) in enumerate(zip(one, other, strict=True)):
            if mine != theirs and UNKNOWN not in (mine, theirs):
                left[at].add(pair)
    chosen: list[int] = []
    for _ in range(APART):
        open_pairs = set[int]().union(*(left[at] for at in left if at not in chosen))
        while open_pairs and len(chosen) < most:
            open_places = (at for at in left if at not in chosen)
            best = max(open_places, key=lambda at: (len(left[at] & open_pairs), -sizes[at], -at))
            if not left[best] & open_pairs:
                break
            chosen.append(best)
            open_pairs -= left[best]
    while len(chosen) < min(least, most, len(sizes)):
        rest = (at for at in range(len(sizes)) if at not in chosen)
        seen = {right[at] for at in chosen}
        chosen.append(min(rest, key=lambda at: (right[at] in seen, at >= own, sizes[at], at)))
    return sorted(chosen)
