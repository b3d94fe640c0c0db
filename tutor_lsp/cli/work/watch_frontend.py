"""The front end of `watch`: messages, progress and results are shown in its view."""

from typing import Protocol

from tutor_lsp.cli.frontend import TerminalFrontend
from tutor_lsp.cli.screen.out import Verbatim
from tutor_lsp.cli.screen.watch_screen import Line
from tutor_lsp.tutor.ide.view import Viewable
from tutor_lsp.tutor.services.frontend import ProgressHandle


class Watching(Protocol):
    """What shows it."""

    def hear(self, lines: list[Line]) -> None:
        """Show a message."""

    def grown(self, lines: list[Line]) -> None:
        """Show an answer that is still being written."""

    def changed(self, exercise: Viewable) -> None:
        """Results of an exercise changed."""

    def doing(self, text: str) -> None:
        """Show the work in progress."""


class WatchFrontend(TerminalFrontend):
    """Shows messages, progress and results in the view."""

    watching: Watching | None = None

    def message(self, text: str, *, warning: bool = False) -> None:
        if self.watching is None:
            super().message(text, warning=warning)
        else:
            self.watching.hear([(text,)])

    def _grown(self, text: str) -> None:
        if self.watching is not None:
            self.watching.grown([(Verbatim(row),) for row in text.split("\n")])

    def exercise_changed(self, exercise: Viewable) -> None:
        if self.watching is not None:
            self.watching.changed(exercise)

    async def progress(self, job_id: str, title: str) -> ProgressHandle:
        if self.watching is None:
            return await super().progress(job_id, title)
        return _Doing(self.watching, title)


class _Doing(ProgressHandle):
    """Progress in the view's last line."""

    def __init__(self, watching: Watching, title: str) -> None:
        self._watching = watching
        self._title = title

    def report(self, percent: int, message: str) -> None:
        self._watching.doing(f"{self._title}: {percent} %  {message}")

    def done(self, message: str) -> None:
        del message
        self._watching.doing("")
