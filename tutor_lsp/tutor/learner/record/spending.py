"""What sessions have spent on calls to a model, and the last prompt that left the machine."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.stages.economy import (
    SENT_EVENT,
    STAGE_EVENTS,
    STARTED,
    Row,
    SentPrompt,
    Tally,
    model_calls,
    session_rows,
)
from tutor_lsp.store.database import Store
from tutor_lsp.store.transaction import Transaction
from tutor_lsp.tutor.exercise.folder.files import replace_bytes
from tutor_lsp.wire import to_wire

LAST_PROMPT = "last-prompt.json"
"""File in the tutor home; only the last prompt is kept, readable by its owner only."""


class LastPrompt:
    """The last prompt that was sent, in a file of the tutor home. Blocks."""

    def __init__(self, home: Path, now: Callable[[], str]) -> None:
        self._path = home / LAST_PROMPT
        self._now = now

    def keep(self, sent: SentPrompt) -> None:
        """Replace what was kept. Raises OSError."""
        data = {"at": self._now(), "bytes": len(sent.text.encode()), **to_wire(sent)}
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
        return [] if session is None else session_rows(session, tx.sessions(), all_rows(tx))

    return Tally.of(model_calls(store.work(work)))


def all_rows(tx: Transaction) -> list[Row]:
    """Every call to a model that this home knows of, in order."""
    found = [row for kind in (*STAGE_EVENTS, SENT_EVENT, STARTED) for row in tx.events(kind=kind)]
    return sorted(found, key=lambda row: int(row["id"]))
