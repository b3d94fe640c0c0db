"""Wrong versions of a function that code makes: how a language changes its trees, and how it tries
many versions in one program. Pure data.

A *watched* test is one of the exercise's whose assertions only record what they look at, so that it
goes on to its end on any input. Its literals are *picks*: a number chooses one of several texts. So
one build serves thousands of inputs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.language.variants import Place
from tutor_lsp.core.ports import Files, FunctionSite, Toolchain


@dataclass(frozen=True, slots=True)
class Operators:
    """How trees of a language are changed, by the types of their nodes.

    `swaps` are other operators, for one that stands in a node of `operations`. Numbers within
    `bounds`, or beside an operator of `compares`, are boundaries. `calls` are calls with the field
    of their arguments, `named` the types of an argument that is named; `siblings` other names for
    what is called or looked up. `rewrites` are a type, a pattern for the whole node, and what
    stands there instead. `drops` are statements that may go, `nothing` what stays there; `asks`
    has the field of a condition, `negated` its opposite; `loops` have a field `body`, which
    `leaves` ends early. `others` are the parts of those, and of the nodes in `filters`, that may be
    missing.
    `mends` are like `rewrites`, for code that is to be mended; without a type the whole of a
    statement is meant.
    `rounds` cut a number, called (`round(x)`, `x.round()`). `lists` is a pattern for what stands
    before the bracket of a list and makes it an expression of its own, `signed` one for a signature
    that takes numbers below nought. A statement without the mark with which it `ends` is a value.
    Functions that are `symmetric` take their arguments in any order.
    """

    swaps: Mapping[str, tuple[str, ...]]
    operations: frozenset[str]
    compares: frozenset[str]
    numbers: frozenset[str]
    texts: frozenset[str]
    bounds: frozenset[str]
    calls: Mapping[str, str]
    named: frozenset[str]
    siblings: Mapping[str, tuple[str, ...]]
    rewrites: tuple[tuple[str, str, str], ...]
    drops: frozenset[str]
    asks: Mapping[str, str]
    negated: str
    never: str
    loops: frozenset[str]
    leaves: str
    others: frozenset[str]
    rounds: frozenset[str]
    lists: str = ""
    signed: str = ""
    ends: str = ""
    symmetric: frozenset[str] = frozenset()
    filters: frozenset[str] = frozenset()
    opposites: Mapping[str, str] = field(default_factory=dict)
    nothing: str = ""
    mends: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Assertion:
    """A part of a test that is replaced by `form`, in which `{0}`, `{1}`, … stand for the `parts`
    (from and to which offset), and `{n0}`, `{n1}`, … for the numbers of their records."""

    start: int
    end: int
    parts: tuple[tuple[int, int], ...]
    form: str


@dataclass(frozen=True, slots=True)
class Watched:
    """A watched test: its definition as `code`, the test whose it is, and its place there."""

    test: str
    site: FunctionSite
    code: str


Case = tuple[int, tuple[tuple[int, int], ...]]
"""The number of a watched test of the unit, and the picks that do not take their first text."""


@dataclass(frozen=True, slots=True)
class Tries:
    """What is tried of one unit: versions of its stub's body, by number over all units, and the
    inputs on which those that pass are compared with the reference. With `anew` what a file makes
    when it loads may come of the stub, so that it and the tests are to be loaded once more. With
    `fails` the code that the bodies are put into is a learner's, whose tests fail without them."""

    unit: Unit
    bodies: Mapping[int, str]
    watched: Sequence[Watched] = ()
    cases: Sequence[Case] = ()
    anew: bool = False
    fails: bool = False


@dataclass(frozen=True, slots=True)
class Program:
    """An exercise with further `tests`, which try everything and print what they found:

    `tutor-mutants <unit> <marks>`, a letter for each version in order (`k` noticed, `s` passes);
    `tutor-alike <version> <inputs>`, or `tutor-apart <version> <case> <record>`, a tab, what the
    reference gave, a tab, what the version gave. `places` has where each version stands, `watched`
    where each watched test does, by unit and number.
    """

    files: Files
    tests: tuple[str, ...]
    places: Mapping[int, Place] = field(default_factory=dict)
    watched: Mapping[tuple[str, int], Place] = field(default_factory=dict)


class Mutations(Protocol):
    """How a language tries versions."""

    @property
    def operators(self) -> Operators:
        """How its trees are changed."""

    def assertions(self, text: str, site: FunctionSite) -> list[Assertion] | None:
        """Every assertion of a test in the text of its file; None if it cannot be watched."""

    def pick(self, number: int, texts: Sequence[str]) -> str:
        """An expression that is one of the texts. Each but the first has a line of its own, so that
        what a compiler says about one can be told from the others."""

    def constant(self, value: str, signature: str) -> str | None:
        """A value that tests compare with, as a function of that signature gives it; None where it
        cannot be one of its."""

    def program(
        self, solved: Files, tries: Sequence[Tries], accepts: Mapping[str, str], tools: Toolchain
    ) -> Program:
        """One exercise that tries all. Raises NoGuard where what it accepts cannot be checked."""
