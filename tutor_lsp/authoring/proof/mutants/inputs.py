"""Tests that only watch, and the inputs with which they run. Pure."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from tutor_lsp.authoring.domain.neighbours import Change, changes
from tutor_lsp.authoring.proof.trial import Trial
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.files import below
from tutor_lsp.core.language.mutants import Assertion, Case, Mutations, Watched
from tutor_lsp.core.ports import FunctionSite
from tutor_lsp.core.text.plain_text import in_one_line
from tutor_lsp.languages.common.proof.splice import replaced
from tutor_lsp.languages.common.syntax import parse

INPUTS = 2000
"""Most inputs on which a version is compared with the reference."""
TEXTS = 16
"""Most other texts of one literal."""
_MARK = re.compile(r"/\*(\d+):(\d+)\*/")
_HEAD = re.compile(r"tutor_pick\w*\((\d+)")
_TRIES = 4
_SHORT, _SPOTS = 8, 12
_PARTS = (".005", ".01", ".07", ".1", ".29", ".99")


@dataclass(frozen=True, slots=True)
class Seen:
    """A watched test as its author wrote it: `picks` are the changes of each pick by its number,
    `records` what each record looks at."""

    watched: Watched
    text: str
    picks: Mapping[int, Sequence[Change]]
    records: Mapping[int, tuple[int, int]]
    asserted: Sequence[Assertion]

    def without(self, lines: Sequence[int], mutations: Mutations) -> "Seen | None":
        """This without the texts of picks in these lines of the watched test, counted from 0, or
        without the picks that begin there; None if something else is wrong there."""
        rows = self.watched.code.split("\n")
        arms, whole = set[tuple[int, int]](), set[int]()
        for line in lines:
            row = rows[line] if line < len(rows) else ""
            arms |= {(int(pick), int(arm)) for pick, arm in _MARK.findall(row)}
            if not _MARK.search(row):
                whole |= {int(pick) for pick in _HEAD.findall(row)}
        if not arms and not whole and (not self.picks or len(lines) == 0):
            return None
        if not arms and not whole:
            whole = set(self.picks)
        left = {
            pick: [each for arm, each in enumerate(changed, 1) if (pick, arm) not in arms]
            for pick, changed in self.picks.items()
            if pick not in whole
        }
        left = {pick: changed for pick, changed in left.items() if changed}
        return written(self.text, self.watched.site, self.asserted, left, mutations)

    def input(self, case: Case, record: int) -> tuple[str, tuple[str, ...]]:
        """What a record looks at on an input, and the lines of the test that lead to it and were
        changed; without such a record the test, and all lines that were."""
        chosen = [self.picks[pick][arm - 1] for pick, arm in case[1]]
        start, end = self.records.get(record, (len(self.text), len(self.text)))
        inside = [each for each in chosen if start <= each[0] and each[1] <= end]
        moved = [(a - start, b - start, new) for a, b, new in inside]
        said = replaced(self.text[start:end], moved)
        before = [each for each in chosen if each[1] <= start]
        lines = []
        for a, b, new in before:
            first = self.text.rfind("\n", 0, a) + 1
            last = self.text.find("\n", b)
            row = [(a - first, b - first, new)]
            lines.append(in_one_line(replaced(self.text[first:last], row)))
        return in_one_line(said) or self.watched.test, tuple(lines)


@dataclass(slots=True)
class Inputs:
    """The watched tests of one unit."""

    unit: Unit
    seen: list[Seen] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)

    def told(self, case: int, record: int) -> tuple[str, tuple[str, ...]]:
        """See `Seen.input`."""
        chosen = self.cases[case]
        return self.seen[chosen[0]].input(chosen, record)

    def records(self, case: int) -> int:
        """How many records the test of an input makes."""
        return len(self.seen[self.cases[case][0]].records)

    def without(self, at: int, lines: Sequence[int], mutations: Mutations) -> "Inputs":
        """These without what stands in these lines of a watched test, counted from its first: the
        texts of picks that have a line there, or else the test."""
        seen: list[Seen | None] = [*self.seen]
        seen[at] = self.seen[at].without(lines, mutations)
        left = [each for each in seen if each is not None]
        return Inputs(self.unit, left, list(_cases(left)))


def inputs(trial: Trial, solved: Mapping[str, str], unit: Unit, mutations: Mutations) -> Inputs:
    """The unit's tests as watched ones, with every input that is near to theirs."""
    found = Inputs(unit)
    number = 1
    stub = trial.solved_site(unit, solved)
    signed = stub is not None and re.search(mutations.operators.signed, stub.signature)
    told = _own_literals(trial, solved, unit)
    for text in below(solved, "tests").values():
        grammar = trial.dialect.grammar
        parsed = parse(text, grammar)
        literals = {(each.start, each.end) for each in parsed.tokens if each.kind == "literal"}
        for site in trial.toolchain.functions(text):
            if site.name not in unit.tests:
                continue
            asserted = mutations.assertions(text, site)
            if asserted is None:
                continue
            changed = changes(text, site, unit.stub, grammar, parsed)
            if not signed:
                changed = [each for each in changed if not each[2].startswith("(-")]
            changed += _telling(text, changed, literals, told)
            each = _watch(text, site, asserted, changed, mutations, literals, number)
            number += len(each.picks)
            found.seen.append(each)
    found.cases = list(_cases(found.seen))
    return found


def _watch(
    text: str,
    site: FunctionSite,
    asserted: Sequence[Assertion],
    changed: Sequence[Change],
    mutations: Mutations,
    literals: AbstractSet[tuple[int, int]],
    number: int,
) -> Seen:
    places: dict[tuple[int, int], list[Change]] = {}
    lists = mutations.operators.lists
    for change in changed:
        each = _expression(text, change, literals, lists)
        if each is not None and "\n" not in each[2]:
            places.setdefault((each[0], each[1]), []).append(each)
    picks: dict[int, Sequence[Change]] = {}
    for place in sorted(places):
        if place[1] > place[0]:
            picks[number] = _spread(places[place])
            number += 1
    return written(text, site, asserted, picks, mutations)


def _spread(found: Sequence[Change]) -> Sequence[Change]:
    """At most `TEXTS` of these, from all over: each is one more for a compiler to read."""
    if len(found) <= TEXTS:
        return found
    return [found[at * len(found) // TEXTS] for at in range(TEXTS)]


def written(
    text: str,
    site: FunctionSite,
    asserted: Sequence[Assertion],
    picks: Mapping[int, Sequence[Change]],
    mutations: Mutations,
) -> Seen:
    """A test with records and these picks."""
    numbers = {(each[0][0], each[0][1]): number for number, each in picks.items()}
    records: dict[int, tuple[int, int]] = {}
    whole = _Writer(text, numbers, picks, asserted, mutations, records)
    code = whole.part(site.start, site.end)
    return Seen(Watched(site.name, site, code), text, picks, records, asserted)


def _own_literals(trial: Trial, solved: Mapping[str, str], unit: Unit) -> list[str]:
    """The texts and numbers that the reference itself names: what it may treat in a special way."""
    text, site = solved.get(unit.file, ""), trial.solved_site(unit, solved)
    tokens = (
        parse(text, trial.dialect.grammar).within(site.body_start, site.body_end) if site else ()
    )
    literals = (each.text for each in tokens if each.kind == "literal")
    return list(dict.fromkeys(each for each in literals if len(each) <= _SHORT))


def _telling(
    text: str,
    changed: Sequence[Change],
    literals: AbstractSet[tuple[int, int]],
    told: Sequence[str],
) -> Iterator[Change]:
    """More changes of each literal that is changed: by what the reference names, and by what is
    seldom thought of, as blanks of other kinds and parts of a number that are not exact. A text or
    number grows only where another change lets it."""
    places: dict[tuple[int, int], list[str]] = {}
    for start, end, new in changed:
        if (start, end) in literals:
            places.setdefault((start, end), []).append(new)
    for (start, end), news in places.items():
        old = text[start:end]
        seen = {old, *news}
        for new in _texts(old, news, told) if old.endswith('"') else _numbers(old, news, told):
            if new not in seen:
                seen.add(new)
                yield start, end, new


def _texts(old: str, news: Sequence[str], told: Sequence[str]) -> Iterator[str]:
    head, _, inner = old[:-1].partition('"')
    if not any(len(new) > len(old) for new in news):
        if "\\" not in inner and inner.isascii():
            for at in range(min(len(inner), _SPOTS)):
                yield f'{head}"{inner[:at]} {inner[at + 1 :]}"'
        return
    pieces = [each[1:-1] for each in told if each[:1] in "\"'" and each[-1:] in "\"'"]
    middle = len(inner) // 2
    if "\\" in inner:
        middle = 0
    for piece in [*dict.fromkeys(pieces), " ", "\\t"]:
        if piece and '"' not in piece:
            yield f'{head}"{piece}{inner}"'
            yield f'{head}"{inner}{piece}"'
            yield f'{head}"{inner[:middle]}{piece}{inner[middle:]}"'
            yield f'{head}"{piece}"'


def _numbers(old: str, news: Sequence[str], told: Sequence[str]) -> Iterator[str]:
    found = re.fullmatch(r"(\d+)(\.\d+)?(\D*)", old)
    if found is None:
        return
    whole, suffix = int(found[1]), found[3]
    grows = f"{whole + 1}{found[2] or ''}{suffix}" in news
    if found[2]:
        for part in _PARTS if grows else ():
            yield f"{whole}{part}{suffix}"
        return
    for each in told:
        if each.isdecimal():
            for near in (int(each) - 1, int(each), int(each) + 1):
                if near >= 0 and (grows or near < whole):
                    yield f"{near}{suffix}"


def _expression(
    text: str, change: Change, literals: AbstractSet[tuple[int, int]], lists: str
) -> Change | None:
    """A change of what stands between two brackets as one of the list as a whole; None where a list
    is no expression."""
    start, end, new = change
    old = text[start:end]
    if old.startswith("{") or ((start, end) in literals and new not in ("", f"{old}, {old}")):
        return change
    before = re.search(rf"(?:{lists})\Z", text[: start - 1])
    if before is None:
        return None
    return before.start(), end + 1, f"{before[0]}{text[start - 1]}{new}{text[end]}"


@dataclass(slots=True)
class _Writer:
    text: str
    numbers: Mapping[tuple[int, int], int]
    picks: Mapping[int, Sequence[Change]]
    asserted: Sequence[Assertion]
    mutations: Mutations
    records: dict[int, tuple[int, int]]

    def part(self, start: int, end: int, *, inner: bool = False) -> str:
        """The text from one offset to another, with records and picks."""
        made, at = [], start
        spots: list[tuple[int, int, Assertion | None]] = [
            (a, b, None) for a, b in self.numbers if start <= a and b <= end
        ]
        if inner:
            spots = [spot for spot in spots if spot[:2] != (start, end)]
        else:
            spots += [(e.start, e.end, e) for e in self.asserted if start <= e.start < e.end <= end]
        spots.sort(key=lambda spot: (spot[0], -spot[1]))
        for a, b, assertion in spots:
            if a < at:
                continue  # within one before
            made.append(self.text[at:a])
            made.append(self._record(assertion) if assertion is not None else self._pick(a, b))
            at = b
        return "".join([*made, self.text[at:end]])

    def _record(self, assertion: Assertion) -> str:
        texts, numbers = [], {}
        for count, (a, b) in enumerate(assertion.parts):
            number = len(self.records) + 1
            self.records[number] = (a, b)
            numbers[f"n{count}"] = number
            texts.append(self._whole(a, b))
        return assertion.form.format(*texts, **numbers)

    def _whole(self, start: int, end: int) -> str:
        return (
            self._pick(start, end)
            if (start, end) in self.numbers
            else self.part(start, end, inner=True)
        )

    def _pick(self, start: int, end: int) -> str:
        number = self.numbers[start, end]
        others = [new for _, _, new in self.picks[number]]
        return self.mutations.pick(number, [self.part(start, end, inner=True), *others])


def _cases(seen: Sequence[Seen]) -> Iterator[Case]:
    """The tests as they are, then each with one pick changed, then with two or three of them."""
    yield from ((at, ()) for at in range(len(seen)))
    singles = [
        (at, pick, arm)
        for at, each in enumerate(seen)
        for pick, changed in each.picks.items()
        for arm in range(1, len(changed) + 1)
    ]
    dice = random.Random(len(singles))  # noqa: S311 - no secret, always the same
    dice.shuffle(singles)
    mine: dict[int, list[tuple[int, int]]] = {}
    for at, pick, arm in singles:
        mine.setdefault(at, []).append((pick, arm))
    count, known = len(seen), set[Case]()
    for at, pick, arm in singles[: INPUTS - count]:
        yield at, ((pick, arm),)
        count += 1
    for turn in range(_TRIES * INPUTS if singles else 0):
        if count >= INPUTS:
            return
        at, pick, arm = singles[turn % len(singles)]
        others = mine[at]
        more = (others[int(dice.random() * len(others))] for _ in range(1 + turn % 2))
        chosen = {pick: arm, **dict(more)}
        case = (at, tuple(sorted(chosen.items())))
        if len(chosen) > 1 and case not in known:
            known.add(case)
            count += 1
            yield case
