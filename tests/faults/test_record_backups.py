"""Backups of the record: made in time, whole, kept for a week, and never in the way."""

import fcntl
import json
import shutil
import sqlite3
import threading
from contextlib import closing

import pytest
import record_kit
from record_kit import (
    DAY,
    ask,
    empty,
    gone,
    no_backups,
    other_day,
    overwritten,
    sessions,
    settle,
    terminal,
)

from tutor_lsp.core.errors import TutorError
from tutor_lsp.store import backups
from tutor_lsp.store.database import open_store

home, used = record_kit.home, record_kit.used


def at(day):
    return lambda: f"{day}T12:00:00.000Z"


def backup_names(home):
    return sorted(path.name for path in (home / "backups").glob("*.db"))


def write_on(home, day, work=lambda tx: tx.set_active(None)):
    with closing(open_store(home / "tutor.db", clock=at(day))) as store:
        store.work(work)
        return store.backup_problem


def test_the_last_seven_days_are_kept(home):
    days = [f"2030-01-{day:02}" for day in range(1, 11)]
    for day in days:
        for _ in range(2):
            assert write_on(home, day) is None
    assert backup_names(home) == [f"tutor-{day}.db" for day in days[-7:]]


def test_the_fullest_one_outlives_its_week(home):
    day = backups.found(home / "tutor.db")[0].name
    ask(home, "DELETE FROM sessions")
    for number in range(1, 12):
        write_on(home, f"2030-01-{number:02}")
    names = backup_names(home)
    assert f"tutor-{day}.db" in names
    assert len(names) == 8


@pytest.mark.parametrize("how", [empty, gone, lambda home: overwritten(home, 0, bytes(9000))])
def test_no_damage_replaces_a_good_backup(home, how):
    (before,) = backup_names(home)
    content = (home / "backups" / before).read_bytes()
    how(home)
    for verb in ("status", "sessions", "claim"):
        terminal(home, verb, *(("python-lists",) if verb == "claim" else ()))
    assert (home / "backups" / before).read_bytes() == content


def test_reading_makes_no_backup(home):
    no_backups(home)
    with closing(open_store(home / "tutor.db", clock=at("2030-01-01"))) as store:
        store.work(lambda tx: (tx.sessions(), tx.events(), tx.all_nodes()))
    assert not (home / "backups").exists()


def test_servers_that_write_first_at_the_same_moment_make_one(home):
    no_backups(home)
    stores = [open_store(home / "tutor.db", clock=at("2030-01-01")) for _ in range(4)]
    threads = [
        threading.Thread(target=store.work, args=(lambda tx: tx.set_active(None),))
        for store in stores
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert backup_names(home) == ["tutor-2030-01-01.db"]
    assert [store.backup_problem for store in stores] == [None] * 4
    assert [path.name for path in (home / "backups").iterdir() if "part" in path.name] == []
    for store in stores:
        store.close()


def test_what_a_killed_backup_left_goes_with_the_next(home):
    left = home / "backups" / ".tutor-2029-12-31.db.4711.part"
    left.write_bytes(b"half")
    assert write_on(home, "2030-01-01") is None
    assert not left.exists()
    assert f"tutor-{DAY}.db" in backup_names(home)


def test_a_backup_is_whole_while_others_write(home):
    no_backups(home)
    with sqlite3.connect(home / "tutor.db", isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("INSERT INTO state VALUES ('half', 'done')")
        with closing(open_store(home / "tutor.db", clock=at("2030-01-01"), busy_s=0.5)) as store:
            with pytest.raises(TutorError, match="in use"):
                store.work(lambda tx: tx.set_active(None))
            assert store.work(lambda tx: len(tx.sessions())) == 1, "readers wait for nobody"
        other.execute("ROLLBACK")
    with closing(sqlite3.connect(home / "backups" / "tutor-2030-01-01.db")) as backup:
        assert backup.execute("SELECT count(*) FROM sessions").fetchone() == (1,)
        assert backup.execute("SELECT * FROM state WHERE name = 'half'").fetchall() == []
        assert backup.execute("PRAGMA journal_mode").fetchone() == ("delete",)


@pytest.mark.parametrize("free", [0, 10 * 1024 * 1024])
def test_a_backup_does_not_fill_the_disk(home, monkeypatch, free):
    no_backups(home)
    usage = shutil.disk_usage(home)._replace(free=free)
    monkeypatch.setattr(backups.shutil, "disk_usage", lambda _path: usage)
    assert "free on the disk" in write_on(home, "2030-01-01")
    assert backup_names(home) == []


def test_a_backup_that_fails_is_no_reason_not_to_write(home):
    no_backups(home)
    (home / "backups").write_text("a file")
    assert "could not be made" in write_on(home, "2030-01-01", lambda tx: tx.set_active("x"))
    assert ask(home, "SELECT value FROM state WHERE name = 'active-session'") == [("x",)]
    code, out, _ = terminal(home, "doctor", "--json")
    assert code == 0
    assert {tool["name"] for tool in json.loads(out)["tools"]} >= {"record", "backups"}


def test_a_backup_is_made_before_the_tables_change(home):
    ask(home, "DELETE FROM migrations WHERE name = 'stage_journal'")
    for table in ("setups", "setup_entries"):
        ask(home, f"DROP TABLE {table}")
    for stamp in ("2030-01-01", "2030-01-02"):
        write_on(home, stamp)
        ask(home, "DELETE FROM migrations WHERE name = 'stage_journal'")
        for table in ("setups", "setup_entries"):
            ask(home, f"DROP TABLE {table}")
    (name,) = [name for name in backup_names(home) if "migration" in name]
    assert name == "tutor-before-migration-20300102T120000000Z.db"
    found = {backup.name for backup in backups.found(home / "tutor.db")}
    assert name.removeprefix("tutor-").removesuffix(".db") in found
    empty(home)
    assert terminal(home, "restore", "--record", name[6:-3])[0] == 0
    assert len(sessions(home)) == 1


def of_older_version(home):
    ask(home, "DELETE FROM migrations WHERE name = 'stage_journal'")
    for table in ("setups", "setup_entries"):
        ask(home, f"DROP TABLE {table}")
    settle(home)


def test_the_tables_do_not_change_where_no_backup_can_be_made(home):
    of_older_version(home)
    before = (home / "tutor.db").read_bytes()
    no_backups(home)
    (home / "backups").write_text("a file")
    code, out, err = terminal(home, "sessions", "--json")
    assert (code, len(json.loads(out))) == (0, 1)
    assert "only after a backup" in err
    assert "can only be read" in err
    assert terminal(home, "claim", "python-lists")[0] == 1
    assert (home / "tutor.db").read_bytes() == before
    (home / "backups").unlink()
    assert terminal(home, "claim", "python-lists")[0] == 0
    assert ["migration" in name for name in backup_names(home)].count(True) == 1


def test_the_tables_wait_for_another_program_s_backup(home):
    of_older_version(home)
    with (home / "backups" / ".lock").open("w") as gate:
        fcntl.flock(gate, fcntl.LOCK_EX)
        with closing(open_store(home / "tutor.db", busy_s=0.2)) as store:
            assert store.refusal is not None
            assert len(store.work(lambda tx: tx.sessions())) == 1
    with closing(open_store(home / "tutor.db")) as store:
        assert store.refusal is None


def test_a_day_can_be_named_and_a_wrong_one_is_told(home):
    write_on(home, "2030-01-01")
    empty(home)
    code, _, err = terminal(home, "restore", "--record", other_day(500))
    assert code == 1
    assert f"There are: 2030-01-01, {DAY}." in err
    code, out, _ = terminal(home, "restore", "--record", DAY, "--json")
    assert json.loads(out)["backup"] == DAY
