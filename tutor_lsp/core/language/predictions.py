"""What a language knows of units that ask what a program gives: answers, and how to trace it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

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


Tracing = Callable[[Files, Sequence[str], str, str], dict[str, str]]
"""The files that change so that a test prints every step of a program as a line: `STEP`, file,
line, name and value, with `SEP` between them. Takes all files, the names of those that are the
program, the test file and the test."""


@dataclass(frozen=True, slots=True)
class Predictions:
    """How a language reads the answers of a file, whatever is broken in it, and how it traces."""

    answers: Callable[[str], Answers]
    traced: Tracing


STEP, SEP = "tutor-step", "\x1f"
