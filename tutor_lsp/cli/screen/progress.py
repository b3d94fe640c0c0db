"""Progress of long work on stderr: a bar on a terminal, else one line per step."""

import sys
from typing import TYPE_CHECKING

from tutor_lsp.cli.screen.out import Out, RichOut

if TYPE_CHECKING:
    from rich.progress import Progress
    from rich.status import Status


class Progresses:
    """All progress of one invocation. With `silent` nothing is shown."""

    def __init__(self, err: Out, *, silent: bool = False) -> None:
        self.err = err
        self.silent = silent
        self._bars: Progress | None = None
        self._status: Status | None = None

    def begin(self, title: str) -> "LineProgress | BarProgress | NoProgress":
        """A handle for one piece of work."""
        if self.silent:
            return NoProgress()
        if not isinstance(self.err, RichOut):
            return LineProgress(self.err, title)
        self.pause()
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[said]}", style="dim"),
            console=self.err.console,
            transient=True,
        )
        self._bars.start()
        return BarProgress(self._bars, title)

    def waiting(self, text: str) -> None:
        """Say on a terminal that something short is going on."""
        if self.silent or not isinstance(self.err, RichOut):
            return
        self.pause()
        self._status = self.err.console.status(text)
        self._status.start()

    def pause(self) -> None:
        """Take everything off the screen; the terminal is as before."""
        if self._bars is not None:
            self._bars.stop()
            self._bars = None
        if self._status is not None:
            self._status.stop()
            self._status = None


class NoProgress:
    """Shows nothing."""

    def report(self, percent: int, message: str) -> None:
        del percent, message

    def done(self, message: str) -> None:
        del message


class LineProgress:
    """A line whenever the text changes."""

    def __init__(self, err: Out, title: str) -> None:
        self._err = err
        self._last = ""
        err.line(title)

    def report(self, percent: int, message: str) -> None:
        if message != self._last:
            self._last = message
            self._err.line(f"{percent:>3} %  {message}")

    def done(self, message: str) -> None:
        del message


class BarProgress:
    """A bar that goes away at the end."""

    def __init__(self, bars: "Progress", title: str) -> None:
        self._bars = bars
        self._task = bars.add_task(title, total=100, said="")

    def report(self, percent: int, message: str) -> None:
        self._bars.update(self._task, completed=percent, said=message)

    def done(self, message: str) -> None:
        del message
        self._bars.stop()


def someone_is_there() -> bool:
    """Whether questions can be asked: a terminal on stdin and on stderr."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()
