"""One atomic change of the record."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from tutor_lsp.core.exercise.exercise import Exercise
from tutor_lsp.core.learner.loss import Holdings
from tutor_lsp.core.session import Event, NodeRecord, Session, Vault
from tutor_lsp.store import troubles
from tutor_lsp.store.held import Held
from tutor_lsp.store.holdings import dismissed, holdings
from tutor_lsp.store.records import column, dump, load, load_json, load_session
from tutor_lsp.store.tidying import Trimmed, trim

T = TypeVar("T")

_ACTIVE = "active-session"
_STUB_TEXTS = "stub-texts:"
_DURATIONS = "durations:"
_OF_SESSION = (
    "exercise_id", "node", "language", "depth", "workspace", "created_at", "updated_at",
    "ended_at", "passed",
)  # fmt: skip
_NEWEST = "ORDER BY created_at DESC, rowid DESC"
_GOES_ON = "ended_at IS NULL AND passed = 0"
_OF_ROW = "id, language, node, workspace, created_at, updated_at"
_OF_NODE = ("mastery", "claimed", "updated_at")


@dataclass(frozen=True, slots=True)
class SessionRow:
    """What lists look for before they read a session, which grows with every attempt."""

    id: str
    language: str
    node: str
    workspace: str
    created_at: str
    updated_at: str


class Transaction:
    """Reads and writes within the transaction that its connection has open. Reads see what it
    wrote; every method raises TutorError `STORE` for a row that it cannot read."""

    def __init__(self, held: Held, path: Path, clock: Callable[[], str]) -> None:
        self._held = held
        self._path = path
        self._clock = clock

    @property
    def _connection(self) -> sqlite3.Connection:
        return self._held.to_read()

    @property
    def _writing(self) -> sqlite3.Connection:
        return self._held.to_write()

    def refuse_unwritable(self) -> None:
        """Raise the refusal now, where nothing could be written."""
        _ = self._writing

    def session(self, session_id: str) -> Session | None:
        """The session, or None."""
        return self._one_session("WHERE id = ?", column(session_id))

    def put_session(self, session: Session) -> None:
        """Insert or replace."""
        row = {name: getattr(session, name) for name in _OF_SESSION}
        self._put("sessions", {"id": session.id}, {**row, "body": dump(session)})

    def drop_session(self, session_id: str) -> None:
        """Remove a session and its exercise; its entries in the event log stay."""
        name, texts = column(session_id), column(_STUB_TEXTS + session_id)
        self._writing.execute("DELETE FROM exercises WHERE session = ?", (name,))
        self._writing.execute("DELETE FROM state WHERE name = ?", (texts,))
        self._writing.execute("DELETE FROM sessions WHERE id = ?", (name,))

    def put_exercise(self, session_id: str, exercise: Exercise, vault: Vault) -> None:
        """Keep a session's exercise, with the parts that the learner's folder must not contain."""
        row = {"exercise_id": exercise.id, "content_hash": exercise.content_hash}
        texts = {"exercise": dump(exercise), "vault": dump(vault)}
        self._put("exercises", {"session": session_id}, row | texts)

    def exercise(self, session_id: str) -> tuple[Exercise, Vault] | None:
        """The exercise of a session, or None."""
        row = self._connection.execute(
            "SELECT exercise, vault FROM exercises WHERE session = ?", (column(session_id),)
        ).fetchone()
        if row is None:
            return None
        what = f"the exercise of session {session_id}"
        return self._read(partial(load, Exercise), row[0], what), self._read(
            partial(load, Vault), row[1], what
        )

    def sessions(self) -> list[Session]:
        """All sessions, newest first. Reads every attempt of each: what lists need of many is in
        `rows` and the methods after it."""
        rows = self._connection.execute(f"SELECT id, body FROM sessions {_NEWEST}")  # noqa: S608
        return [
            self._read(partial(load, Session), body, f"session {name}")
            for name, body in rows.fetchall()
        ]

    def count_sessions(self) -> int:
        """How many sessions there are."""
        (count,) = self._connection.execute("SELECT count(*) FROM sessions").fetchone()
        return int(count)

    def rows(self, *, going_on: bool = False) -> list[SessionRow]:
        """All sessions in short, newest first; or those that have neither passed nor ended."""
        where = f"WHERE {_GOES_ON} " if going_on else ""
        found = self._connection.execute(f"SELECT {_OF_ROW} FROM sessions {where}{_NEWEST}")  # noqa: S608
        return [
            SessionRow(name, language, node, self._folder(name, folder), *times)
            for name, language, node, folder, *times in found.fetchall()
        ]

    def folders(self) -> list[tuple[str, str]]:
        """Every session's id and folder, newest first."""
        rows = self._connection.execute(f"SELECT id, workspace FROM sessions {_NEWEST}")  # noqa: S608
        return [(name, self._folder(name, folder)) for name, folder in rows.fetchall()]

    def sessions_named(self, prefix: str) -> list[Session]:
        """The session of that id, else all whose id begins so, newest first."""
        exact = self.session(prefix)
        if exact is not None:
            return [exact]
        name = column(prefix)
        return list(self._some_sessions("substr(id, 1, ?) = ?", len(name), name))

    def sessions_of(self, language: str, node: str) -> Iterator[Session]:
        """The sessions of a topic, newest first, each read when it is asked for."""
        return self._some_sessions("language = ? AND node = ?", column(language), column(node))

    def begun(self) -> set[tuple[str, str]]:
        """Language and node of all sessions."""
        rows = self._connection.execute("SELECT DISTINCT language, node FROM sessions")
        return set(rows.fetchall())

    def passed_exercises(self) -> set[str]:
        """Ids of the exercises that were passed."""
        rows = self._connection.execute(
            "SELECT DISTINCT exercise_id FROM sessions WHERE passed = 1"
        )
        return {name for (name,) in rows.fetchall()}

    def has_passed(self, language: str, node: str) -> bool:
        """Whether an exercise of a topic was passed here, other than a short review."""
        (found,) = self._connection.execute(
            """
            SELECT EXISTS (
                SELECT 1 FROM sessions
                WHERE language = ? AND node = ? AND passed = 1 AND CASE WHEN json_valid(body)
                THEN coalesce(json_extract(body, '$.reviewOf'), '') = '' ELSE 0 END
            )
            """,
            (column(language), column(node)),
        ).fetchone()
        return bool(found)

    def newest(self) -> Iterator[Session]:
        """All sessions, newest first, each read when it is asked for."""
        return self._some_sessions("1")

    def last_used(self) -> Session | None:
        """The session used last, or None."""
        return self._one_session("WHERE ? ORDER BY updated_at DESC, created_at DESC", "1")

    def session_of_workspace(self, workspace: str) -> Session | None:
        """The newest session of that folder, or None."""
        return self._one_session(
            "WHERE workspace = ? ORDER BY created_at DESC, rowid DESC", column(workspace)
        )

    def active(self) -> str | None:
        """Id of the session last started or resumed, unless it has ended, or None."""
        session = self._one_session(
            "WHERE id = (SELECT value FROM state WHERE name = ?) AND ended_at IS NULL", _ACTIVE
        )
        return session.id if session else None

    def set_active(self, session_id: str | None) -> None:
        """Make this the active session."""
        if session_id is None:
            self._writing.execute("DELETE FROM state WHERE name = ?", (_ACTIVE,))
            return
        self._put("state", {"name": _ACTIVE}, {"value": session_id})

    def stub_texts(self, session_id: str) -> dict[str, str]:
        """The last known text of each of a session's stub files, by path."""
        row = self._connection.execute(
            "SELECT value FROM state WHERE name = ?", (column(_STUB_TEXTS + session_id),)
        ).fetchone()
        return {} if row is None else dict(load_json(row[0]))

    def put_stub_texts(self, session_id: str, texts: Mapping[str, str]) -> None:
        """Keep these as the last known ones; those of other files stay."""
        before = self.stub_texts(session_id)
        now = {**before, **texts}
        if now != before:
            self._put("state", {"name": _STUB_TEXTS + session_id}, {"value": dump(now)})

    def durations(self, work: str) -> dict[str, list[float]]:
        """Seconds that each stage of a kind of work took here, by stage; empty if none is kept."""
        row = self._connection.execute(
            "SELECT value FROM state WHERE name = ?", (column(_DURATIONS + work),)
        ).fetchone()
        return {} if row is None else dict(load_json(row[0]))

    def put_durations(self, work: str, known: Mapping[str, Sequence[float]]) -> None:
        """Keep these for a kind of work."""
        self._put("state", {"name": _DURATIONS + work}, {"value": dump(dict(known))})

    def node(self, language: str, node: str) -> NodeRecord:
        """What is known about a node; an empty record if nothing is."""
        row = self._connection.execute(
            "SELECT body FROM nodes WHERE language = ? AND node = ?",
            (column(language), column(node)),
        ).fetchone()
        if row is None:
            return NodeRecord(node=node, language=language)
        return self._read(partial(load, NodeRecord), row[0], f"topic {node}")

    def nodes(self, language: str | None = None) -> dict[str, NodeRecord]:
        """All records of a language by node id. Without a language those of all languages: of own
        topics with the same id in several languages, only one."""
        return {record.node: record for record in self.all_nodes(language)}

    def all_nodes(self, language: str | None = None) -> list[NodeRecord]:
        """Every record of a language, or of all, in order of creation."""
        rows = self._connection.execute(
            "SELECT node, body FROM nodes WHERE ? IN (language, '') ORDER BY rowid",
            (column(language or ""),),
        )
        return [
            self._read(partial(load, NodeRecord), body, f"topic {node}")
            for node, body in rows.fetchall()
        ]

    def put_node(self, record: NodeRecord) -> None:
        """Insert or replace."""
        row = {name: getattr(record, name) for name in _OF_NODE}
        key = {"language": record.language, "node": record.node}
        self._put("nodes", key, {**row, "body": dump(record)})

    def log(self, event: Event) -> None:
        """Append to the event log."""
        self.log_past(self._clock(), event)

    def log_past(self, at: str, event: Event) -> None:
        """Append an event from another record, with its own time."""
        session = None if event.session is None else column(event.session)
        self._writing.execute(
            "INSERT INTO events (at, kind, session, data) VALUES (?, ?, ?, ?)",
            (column(at), event.kind, session, dump(event.data)),
        )

    def events(
        self, *, session: str | None = None, kind: str | None = None
    ) -> list[dict[str, Any]]:
        """Events in order, each with `id`, `at`, `kind`, `session`, `data`."""
        rows = self._events("id, at, kind, session, data", session, kind)
        return [
            {"id": number, "at": at, "kind": name, "session": owner, "data": load_json(data)}
            for number, at, name, owner, data in rows
        ]

    def last_event(self, *kinds: str) -> str | None:
        """The kind of the last event of these kinds, or None."""
        last = [
            (number, kind)
            for kind in kinds
            for (number,) in self._connection.execute(
                "SELECT max(id) FROM events WHERE kind = ?", (kind,)
            )
            if number is not None
        ]
        return max(last)[1] if last else None

    def times(self, session: str) -> list[str]:
        """When the events of a session happened, in order."""
        return [at for (at,) in self._events("at", session, None)]

    def _events(self, columns: str, session: str | None, kind: str | None) -> list[Any]:
        """Only what is asked for is in the condition: so an index finds it."""
        wanted = {"session": None if session is None else column(session), "kind": kind}
        given = {name: value for name, value in wanted.items() if value is not None}
        where = " AND ".join(f"{name} = :{name}" for name in given) or "1"
        query = f"SELECT {columns} FROM events WHERE {where} ORDER BY id"  # noqa: S608 - our own words
        return self._connection.execute(query, given).fetchall()

    def trim(self) -> Trimmed:
        """Trim the event log to what the record needs."""
        return trim(self._writing)

    def holdings(self) -> Holdings:
        """The learner's data in the record."""
        return holdings(self._connection)

    def gone_without(self) -> Holdings:
        """Lost data that its learner has dismissed."""
        return dismissed(self._connection)

    def _put(self, table: str, key: Mapping[str, Any], row: Mapping[str, Any]) -> None:
        """Write a row of that key, new or in place of the one that is there."""
        named = {**key, **row}
        marks = ", ".join("?" * len(named))
        changes = ", ".join(f"{name} = excluded.{name}" for name in row)
        self._writing.execute(
            f"INSERT INTO {table} ({', '.join(named)}) VALUES ({marks}) "  # noqa: S608 - our own words
            f"ON CONFLICT ({', '.join(key)}) DO UPDATE SET {changes}",
            [column(value) if isinstance(value, str) else value for value in named.values()],
        )

    def _one_session(self, where: str, value: str) -> Session | None:
        row = self._connection.execute(
            f"SELECT id, body FROM sessions {where} LIMIT 1",  # noqa: S608 - our own words only
            (value,),
        ).fetchone()
        return None if row is None else self._read(load_session, row[1], f"session {row[0]}")

    def _some_sessions(self, where: str, *values: object) -> Iterator[Session]:
        names = self._connection.execute(
            f"SELECT id FROM sessions WHERE {where} {_NEWEST}",  # noqa: S608 - our own words only
            values,
        ).fetchall()
        for (name,) in names:
            session = self._one_session("WHERE id = ?", name)
            if session is not None:
                yield session

    def _folder(self, session_id: str, folder: str) -> str:
        """A folder whose name is no Unicode is in the session alone."""
        session = self.session(session_id) if "\\ud" in folder else None
        return folder if session is None else session.workspace

    def _read(self, read: Callable[[str], T], text: str, what: str) -> T:
        try:
            return read(text)
        except troubles.Damaged:
            raise
        except (TypeError, ValueError, KeyError) as error:
            raise troubles.unknown_form(self._path, what=what) from error
