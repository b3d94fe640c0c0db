"""Schema migrations: named steps, each done once, in its own transaction."""

import sqlite3
from collections.abc import Callable

Migration = Callable[[sqlite3.Connection], None]


def sessions_and_nodes(connection: sqlite3.Connection) -> None:
    """Version 1: sessions with their exercises, knowledge about each node, and single values."""
    connection.execute(
        """
        CREATE TABLE sessions (
            id TEXT NOT NULL UNIQUE,
            exercise_id TEXT NOT NULL,
            node TEXT NOT NULL,
            language TEXT NOT NULL,
            depth TEXT NOT NULL,
            workspace TEXT NOT NULL,
            created_at TEXT NOT NULL,
            updated_at TEXT NOT NULL,
            ended_at TEXT,
            passed INTEGER NOT NULL,
            body TEXT NOT NULL
        )
        """
    )
    connection.execute("CREATE INDEX sessions_by_workspace ON sessions (workspace, created_at)")
    connection.execute("CREATE INDEX sessions_by_node ON sessions (language, node)")
    connection.execute("CREATE INDEX sessions_by_age ON sessions (created_at)")
    connection.execute(
        """
        CREATE TABLE exercises (
            session TEXT NOT NULL UNIQUE,
            exercise_id TEXT NOT NULL,
            content_hash TEXT NOT NULL,
            exercise TEXT NOT NULL,
            vault TEXT NOT NULL
        )
        """
    )
    connection.execute(
        """
        CREATE TABLE nodes (
            language TEXT NOT NULL,
            node TEXT NOT NULL,
            mastery INTEGER NOT NULL,
            claimed INTEGER NOT NULL,
            updated_at TEXT NOT NULL,
            body TEXT NOT NULL,
            UNIQUE (language, node)
        )
        """
    )
    connection.execute("CREATE TABLE state (name TEXT NOT NULL UNIQUE, value TEXT NOT NULL)")


def event_log(connection: sqlite3.Connection) -> None:
    """Version 2: the append-only audit trail."""
    connection.execute(
        """
        CREATE TABLE events (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            at TEXT NOT NULL,
            kind TEXT NOT NULL,
            session TEXT,
            data TEXT NOT NULL
        )
        """
    )
    connection.execute("CREATE INDEX events_by_session ON events (session, id)")
    guard_events(connection, on=True)


def guard_events(connection: sqlite3.Connection, *, on: bool) -> None:
    """Refuse changes of past events, or no longer: tidying is the one thing that shortens them."""
    for change in ("UPDATE", "DELETE"):
        connection.execute(
            f"""
            CREATE TRIGGER events_refuse_{change.lower()} BEFORE {change} ON events
            BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END
            """
            if on
            else f"DROP TRIGGER IF EXISTS events_refuse_{change.lower()}"
        )


def stage_journal(connection: sqlite3.Connection) -> None:
    """Version 3: accepted stages of set-ups. A set-up is open until it has an outcome."""
    connection.execute(
        """
        CREATE TABLE setups (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            subject TEXT NOT NULL,
            language TEXT NOT NULL,
            depth TEXT NOT NULL,
            backend TEXT NOT NULL,
            opened_at TEXT NOT NULL,
            closed_at TEXT,
            outcome TEXT
        )
        """
    )
    connection.execute(
        "CREATE INDEX setups_by_key ON setups (subject, language, depth, backend, closed_at)"
    )
    connection.execute(
        """
        CREATE TABLE setup_entries (
            setup INTEGER NOT NULL,
            place INTEGER NOT NULL,
            role TEXT NOT NULL,
            iteration INTEGER NOT NULL,
            at TEXT NOT NULL,
            payload TEXT NOT NULL,
            UNIQUE (setup, place),
            UNIQUE (setup, role, iteration)
        )
        """
    )


def indices_of_lists(connection: sqlite3.Connection) -> None:
    """Version 4: what lists and starts look for, so that none of them reads everything."""
    connection.execute("DROP INDEX IF EXISTS events_by_session")
    connection.execute("CREATE INDEX events_by_session ON events (session, kind, id)")
    connection.execute("CREATE INDEX events_by_kind ON events (kind, id)")
    connection.execute("CREATE INDEX sessions_by_use ON sessions (updated_at)")
    connection.execute(
        "CREATE INDEX sessions_going_on ON sessions (created_at) "
        "WHERE ended_at IS NULL AND passed = 0"
    )
    connection.execute(
        "CREATE INDEX sessions_passed ON sessions (language, node, exercise_id) WHERE passed = 1"
    )


_RECORD_OF_STEPS = (
    "CREATE TABLE IF NOT EXISTS migrations (name TEXT NOT NULL UNIQUE, at TEXT NOT NULL)"
)

TABLES = ("sessions", "exercises", "nodes", "state", "events", "setups", "setup_entries")
MIGRATIONS: tuple[Migration, ...] = (
    sessions_and_nodes,
    event_log,
    stage_journal,
    indices_of_lists,
)


def is_newer(connection: sqlite3.Connection) -> bool:
    """Whether the file has had steps that this version does not know. Reads only."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    known = {step.__name__ for step in MIGRATIONS}
    return version > len(MIGRATIONS) or not done(connection) <= known


def done(connection: sqlite3.Connection) -> set[str]:
    """The names of the steps done in the file. Reads only."""
    tables = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'migrations'"
    (there,) = connection.execute(tables).fetchone()
    if not there:
        return set()
    return {name for (name,) in connection.execute("SELECT name FROM migrations")}


def missing(connection: sqlite3.Connection) -> bool:
    """Whether the file lacks a step. Reads only."""
    return any(step.__name__ not in done(connection) for step in MIGRATIONS)


def tables_are_missing(connection: sqlite3.Connection) -> bool:
    """Whether a table that the steps created is gone. Reads only."""
    marks = ", ".join("?" * len(TABLES))
    query = f"SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ({marks})"  # noqa: S608
    (there,) = connection.execute(query, TABLES).fetchone()
    return bool(there != len(TABLES))


def migrate(
    connection: sqlite3.Connection, at: str, steps: tuple[Migration, ...] = MIGRATIONS
) -> list[str]:
    """Do the missing steps, in order; returns their names. `at` is recorded with them.

    A step that fails is rolled back completely; the steps before it stay done.
    """
    before = done(connection)
    missing = [step for step in steps if step.__name__ not in before]
    for step in missing:
        connection.execute("BEGIN IMMEDIATE")
        with connection:  # commits, or rolls back
            connection.execute(_RECORD_OF_STEPS)
            step(connection)
            connection.execute("INSERT INTO migrations VALUES (?, ?)", (step.__name__, at))
            connection.execute(f"PRAGMA user_version = {steps.index(step) + 1}")
    return [step.__name__ for step in missing]
