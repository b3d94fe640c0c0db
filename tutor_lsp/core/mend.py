"""What can be done by one press about something that does not work."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self


@dataclass(frozen=True, slots=True)
class Mend:
    """A way to mend something, as a client can offer it on a button; which field is set is said by
    `kind`."""

    kind: Literal["setting", "page", "line", "command", "file"]
    """`setting`: it is opened; `page`: its address is; `line`: it is typed in a terminal, where
    the learner presses Enter; `command`: one of the tutor is run; `file`: it is opened."""
    setting: str | None = None
    """Key of the setting, without the section, such as `codex.command`."""
    url: str | None = None
    """Address of the page."""
    line: str | None = None
    """Line for a terminal."""
    command: str | None = None
    """Name of the command."""
    argument: Mapping[str, Any] = field(default_factory=dict)
    """Its argument."""
    file: str | None = None
    """Path of the file, absolute."""


class Problem(str):
    """A sentence about what is wrong, with the ways to mend it; whoever only tells it, or compares
    it, takes it as the text that it is."""

    __slots__ = ("mends",)
    mends: tuple[Mend, ...]

    def __new__(cls, said: str, *mends: Mend) -> Self:
        self = super().__new__(cls, said)
        self.mends = mends
        return self


def mends_of(problem: str) -> tuple[Mend, ...]:
    """The ways to mend what a sentence is about, if it has any."""
    return problem.mends if isinstance(problem, Problem) else ()


@dataclass(frozen=True, slots=True)
class Remedy:
    """One way to mend something that exercises need."""

    message: str
    """What is wrong, or how to mend it, in a sentence: that of the tool, or of the problem."""
    mend: Mend
    """What can be done by pressing a button."""
