"""The exercises that are open in this process, how a request's exercise is resolved, and the
refusal where none is open."""

import asyncio
import os
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.learner.ladder import HIGHEST_LEVEL
from tutor_lsp.core.learner.recommendation import Advice, easier
from tutor_lsp.core.session import Event, Session
from tutor_lsp.core.text.translation import t
from tutor_lsp.files.uris import Place, identity, real_path, uri_to_path
from tutor_lsp.stages.backends.select import AUTO, LIBRARY
from tutor_lsp.store.transaction import Transaction
from tutor_lsp.tutor.exercise.adopt import adopt_session, load_exercise
from tutor_lsp.tutor.exercise.folder.marker import exercise_root, is_exercise
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies
from tutor_lsp.tutor.interface.place import Arguments
from tutor_lsp.tutor.services.services import Services


class OpenExercises:
    """The exercises that are open, and the services of all use cases. Use from the loop's thread
    only."""

    def __init__(self, services: Services) -> None:
        self.shadow_copies = ShadowCopies(services.home)
        self.services = services
        self._open: dict[Path, OpenExercise] = {}
        self._loading: dict[Path, asyncio.Lock] = {}
        services.tools_found = self._tools_found

    def _tools_found(self, language: str) -> None:
        """Report on the stubs that their tests cannot run here."""
        missing = self.services.tools.missing(language)
        for opened in self._open.values():
            if missing and opened.session.language == language and opened.refusal is None:
                opened.refusal = missing
                self.services.frontend.exercise_changed(opened)

    def use_new_tools(self, *, others: bool) -> None:
        """Switch to the services' current tools; with `others`, what is known of the previous ones
        no longer counts.
        """
        for opened in self._open.values():
            if others:
                opened.refusal = None
            opened.toolchain = self.services.toolchain(opened.session.language)
            self.services.frontend.exercise_changed(opened)

    def all(self) -> list[OpenExercise]:
        """All that are open in this process."""
        return list(self._open.values())

    def opened_of(self, path: Path) -> OpenExercise | None:
        """The open exercise that a path lies in, links resolved, or None."""
        return self.opened_above(real_path(path))

    def opened_above(self, real: Path) -> OpenExercise | None:
        """The open exercise that a path without links lies in, or None."""
        return next((self._open[f] for f in chain((real,), real.parents) if f in self._open), None)

    def open_at(self, root: Path) -> OpenExercise:
        """The open exercise of a root; it was opened before. Raises TutorError `NO_WORKSPACE`."""
        opened = self._open.get(real_path(root))
        if opened is None:
            raise TutorError("NO_WORKSPACE", f"{root} is no longer open. Resume the session.")
        return opened

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
            # One that is no longer marked is opened and marked again.
            session = await session_above(self.services, path)
            return await self.open_session(session) if session is not None else None
        real = real_path(root)
        async with self._loading.setdefault(real, asyncio.Lock()):
            return self._open.get(real) or await self._open_root(root)

    async def _open_root(self, root: Path) -> OpenExercise:
        session = await self.services.db(partial(_session_of, root))
        if session is None:
            session = await adopt_session(self.services, root)
        return await self.open_session(session)

    async def refresh(self, opened: OpenExercise) -> bool:
        """Load what another server or terminal has stored; True if anything changed."""
        before = opened.session
        session = await self.services.db(
            lambda tx: tx.session_of_workspace(str(opened.root)) or tx.session(opened.session.id)
        )
        # What this process has stored since is newer than what was read.
        return session is not None and opened.session is before and opened.take_over(session)

    async def open_session(self, session: Session) -> OpenExercise:
        """The session's exercise. Raises TutorError `NO_WORKSPACE` if its folder is gone."""
        root = Path(session.workspace)
        real = real_path(root)
        opened = self._open.get(real)
        if opened is not None and opened.session.id == session.id and is_exercise(root):
            opened.session = session
            return opened
        if not await asyncio.to_thread(root.is_dir):
            self._open.pop(real, None)
            raise TutorError(
                "NO_WORKSPACE",
                f"The folder of “{session.title}” is gone: {root}. Start the exercise again "
                f'(tutor.start with {{"node": "{session.node}"}}), or resume another session '
                "(tutor.sessions lists them).",
                details={"workspace": str(root), "session": session.id},
            )
        services = self.services
        session, exercise, vault = await load_exercise(services, session)
        toolchain = services.toolchain(session.language)
        opened = OpenExercise(root, exercise, vault, session, toolchain, services.frontend.buffer)
        # Grammars load with their first use, which would hold the loop.
        await asyncio.to_thread(opened.view)
        if session.hint_level_used == HIGHEST_LEVEL:
            opened.easier = easier_than(services, session)
        # A hint looks whether it can be used now.
        opened.asks = tutor_name(services, session) != LIBRARY
        opened.refusal = services.tools.missing(session.language)
        self._open[real] = opened
        return opened

    async def locate(self, arguments: Arguments, uri: str | None = None) -> OpenExercise:
        """The session of a request: `session`, else `uri`, else the last document's
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
                    f"{given if path is None else path} is not part of an exercise. Open an "
                    "exercise file, or start an exercise.",
                )
            return opened
        document = self.services.frontend.current_document()
        opened = await self.adopt(document) if document is not None else None
        if opened is not None:
            return opened
        session = await self.active_session()
        if session is None:
            raise await none_open(self.services)
        return await self.open_session(session)

    def at_hand(self, arguments: Arguments) -> OpenExercise | None:
        """The exercise that a request is about, if that is known without waiting."""
        if arguments.session is not None:
            found = (item for item in self.all() if item.session.id == arguments.session)
            return next(found, None)
        path = self.services.frontend.current_document()
        if arguments.uri is not None:
            path = uri_to_path(arguments.uri)
        return self.opened_of(path) if path is not None else None

    async def active_session(self) -> Session | None:
        """The session last started or resumed and not ended, or None."""

        def work(tx: Transaction) -> Session | None:
            active = tx.active()
            return tx.session(active) if active is not None else None

        return await self.services.db(work)

    async def find_session(self, prefix: str) -> Session:
        """The session of that id or unique prefix. Raises TutorError `NO_SESSION`."""
        found = await self.services.db(lambda tx: tx.sessions_named(prefix))
        if len(found) == 1:
            return found[0]
        if not found:
            raise TutorError(
                "NO_SESSION", f"There is no session {prefix}. tutor.sessions lists them all."
            )
        names = ", ".join(session.id for session in found[:5])
        raise TutorError(
            "NO_SESSION", f"{prefix} matches {len(found)} sessions: {names}. Give more of it."
        )

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
            changed = replace(change(current), updated_at=self.services.now())
            tx.put_session(changed)
            for event in events:
                tx.log(event)
            if stub_texts:
                tx.put_stub_texts(changed.id, stub_texts)
            return changed

        opened.session = await self.services.db(work)
        return opened.session


def tutor_name(services: Services, session: Session | None) -> str:
    """The backend that is to coach and review: the one named in the settings, else the exercise's
    maker."""
    setting = services.settings.backend
    if setting != AUTO:
        return setting
    return session.backend if session is not None else LIBRARY


def easier_than(services: Services, session: Session) -> Advice | None:
    """See `easier`; what opens offline are the bundled exercises."""
    offline = services.library.nodes(session.language)
    return easier(services.curriculum, offline, session)


def _session_of(root: Path, tx: Transaction) -> Session | None:
    """The newest session of a folder, whatever links its path goes through."""
    found = tx.session_of_workspace(str(root))
    if found is not None:
        return found
    name = _first_in({identity(root)} - {None}, tx.folders())
    return tx.session(name) if name is not None else None


async def session_above(services: Services, path: Path) -> Session | None:
    """The session whose folder contains a path, even if the folder has lost its marker; None if no
    session has that folder.
    """
    return await services.db(partial(_session_above, path))


def _session_above(path: Path, tx: Transaction) -> Session | None:
    above = {str(folder) for folder in (path, *path.parents)}
    real = Path(os.path.realpath(path))
    places = {identity(folder) for folder in (real, *real.parents)} - {None}
    folders = tx.folders()
    name = next((name for name, folder in folders if folder in above), None)
    name = name or _first_in(places, folders)
    return tx.session(name) if name is not None else None


def _first_in(places: Collection[Place | None], folders: Iterable[tuple[str, str]]) -> str | None:
    """The first session whose folder is at one of these places, whatever its path goes through."""
    return next((name for name, folder in folders if identity(folder) in places), None)


async def none_open(services: Services) -> TutorError:
    """`NO_SESSION`, naming the exercise that was used last."""
    last = await services.db(lambda tx: tx.last_used())
    if last is None:
        return TutorError("NO_SESSION", "No exercise is open. Start one first (tutor.start).")
    if await asyncio.to_thread(Path(last.workspace).is_dir):
        resume = f'tutor.resume with {{"session": "{last.id[:8]}"}}'
        way = t(f"Continue it: {resume}. Another: tutor.start.")
    else:
        way = t(
            f"Its folder is gone: {last.workspace}. Start it again: tutor.start with "
            f'{{"node": "{last.node}"}}. Others: tutor.sessions.'
        )
    return TutorError(
        "NO_SESSION",
        f"No exercise is open. The last one was “{last.title}”. {way}",
        details={"session": last.id, "workspace": last.workspace},
    )
