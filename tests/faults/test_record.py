"""What can happen to the learner's record: it is said, it can be brought back, nothing is lost."""

import asyncio
import json
import os
import shutil
import sqlite3
import threading
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from cli_tools import environment
from learner_kit import Desk
from protocol_kit import RawClient, framed, request
from record_kit import (
    DAY,
    ask,
    log_only,
    mounted,
    moved,
    namespaces_work,
    no_backups,
    no_exercises,
    no_file_may_grow,
    other_day,
    overwritten,
    program,
    readable_only,
    replaced_by,
    sessions,
    settle,
    terminal,
    truncated,
    without_privileges,
)

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.session import Event
from tutor_lsp.store import backups
from tutor_lsp.store.database import open_store
from tutor_lsp.tutor.commands import execute
from tutor_lsp.tutor.compose import compose
from tutor_lsp.tutor.frontend import Abilities

OFFER = f"`tutor-lsp restore --record` brings back the backup of {DAY} (1 session)"


@pytest.fixture(scope="module")
def used(tmp_path_factory):
    """A home with an exercise, one attempt and a backup of today."""
    home = tmp_path_factory.mktemp("used") / "home"
    for verb in (("start", "--language", "python"), ("attempt",), ("claim", "python-strings")):
        code, _, err = terminal(home, *verb)
        assert code in (0, 3), err
    no_backups(home)
    with closing(open_store(home / "tutor.db")) as store:
        store.work(lambda tx: tx.log(Event("a write", {})))
    return home


@pytest.fixture
def home(used, tmp_path):
    """A copy of that home; its session's folder is where it was."""
    copy = tmp_path / "home"
    shutil.copytree(used, copy)
    moved(copy, used)
    settle(copy)
    return copy


def both(*steps):
    return lambda home: [step(home) for step in steps]


def gone(home):
    (home / "tutor.db").unlink()


empty = partial(truncated, size=0)
# what happens; what status says of it, and what can then be brought back (None: it goes on whole)
LOSSES = {
    "emptied": (empty, f"was emptied. {OFFER}", 1),
    "emptied, its log left": (log_only, "", None),
    "gone": (gone, f"is gone. {OFFER}", 1),
    "gone, exercises too": (both(gone, no_exercises), f"is gone. {OFFER}", 1),
    "gone, backups too": (
        both(gone, no_backups),
        "There is no backup, but 1 exercise is still in its folder",
        0,
    ),
    "emptied, backups too": (both(empty, no_backups), "There is no backup, but 1 exercise", 0),
    "nothing left": (
        both(empty, no_backups, no_exercises),
        "there is no backup to bring back",
        None,
    ),
    "sessions deleted": (lambda home: ask(home, "DELETE FROM sessions"), "lost its sessions", 1),
    "tables dropped": (lambda home: ask(home, "DROP TABLE sessions"), "is damaged", 1),
    "text instead": (
        lambda home: (home / "tutor.db").write_bytes(b"not a database " * 999),
        "is damaged",
        1,
    ),
    "half a page": (partial(truncated, size=2000), "is damaged", 1),
    "half a file": (partial(truncated, size=40960), "is damaged", None),
    "no first page": (lambda home: overwritten(home, 0, bytes(4096)), "is damaged", 1),
    "garbage in the middle": (
        lambda home: overwritten(home, 20000, b"\xff" * 30000),
        "is damaged",
        None,
    ),
    "another program's": (
        lambda home: replaced_by(home, lambda path: path.write_bytes(b"SQLite format 2\0" * 99)),
        "is damaged",
        1,
    ),
}


@pytest.mark.parametrize("what", LOSSES)
def test_a_loss_is_said_once_and_can_be_brought_back(home, used, what):
    happens, says, back = LOSSES[what]
    before = sessions(used)
    happens(home)
    code, _, err = terminal(home, "status")
    assert says in err
    assert code == (1 if "is damaged" in err else 0)
    if code == 1:
        terminal(home, "status")  # what could not be read of it is told once more
    assert "Your record" not in terminal(home, "status")[2]
    kept = {path.name: path.stat().st_size for path in home.glob("tutor.db.damaged-*")}
    code, out, err = terminal(home, "restore", "--record", "--json")
    if back is None:
        return
    assert code == 0, err
    result = json.loads(out)
    assert result["sessions"] == back
    if back:
        assert sessions(home) == before
        assert Path(result["aside"]).is_file()
        assert ask(home, "SELECT count(*) FROM events WHERE kind = 'attempt'") == [(1,)]
    else:
        assert result["adopted"] == 1
    assert {path.name: path.stat().st_size for path in home.glob("tutor.db.damaged-*")} == kept
    assert terminal(home, "restore", "--record")[0] == 1, "there is nothing more to bring back"


def test_all_that_stood_in_a_log_goes_on_without_a_backup(home, used):
    no_backups(home)
    log_only(home)
    terminal(home, "status")
    assert sessions(home) == sessions(used)


def test_a_damaged_record_is_brought_back_by_one_command(home, used):
    overwritten(home, 0, b"garbage" * 3000)
    code, _, err = terminal(home, "restore", "--record")
    assert code == 0
    assert "is damaged" in err
    assert sessions(home) == sessions(used)


ODD = {
    "a folder": lambda path: path.mkdir(),
    "a pipe": os.mkfifo,
    "a link to nothing": lambda path: path.symlink_to("/nonexistent/tutor.db"),
    "a link to itself": lambda path: path.symlink_to(path),
    "a device": lambda path: path.symlink_to("/dev/zero"),
}


@pytest.mark.parametrize("what", ODD)
def test_what_is_no_file_is_told_and_nothing_waits(home, what):
    replaced_by(home, ODD[what])
    code, _, err = terminal(home, "status")
    assert code == (0 if what == "a link to nothing" else 1)
    assert "Your record" in err


def test_what_was_written_since_stays(home, used):
    empty(home)
    assert terminal(home, "start", "--node", "python-strings", "--json")[0] == 0
    assert terminal(home, "claim", "python-lists")[0] == 0
    (new,) = sessions(home)
    assert terminal(home, "restore", "--record")[0] == 0
    assert sessions(home) == sessions(used) | {new}
    claimed = {node for (node,) in ask(home, "SELECT node FROM nodes WHERE claimed")}
    assert claimed == {"python-strings", "python-lists"}


def test_a_session_that_only_stood_in_gives_way(used, tmp_path):
    """Opening the folder meanwhile made a session for it, in which nothing was done."""
    home = tmp_path / "home"
    for verb in ("start", "claim"):
        more = ("--language", "python") if verb == "start" else ("python-strings",)
        assert terminal(home, verb, *more)[0] == 0
    before = sessions(home)
    truncated(home, 0)
    workspace = next((home / "python").iterdir())
    assert terminal(home, "open", "lesson", "--path", str(workspace))[0] == 0
    assert sessions(home) & before == set()
    assert terminal(home, "restore", "--record")[0] == 0
    assert sessions(home) == before


def test_servers_that_hold_the_record_open_lose_nothing_by_a_restore(home):
    """Two stores write while a third brings a backup back, again and again."""
    path, marks = home / "tutor.db", []
    empty(home)
    failed = []

    def write(store, name):
        for number in range(40):
            mark = f"{name}-{number}"
            try:
                store.work(lambda tx, mark=mark: tx.set_active(mark) or _log(tx, mark))
                marks.append(mark)
            except TutorError as error:
                failed.append(error)

    with closing(open_store(path)) as one, closing(open_store(path)) as other:
        threads = [
            threading.Thread(target=write, args=(store, str(number)))
            for number, store in enumerate((one, other))
        ]
        for thread in threads:
            thread.start()
        assert terminal(home, "restore", "--record")[0] == 0
        for thread in threads:
            thread.join()
        assert not failed
        assert len(one.work(lambda tx: tx.sessions())) == 1
        logged = {event["data"]["mark"] for event in one.work(lambda tx: tx.events(kind="mark"))}
    assert logged == set(marks)
    assert ask(home, "PRAGMA integrity_check") == [("ok",)]


def _log(tx, mark):
    tx.log(Event("mark", {"mark": mark}))


# backups


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


def test_a_day_can_be_named_and_a_wrong_one_is_told(home):
    write_on(home, "2030-01-01")
    empty(home)
    code, _, err = terminal(home, "restore", "--record", other_day(500))
    assert code == 1
    assert f"There are: 2030-01-01, {DAY}." in err
    code, out, _ = terminal(home, "restore", "--record", DAY, "--json")
    assert json.loads(out)["backup"] == DAY


# a record that cannot be written

READING = (
    ("status",), ("sessions",), ("curriculum", "--language", "python"), ("review",), ("doctor",),
    ("cost",), ("open", "stub"),
)  # fmt: skip


def read_only_by_permission(home):
    readable_only(home)
    return {"before": without_privileges}


WAYS = {
    "read-only by permission": (read_only_by_permission, "cannot be written"),
    "no room at all": (lambda _home: {"before": no_file_may_grow}, "no space left"),
    "mounted read-only": (
        lambda home: {"wrapper": mounted("read-only", home)},
        "Read-only file",
        "namespace",
    ),
    "a full disk": (lambda home: {"wrapper": mounted("full", home)}, "no space left", "namespace"),
}


@pytest.fixture
def reached(tmp_path_factory, used):
    """A home below a folder that everybody may enter."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        copy = Path(folder) / "home"
        shutil.copytree(used, copy)
        moved(copy, used)
        settle(copy)
        yield copy
        for path in copy.rglob("*"):
            path.chmod(0o755)


@pytest.mark.parametrize("log", [False, True], ids=["closed", "killed"])
@pytest.mark.parametrize("way", WAYS)
def test_reading_goes_on_where_nothing_can_be_written(reached, used, way, log):
    if "namespace" in WAYS[way][2:] and not namespaces_work():
        pytest.skip("user namespaces are not allowed here")
    if log:
        left_by_a_kill(reached)
    prepare, why, *_ = WAYS[way]
    given = prepare(reached)
    if log and way == "no room at all":
        # What stands in the log alone can be read only where a copy finds room, if in memory.
        code, _, err = program(reached, "status", **given)
        assert (code, why in err) == (1, True)
        return
    for verb in READING:
        code, out, err = program(reached, *verb, "--json", **given)
        assert code == 0, (verb, err)
        assert why in err
        found = json.loads(out)
        if verb == ("sessions",):
            assert len(found) == (2 if log else 1)
        if verb == ("doctor",):
            (row,) = [tool for tool in found["tools"] if tool["name"] == "record"]
            assert not row["works"]
            assert why in row["remedy"]
    code, _, err = program(reached, "claim", "python-lists", **given)
    assert code == 1
    assert why in err


def left_by_a_kill(home):
    """A session that stands in the log alone, as a server that was killed leaves it."""
    settle(home)
    keep = home.parent / "keep"
    with closing(sqlite3.connect(home / "tutor.db", isolation_level=None)) as connection:
        connection.execute(
            "INSERT INTO sessions SELECT id || 'x', exercise_id, node, language, depth, workspace, "
            "created_at, updated_at, ended_at, passed, body FROM sessions"
        )
        keep.mkdir()
        for end in ("", "-wal"):
            shutil.copy(f"{home}/tutor.db{end}", keep)
    for end in ("", "-wal"):
        shutil.copy(keep / f"tutor.db{end}", home)
    shutil.rmtree(keep)


def test_it_is_written_again_as_soon_as_it_can_be(home):
    path, limit = home / "tutor.db", 0o500
    if os.geteuid() == 0:
        # Root may write anywhere: a lock that is a folder stops it as well.
        (home / "tutor.db.lock").unlink()
        (home / "tutor.db.lock").mkdir()
    home.chmod(limit)
    with closing(open_store(path)) as store:
        assert store.refusal is not None
        assert len(store.work(lambda tx: tx.sessions())) == 1
        with pytest.raises(TutorError, match="cannot be written"):
            store.work(lambda tx: tx.set_active("x"))
        home.chmod(0o700)
        if (home / "tutor.db.lock").is_dir():
            (home / "tutor.db.lock").rmdir()
        store.work(lambda tx: tx.sessions() and tx.set_active("x"))
        assert store.refusal is None
    assert ask(home, "SELECT value FROM state WHERE name = 'active-session'") == [("x",)]


# in an editor


def ids_of(home):
    return [name for (name,) in ask(home, "SELECT id FROM sessions")]


async def tutor_of(home, monkeypatch, answers):
    for name, value in environment(home).items():
        monkeypatch.setenv(name, value)
    desk = Desk(abilities=Abilities(chooses=True), answers=list(answers))
    return desk, compose(desk, {})


async def test_an_editor_is_asked_and_the_answer_brings_it_back(home, used, monkeypatch):
    empty(home)
    desk, app = await tutor_of(home, monkeypatch, ["Bring it back"])
    await execute(app, "tutor.status", [])
    await asyncio.gather(*app.tasks._background)
    assert desk.questions[0][1] == ("Bring it back", "Not now")
    assert OFFER in desk.questions[0][0]
    assert any("Brought back from the backup" in said for said in desk.said)
    listed = await execute(app, "tutor.sessions", [])
    assert [session["id"] for session in listed] == ids_of(used)
    await app.close()


async def test_a_file_that_is_emptied_in_use_is_told_and_goes_on(home, monkeypatch):
    desk, app = await tutor_of(home, monkeypatch, [])
    await execute(app, "tutor.sessions", [])
    empty(home)
    with pytest.raises(TutorError, match="is damaged"):
        await execute(app, "tutor.sessions", [])
    result = await execute(app, "tutor.restore", [{"record": True}]) if desk.questions else None
    listed = await execute(app, "tutor.sessions", [])
    if not listed:
        result = await execute(app, "tutor.restore", [{"record": DAY}])
        assert result["sessions"] == 1
    assert len(await execute(app, "tutor.sessions", [])) == 1
    await app.close()


async def test_a_file_that_is_deleted_in_use_is_told_and_can_be_brought_back(home, monkeypatch):
    desk, app = await tutor_of(home, monkeypatch, [None])
    await execute(app, "tutor.sessions", [])
    for path in home.glob("tutor.db*"):
        path.unlink()
    assert await execute(app, "tutor.sessions", []) == []
    await asyncio.gather(*app.tasks._background)
    assert "is gone" in desk.questions[0][0]
    assert (await execute(app, "tutor.restore", [{"record": True}]))["sessions"] == 1
    await app.close()


def test_plain_editors_are_asked_over_the_protocol(home, used):
    empty(home)
    with closing(RawClient(home)) as client:
        params = {"command": "tutor.sessions", "arguments": []}
        client.send(framed(request(1, "workspace/executeCommand", params)))
        number = client.asked("window/showMessageRequest")
        answer = {"jsonrpc": "2.0", "id": number, "result": {"title": "Bring it back"}}
        client.send(framed(answer))
        client.noted("window/showMessage", "Brought back")
        assert ids_of(home) == ids_of(used)
