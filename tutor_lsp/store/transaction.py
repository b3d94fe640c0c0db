"""One atomic change of the record: core.ports.Transaction on an SQLite connection."""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from tutor_lsp.core.exercise.exercise import Exercise
from tutor_lsp.core.learner.loss import Holdings
from tutor_lsp.core.session import Event, NodeRecord, Session, Vault
from tutor_lsp.store import troubles
from tutor_lsp.store.held import Held
from tutor_lsp.store.holdings import dismissed, holdings
from tutor_lsp.store.records import column, dump, load, load_json, load_session

T = TypeVar("T")

_ACTIVE = "active-session"
_STUB_TEXTS = "stub-texts:"


class SqliteTransaction:
    """Reads and writes within the transaction that its connection has open."""

    def __init__(self, held: Held, path: Path, clock: Callable[[], str]) -> None:
        self._held: Held | None = held
        self._path = path
        self._clock = clock

    def end(self) -> None:
        """No call is possible after this one."""
        self._held = None

    @property
    def _connection(self) -> sqlite3.Connection:
        return self._open().to_read()

    @property
    def _writing(self) -> sqlite3.Connection:
        return self._open().to_write()

    def _open(self) -> Held:
        if self._held is None:
            raise RuntimeError("this transaction has ended")
        return self._held

    def session(self, session_id: str) -> Session | None:
        return self._one_session("WHERE id = ?", column(session_id))

    def put_session(self, session: Session) -> None:
        self._writing.execute(
            """
            INSERT INTO sessions (id, exercise_id, node, language, depth, workspace,
                created_at, updated_at, ended_at, passed, body)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                exercise_id = excluded.exercise_id, node = excluded.node,
                language = excluded.language, depth = excluded.depth,
                workspace = excluded.workspace, created_at = excluded.created_at,
                updated_at = excluded.updated_at, ended_at = excluded.ended_at,
                passed = excluded.passed, body = excluded.body
            """,
            (
                column(session.id),
                column(session.exercise_id),
                column(session.node),
                column(session.language),
                column(session.depth),
                column(session.workspace),
                session.created_at,
                session.updated_at,
                session.ended_at,
                session.passed,
                dump(session),
            ),
        )

    def drop_session(self, session_id: str) -> None:
        self._writing.execute("DELETE FROM exercises WHERE session = ?", (column(session_id),))
        self._writing.execute(
            "DELETE FROM state WHERE name = ?", (column(_STUB_TEXTS + session_id),)
        )
        self._writing.execute("DELETE FROM sessions WHERE id = ?", (column(session_id),))

    def put_exercise(self, session_id: str, exercise: Exercise, vault: Vault) -> None:
        self._writing.execute(
            """
            INSERT INTO exercises (session, exercise_id, content_hash, exercise, vault)
            VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (session) DO UPDATE SET
                exercise_id = excluded.exercise_id, content_hash = excluded.content_hash,
                exercise = excluded.exercise, vault = excluded.vault
            """,
            (
                column(session_id),
                column(exercise.id),
                exercise.content_hash,
                dump(exercise),
                dump(vault),
            ),
        )

    def exercise(self, session_id: str) -> tuple[Exercise, Vault] | None:
        row = self._connection.execute(
            "SELECT exercise, vault FROM exercises WHERE session = ?", (column(session_id),)
        ).fetchone()
        if row is None:
            return None
        what = f"the exercise of session {session_id}"
        return self._read(Exercise, row[0], what), self._read(Vault, row[1], what)

    def sessions(self) -> list[Session]:
        rows = self._connection.execute(
            "SELECT id, body FROM sessions ORDER BY created_at DESC, rowid DESC"
        )
        return [self._read(Session, body, f"session {name}") for name, body in rows.fetchall()]

    def session_of_workspace(self, workspace: str) -> Session | None:
        return self._one_session(
            "WHERE workspace = ? ORDER BY created_at DESC, rowid DESC", column(workspace)
        )

    def active(self) -> str | None:
        session = self._one_session(
            "WHERE id = (SELECT value FROM state WHERE name = ?) AND ended_at IS NULL", _ACTIVE
        )
        return session.id if session else None

    def set_active(self, session_id: str | None) -> None:
        if session_id is None:
            self._writing.execute("DELETE FROM state WHERE name = ?", (_ACTIVE,))
            return
        self._put_state(_ACTIVE, column(session_id))

    def stub_texts(self, session_id: str) -> dict[str, str]:
        row = self._connection.execute(
            "SELECT value FROM state WHERE name = ?", (column(_STUB_TEXTS + session_id),)
        ).fetchone()
        return {} if row is None else dict(load_json(row[0]))

    def put_stub_texts(self, session_id: str, texts: Mapping[str, str]) -> None:
        before = self.stub_texts(session_id)
        now = {**before, **texts}
        if now != before:
            self._put_state(column(_STUB_TEXTS + session_id), dump(now))

    def _put_state(self, name: str, value: str) -> None:
        self._writing.execute(
            "INSERT INTO state (name, value) VALUES (?, ?) "
            "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            (name, value),
        )

    def node(self, language: str, node: str) -> NodeRecord:
        row = self._connection.execute(
            "SELECT body FROM nodes WHERE language = ? AND node = ?",
            (column(language), column(node)),
        ).fetchone()
        if row is None:
            return NodeRecord(node=node, language=language)
        return self._read(NodeRecord, row[0], f"topic {node}")

    def nodes(self, language: str | None = None) -> dict[str, NodeRecord]:
        rows = self._connection.execute(
            "SELECT node, body FROM nodes WHERE ? IN (language, '') ORDER BY rowid",
            (column(language or ""),),
        )
        records = [self._read(NodeRecord, body, f"topic {node}") for node, body in rows.fetchall()]
        return {record.node: record for record in records}

    def all_nodes(self) -> list[NodeRecord]:
        rows = self._connection.execute("SELECT node, body FROM nodes ORDER BY rowid")
        return [self._read(NodeRecord, body, f"topic {node}") for node, body in rows.fetchall()]

    def put_node(self, record: NodeRecord) -> None:
        self._writing.execute(
            """
            INSERT INTO nodes (language, node, mastery, claimed, updated_at, body)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (language, node) DO UPDATE SET
                mastery = excluded.mastery, claimed = excluded.claimed,
                updated_at = excluded.updated_at, body = excluded.body
            """,
            (
                column(record.language),
                column(record.node),
                record.mastery,
                record.claimed,
                record.updated_at,
                dump(record),
            ),
        )

    def log(self, event: Event) -> None:
        self.log_past(self._clock(), event)

    def log_past(self, at: str, event: Event) -> None:
        session = None if event.session is None else column(event.session)
        self._writing.execute(
            "INSERT INTO events (at, kind, session, data) VALUES (?, ?, ?, ?)",
            (column(at), event.kind, session, dump(event.data)),
        )

    def events(
        self, *, session: str | None = None, kind: str | None = None
    ) -> list[dict[str, Any]]:
        rows = self._connection.execute(
            """
            SELECT id, at, kind, session, data FROM events
            WHERE (:session IS NULL OR session = :session) AND (:kind IS NULL OR kind = :kind)
            ORDER BY id
            """,
            {"session": None if session is None else column(session), "kind": kind},
        )
        return [
            {"id": number, "at": at, "kind": name, "session": owner, "data": load_json(data)}
            for number, at, name, owner, data in rows.fetchall()
        ]

    def holdings(self) -> Holdings:
        return holdings(self._connection)

    def gone_without(self) -> Holdings:
        return dismissed(self._connection)

    def _one_session(self, where: str, value: str) -> Session | None:
        row = self._connection.execute(
            f"SELECT id, body FROM sessions {where} LIMIT 1",  # noqa: S608 - our own words only
            (value,),
        ).fetchone()
        if row is None:
            return None
        with self._told(f"session {row[0]}"):
            return load_session(row[1])

    def _read(self, kind: type[T], text: str, what: str) -> T:
        with self._told(what):
            return load(kind, text)

    @contextlib.contextmanager
    def _told(self, what: str) -> Iterator[None]:
        try:
            yield
        except troubles.Damaged:
            raise
        except (TypeError, ValueError, KeyError) as error:
            raise troubles.unknown_form(self._path, what) from error
