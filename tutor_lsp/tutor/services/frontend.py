"""What a front end (editor, terminal, test) does for the use cases."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from tutor_lsp.core.text.positions import Encoding
from tutor_lsp.tutor.ide.view import Viewable
from tutor_lsp.tutor.voice.voice import Voice

AskModel = Callable[[str, Mapping[str, Any]], Awaitable[str]]
"""Prompt and schema to the answer's text; raises core.stage.BackendFailed."""


@dataclass(frozen=True, slots=True)
class Abilities:
    """What the front end can do, resolved once.

    `shows_results`: it shows the results of commands itself (`{"ui": "client"}`), so messages and
    documents are left to it. `chooses`: it can put a question with buttons to the learner,
    `asks_text`: also one that is answered in words. `terminal`: its learner types commands.
    `voice`: its language, and how commands are typed there.
    """

    shows_results: bool = False
    chooses: bool = False
    opens: bool = False
    asks_text: bool = False
    terminal: bool = False
    voice: Voice = field(default_factory=Voice)


class ProgressHandle:
    """Progress as a front end shows it (`core.ports.Progress`): this one shows nothing."""

    def report(self, percent: int, message: str) -> None:
        """See `core.ports.Progress`."""
        del percent, message

    def done(self, message: str) -> None:
        """End it with one last line; called exactly once."""
        del message


class Frontend(Protocol):
    """Implemented by `lsp` and `cli`. No method raises because of something the learner does."""

    @property
    def abilities(self) -> Abilities:
        """What it can do."""

    @property
    def position_unit(self) -> Encoding:
        """The unit in which its positions count the characters of a line."""

    def buffer(self, path: Path) -> str | None:
        """Text of the open document, or None if it is not open."""

    def current_document(self) -> Path | None:
        """The document the learner used last, or None."""

    def documents_in_use(self) -> Sequence[Path]:
        """Files that are open, of exercises or not, the one last opened or edited first."""

    def folders(self) -> Sequence[Path]:
        """The folders that the learner works in: those of the workspace, or the shell's."""

    def exercise_opened(self, document: Path | None) -> None:
        """An exercise was started or resumed: its document counts as the one used last.

        With None one was ended, and nothing counts as used any more.
        """

    def notify(self, method: str, payload: Mapping[str, Any]) -> None:
        """Send a notification such as `tutor/sessionReady`."""

    async def progress(self, job_id: str, title: str) -> ProgressHandle:
        """Begin work-done progress that the learner may cancel (which cancels the job)."""

    async def choose(self, prompt: str, choices: Sequence[str]) -> str | None:
        """One of `choices`, or None when dismissed or not possible."""

    async def ask_text(self, prompt: str) -> str | None:
        """An answer in words, or None when dismissed or not possible."""

    def model(self) -> AskModel | None:
        """How to ask the client's own model, None where it offers none."""

    async def open(self, path: Path, line: int, *, take_focus: bool = True) -> bool:
        """Show a document at a 1-based line; False where that is not possible."""

    def message(self, text: str, *, warning: bool = False) -> None:
        """Say one or two sentences."""

    async def replace(self, path: Path, text: str) -> bool:
        """Replace the text of an open document as an edit; False if it is not open there."""

    def exercise_changed(self, exercise: Viewable) -> None:
        """Results, units or hints changed: refresh them."""
