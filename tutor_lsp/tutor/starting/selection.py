"""A selection of the learner's own code, for an exercise about it."""

import asyncio
import textwrap
from dataclasses import dataclass

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.text.positions import LineIndex
from tutor_lsp.files.uris import uri_to_path
from tutor_lsp.languages.registry import language_of
from tutor_lsp.tutor.exercise.folder.files import read_text
from tutor_lsp.tutor.interface.arguments import StartArguments
from tutor_lsp.tutor.services.services import Services

MOST_BYTES = 4000
"""Most bytes of a selection."""
MOST_LINES = 120


@dataclass(frozen=True, slots=True)
class SelectedCode:
    """The text as it is sent, with the name of its file and its lines there (1-based)."""

    text: str
    file: str
    first: int
    last: int
    language: str | None

    @property
    def label(self) -> str:
        """Such as `main.rs, lines 3 to 9,`."""
        several = f"lines {self.first} to {self.last}"
        lines = f"line {self.first}" if self.first == self.last else several
        return f"This ({self.file}, {lines})"


async def read_selection(services: Services, arguments: StartArguments) -> SelectedCode:
    """The selection that a start is asked for: of the editor's buffer, else of the disk.

    Raises TutorError `BAD_ARGUMENT` for a place that cannot be read, an empty selection and one
    that is too long.
    """
    wanted = arguments.from_
    if wanted is None:
        raise TutorError("BAD_ARGUMENT", "Nothing is selected: give `from` with uri and range.")
    path = uri_to_path(wanted.uri)
    text = services.frontend.buffer(path) if path is not None else None
    if text is None and path is not None:
        text = await asyncio.to_thread(read_text, path)
    if path is not None and text is None and not path.exists():
        raise TutorError(
            "BAD_ARGUMENT",
            f"There is no file {path}. Give one of your own files, and the lines in it.",
        )
    if path is None or text is None:
        raise TutorError("BAD_ARGUMENT", f"{wanted.uri} cannot be read. Save it and try again.")
    index, unit = LineIndex(text), services.frontend.position_unit
    start, end = wanted.range.start, wanted.range.end
    first = index.from_client(start.line, start.character, unit)
    last = index.from_client(end.line, end.character, unit)
    if last < first:
        raise TutorError("BAD_ARGUMENT", "The selection ends before it begins.")
    whole_lines = first.column > 1 and not index.line(first.line)[: first.column - 1].strip()
    begin = index.offset(first.line, 1 if whole_lines else first.column)
    chosen = textwrap.dedent(text[begin : index.offset(*last)]).strip("\r\n")
    if not chosen.strip():
        raise TutorError(
            "BAD_ARGUMENT", "The selection is empty. Select the code for the exercise."
        )
    _bounded(chosen)
    return SelectedCode(
        text=chosen,
        file=path.name,
        first=first.line,
        last=last.line - 1 if last.column == 1 and last.line > first.line else last.line,
        language=language_of(path.suffix),
    )


def _bounded(text: str) -> None:
    size, lines = len(text.encode("utf-8", "replace")), text.count("\n") + 1
    if size > MOST_BYTES or lines > MOST_LINES:
        raise TutorError(
            "BAD_ARGUMENT",
            f"The selection is too long: {lines} lines, {size} bytes. At most {MOST_LINES} lines "
            f"and {MOST_BYTES} bytes make one exercise: select the part that matters.",
            details={"bytes": size, "lines": lines},
        )
