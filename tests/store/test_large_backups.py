"""A large record's backup of the day: made beside the work, from the state before it."""

import os
import sqlite3
import threading
from contextlib import closing

import pytest
from store_kit import NODE, opened, session

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.session import Event
from tutor_lsp.store import backups, holdings

DAY = "2030-01-02T12:00:00.000Z"


@pytest.fixture
def large(path, monkeypatch):
    """A record of one session, over the size that counts as large."""
    with opened(path) as store, store.transaction() as tx:
        tx.put_session(session("s1"))
        tx.log(Event("hint", {}, "s1"))
    for backup in (path.parent / "backups").glob("*.db"):
        backup.unlink()
    monkeypatch.setattr(backups, "LARGE_BYTES", 0)
    return path


def in_backup(path):
    file = path.parent / "backups" / "tutor-2030-01-02.db"
    with closing(sqlite3.connect(file)) as backup:
        return {name for (name,) in backup.execute("SELECT id FROM sessions")}


def test_the_write_does_not_wait_and_the_backup_is_of_before_it(large, monkeypatch):
    go_on, real = threading.Event(), backups.copy_whole

    def slow(*asked, **more):
        assert go_on.wait(30)
        real(*asked, **more)

    monkeypatch.setattr(backups, "copy_whole", slow)
    with opened(large, clock=lambda: DAY) as store:
        with store.transaction() as tx:
            tx.put_session(session("s2"))
        with store.transaction() as tx:
            assert tx.count_sessions() == 2, "written while the copy waits"
        go_on.set()
    assert in_backup(large) == {"s1"}
    assert store.backup_problem is None


def test_a_young_backup_stays_and_an_old_one_is_replaced(large):
    with opened(large, clock=lambda: DAY) as store, store.transaction() as tx:
        tx.put_session(session("s2"))
    assert in_backup(large) == {"s1"}
    file = large.parent / "backups" / "tutor-2030-01-02.db"
    os.utime(file, (1, 1))
    with opened(large, clock=lambda: DAY) as store, store.transaction() as tx:
        tx.put_session(session("s3"))
    assert in_backup(large) == {"s1", "s2", "s3"}


def test_damage_that_the_copy_finds_is_told_with_the_next_write(large, monkeypatch):
    def damaged(*asked, **more):
        raise backups.troubles.Damaged("a page")

    monkeypatch.setattr(backups, "copy_whole", damaged)
    with opened(large, clock=lambda: DAY) as store:
        with store.transaction() as tx:
            tx.put_session(session("s2"))
        store._backups.wait()
        with pytest.raises(TutorError, match="is damaged"), store.transaction() as tx:
            tx.put_session(session("s3"))


CHANGES = {
    "a session": ("DELETE FROM sessions", False),
    "an event": ("DROP TRIGGER events_refuse_delete; DELETE FROM events WHERE id = 2", False),
    "another session of an event": (
        "DROP TRIGGER events_refuse_update; UPDATE events SET session = 'x' WHERE id = 2", False),
    "a topic": ("DELETE FROM nodes", False),
    "other ids of the same events": (
        "DROP TRIGGER events_refuse_update; UPDATE events SET id = id + 100", True),
    "nothing": ("SELECT 1", True),
}  # fmt: skip


@pytest.mark.parametrize("what", CHANGES)
def test_a_record_has_all_of_another_if_nothing_is_missing(path, what):
    other = path.with_name("other.db")
    with opened(path) as store, store.transaction() as tx:
        tx.put_session(session("s1"))
        tx.put_node(NODE)
        for number in range(3):
            tx.log(Event("hint", {}, f"s{number}"))
    with closing(sqlite3.connect(path)) as record, closing(sqlite3.connect(other)) as copy:
        record.backup(copy)
        change, expected = CHANGES[what]
        record.executescript(change)
    assert holdings.has_all_of(path, other) is expected
    assert holdings.has_all_of(path, path)
