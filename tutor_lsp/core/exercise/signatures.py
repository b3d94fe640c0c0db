"""What a unit's code comes to on chosen inputs, by which its known mistakes are recognised. Pure.

A signature has one outcome per probe, as a short text: `= 3` what is seen, `! ValueError` how it
ended instead, `~` where it did not end, `?` where that is not known. Never in the learner's folder.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

VALUE, ENDED, ENDLESS, UNKNOWN = "=", "!", "~", "?"
CRASH = "! crash"
"""Of what takes its whole process along."""
MOST_PROBES = 64

Signature = tuple[str, ...]


class By(StrEnum):
    """Where the inputs come from: within the unit's domain, or the tests alone."""

    PROBES = "probes"
    TESTS = "tests"


@dataclass(frozen=True, slots=True)
class Input:
    """What is looked at: statements, then an expression, then names of what it may have changed.

    Without a `call` the last statement says itself what is seen. With `words` those of an error
    are part of what is seen, because a test looks at them.
    """

    setup: tuple[str, ...] = ()
    call: str = ""
    after: tuple[str, ...] = ()
    words: bool = False

    @property
    def size(self) -> int:
        """How long it is to read."""
        return sum(map(len, self.setup)) + len(self.call)


@dataclass(frozen=True, slots=True)
class Known:
    """What a known mistake comes to: `differs` has its outcomes by the number of the input, from 0,
    where they are not the reference's. `alone` is whether every other known version that behaves
    otherwise on any input that was tried comes to something else; of a unit with the tests' inputs
    only, one of them is too little."""

    tag: str
    differs: Mapping[str, str]
    alone: bool = True

    @classmethod
    def of(cls, tag: str, signature: Signature, reference: Signature, alone: bool) -> "Known":
        """The mistake with this signature."""
        pairs = enumerate(zip(signature, reference, strict=True))
        differs = {str(at): mine for at, (mine, right) in pairs if mine != right}
        return cls(tag, differs, alone)


@dataclass(frozen=True, slots=True)
class Difference:
    """An input on which code differs from the reference, with both outcomes."""

    input: Input
    got: str
    expected: str


@dataclass(frozen=True, slots=True)
class Signatures:
    """The signatures of a unit's reference and of its known mistakes by name, on its inputs."""

    by: By
    inputs: tuple[Input, ...]
    reference: Signature
    mistakes: Mapping[str, Known] = field(default_factory=dict)

    def signature_of(self, name: str) -> Signature:
        """That of a known mistake."""
        differs = self.mistakes[name].differs
        return tuple(differs.get(str(at), right) for at, right in enumerate(self.reference))

    def names(self, signature: Sequence[str]) -> tuple[str, ...]:
        """The mistakes that have this signature; none where something else that is known has it
        too, or one of its outcomes is not known."""
        found = tuple(signature)
        if found == self.reference or UNKNOWN in found:
            return ()
        mine = {n: each for n, each in self.mistakes.items() if self.signature_of(n) == found}
        return tuple(mine) if all(each.alone for each in mine.values()) else ()

    def matches(self, signature: Sequence[str]) -> frozenset[str]:
        """The tags of `names`: of code that makes one mistake for sure there is one."""
        return frozenset(self.mistakes[name].tag for name in self.names(signature))

    def shortest_difference(self, signature: Sequence[str]) -> Difference | None:
        """The shortest input that can be shown and on which the code differs from the reference."""
        return next(iter(self.differences(signature)), None)

    def differences(self, signature: Sequence[str]) -> list[Difference]:
        """All such inputs, the shortest first."""
        if len(signature) != len(self.reference):
            return []
        differ = [
            Difference(given, got, expected)
            for given, got, expected in zip(self.inputs, signature, self.reference, strict=True)
            if got not in (expected, UNKNOWN) and given.call
        ]
        return sorted(differ, key=lambda each: each.input.size)
