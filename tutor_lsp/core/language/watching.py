"""How a language looks at what code comes to on inputs, with no opinion on what is right. Pure."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from tutor_lsp.core.exercise.signatures import Input
from tutor_lsp.core.language.variants import Merged, Variant
from tutor_lsp.core.ports import Files


class NoWatch(Exception):  # noqa: N818 - names a condition, not an error
    """A language cannot look at code in this way; the text is one sentence that says why."""


class Watch(Protocol):
    """How a language writes it."""

    def inputs(self, test: str, stub: str) -> Sequence[Input]:
        """What the text of a test function looks at, as inputs of their own: nothing in them
        compares."""

    def case(self, given: Input, name: str) -> str:
        """A function of that name that looks at one input, for `watching`."""

    def watching(self, text: str, cases: str, tests: Mapping[str, Sequence[str]]) -> str:
        """A test file with `cases`, and with tests by name, each of which runs the cases that are
        named and prints a line for each, which `outcomes` reads. One that fails, crashes or does
        not end takes no other of its test with it, as far as the language can prevent that."""

    def outcomes(self, output: str) -> Mapping[int, str]:
        """The outcome of each case of a test by its place among them, from what it printed."""

    @property
    def side_by_side(self) -> bool:
        """Whether `merged` puts versions into one program, of whatever they are; otherwise the
        dialect's `merge` does, of bodies."""

    def merged(self, files: Files, variants: Sequence[Variant]) -> Merged | None:
        """Versions of files that `watching` made as one program; None if that is not possible."""
