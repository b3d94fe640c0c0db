"""Progress of long work on stderr: a bar on a terminal, else one line per step."""

import sys

from tutor_lsp.cli.screen.out import Bar, Out, Shown
from tutor_lsp.tutor.services.frontend import ProgressHandle


class Progresses:
    """All progress of one invocation. With `silent` nothing is shown."""

    def __init__(self, err: Out, *, silent: bool = False) -> None:
        self.err = err
        self.silent = silent
        self._shown: Shown | None = None

    def begin(self, title: str) -> ProgressHandle:
        """A handle for one piece of work."""
        if self.silent:
            return ProgressHandle()
        self.pause()
        bar = self._shown = self.err.bar(title)
        return bar if bar is not None else LineProgress(self.err, title)

    def waiting(self, text: str) -> None:
        """Show on a terminal that something short is running."""
        if not self.silent:
            self.pause()
            self._shown = self.err.status(text)

    def grown(self, text: str) -> None:
        """Show a text beside it that still grows, where it can be replaced."""
        if isinstance(self._shown, Bar):
            self._shown.beside(text)

    def pause(self) -> None:
        """Clear everything from the screen; the terminal is as before."""
        if self._shown is not None:
            self._shown.stop()
            self._shown = None


class LineProgress(ProgressHandle):
    """A line whenever the text changes."""

    def __init__(self, err: Out, title: str) -> None:
        self._err = err
        self._last = ""
        err.line(title)

    def report(self, percent: int, message: str) -> None:
        if message != self._last:
            self._last = message
            self._err.line(f"{percent:>3} %  {message}")


def someone_is_there() -> bool:
    """Whether questions can be asked: a terminal on stdin and on stderr."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()
