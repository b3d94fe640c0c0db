"""A learner at a tutor in this process: real store, library and toolchains, no editor."""

from collections.abc import Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tutor_lsp.tutor.application.app import App
from tutor_lsp.tutor.application.compose import compose
from tutor_lsp.tutor.commands.dispatch import execute
from tutor_lsp.tutor.services.frontend import Abilities


class _Shown:
    def report(self, percent: int, message: str) -> None:
        pass

    def done(self, message: str) -> None:
        pass


@dataclass
class Desk:
    """tutor.frontend.Frontend that remembers what was said and answers as told."""

    abilities: Abilities = field(default_factory=lambda: Abilities(shows_results=True))
    answers: list[str | None] = field(default_factory=list)
    questions: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    ready: dict[Any, Mapping[str, Any]] = field(default_factory=dict)
    position_unit: str = "utf-16"

    def buffer(self, path: Path) -> str | None:
        return None

    def current_document(self) -> Path | None:
        return None

    def documents_in_use(self) -> Sequence[Path]:
        return ()

    def folders(self) -> Sequence[Path]:
        return ()

    def exercise_opened(self, document: Path | None) -> None:
        pass

    def notify(self, method: str, payload: Mapping[str, Any]) -> None:
        if method == "tutor/sessionReady":
            self.ready[payload["jobId"]] = payload

    async def progress(self, job_id: str, title: str) -> _Shown:
        return _Shown()

    async def choose(self, prompt: str, choices: Sequence[str]) -> str | None:
        self.questions.append((prompt, tuple(choices)))
        return self.answers.pop(0) if self.answers else None

    async def ask_text(self, prompt: str) -> str | None:
        return None

    def model(self) -> None:
        return None

    async def open(self, path: Path, line: int, *, take_focus: bool = True) -> bool:
        return False

    def message(self, text: str, *, warning: bool = False) -> None:
        self.said.append(text)

    async def replace(self, path: Path, text: str) -> bool:
        return False

    def exercise_changed(self, exercise: object) -> None:
        pass


class Learner:
    """What a learner does, by the commands."""

    def __init__(self, app: App, desk: Desk) -> None:
        self.app = app
        self.desk = desk

    async def do(self, command: str, **arguments: Any) -> Any:
        """Run a command; raises TutorError."""
        return await execute(self.app, f"tutor.{command}", [arguments])

    async def start(self, **arguments: Any) -> Mapping[str, Any]:
        """Start an exercise and wait for it; raises TutorError where it fails."""
        begun = await self.do("start", **arguments)
        return await self.ready(begun)

    async def ready(self, begun: Mapping[str, Any]) -> Mapping[str, Any]:
        """The payload of a start or next once its job has ended."""
        job = self.app.services.jobs.get(begun["jobId"])
        await job.task
        return self.desk.ready[begun["jobId"]]

    async def solve(self, session: Mapping[str, Any]) -> None:
        """Write the reference into the workspace."""
        vault = (await self.app.services.db(lambda tx: tx.exercise(session["sessionId"])))[1]
        for file, text in vault.solution.items():
            (Path(session["workspace"]) / file).write_text(text, "utf-8")

    async def pass_exercise(self, **arguments: Any) -> Mapping[str, Any]:
        """Start an exercise and pass it at the first attempt; the attempt's result."""
        session = await self.start(**arguments)
        await self.solve(session)
        result = await self.do("attempt", session=session["sessionId"])
        assert result["report"]["outcome"] == "passed", result["report"]
        return {**result, "session": session}


@asynccontextmanager
async def learner(home: Path, **settings: Any):
    """A learner with a home of its own; everything has ended afterwards."""
    desk = Desk()
    app = compose(desk, {"home": str(home), **settings})
    try:
        yield Learner(app, desk)
    finally:
        await app.close()
