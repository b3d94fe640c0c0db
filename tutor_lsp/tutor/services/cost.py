"""What calls to a model cost a session, and the last prompt that left the machine."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.ports import Store, Transaction
from tutor_lsp.core.session import Session
from tutor_lsp.stages.economy import (
    STAGE_EVENTS,
    STARTED,
    Row,
    SentPrompt,
    Tally,
    economy,
    model_calls,
    session_rows,
)
from tutor_lsp.tutor.exercise.files import replace_bytes

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.arguments import NoArguments

LAST_PROMPT = "last-prompt.json"
"""File in the tutor home; only the last prompt is kept, readable by its owner only."""


class LastPrompt:
    """The last prompt that was sent, in a file of the tutor home. Blocks."""

    def __init__(self, home: Path, now: Callable[[], str]) -> None:
        self._path = home / LAST_PROMPT
        self._now = now

    def keep(self, sent: SentPrompt) -> None:
        """Replace what was kept. Raises OSError."""
        data = {
            "at": self._now(),
            "backend": sent.backend,
            "role": sent.role,
            "iteration": sent.iteration,
            "contract": sent.contract,
            "bytes": len(sent.text.encode()),
            "text": sent.text,
        }
        raw = json.dumps(data, ensure_ascii=False).encode()
        replace_bytes(self._path, raw, mode=0o600)

    def read(self) -> dict[str, Any]:
        """What was kept: `text`, `at`, `backend`, `role`, `iteration`, `contract`, `bytes`.

        Raises TutorError `NO_PROMPT`.
        """
        try:
            found: dict[str, Any] = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise TutorError(
                "NO_PROMPT", "Nothing was sent to a model from this tutor home yet."
            ) from None
        except (OSError, ValueError) as error:
            raise TutorError("NO_PROMPT", f"{self._path} cannot be read ({error}).") from error
        return found


def spent(store: Store, session_id: str) -> Tally:
    """What a session has spent on calls to a model so far. Blocks; raises TutorError `STORE`."""

    def work(tx: Transaction) -> list[Row]:
        session = tx.session(session_id)
        return [] if session is None else session_rows(session, tx.sessions(), _rows(tx))

    return Tally.of(model_calls(store.work(work)))


async def cost(app: "App", arguments: "NoArguments") -> dict[str, Any]:
    """The economy of the session that is meant; of everything in this home where there is none.

    `session` and `title` are null then. `limits` are those of one session.
    """
    session = await _session(app, arguments)

    def work(tx: Transaction) -> list[Row]:
        rows = _rows(tx)
        return rows if session is None else session_rows(session, tx.sessions(), rows)

    return {
        "session": session.id if session is not None else None,
        "title": session.title if session is not None else None,
        **economy(await app.db(work)),
        "limits": {"calls": app.settings.session_calls, "bytes": app.settings.session_bytes},
    }


async def last_prompt(app: "App") -> dict[str, Any]:
    """The last prompt that left this machine. Raises TutorError `NO_PROMPT`."""
    return await asyncio.to_thread(LastPrompt(app.home, app.now).read)


async def _session(app: "App", arguments: "NoArguments") -> Session | None:
    if arguments.session is not None:
        return await app.find_session(arguments.session)
    if arguments.uri is None and app.frontend.current_document() is None:
        return await app.active_session()
    return (await app.locate(arguments)).session


def _rows(tx: Transaction) -> list[Row]:
    found = [row for kind in (*STAGE_EVENTS, STARTED) for row in tx.events(kind=kind)]
    return sorted(found, key=lambda row: int(row["id"]))
