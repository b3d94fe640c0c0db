"""What every command takes, and places in texts as clients send them."""

from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True, slots=True)
class Text:
    """A text of 1 to `most` code points, with blanks around it taken off if it is `stripped`."""

    most: int
    stripped: bool = False


Word = Annotated[str, Text(200, stripped=True)]
Uri = Annotated[str, Text(8192)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Arguments:
    """What every command takes: which session is meant."""

    session: Word | None = None
    uri: Uri | None = None


@dataclass(frozen=True, slots=True)
class Position:
    """An LSP position: zero-based, in the unit that client and server agreed on."""

    line: int
    character: int


@dataclass(frozen=True, slots=True)
class Range:
    """An LSP range."""

    start: Position
    end: Position


@dataclass(frozen=True, slots=True)
class Selection:
    """A selection in one of the learner's own documents."""

    uri: str
    range: Range
