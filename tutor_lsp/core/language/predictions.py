"""What a language knows of units that ask what a program gives: answers, and how to trace it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from tutor_lsp.core.ports import Files


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer in a learner's file: the name it is given under and the line of that.

    `start`..`end` are code point offsets of the value, `text` is that value. It is `open` as long
    as the placeholder stands there, and `literal` if it is nothing but values.
    """

    name: str
    line: int
    start: int
    end: int
    text: str
    open: bool
    literal: bool


@dataclass(frozen=True, slots=True)
class Answers:
    """All answers of a file, the 1-based lines of what is neither an answer nor a comment, and
    whether the file does not parse."""

    found: tuple[Answer, ...] = ()
    strays: tuple[int, ...] = ()
    broken: bool = False

    def named(self, name: str) -> Answer | None:
        """The answer of that name, or None. Of several, the one that is no value counts."""
        same = [each for each in self.found if each.name == name]
        return min(same, key=lambda each: each.literal, default=None)


class Predictions(Protocol):
    """How a language reads answers, and how it lets a program tell its steps."""

    def answers(self, text: str) -> Answers:
        """The answers of a file. Never raises on broken text."""

    def traced(
        self, files: Files, program: Sequence[str], test_file: str, test: str
    ) -> dict[str, str]:
        """The files that change so that this test prints every step of `program` as a line:
        `STEP`, file, line, name and value, with `SEP` between them."""


STEP, SEP = "tutor-step", "\x1f"
