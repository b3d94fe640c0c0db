"""The application: what the use cases work with. Put together in `compose.py`."""

import asyncio
import contextlib
import importlib
import logging
import os
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.learner.ladder import HIGHEST_LEVEL
from tutor_lsp.core.ports import Store, Toolchain, Transaction
from tutor_lsp.core.session import Event, Session
from tutor_lsp.files.uris import uri_to_path
from tutor_lsp.tutor.exercise.adopt import adopt_session, load_exercise
from tutor_lsp.tutor.exercise.copies import Copies
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.shadow_copies import Trials
from tutor_lsp.tutor.learner.advice import easier
from tutor_lsp.tutor.running.run_queue import ExerciseRuns
from tutor_lsp.tutor.services.deferred_app import exercise_root, is_exercise
from tutor_lsp.tutor.services.frontend import Frontend
from tutor_lsp.tutor.services.jobs import Jobs
from tutor_lsp.tutor.services.tasks import Tasks
from tutor_lsp.tutor.services.tools import Tools
from tutor_lsp.tutor.starting.not_open import none_open, without_marker

if TYPE_CHECKING:
    from tutor_lsp.core.learner.curriculum import Curriculum
    from tutor_lsp.core.settings import Settings
    from tutor_lsp.library.loader import Library
    from tutor_lsp.tutor.arguments import Arguments
    from tutor_lsp.tutor.services.backends import BackendService

T = TypeVar("T")
log = logging.getLogger("tutor_lsp")
ATTEMPTS = Path(".cache", "attempts")
"""Where the copies lie that attempts run in, below the home."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What is made anew when settings change."""

    library: "Library"
    tools: Tools
    backends: "BackendService"


class App:
    """Shared by all use cases of one process. Use from the loop's thread only."""

    def __init__(
        self,
        *,
        settings: "Settings",
        resolve: Callable[[Mapping[str, Any]], "tuple[Settings, list[str]]"],
        parts: "Callable[[Settings], Parts]",
        frontend: Frontend,
        store: Store,
        curriculum: "Curriculum",
        new_id: Callable[[], str],
        problems: list[str],
    ) -> None:
        self.settings = settings
        self.frontend = frontend
        self.store = store
        self.curriculum = curriculum
        self.new_id = new_id
        self.problems = problems
        self.jobs = Jobs()
        self.tasks = Tasks(new_id)
        self.trials = Trials(self.home)
        self.attempts = Copies(self.home / ATTEMPTS)
        self._resolve = resolve
        self._parts = parts
        self._open: dict[Path, OpenExercise] = {}
        self._use(parts(settings))
        self._runs: dict[Path, ExerciseRuns] = {}
        self._loading: dict[Path, asyncio.Lock] = {}
        self._said: set[Hashable] = set()

    def _use(self, parts: "Parts") -> None:
        self.library = parts.library
        self.tools = parts.tools
        self.tools.changed = self._tools_found
        self.backends = parts.backends

    def renew(self) -> None:
        """Build anew what depends on settings and client; what runs goes on with what it has."""
        self._use(self._parts(self.settings))

    def _tools_found(self, language: str) -> None:
        """Say on the stubs that their tests cannot run here."""
        missing = self.tools.missing(language)
        for opened in self._open.values():
            if missing and opened.session.language == language and opened.refusal is None:
                opened.refusal = missing
                self.frontend.exercise_changed(opened)

    @property
    def toolchains(self) -> Mapping[str, Toolchain]:
        """Toolchains by language, in the order in which they are offered."""
        return self.tools.toolchains

    @property
    def home(self) -> Path:
        """The tutor home."""
        return Path(self.settings.home).expanduser()

    def start(self) -> None:
        """Say what was wrong with the settings; called once, on the loop."""
        for problem in self.problems:
            self.frontend.message(problem, warning=True)

    def client_settings(self, given: Mapping[str, Any]) -> None:
        """Take over settings; wrong ones are said and left out. The home stays until restart."""
        settings, problems = self._resolve(given)
        settings = replace(settings, home=self.settings.home)
        if settings != self.settings:
            self.settings = settings
            tools = self.tools
            self._use(self._parts(settings))
            if self.tools is not tools:
                tools.stop()
                self.tools.begin(self.taught)
                for opened in self._open.values():
                    opened.refusal = None
        for problem in problems:
            if problem not in self.problems:
                self.problems.append(problem)
                self.frontend.message(problem, warning=True)
        for opened in self._open.values():
            opened.toolchain = self.toolchain(opened.session.language)
            self.frontend.exercise_changed(opened)

    def now(self) -> str:
        """The time as ISO 8601 in UTC, to the millisecond."""
        return datetime.now(UTC).isoformat(timespec="milliseconds")

    async def load(self, module: str) -> Any:
        """Import a module off the loop."""
        return await asyncio.to_thread(importlib.import_module, module)

    async def db(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in one transaction, off the loop; again if another program wrote meanwhile.

        Raises TutorError `STORE`.
        """
        result = await asyncio.to_thread(self.store.work, work)
        if (loss := self.store.take_loss()) is not None:
            await (await self.load("tutor_lsp.tutor.record.record")).tell_loss(self, loss)
        return result

    async def record(self, kind: str, data: Mapping[str, Any], session: str | None = None) -> None:
        """Append to the event log."""
        await self.db(lambda tx: tx.log(Event(kind, data, session)))

    async def change_session(
        self,
        opened: OpenExercise,
        change: Callable[[Session], Session],
        *events: Event,
        stub_texts: Mapping[str, str] | None = None,
    ) -> Session:
        """Change a session in one transaction, from what the store holds now; keep `stub_texts`."""

        def work(tx: Transaction) -> Session:
            current = tx.session(opened.session.id) or opened.session
            changed = replace(change(current), updated_at=self.now())
            tx.put_session(changed)
            for event in events:
                tx.log(event)
            if stub_texts:
                tx.put_stub_texts(changed.id, stub_texts)
            return changed

        opened.session = await self.db(work)
        return opened.session

    @property
    def taught(self) -> list[str]:
        """Languages that there are topics for, in the order in which they are offered."""
        return [language for language in self.toolchains if self.curriculum.of(language)]

    def toolchain(self, language: str) -> Toolchain:
        """The toolchain of a language. Raises TutorError `NO_LANGUAGE`."""
        found = self.toolchains.get(language)
        if found is None:
            raise TutorError(
                "NO_LANGUAGE",
                f"There are no exercises in {language}. Languages: {', '.join(self.toolchains)}.",
            )
        return found

    def opened_of(self, path: Path) -> OpenExercise | None:
        """The open exercise that a path lies in, links resolved, or None."""
        real = _real(path)
        for folder in (real, *real.parents):
            found = self._open.get(folder)
            if found is not None:
                return found
        return None

    async def adopt(self, path: Path) -> OpenExercise | None:
        """The exercise that a path lies in, opened from the store or the folder; None outside.

        Raises TutorError `NO_WORKSPACE` if its folder is gone, `BROKEN_EXERCISE`, `STORE`.
        """
        opened = self.opened_of(path)
        if opened is not None:
            await self.refresh(opened)
            return await self.open_session(opened.session)
        root = exercise_root(path)
        if root is None:
            return await without_marker(self, path)
        real = _real(root)
        async with self._loading.setdefault(real, asyncio.Lock()):
            return self._open.get(real) or await self._open_root(root)

    async def refresh(self, opened: OpenExercise) -> bool:
        """Take over what another server or terminal stored meanwhile; True if it was anything."""
        before = opened.session
        session = await self.db(
            lambda tx: tx.session_of_workspace(str(opened.root)) or tx.session(opened.session.id)
        )
        # What this process stored meanwhile is newer than what was read.
        return session is not None and opened.session is before and opened.take_over(session)

    def open_exercises(self) -> list[OpenExercise]:
        """All that are open in this process."""
        return list(self._open.values())

    async def _open_root(self, root: Path) -> OpenExercise:
        session = await self.db(partial(_session_of, root))
        if session is None:
            session = await adopt_session(self, root)
        return await self.open_session(session)

    async def servable(self, language: str) -> frozenset[str] | None:
        """Nodes that can open now without asking; None for all (a model is named)."""
        if self.settings.backend not in ("auto", "library"):
            return None
        return frozenset(entry.node for entry in self.library.entries(language))

    async def open_session(self, session: Session) -> OpenExercise:
        """The session's exercise. Raises TutorError `NO_WORKSPACE` if its folder is gone."""
        root = Path(session.workspace)
        real = _real(root)
        opened = self._open.get(real)
        if opened is not None and opened.session.id == session.id and is_exercise(root):
            opened.session = session
            return opened
        if not _is_folder(root):
            self._open.pop(real, None)
            raise TutorError(
                "NO_WORKSPACE",
                f"The folder of “{session.title}” is gone: {root}. Start the exercise again "
                f'(tutor.start with {{"node": "{session.node}"}}), or resume another session '
                "(tutor.sessions lists them).",
                details={"workspace": str(root), "session": session.id},
            )
        session, exercise, vault = await load_exercise(self, session)
        toolchain = self.toolchain(session.language)
        opened = OpenExercise(root, exercise, vault, session, toolchain, self.frontend.buffer)
        # Grammars load with their first use, which would hold the loop.
        await asyncio.to_thread(opened.view)
        if session.hint_level_used == HIGHEST_LEVEL:
            opened.easier = easier(self, session)
        opened.refusal = self.tools.missing(session.language)
        self._open[real] = opened
        return opened

    async def locate(self, arguments: "Arguments", uri: str | None = None) -> OpenExercise:
        """Which session is meant: `session`, else `uri`, else the last document's
        exercise, else the active session. Raises TutorError `NO_SESSION`.
        """
        if arguments.session is not None:
            return await self.open_session(await self.find_session(arguments.session))
        given = arguments.uri if arguments.uri is not None else uri
        if given is not None:
            path = uri_to_path(given)
            opened = await self.adopt(path) if path is not None else None
            if opened is None:
                raise TutorError(
                    "NO_SESSION",
                    f"{given if path is None else path} is not part of an exercise. Open a file of "
                    "one, or start one.",
                )
            return opened
        document = self.frontend.current_document()
        opened = await self.adopt(document) if document is not None else None
        if opened is not None:
            return opened
        session = await self.active_session()
        if session is None:
            raise await none_open(self)
        return await self.open_session(session)

    async def active_session(self) -> Session | None:
        """The session last started or resumed and not ended, or None."""

        def work(tx: Transaction) -> Session | None:
            active = tx.active()
            return tx.session(active) if active is not None else None

        return await self.db(work)

    async def find_session(self, prefix: str) -> Session:
        """The session of that id or unique prefix. Raises TutorError `NO_SESSION`."""
        sessions = await self.db(lambda tx: tx.sessions())
        exact = [session for session in sessions if session.id == prefix]
        found = exact or [session for session in sessions if session.id.startswith(prefix)]
        if len(found) == 1:
            return found[0]
        if not found:
            raise TutorError(
                "NO_SESSION", f"There is no session {prefix}. tutor.sessions lists all."
            )
        names = ", ".join(session.id for session in found[:5])
        raise TutorError("NO_SESSION", f"{prefix} fits {len(found)} sessions: {names}. Give more.")

    def runs(self, opened: OpenExercise) -> ExerciseRuns:
        """The runs of an exercise in this process."""
        from tutor_lsp.tutor.running.execute import Execution

        found = self._runs.get(opened.root)
        if found is None:
            execution = Execution(self, opened.root)
            found = ExerciseRuns(
                execution.tests,
                execution.publish,
                execution.review,
                execution.refused,
                execution.given_up,
            )
            self._runs[opened.root] = found
        opened.pending = found.pending
        return found

    def open_at(self, root: Path) -> OpenExercise:
        """The open exercise of a root; it was opened before. Raises TutorError `NO_WORKSPACE`."""
        opened = self._open.get(_real(root))
        if opened is None:
            raise TutorError("NO_WORKSPACE", f"{root} is not open any more. Resume the session.")
        return opened

    def cancel_runs(self) -> bool:
        """Give up all runs; True if anything was going on."""
        cancelled = [runs.cancel() for runs in self._runs.values()]
        return any(cancelled)

    def say_once(self, text: str, about: Hashable = None) -> None:
        """Say something that would only annoy if said again, in whatever words `about` is told."""
        known = about or text
        if known not in self._said:
            self._said.add(known)
            self.frontend.message(text, warning=True)

    def cancel(self, number: str | None = None) -> bool:
        """Cancel a job or command by id, or with None everything; True if anything was."""
        jobs, commands = self.jobs.cancel(number), self.tasks.cancel(number)
        hit = jobs or commands
        if number is None:
            hit = self.cancel_runs() or hit
        return hit

    async def close(self) -> None:
        """End all work, wait until no process is left, close the store."""
        self.cancel()
        await self.jobs.drain()
        await self.tasks.drain()
        await self.tools.drain()
        for runs in self._runs.values():
            await runs.drain()
        with contextlib.suppress(TutorError):
            await asyncio.to_thread(self.store.close)


def _session_of(root: Path, tx: Transaction) -> Session | None:
    """The newest session of a folder, whatever links its path goes through."""
    found = tx.session_of_workspace(str(root))
    if found is not None:
        return found
    real = os.path.realpath(root)
    return next((s for s in tx.sessions() if os.path.realpath(s.workspace) == real), None)


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _is_folder(path: Path) -> bool:
    return path.is_dir()
