"""Training log: read what people type, and say clearly what is wrong with the rest.

A line of the log is a sport and its minutes, such as "run 45".
"""

from collections.abc import Callable
from typing import NoReturn

SPORTS = {"run", "swim", "bike", "climb"}
MOST = 600  # minutes: nobody trains longer in one go

LINES = ["run 45", "swim twenty", "bike 90", "chess 30", "climb"]


class LogError(ValueError):
    """Something in the log is wrong. The text of the error says what."""


class JournalFullError(Exception):
    """The journal has no room for another entry."""


class Journal:
    """A journal with room for some entries. It has to be open while somebody writes into it."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.entries: list[str] = []
        self.is_open = False

    def open(self) -> None:
        self.is_open = True

    def close(self) -> None:
        self.is_open = False

    def write(self, entry: str) -> None:
        if not self.is_open:
            raise ValueError("the journal is closed")
        if len(self.entries) == self.room:
            raise JournalFullError(f"no room for {entry}")
        self.entries.append(entry)


def refuse(what: str, why: str) -> NoReturn:
    """Never return, but raise a `LogError`. Its text has what is refused in
    double quotes, a space and the reason: "yoga" is no sport we know.
    ex-1 - First principle: raise says no
    Read: LESSON.md, "Saying no"
    Test: test_refuse_raises_a_log_error
    Start here: build the text as an f-string; single quotes around it leave
        the double ones free
    """
    raise NotImplementedError("refuse")


def minutes(text: str) -> int:
    """Return the minutes in a text. If it is no whole number, raise a
    `LogError`: "abc" is not a number. Python's `ValueError` stays its cause.
    If less than 1 or more than `MOST`, `refuse` it: is not from 1 to 600.
    ex-2 - First principle: try only what may go wrong
    Read: LESSON.md, "Try as little as possible"
    Test: test_minutes_are_a_whole_number
    Start here: which single call can fail because of the text?
    """
    raise NotImplementedError("minutes")


def read_line(line: str) -> tuple[str, int]:
    """Return sport and minutes of a line. One that is not two words is
    refused as a whole: is not a sport and its minutes. A sport that is not in
    `SPORTS` is refused: is no sport we know. `minutes` refuses wrong minutes.
    ex-3 - First principle: errors travel by themselves
    Read: LESSON.md, "Errors travel by themselves"
    Test: test_read_line_gives_sport_and_minutes
    Start here: what can be wrong before you look at the sport?
    """
    raise NotImplementedError("read_line")


def read_log(
    lines: list[str], read: Callable[[str], tuple[str, int]]
) -> tuple[list[tuple[str, int]], list[str]]:
    """Return two lists: what `read` gives for each good line, and a note for
    each line for which it raises a `LogError`: the number of the line, from
    1, and the text of the error, as in: line 4: "chess" is no sport we know.
    Any other error is a bug in `read` and is not caught.
    ex-4 - First principle: catch what you can handle
    Read: LESSON.md, "Catch what you can handle"
    Test: test_read_log_keeps_good_lines
    Start here: where must the try stand, so that the next line gets its turn?
    """
    raise NotImplementedError("read_log")


def save(lines: list[str], journal: Journal) -> list[str]:
    """Read the lines with `read_log` and `read_line`, open the journal, write
    each good line into it as "run 45", close it, and return the notes. If the
    journal gets full, its error goes on, but it is closed all the same.
    ex-5 - First principle: finally always happens
    Read: LESSON.md, "Cleaning up for certain"
    Test: test_save_writes_the_good_lines
    Start here: which lines have to be watched over by the try?
    """
    raise NotImplementedError("save")
