"""Whether code that does what a known mistake does is that mistake: by what is written. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from tutor_lsp.authoring.locating.hunks import LEAST_ALIKE, named_alike
from tutor_lsp.core.language.syntax import Token

FEW = 4
"""Most tokens of the reference in whose place a mistake has others: if it has more, what a learner
changes among them may be something else."""


def contradicted(mine: Sequence[Token], right: Sequence[Token], wrong: Sequence[Token]) -> bool:
    """Whether code is wrong in another way than a known mistake, though it does the same: it is
    written like the reference, is no nearer to the mistake, and differs where that does not. Code
    that is written in another way altogether says nothing, and neither does a mistake that is not
    in these tokens."""
    ours = [each.text for each in mine]
    if not right or [each.text for each in right] == [each.text for each in wrong]:
        return False
    reference, mistaken = named_alike(mine, right), named_alike(mine, wrong)
    alike = _common(ours, reference)
    if alike < LEAST_ALIKE * len(ours):
        return False
    nearer = len(mistaken) - 2 * _common(ours, mistaken) < len(reference) - 2 * alike
    return not nearer and not _changes_the_same(mine, right, wrong)


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return sum(size for _, _, size in matcher.get_matching_blocks())


def _changes_the_same(
    mine: Sequence[Token], right: Sequence[Token], wrong: Sequence[Token]
) -> bool:
    """Whether code changes nothing that a mistake leaves as it is, or all that this changes: both
    may have differences that change nothing."""
    own, known = list(_changes(right, mine)), list(_changes(right, wrong))
    if all(any(one.covers(each) for one in known) for each in own):
        return True
    return all(any(one.covers(each) for each in own) for one in known)


@dataclass(frozen=True, slots=True)
class _Change:
    """What code has in place of the reference's tokens from `first` to before `last`. What it only
    adds may stand before any of the tokens from the one to the other. `names` is whether there are
    names among what is changed."""

    first: int
    last: int
    adds: bool
    drops: bool
    names: bool

    def covers(self, other: "_Change") -> bool:
        """Whether another change is one of the same thing."""
        if not self.drops:
            return not other.drops and self.first <= other.first <= self.last
        if not other.drops:
            return not self.adds and self.first < other.first and other.last < self.last
        if not self.names and not other.names:  # as a comparison and the number beside it
            return self.first <= other.last and other.first <= self.last
        inside = self.first <= other.first and other.last <= self.last
        return inside and (not self.adds or self.last - self.first <= FEW)


def _changes(right: Sequence[Token], code: Sequence[Token]) -> Iterator[_Change]:
    old, new = [each.text for each in right], named_alike(right, code)
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        first, last, added = a, b, new[c:d]
        if kind == "insert":  # equal code around it leaves open which of it is the new one
            while last < len(old) and old[last] == added[(last - a) % len(added)]:
                last += 1
            while first > 0 and old[first - 1] == added[(first - 1 - a) % len(added)]:
                first -= 1
        names = any(each.kind in ("id", "field", "type") for each in (*right[a:b], *code[c:d]))
        yield _Change(first, last, c < d, a < b, names)
