"""A record that is lost or damaged: it is said, it can be brought back, nothing is lost."""

import asyncio
import json
import os
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
import record_kit
from record_kit import (
    DAY,
    OFFER,
    ask,
    empty,
    gone,
    log_only,
    no_backups,
    no_exercises,
    overwritten,
    replaced_by,
    sessions,
    settle,
    terminal,
    truncated,
    tutor_of,
)

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.session import Event, NodeRecord
from tutor_lsp.store.database import open_store
from tutor_lsp.tutor.commands.dispatch import execute
from tutor_lsp.tutor.services.frontend import Abilities

pytestmark = pytest.mark.first(3)

home = record_kit.home


def both(*steps):
    return lambda home: [step(home) for step in steps]


def forgotten(home):
    ask(home, "DROP TRIGGER events_refuse_delete")
    ask(home, "DELETE FROM events")


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
    "sessions deleted": (
        lambda home: ask(home, "DELETE FROM sessions"),
        "lost part of its contents",
        1,
    ),
    "topics deleted": (
        lambda home: ask(home, "DELETE FROM nodes"),
        "(missing here: 1 topic)",
        0,
    ),
    "events deleted": (forgotten, "(missing here: ", 0),
    "tables dropped": (lambda home: ask(home, "DROP TABLE sessions"), "was damaged", 1),
    "text instead": (
        lambda home: (home / "tutor.db").write_bytes(b"not a database " * 999),
        "was damaged",
        1,
    ),
    "half a page": (partial(truncated, size=2000), "was damaged", 1),
    "half a file": (partial(truncated, size=40960), "was damaged", None),
    "no first page": (lambda home: overwritten(home, 0, bytes(4096)), "was damaged", 1),
    "garbage in the middle": (
        lambda home: overwritten(home, 20000, b"\xff" * 30000),
        "was damaged",
        None,
    ),
    "another program's": (
        lambda home: replaced_by(home, lambda path: path.write_bytes(b"SQLite format 2\0" * 99)),
        "was damaged",
        1,
    ),
}


@pytest.mark.sample("gone")
@pytest.mark.parametrize("what", LOSSES)
def test_a_loss_is_said_until_it_is_brought_back(home, used, what):
    happens, says, back = LOSSES[what]
    before = sessions(used)
    happens(home)
    code, _, err = terminal(home, "status")
    assert (code, says in err) == (0, True), err
    kept_as = [path.name for path in home.glob("tutor.db.damaged-*Z")]
    assert all(name in err for name in kept_as if says == "was damaged")
    assert back is None or "--dismiss" in err
    for verb in ("status", "sessions", "curriculum"):
        assert ("--dismiss" in err) == ("Your record" in terminal(home, verb)[2])
    kept = {path.name: path.stat().st_size for path in home.glob("tutor.db.damaged-*")}
    code, out, err = terminal(home, "restore", "--record", "--json")
    if back is None:
        return
    assert code == 0, err
    result = json.loads(out)
    assert result["sessions"] == back
    if result["backup"] is not None:
        assert sessions(home) == before
        assert claimed(home) == {"python-strings"}
        assert Path(result["aside"]).is_file()
        assert ask(home, "SELECT count(*) FROM events WHERE kind = 'attempt'") == [(1,)]
    else:
        assert result["adopted"] == 1
    assert {path.name: path.stat().st_size for path in home.glob("tutor.db.damaged-*")} == kept
    assert terminal(home, "restore", "--record")[0] == 1, "there is nothing more to bring back"
    assert "Your record" not in terminal(home, "status")[2]


def test_a_loss_is_said_whatever_was_done_since(home, used):
    empty(home)
    for number, verb in enumerate((("status",), ("start", "--node", "python-lists"), ("status",))):
        code, _, err = terminal(home, *verb)
        assert (number, code, "was emptied" in err) == (number, 0, True)
    assert "missing here" not in err
    assert "Your record" not in terminal(home, "restore", "--record")[2]
    assert "Your record" not in terminal(home, "status")[2]


@pytest.mark.first(1)
@pytest.mark.parametrize(
    "happens", [empty, both(gone, no_backups), lambda home: ask(home, "DELETE FROM sessions")]
)
def test_a_loss_is_dismissed_by_a_word_of_its_own(home, happens):
    happens(home)
    assert "--dismiss" in terminal(home, "status")[2]
    code, out, err = terminal(home, "restore", "--record", "--dismiss")
    assert (code, "will not be reminded" in out, "Your record" in err) == (0, True, False)
    for verb in ("status", "sessions", "doctor"):
        assert "Your record" not in terminal(home, verb)[2]
    assert terminal(home, "claim", "python-lists")[0] == 0
    assert terminal(home, "restore", "--record")[0] == 0, "it can still be brought back"
    assert len(sessions(home)) == 1


LOST = {"1 session": "DELETE FROM sessions", "1 topic": "DELETE FROM nodes"}


def backed_up_on(home, day):
    with closing(open_store(home / "tutor.db", clock=lambda: f"{day}T12:00:00Z")) as store:
        store.work(lambda tx: tx.log(Event("a write", {})))


@pytest.mark.long("runs tests several times; others here stand for it")
@pytest.mark.first(1)
@pytest.mark.parametrize("newer", [False, True])
@pytest.mark.parametrize(("dismissed", "lost"), [tuple(LOST), tuple(LOST)[::-1]])
def test_a_loss_after_one_that_was_dismissed_is_said(home, dismissed, lost, newer):
    ask(home, LOST[dismissed])
    assert f"(missing here: {dismissed})" in terminal(home, "status")[2]
    assert terminal(home, "restore", "--record", "--dismiss")[0] == 0
    assert "Your record" not in terminal(home, "status")[2]
    if newer:
        backed_up_on(home, "2030-01-01")
    ask(home, LOST[lost])
    for _ in range(2):
        err = terminal(home, "status")[2]
        day = "2030-01-01" if newer else DAY
        assert f"brings back the backup of {day} (missing here: {lost})" in err
    assert terminal(home, "restore", "--record", "--dismiss")[0] == 0
    assert "Your record" not in terminal(home, "status")[2], "neither of both"


@pytest.mark.long("runs tests several times; others here stand for it")
@pytest.mark.first(1)
@pytest.mark.parametrize("lost", LOST)
def test_what_was_dismissed_and_came_back_is_missed_again(home, lost):
    for step in ("--dismiss", None, "--dismiss"):
        ask(home, LOST[lost])
        assert f"(missing here: {lost})" in terminal(home, "status")[2]
        assert terminal(home, "restore", "--record", *filter(None, [step]))[0] == 0
        assert terminal(home, "restore", "--record")[0] == (0 if step else 1)
        assert "Your record" not in terminal(home, "status")[2]


@pytest.mark.first(1)
@pytest.mark.parametrize("lost", LOST)
def test_nothing_is_dismissed_before_it_is_lost(home, lost):
    code, _, err = terminal(home, "restore", "--record", "--dismiss")
    assert (code, "Nothing is missing from your record" in err) == (1, True)
    ask(home, LOST[lost])
    for day in ("2030-01-01", "2030-01-02", "2030-01-03"):
        assert f"backup of {DAY} (missing here: {lost})" in terminal(home, "status")[2]
        backed_up_on(home, day)


def test_a_new_home_has_nothing_to_dismiss(tmp_path):
    assert terminal(tmp_path / "home", "restore", "--record", "--dismiss")[0] == 1


async def test_a_loss_is_said_where_it_could_not_be_dismissed(home, monkeypatch):
    ask(home, "DELETE FROM sessions")
    ask(
        home,
        "CREATE TRIGGER refuse BEFORE INSERT ON events WHEN NEW.kind LIKE 'record-%' "
        "BEGIN SELECT RAISE(FAIL, 'no space'); END",
    )
    for dismiss in (True, False):
        desk, app = await tutor_of(home, monkeypatch, ["Not now"])
        with pytest.raises(TutorError, match="no space"):
            await execute(app, "tutor.restore", [{"record": True, "dismiss": dismiss}])
        await execute(app, "tutor.status", [])
        await asyncio.gather(*app.services.tasks.tasks)
        assert OFFER.replace("(1 session, 1 topic)", "(missing here: 1 session)") in str(
            desk.questions
        )
        await app.close()


def test_dismissing_is_about_the_record(home):
    code, _, err = terminal(home, "restore", "--dismiss")
    assert (code, "restore --record --dismiss" in err) == (2, True)


def claimed(home):
    return {node for (node,) in ask(home, "SELECT node FROM nodes WHERE claimed")}


@pytest.mark.first(1)
@pytest.mark.parametrize("happens", [empty, gone, lambda home: ask(home, "DELETE FROM nodes")])
def test_topics_alone_are_missed_too(tmp_path, happens):
    home = tmp_path / "home"
    for node in ("python-strings", "python-lists"):
        assert terminal(home, "claim", node)[0] == 0
    no_backups(home)
    assert terminal(home, "claim", "python-files")[0] == 0
    settle(home)
    happens(home)
    code, _, err = terminal(home, "curriculum", "--language", "python")
    assert (code, "(3 topics)" in err or "(missing here: 3 topics)" in err) == (0, True)
    assert terminal(home, "restore", "--record")[0] == 0
    assert claimed(home) == {"python-strings", "python-lists", "python-files"}


def test_what_was_known_of_a_topic_is_missed_where_the_topic_was_begun_anew(home):
    record = '{"node":"python-lists","language":"python","history":[{"at":"2026-01-01","session":'
    record += '"s","before":0,"after":2,"reason":"passed"}],"passedDepths":["D2"],"mastery":2}'
    ask(
        home,
        "INSERT INTO nodes (language, node, mastery, claimed, updated_at, body) "
        "VALUES ('python', 'python-lists', 2, 0, '2026-01-01', ?)",
        record,
    )
    settle(home)
    no_backups(home)
    assert terminal(home, "claim", "python-files")[0] == 0
    empty(home)
    with closing(open_store(home / "tutor.db")) as store:
        store.work(lambda tx: tx.put_node(NodeRecord("python-lists", "python")))
    assert terminal(home, "restore", "--record")[0] == 0
    assert ask(home, "SELECT mastery FROM nodes WHERE node = 'python-lists'") == [(2,)]


def test_all_that_stood_in_a_log_goes_on_without_a_backup(home, used):
    no_backups(home)
    log_only(home)
    terminal(home, "status")
    assert sessions(home) == sessions(used)


def test_a_damaged_record_is_brought_back_by_one_command(home, used):
    overwritten(home, 0, b"garbage" * 3000)
    code, _, err = terminal(home, "restore", "--record")
    assert (code, err) == (0, "")
    assert sessions(home) == sessions(used)


def record_row(home):
    """What `doctor` says of the record: whether all is well, and how to mend it."""
    code, out, err = terminal(home, "doctor", "--json")
    assert code == 0, err
    [row] = [row for row in json.loads(out)["tools"] if row["name"] == "record"]
    return row["works"], row["remedy"] or ""


@pytest.mark.sample("no first page")
@pytest.mark.parametrize("what", ["no first page", "gone, backups too", "topics deleted"])
def test_doctor_says_what_is_missing_until_it_is_brought_back(home, what):
    LOSSES[what][0](home)
    for _ in range(2):
        works, remedy = record_row(home)
        assert not works
        assert LOSSES[what][1] in remedy
        assert "tutor-lsp restore --record" in remedy
    assert terminal(home, "restore", "--record")[0] == 0
    assert record_row(home) == (True, "")


def test_damage_in_use_is_told_and_the_work_is_done(home, used):
    overwritten_row = "UPDATE sessions SET body = substr(body, 1, 50)"
    ask(home, overwritten_row)
    assert terminal(home, "claim", "python-lists")[0] == 0, "it reads no session"
    code, _, err = terminal(home, "sessions")
    assert (code, "was damaged" in err, OFFER.split(" (")[0] in err) == (0, True, True), err
    assert claimed(home) == {"python-strings", "python-lists"}
    assert terminal(home, "restore", "--record")[0] == 0
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


async def test_what_was_asked_for_is_done_where_a_loss_cannot_be_told(home, used, monkeypatch):
    gone(home)

    def fails(*_):
        raise PermissionError(13, "Permission denied")

    desk, app = await tutor_of(home, monkeypatch, [])
    desk.abilities = Abilities()
    with monkeypatch.context() as patch:
        patch.setattr("tutor_lsp.tutor.learner.record.record._exercises_there", fails)
        assert await execute(app, "tutor.sessions", [{}]) == []
    assert not desk.said
    await execute(app, "tutor.sessions", [{}])
    assert [text for text in desk.said if OFFER in text]
    await app.close()


def test_a_note_of_another_shape_is_no_loss(home, used):
    ask(home, "INSERT INTO events (at, kind, data) VALUES ('2026-01-01', 'record-lost', '[1]')")
    code, _, said = terminal(home, "sessions")
    assert (code, said) == (0, "")


@pytest.mark.parametrize("body", ["5", '{"history": 5}', '{"passedDepths": null}', "["])
def test_a_backup_of_another_form_is_read_as_far_as_it_can_be(home, used, body):
    backup = next((home / "backups").glob("tutor-2*.db"))
    with closing(sqlite3.connect(backup)) as connection:
        connection.execute("UPDATE nodes SET body = ?", (body,))
        connection.commit()
    gone(home)
    code, _, said = terminal(home, "status")
    assert code == 0
    assert OFFER in said
