"""The screen and the keys of `watch`; whatever happens, the terminal is restored."""

import asyncio
import codecs
import contextlib
import os
import re
import signal
import sys
import termios
import tty
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.live import Live
from rich.segment import Segment

from tutor_lsp.cli.screen.out import Out, Part
from tutor_lsp.cli.screen.rich_out import rich_text, rows_of
from tutor_lsp.core.text.translation import t

Line = tuple[Part, ...]
OnKey = Callable[[str], bool]
"""Takes a key; whether what comes next is text that is typed, up to Enter."""
_SEQUENCE = re.compile(r"\x1b[\[O][0-?]*[ -/]*[@-~]")
"""What a terminal sends for arrows and function keys (ECMA-48, control sequences)."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What is shown: `body` gives way where the screen is low."""

    head: Sequence[Line]
    body: Sequence[Line]
    foot: Sequence[Line]
    sentence: Line
    """The same in one line, for plain text."""
    page: int = 0
    """Which page of `body` is shown if it has several; after the last comes the first."""


class LineScreen:
    """A line per change. Keys are first letters of lines on stdin, if anybody writes there; where a
    key asks for text, that is the rest of its line.
    """

    by_line = True
    """Whether every change stays as a line."""

    def __init__(self, out: Out) -> None:
        self._out = out
        self._last: Line = ()
        self._reading = False
        self._unread = b""

    def enter(self, on_key: OnKey, on_resize: Callable[[], None]) -> None:
        """Take the terminal over."""
        del on_resize
        if sys.stdin is None:
            return

        def readable() -> None:
            data = os.read(0, 4096)
            if not data:
                self.leave()
            *lines, self._unread = (self._unread + (data or b"\n")).split(b"\n")
            for line in lines:
                typed = line.decode(errors="replace").strip()
                if typed and on_key(typed[0]):
                    for each in (*typed[1:], "\n"):
                        on_key(each)

        # A regular file or /dev/null cannot be waited for, and nobody types there.
        with contextlib.suppress(PermissionError, OSError):
            asyncio.get_running_loop().add_reader(0, readable)
            self._reading = True

    def show(self, frame: Frame) -> None:
        """Show a frame."""
        if frame.sentence != self._last:
            self._last = frame.sentence
            self._out.line(*frame.sentence)

    def say(self, lines: Sequence[Line]) -> None:
        """New text in the body, where frames are not shown whole."""
        for line in lines:
            self._out.line(*line)

    def leave(self) -> None:
        """Restore the terminal; may be called again."""
        if self._reading:
            self._reading = False
            asyncio.get_running_loop().remove_reader(0)


class FullScreen:
    """The alternate screen by rich, keys without Enter. Ctrl-Z gives the terminal back, too."""

    by_line = False

    def __init__(self) -> None:
        self._live: Live | None = None
        self._attributes: list[Any] | None = None
        self._frame: Frame | None = None
        self._on_key: OnKey = lambda _key: False
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")

    def enter(self, on_key: OnKey, on_resize: Callable[[], None]) -> None:
        self._on_key = on_key
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGWINCH, on_resize)
        self._take()

    def show(self, frame: Frame) -> None:
        self._frame = frame
        if self._live is not None:
            self._live.update(_Drawn(frame), refresh=True)

    def say(self, lines: Sequence[Line]) -> None:
        """Frames show it."""

    def leave(self) -> None:
        if self._attributes is None:
            return
        loop = asyncio.get_running_loop()
        loop.remove_reader(0)
        loop.remove_signal_handler(signal.SIGTSTP)
        if self._live is not None:
            self._live.stop()
            self._live = None
        termios.tcsetattr(0, termios.TCSADRAIN, self._attributes)
        self._attributes = None

    def _take(self) -> None:
        loop = asyncio.get_running_loop()
        self._attributes = termios.tcgetattr(0)
        tty.setcbreak(0, termios.TCSADRAIN)
        loop.add_reader(0, self._readable)
        loop.add_signal_handler(signal.SIGTSTP, self._suspend)
        self._live = Live(
            console=Console(highlight=False),
            screen=True,
            auto_refresh=False,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._live.start()
        if self._frame is not None:
            self.show(self._frame)

    def _readable(self) -> None:
        try:
            data = os.read(0, 64)
        except OSError:
            data = b""
        if not data:
            # The terminal is gone.
            os.kill(os.getpid(), signal.SIGHUP)
            return
        for key in _SEQUENCE.sub("", self._decoder.decode(data)):
            self._on_key(key)

    def _suspend(self) -> None:
        self.leave()
        os.kill(os.getpid(), signal.SIGTSTP)
        # Here the shell has continued us.
        self._take()


Screen = LineScreen | FullScreen
"""Shows frames and reads keys."""


def make_screen(out: Out, *, plain: bool) -> Screen:
    """A full screen on a terminal, else lines."""
    if plain or not (sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()):
        return LineScreen(out)
    return LineScreen(out) if os.environ.get("TERM", "") in ("", "dumb") else FullScreen()


def _page(rows: list[list[Segment]], room: int, page: int) -> list[list[Segment]]:
    """A page of rows that fill more than `room`; its last row says how to see the others."""
    if room < 2:
        return rows[:0]
    pages = -(-len(rows) // (room - 1))
    at = page % pages * (room - 1)
    return [
        *rows[at : at + room - 1],
        [Segment(f"… {t(f'page {page % pages + 1} of {pages} (space)')}")],
    ]


class _Drawn:
    """A frame for rich, cut to the height of the screen."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame

    def __rich_console__(
        self, console: "Console", options: "ConsoleOptions"
    ) -> "Iterator[RenderableType | Segment]":
        height = options.height or options.size.height
        head, body, foot = (
            self._rows(console, options, lines)
            for lines in (self._frame.head, self._frame.body, self._frame.foot)
        )
        # Two rows of what a key shows and the row above the keys, or closer together.
        low = len(head) + len(foot) + (3 if body else 0) > height
        if low:
            head = [row for row in head if any(part.text.strip() for part in row)]
            head = head[: max(0, height - len(foot))]
        room = max(0, height - len(head) - len(foot) - (not low))
        if len(body) > room:
            body = _page(body, room, self._frame.page)
        gap = [[Segment("")]] if len(head) + len(body) + len(foot) < height else []
        rows = [*head, *body, *gap, *foot][:height]
        for number, row in enumerate(rows):
            yield from row
            if number < len(rows) - 1:
                yield Segment.line()

    @staticmethod
    def _rows(
        console: "Console", options: "ConsoleOptions", lines: Sequence[Line]
    ) -> list[list["Segment"]]:
        free = options.update(height=None)
        free.height = None
        rows: list[list[Segment]] = []
        for line in lines:
            for row in rows_of(rich_text(line), options.max_width):
                rows += console.render_lines(row, free, pad=False)
        return rows
