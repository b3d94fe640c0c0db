"""Single changes that bring code nearer to other code, whose names may be others. Pure."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from tutor_lsp.core.language.syntax import Grammar, Parsed, Token
from tutor_lsp.core.ports import FunctionSite
from tutor_lsp.languages.common.proof.splice import replaced
from tutor_lsp.languages.common.syntax import parameter_names, parameters_of, parse

Change = tuple[int, int, str]
"""From which offset to which, and what stands there instead."""
LEAST_ALIKE = 0.5
"""How much of the code the other has too, at least: what is written in another way altogether is
no change of it."""
MOST_NEW = 12
"""Most tokens that a change may add: what brings along half a solution says nothing of a place."""


@dataclass(frozen=True, slots=True)
class Body:
    """A function's body in a text: its tokens."""

    parsed: Parsed
    site: FunctionSite

    @classmethod
    def of(cls, text: str, site: FunctionSite, grammar: Grammar) -> "Body":
        """The body of a function in a text."""
        return cls(parse(text, grammar), site)

    @property
    def tokens(self) -> tuple[Token, ...]:
        return self.parsed.within(self.site.body_start, self.site.body_end)

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the function's parameters."""
        return parameter_names(parameters_of(self.parsed, self.site))

    @property
    def variables(self) -> set[str]:
        """The names in it that have values."""
        return variables(self.tokens)

    def gap(self, first: int, last: int) -> tuple[int, int]:
        """The offsets between the tokens before number `first` and from number `last` on."""
        tokens = self.tokens
        start = tokens[first - 1].end if first > 0 else self.site.body_start
        return start, tokens[last].start if last < len(tokens) else self.site.body_end


def hunks(mine: Body, theirs: Body) -> list[list[Change]]:
    """The changes that make a body the other, each a list of its own; those of one statement also
    together. None where the two have little in common."""
    ours, right = mine.tokens, theirs.tokens
    names = _names(ours, right)
    others = named_alike(ours, right)
    matcher = SequenceMatcher(None, [each.text for each in ours], others, autojunk=False)
    blocks = sum(size for _, _, size in matcher.get_matching_blocks())
    if blocks < LEAST_ALIKE * len(ours):
        return []
    found: list[tuple[int, Change]] = []
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal" or d - c > b - a + MOST_NEW:
            continue
        start, end = mine.gap(a, b)
        line = ours[min(a, len(ours) - 1)].line if ours else 0
        found.append((line, (start, end, _said(theirs, c, d, names))))
    made = [[change] for _, change in found]
    for line in dict.fromkeys(line for line, _ in found):
        together = [change for at, change in found if at == line]
        if len(together) > 1:
            made.append(together)
    return made


def undone(mine: Body, wrong: Body, right: Body) -> Iterator[list[Change]]:
    """The change that would make a known wrong body right, wherever it applies to this one."""
    tokens = [each.text for each in mine.tokens]
    matcher = SequenceMatcher(
        None,
        [each.text for each in wrong.tokens],
        [each.text for each in right.tokens],
        autojunk=False,
    )
    changed = [each for each in matcher.get_opcodes() if each[0] != "equal"]
    if len(changed) != 1:
        return
    _, a, b, c, d = changed[0]
    if d - c > b - a + MOST_NEW:
        return
    names = _names(mine.tokens, wrong.tokens)
    first, last = max(a - 1, 0), min(b + 1, len(wrong.tokens))
    around = [names.get(each.text, each.text) for each in wrong.tokens[first:last]]
    for at in range(len(tokens) - len(around) + 1):
        if tokens[at : at + len(around)] == around:
            start, end = mine.gap(at + a - first, at + b - first)
            yield [(start, end, _said(right, c, d, names))]


def named_alike(ours: Sequence[Token], theirs: Sequence[Token]) -> list[str]:
    """The tokens of other code, with the names that the same things have in this one."""
    names = _names(ours, theirs)
    return [names.get(each.text, each.text) for each in theirs]


def _names(ours: Sequence[Token], theirs: Sequence[Token]) -> dict[str, str]:
    """What names that only the other has are called here, as far as they stand in the same
    places. What is called, or belongs to something, has the same name everywhere."""
    mine, others = variables(ours), variables(theirs)

    def form(tokens: Sequence[Token], own: set[str]) -> list[str]:
        return ["«name»" if t.kind == "id" and t.text in own else t.text for t in tokens]

    here, there = form(ours, mine - others), form(theirs, others - mine)
    pairs: Counter[tuple[str, str]] = Counter()
    for a, b, size in SequenceMatcher(None, here, there, autojunk=False).get_matching_blocks():
        for one, other in zip(ours[a : a + size], theirs[b : b + size], strict=True):
            if one.text != other.text:
                pairs[other.text, one.text] += 1
    found: dict[str, str] = {}
    for (theirs_name, mine_name), _ in pairs.most_common():
        if theirs_name not in found and mine_name not in found.values():
            found[theirs_name] = mine_name
    return found


def variables(tokens: Sequence[Token]) -> set[str]:
    """The names among these that are neither called nor belong to something. One with a capital
    letter is a constant or a type, which is no matter of taste."""
    called = {a.text for a, b in pairwise(tokens) if b.text in ("(", "!", "::")}
    owned = {b.text for a, b in pairwise(tokens) if a.text in (".", "->", "::")}
    names = {t.text for t in tokens if t.kind == "id" and not t.text[:1].isupper()}
    return names - called - owned


def _said(body: Body, first: int, last: int, names: dict[str, str]) -> str:
    """What stands between two tokens of a body, under these names."""
    start, end = body.gap(first, last)
    renamed = (
        (each.start - start, each.end - start, names[each.text])
        for each in body.tokens[first:last]
        if each.text in names
    )
    return replaced(body.parsed.text[start:end], renamed)
