"""Backups of the record: made in time, whole, kept for a week, and never in the way."""

import asyncio
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
from tutor_lsp.core.learner.loss import EVENT
from tutor_lsp.core.session import Event, NodeRecord, Session
from tutor_lsp.store import backups
from tutor_lsp.store.database import open_store
from tutor_lsp.tutor.commands.dispatch import execute

home = record_kit.home


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


def begin(name, topic=True):
    """A session of now, and its topic."""

    def work(tx):
        tx.put_session(Session(name, "e", "n", "T", "python", "D1", f"/{name}", "l", "t", "t"))
        if topic:
            tx.put_node(NodeRecord(f"topic-{name}", "python", updated_at="t"))

    return work


def full(home, days, each=3):
    for day in days:
        for number in range(each):
            write_on(home, day, begin(f"{day}-{number}"))


def said_on(home, day):
    with closing(open_store(home / "tutor.db", clock=at(day))) as store:
        store.work(lambda tx: tx.sessions())
        loss = store.take_loss()
    return (loss.backup, loss.lacking.counts[:2]) if loss is not None else None


LOST = {"topics": "DELETE FROM nodes", "sessions": "DELETE FROM sessions"}
DECEMBER = [f"2030-12-{day:02}" for day in range(1, 32)]


def lose(home, what, day):
    ask(home, LOST[what])
    assert said_on(home, day) is not None
    with closing(open_store(home / "tutor.db", clock=at(day))) as store:
        store.work(lambda tx: tx.log(Event(EVENT, {"what": "cleared"})))


@pytest.mark.first(1)
@pytest.mark.parametrize("what", LOST)
@pytest.mark.parametrize("before", [1, 9])
def test_a_backup_of_what_was_lost_stays_while_that_is_said(tmp_path, what, before):
    """A newer record outgrows what was lost from it."""
    home = tmp_path / "home"
    full(home, DECEMBER[:before])
    write_on(home, DECEMBER[before], begin("last"))
    lost = 3 * before + 1
    lose(home, what, DECEMBER[before])
    said = (DECEMBER[before], (lost, 0) if what == "sessions" else (0, lost))
    for day in DECEMBER[before + 1 : before + 13]:
        for number in range(4):
            write_on(home, day, begin(f"{day}-{number}", topic=what == "sessions"))
        assert said_on(home, day) == said
    days = (DECEMBER[before], *DECEMBER[before + 6 : before + 13])
    assert backup_names(home) == [f"tutor-{day}.db" for day in days]


def test_each_loss_keeps_its_own_backup(tmp_path):
    home = tmp_path / "home"
    full(home, DECEMBER[:3])
    ask(home, "DELETE FROM sessions WHERE id < '2030-12-02'")
    ask(home, "DELETE FROM nodes WHERE node < 'topic-2030-12-02'")
    full(home, DECEMBER[3:6])
    ask(home, "DELETE FROM nodes")
    full(home, DECEMBER[6:20], each=2)
    names = [f"tutor-{day}.db" for day in (DECEMBER[2], DECEMBER[5], *DECEMBER[13:20])]
    assert backup_names(home) == names


@pytest.mark.first(1)
@pytest.mark.parametrize("how", [empty, gone, lambda home: overwritten(home, 0, bytes(9000))])
def test_no_damage_replaces_a_good_backup(home, how):
    (before,) = backup_names(home)
    content = (home / "backups" / before).read_bytes()
    how(home)
    for verb in ("status", "sessions", "claim"):
        terminal(home, verb, *(("python-lists",) if verb == "claim" else ()))
    assert (home / "backups" / before).read_bytes() == content


def held_by_backup(home):
    """The topics and kinds of events that today's backup holds."""
    with closing(sqlite3.connect(home / "backups" / f"tutor-{DAY}.db")) as connection:
        topics = {node for (node,) in connection.execute("SELECT node FROM nodes")}
        return topics, [kind for (kind,) in connection.execute("SELECT kind FROM events")]


@pytest.mark.first(1)
@pytest.mark.parametrize("how", [empty, gone, lambda home: overwritten(home, 0, bytes(9000))])
def test_a_day_s_work_is_in_that_day_s_backup(home, how):
    assert terminal(home, "attempt")[0] == 3
    assert terminal(home, "claim", "python-lists")[0] == 0
    topics, kinds = held_by_backup(home)
    assert topics >= {"python-strings", "python-lists"}
    assert kinds.count("attempt") == kinds.count("review") == 2
    how(home)
    assert terminal(home, "restore", "--record")[0] == 0
    assert ask(home, "SELECT count(*) FROM events WHERE kind = 'attempt'") == [(2,)]
    claimed = "SELECT node FROM nodes WHERE claimed ORDER BY node"
    assert ask(home, claimed) == [("python-lists",), ("python-strings",)]


async def test_a_server_that_is_killed_has_its_last_attempt_in_the_backup(home, monkeypatch):
    _, app = await record_kit.tutor_of(home, monkeypatch, [])
    _, before = held_by_backup(home)
    await execute(app, "tutor.attempt", [])
    await asyncio.gather(*app.services.tasks.tasks)
    _, after = held_by_backup(home)
    assert after.count("review") == before.count("review") + 1
    await app.close()


LESS = {
    "without sessions": "DELETE FROM sessions",
    "without topics": "DELETE FROM nodes",
    "with a row that is half there": "UPDATE sessions SET body = substr(body, 1, 50)",
    "with half of an exercise": "UPDATE exercises SET vault = substr(vault, 1, 50)",
}


@pytest.mark.parametrize("what", LESS)
def test_a_good_backup_never_makes_room_for_a_lesser_one(home, what):
    backup = home / "backups" / f"tutor-{DAY}.db"
    before = backup.read_bytes()
    with closing(open_store(home / "tutor.db")) as store:
        store.work(begin("new"))
        ask(home, LESS[what])
    assert backup.read_bytes() == before
    assert sorted(path.name for path in backup.parent.iterdir() if ".part" in path.name) == []


def test_a_backup_that_cannot_be_read_makes_room_for_a_good_one(home):
    backup = home / "backups" / f"tutor-{DAY}.db"
    backup.write_bytes(b"no record" * 1000)
    with closing(open_store(home / "tutor.db")) as store:
        store.work(begin("new"))
    assert "topic-new" in held_by_backup(home)[0]


def test_a_backup_that_cannot_be_refreshed_stays_and_that_is_said(home, monkeypatch):
    backup = home / "backups" / f"tutor-{DAY}.db"
    before = backup.read_bytes()
    with closing(open_store(home / "tutor.db")) as store:
        store.work(begin("new"))
        monkeypatch.setattr(backups, "LEFT_FREE_BYTES", 2**60)
        store.refresh_backup()
        assert "of disk space are free" in store.backup_problem
    assert backup.read_bytes() == before


def test_who_only_reads_refreshes_nothing(home):
    backup = home / "backups" / f"tutor-{DAY}.db"
    before = backup.stat().st_ino
    assert terminal(home, "sessions")[0] == terminal(home, "curriculum")[0] == 0
    assert backup.stat().st_ino == before


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


def test_a_backup_has_the_name_of_the_learners_day(home, in_zone):
    no_backups(home)
    in_zone("Pacific/Auckland")
    for write in (lambda tx: tx.set_active(None), lambda tx: tx.set_active("s")):
        with closing(open_store(home / "tutor.db", clock=at("2030-01-01"))) as store:
            store.work(write)
    assert backup_names(home) == ["tutor-2030-01-02.db"]


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
    assert "of disk space" in write_on(home, "2030-01-01")
    assert backup_names(home) == []


@pytest.mark.long("runs tests several times; others here stand for it")
def test_a_backup_that_fails_is_no_reason_not_to_write(home):
    no_backups(home)
    (home / "backups").write_text("a file")
    assert "could not be made" in write_on(home, "2030-01-01", lambda tx: tx.set_active("x"))
    assert ask(home, "SELECT value FROM state WHERE name = 'active-session'") == [("x",)]
    code, out, _ = terminal(home, "doctor", "--json")
    assert code == 0
    assert {tool["name"] for tool in json.loads(out)["tools"]} >= {"record", "backups"}


@pytest.mark.parametrize("broken", [True, False])
def test_the_doctor_says_that_no_backup_can_be_made(home, broken):
    """Though this program has not tried to make one."""
    no_backups(home)
    if broken:
        (home / "backups").write_text("a file")
    code, out, _ = terminal(home, "doctor", "--json")
    (row,) = (tool for tool in json.loads(out)["tools"] if tool["name"] == "backups")
    assert code == 0
    assert row["works"] is not broken
    assert ("isn't a folder" in (row["remedy"] or "")) is broken


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


@pytest.mark.parametrize("what", LOST)
def test_a_backup_before_a_migration_stays_while_it_has_what_was_lost(home, what):
    def migrated_on(day):
        of_older_version(home)
        write_on(home, day)
        return f"tutor-before-migration-{day.replace('-', '')}T120000000Z.db"

    no_backups(home)
    first = migrated_on(DECEMBER[0])
    (home / "backups" / f"tutor-{DECEMBER[0]}.db").unlink()
    lose(home, what, DECEMBER[0])
    for number in range(3):
        write_on(home, DECEMBER[0], begin(str(number), topic=what == "sessions"))
    names = [migrated_on(day) for day in DECEMBER[1:4]]
    assert [name for name in backup_names(home) if "migration" in name] == [first, names[-1]]
    assert said_on(home, DECEMBER[4])[0] == first[6:-3]


@pytest.mark.parametrize("left", ["sessions", "nodes", "events"])
def test_whatever_is_there_is_kept_before_the_tables_change(home, left):
    for table in {"sessions", "nodes", "events"} - {left}:
        ask(home, f"DROP TRIGGER IF EXISTS {table}_refuse_delete")
        ask(home, f"DELETE FROM {table}")  # noqa: S608
    kept = ask(home, f"SELECT * FROM {left}")  # noqa: S608
    no_backups(home)
    of_older_version(home)
    open_store(home / "tutor.db", clock=at(DECEMBER[0])).close()
    (name,) = backup_names(home)
    with closing(sqlite3.connect(home / "backups" / name)) as backup:
        assert backup.execute(f"SELECT * FROM {left}").fetchall() == kept != []  # noqa: S608


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
