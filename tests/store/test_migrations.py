"""From nothing and from version 1 to today's tables; newer files are left alone."""

import sqlite3

import pytest
from store_kit import NODE, opened, session

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.session import Event
from tutor_lsp.store import migrations
from tutor_lsp.store.migrations import MIGRATIONS, done, migrate
from tutor_lsp.store.records import dump

NAMES = [step.__name__ for step in MIGRATIONS]


def connect(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    return sqlite3.connect(path, isolation_level=None)


def shape(connection):
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type, name")
    return rows.fetchall()


def test_a_blank_file_gets_every_step_once(tmp_path):
    connection = connect(tmp_path / "a.db")
    assert migrate(connection, "noon") == NAMES
    assert migrate(connection, "later") == []
    rows = connection.execute("SELECT name, at FROM migrations").fetchall()
    assert rows == [(name, "noon") for name in NAMES]
    assert connection.execute("PRAGMA user_version").fetchone() == (len(NAMES),)
    connection.close()


@pytest.mark.parametrize("version", range(1, len(NAMES)))
def test_an_older_version_ends_in_the_same_shape(tmp_path, version):
    old, blank = connect(tmp_path / "old.db"), connect(tmp_path / "blank.db")
    migrate(old, "then", MIGRATIONS[:version])
    assert migrate(old, "now") == NAMES[version:]
    migrate(blank, "now")
    assert shape(old) == shape(blank)
    old.close()
    blank.close()


def test_records_of_version_1_are_kept(path):
    connection = connect(path)
    migrate(connection, "then", MIGRATIONS[:1])
    kept = session()
    connection.execute(
        "INSERT INTO sessions VALUES ('s1','e1','n','python','D1','/w','1','1',NULL,0,?)",
        (dump(kept),),
    )
    connection.execute(
        "INSERT INTO nodes VALUES ('python','python-strings',2,1,'t',?)", (dump(NODE),)
    )
    connection.close()
    with opened(path) as store, store.transaction() as tx:
        assert tx.session("s1") == kept
        assert tx.node("python", "python-strings") == NODE
        tx.log(Event("x"))
        assert len(tx.events()) == 1


def test_a_step_that_fails_leaves_the_steps_before_it(tmp_path):
    connection = connect(tmp_path / "a.db")

    def half(connection):
        connection.execute("CREATE TABLE half (x)")
        raise KeyError

    with pytest.raises(KeyError):
        migrate(connection, "now", (MIGRATIONS[0], half))
    assert done(connection) == {NAMES[0]}
    assert "half" not in [name for _, name, _ in shape(connection)]
    assert connection.execute("PRAGMA user_version").fetchone() == (1,)
    assert migrate(connection, "now") == NAMES[1:]
    connection.close()


@pytest.mark.parametrize(
    "change",
    [
        f"PRAGMA user_version = {len(NAMES) + 1}",
        "INSERT INTO migrations VALUES ('from_the_future', 'then')",
    ],
)
def test_a_newer_file_is_refused_and_not_touched(path, change):
    with opened(path) as store, store.transaction() as tx:
        tx.put_node(NODE)
    connection = connect(path)
    connection.execute(change)
    connection.close()
    before = path.read_bytes()
    with pytest.raises(TutorError) as caught, opened(path):
        pass
    assert (caught.value.kind, caught.value.reason) == ("STORE", "newer")
    assert "newer version" in caught.value.message
    assert path.read_bytes() == before
    assert [entry.name for entry in path.parent.glob("*damaged*")] == []


def test_a_newer_file_with_unwritten_log_is_not_touched_either(path):
    path.parent.mkdir(parents=True)
    with opened(path):
        pass
    other = connect(path)
    other.execute(f"PRAGMA user_version = {len(NAMES) + 1}")
    before = {entry.name: entry.read_bytes() for entry in path.parent.glob("tutor.db*")}
    with pytest.raises(TutorError), opened(path):
        pass
    for name in ("tutor.db", "tutor.db-wal"):
        assert (path.parent / name).read_bytes() == before[name]
    other.close()


def test_every_step_says_what_it_is_for():
    assert all(getattr(migrations, name).__doc__.startswith("Version ") for name in NAMES)
