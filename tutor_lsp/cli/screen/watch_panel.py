"""The lower part of `watch`: what the last key has shown, as long as it holds. Pure."""

from collections.abc import Callable

from tutor_lsp.cli.screen.watch_screen import Line
from tutor_lsp.tutor.ide.view import View

Body = Callable[[View], list[Line]]
"""What is shown, of the exercise as it is now."""


def nothing(_view: View) -> list[Line]:
    """An empty panel."""
    return []


class Panel:
    """What is shown below the focus; `page` says which part of it, where it does not fit."""

    def __init__(self) -> None:
        self.page = 0
        self._body: Body = nothing
        self._about: tuple[str, str] | None = None
        self._of_run = False

    def say(self, lines: list[Line], view: View, *, of_run: bool) -> None:
        """Show a text until the focus moves to another unit, which it says nothing of; `of_run`:
        the result of a run, which is over with the next save."""
        self.look_at(lambda _view: lines)
        self._about, self._of_run = _subject(view), of_run

    def saved(self) -> None:
        """The learner saved."""
        if self._of_run:
            self.look_at(nothing)

    def look_at(self, body: Body) -> None:
        """Show what is true at any time."""
        self._body, self._about, self.page = body, None, 0
        self._of_run = False

    def lines(self, view: View) -> list[Line]:
        """What is shown now."""
        if self._about not in (None, _subject(view)):
            self.look_at(nothing)
        return self._body(view)


def _subject(view: View) -> tuple[str, str]:
    return view.session.id, view.focus.unit.id if view.focus is not None else ""
