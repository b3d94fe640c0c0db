"""Colours, bars and rendered Markdown, by rich."""

from collections.abc import Iterable, Sequence
from typing import TextIO

from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text

from tutor_lsp.cli.screen.out import STYLES, Bar, Out, Part, Shown, spoken
from tutor_lsp.cli.screen.rows import hanging, row_breaks

ROOM = 4
"""Rows of a terminal that are left free beside a text that grows."""


class RichOut(Out):
    """Prints on a terminal that shows colours."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self.console = Console(file=stream, highlight=False)

    def bar(self, title: str) -> Bar:
        return BarProgress(self.console, title)

    def status(self, text: str) -> Shown:
        status = self.console.status(text)
        status.start()
        return status

    def line(self, *parts: Part) -> None:
        # The terminal is left to break what is too long for a line, so that it can open paths.
        for row in rows_of(rich_text(parts), self.console.width):
            self.console.print(row, soft_wrap=True)

    def code(self, text: str, language: str) -> None:
        from rich.syntax import Syntax  # brings pygments, which only code needs

        self.console.print(
            Syntax(text.rstrip("\n"), language, theme="ansi_dark", background_color="default")
        )

    def data(self, text: str) -> None:
        self.console.print(text, style=STYLES["dim"], soft_wrap=True, markup=False)


class _Beside(Progress):
    """Bars below the last lines of a text, as many as there is room for."""

    beside = ""

    def get_renderables(self) -> Iterable[RenderableType]:
        if self.beside:
            text = Text(self.beside)
            rows = text.wrap(self.console, self.console.width)
            yield Text("\n").join(rows[-max(self.console.height - ROOM, 1) :])
        yield from super().get_renderables()


class BarProgress(Bar):
    """A bar that goes away at the end; what is said beside it ends with the time left."""

    def __init__(self, console: Console, title: str) -> None:
        self._bars = _Beside(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            TextColumn("{task.fields[said]}", style="dim"),
            console=console,
            transient=True,
        )
        self._bars.start()
        self._task = self._bars.add_task(title, total=100, said="")

    def report(self, percent: int, message: str) -> None:
        self._bars.update(self._task, completed=percent, said=message)

    def beside(self, text: str) -> None:
        self._bars.beside = text
        self._bars.refresh()

    def done(self, message: str) -> None:
        del message
        self.stop()

    def stop(self) -> None:
        self._bars.stop()


def rich_text(parts: Sequence[Part]) -> Text:
    """A line for rich."""
    text = Text()
    for part in parts:
        for style, said in spoken(part):
            text.append(said, STYLES[style] if style is not None else None)
    return text


def rows_of(text: Text, width: int) -> list[Text]:
    """The rows that a line takes on a terminal of this width (cells)."""
    first, *others = text.divide(row_breaks(text.plain, width))
    margin = " " * hanging(text.plain, width)
    rows = [first, *(Text(margin).append_text(row) for row in others)]
    for row in rows:
        row.rstrip()
    return rows
