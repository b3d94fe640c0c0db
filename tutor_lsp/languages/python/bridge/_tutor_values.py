"""Finds values that say to be equal to anything: a comparison with them shows nothing."""

from __future__ import annotations

import random
from types import CodeType
from typing import Any

PLAIN = (int, float, complex, str, bytes, bytearray, bool, type(None), range, type, CodeType)
HOLDS = (list, tuple, set, frozenset, dict)
MANY = 100
DEEP = 4
LETTERS = ("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789")
NOTHING = object()


def strangers() -> tuple[tuple[object, object], ...]:
    """Pairs of values no two of which an honest value is equal to: neighbours, so that neither a
    remainder nor a tolerance takes both, and texts of one length and of two."""
    number = random.SystemRandom().randrange
    small, large = number(3, 40), number(10**9, 10**12)
    short, long = f"{number(10, 99)}", f"{number(10**9)}" * 9
    numbers = ((small, small + 1), (large, large + 1), (-large, -large - 1))
    return (*numbers, (short, short[::-1] + "x"), (long, long + "x"), (short, "xy"))


class Comparing:
    """Finds values that say to be equal to anything: a comparison with them shows nothing."""

    def __init__(self, known: frozenset[type]) -> None:
        self._known = known
        self._kind = type
        self._listed, self._dict, self._object = list, dict, object
        self._number = random.SystemRandom().randrange
        self._strangers = strangers()

    def ask(self, operator: str, left: object, right: object, given: dict[str, object]) -> None:
        """Called before a comparison: what is equal to whatever it is asked about first, or so many
        times, is not asked about the test's value first."""
        for value, other in self._to_ask(operator, left, right, given):
            around = [self._object(), *neighbours(other)]
            for _ in range(self._number(1, 4)):
                try:
                    if operator == "==":
                        bool(value == around[self._number(len(around))])
                    else:
                        bool(around[self._number(len(around))] in value)
                except Exception:  # noqa: BLE001, S112 - whatever the learner's class raises
                    continue

    def check(self, operator: str, left: object, right: object, given: dict[str, object]) -> None:
        """Called after a comparison that was true. Raises AssertionError."""
        for value, other in self._to_ask(operator, left, right, given):
            around = operator == "==" and self._agrees_around(value, other)
            if around or self._agrees(value, operator):
                name = self._kind(value).__name__
                says = "is equal to" if operator == "==" else "holds"
                raise AssertionError(f"`{name}` says that it {says} anything it is asked about")
        kinds = self._kind(left), self._kind(right)
        if operator == "==" and not (kinds[0] in PLAIN and kinds[1] in PLAIN):
            again: Any = left == right
            if not again:
                names = " and ".join(f"`{kind.__name__}`" for kind in kinds)
                raise AssertionError(f"{names} were equal, and are not when asked again")

    def _to_ask(
        self, operator: str, left: object, right: object, given: dict[str, object]
    ) -> list[tuple[Any, object]]:
        """Values whose own class says what they are equal to, or hold; each with what it is
        compared with. An iterator, which each look uses up, is none for `in`."""
        if operator == "==":
            return [*self._made(left, right, given, 0), *self._made(right, left, given, 0)]
        kind = self._kind(right)
        if kind in HOLDS or hasattr(kind, "__next__"):
            return []
        return self._made(right, NOTHING, given, 0)

    def _made(
        self, value: object, other: object, given: dict[str, object], depth: int
    ) -> list[tuple[Any, object]]:
        kind = self._kind(value)
        if kind in PLAIN or kind in self._known or depth > DEEP:
            return []
        if kind in HOLDS:
            held = self._held(value, other)
            return [
                pair
                for each, against in held
                for pair in self._made(each, against, given, depth + 1)
            ]
        for each in given.values():
            if each is value:
                return []  # of the test itself, such as `ANY`
        return [(value, other)]

    def _held(self, value: Any, other: Any) -> list[tuple[object, object]]:
        """What a collection holds, each with what it was compared with where that has a place."""
        kind = self._kind(value)
        if kind is self._dict:
            beside = other if self._kind(other) is self._dict else {}
            items = self._listed(value.items())[:MANY]
            return [(each, beside.get(key, NOTHING)) for key, each in items]
        inner = self._listed(value)[:MANY]
        ordered = kind in (list, tuple) and self._kind(other) is kind and len(other) == len(value)
        return [(each, other[at] if ordered else NOTHING) for at, each in enumerate(inner)]

    def _agrees(self, value: Any, operator: str) -> bool:
        for one, other in ((self._object(), self._object()), *self._strangers):
            try:
                if operator == "==":
                    said = value == one and value == other
                else:
                    said = one in value and other in value
                if said:
                    return True
            except Exception:  # noqa: BLE001, S112 - whatever the learner's class raises
                continue
        return False

    def _agrees_around(self, value: Any, other: object) -> bool:
        """Whether it is equal to more than two fifths of what is like what it was compared with:
        to all even numbers, say, but not just to what a tolerance of one or two takes."""
        around = neighbours(other)
        agreed = 0
        for each in around:
            try:
                agreed += bool(value == each)
            except Exception:  # noqa: BLE001, S112 - whatever the learner's class raises
                continue
        return agreed * 5 > len(around) * 2


def neighbours(value: Any) -> list[Any]:
    """Values of the same kind that are not equal to it, by any rule that tells values apart."""
    if type(value) is bool:
        return [not value]
    if type(value) in (int, float):
        odd = random.SystemRandom().randrange(3, 9, 2)
        apart = [each for some in (odd, odd + 1) for each in (value + some, value - some)]
        return [value + 1, value - 1, *apart, value * 10 + odd, value * 10 + odd + 1, -value - 1]
    if type(value) is str:
        more = value + other_letter("a")
        return [changed(value, 1), changed(value, 1), changed(value, len(value)), more, value[:-1]]
    if type(value) in (list, tuple):
        stranger = type(value)([object()])
        return [value[:-1] + stranger, value + stranger, stranger * (len(value) + 1)]
    if type(value) is dict:
        return [dict.fromkeys(value, object()), {**value, object(): 0}, {object(): 0}]
    if type(value) in (set, frozenset):
        return [value | {object()}, type(value)([object()]), value ^ {object(), object()}]
    return []


def changed(text: str, count: int) -> str:
    """The text with some characters replaced by others of their kind; a letter if it is empty."""
    places = random.SystemRandom().sample(range(len(text)), min(count, len(text)))
    letters = [other_letter(c) if at in places else c for at, c in enumerate(text)]
    return "".join(letters) or other_letter("a")


def other_letter(letter: str) -> str:
    """Another letter or digit, of the same kind if it was one, and not just its capital."""
    kind = next((each for each in LETTERS if letter in each), LETTERS[0])
    return random.SystemRandom().choice([each for each in kind if each.lower() != letter.lower()])
