"""The tutor's front end in a terminal: progress and messages on stderr, questions on a tty."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tutor_lsp.cli.screen.out import Out
from tutor_lsp.cli.screen.progress import Progresses
from tutor_lsp.cli.screen.prompt import ask, ask_number, ask_yes_or_no
from tutor_lsp.cli.screen.words import terminal_voice
from tutor_lsp.core.text.positions import Encoding
from tutor_lsp.tutor.exercise.folder.marker import may_be_exercise
from tutor_lsp.tutor.ide.view import Viewable
from tutor_lsp.tutor.services.frontend import Abilities, AskModel, ProgressHandle
from tutor_lsp.tutor.voice.voice import Voice


class TerminalFrontend:
    """Implements tutor.frontend.Frontend for one invocation.

    `ready` keeps the payload of `tutor/sessionReady` by job, `place` the document that was to be
    opened last. `asks` says whether someone is there
    to answer a question.
    """

    def __init__(
        self, err: Out, progresses: Progresses, *, asks: bool, voice: Voice | None = None
    ) -> None:
        self.err = err
        self._progresses = progresses
        self._asks = asks
        self.ready: dict[str | None, Mapping[str, Any]] = {}
        self.place: Path | None = None
        self._voice = voice or terminal_voice()

    @property
    def abilities(self) -> Abilities:
        return Abilities(
            shows_results=True,
            chooses=self._asks,
            asks_text=self._asks,
            terminal=True,
            voice=self._voice,
        )

    @property
    def position_unit(self) -> Encoding:
        return "utf-32"

    def buffer(self, path: Path) -> str | None:
        del path
        return None

    def current_document(self) -> Path | None:
        """The exercise that the shell stands in."""
        try:
            return may_be_exercise(Path.cwd())
        except OSError:
            # The folder was deleted, or may not be entered any more.
            return None

    def documents_in_use(self) -> Sequence[Path]:
        """None: a shell has no open files."""
        return ()

    def folders(self) -> Sequence[Path]:
        try:
            return (Path.cwd(),)
        except OSError:
            return ()

    def exercise_opened(self, document: Path | None) -> None:
        del document

    def notify(self, method: str, payload: Mapping[str, Any]) -> None:
        if method == "tutor/sessionReady":
            self.ready[payload.get("jobId")] = payload
        elif method == "tutor/hintReady" and not payload["final"] and "answered" in payload["hint"]:
            self._grown(payload["hint"]["text"])

    def _grown(self, text: str) -> None:
        """Show an answer that is still being written."""
        self._progresses.grown(text)

    async def progress(self, job_id: str, title: str) -> ProgressHandle:
        del job_id
        return self._progresses.begin(title)

    async def choose(self, prompt: str, choices: Sequence[str]) -> str | None:
        if not self._asks:
            return None
        self._progresses.pause()
        if len(choices) == 2:
            return await ask_yes_or_no(self.err, prompt, choices)
        number = await ask_number(self.err, prompt, choices)
        return None if number is None else choices[number]

    async def ask_text(self, prompt: str) -> str | None:
        if not self._asks:
            return None
        self._progresses.pause()
        return await ask(self.err, prompt)

    def model(self) -> AskModel | None:
        return None

    async def open(self, path: Path, line: int, *, take_focus: bool = True) -> bool:
        del line, take_focus
        self.place = path
        return False

    def message(self, text: str, *, warning: bool = False) -> None:
        self.err.line(("bad", "! ") if warning else "", text)

    async def replace(self, path: Path, text: str) -> bool:
        del path, text
        return False

    def exercise_changed(self, exercise: Viewable) -> None:
        del exercise
