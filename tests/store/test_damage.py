"""Damaged, deleted, full, forbidden: told clearly, nothing deleted, the store goes on."""

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from store_kit import EXERCISE, NODE, VAULT, opened, session

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.ports import JournalEntry, JournalKey
from tutor_lsp.core.session import Event
from tutor_lsp.core.stage import Role
from tutor_lsp.store import troubles

KEY = JournalKey("rust-let", "rust", "D1", "codex")
PAGE = 4096


def fill(store, *, sessions=40):
    """A record of many pages."""
    with store.transaction() as tx:
        for number in range(sessions):
            tx.put_session(session(f"s{number}", created_at=f"{number:04}"))
            tx.put_exercise(f"s{number}", EXERCISE, VAULT)
            tx.log(Event("attempt", {"text": "x" * 3000}, f"s{number}"))
        tx.put_node(NODE)
        tx.set_active("s1")
    store.journal().append(KEY, JournalEntry(Role.SCAFFOLD, 1, {"a": 1}))


def read(store):
    with store.transaction() as tx:
        return [each.id for each in tx.sessions()], tx.events(), tx.nodes()


def damaged_files(path):
    return sorted(
        entry
        for entry in path.parent.iterdir()
        if ".damaged-" in entry.name and not entry.name.endswith(("-wal", "-shm"))
    )


def refused(path):
    """The trouble that opening and reading gives."""
    with pytest.raises(TutorError) as caught, opened(path) as store:
        read(store)
    assert caught.value.kind == "STORE"
    return caught.value


def root_page(path, table):
    connection = sqlite3.connect(path)
    row = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,))
    (number,) = row.fetchone()
    connection.close()
    return number


def overwrite(path, offset, data):
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(data)


def test_garbage_is_set_aside_and_a_new_record_made(path):
    path.parent.mkdir(parents=True)
    path.write_bytes(b"not a database at all " * 500)
    trouble = refused(path)
    assert trouble.reason == "damaged"
    [aside] = damaged_files(path)
    assert aside.name in trouble.message
    assert "nothing was deleted" in trouble.message
    assert aside.read_bytes().startswith(b"not a database")
    assert not path.exists()
    with opened(path) as store:
        sessions, events, nodes = read(store)
        assert (sessions, nodes) == ([], {})
        assert [event["kind"] for event in events] == ["store-restored"]
    with opened(path) as store:
        assert len(read(store)[1]) == 1
    assert damaged_files(path) == [aside]


def test_all_that_is_readable_is_taken_over(path):
    with opened(path) as store:
        fill(store)
    overwrite(path, (root_page(path, "nodes") - 1) * PAGE, b"\xff" * PAGE)
    assert refused(path).reason == "damaged"
    with opened(path) as store:
        sessions, events, nodes = read(store)
        assert len(sessions) == 40
        assert nodes == {}
        assert [event["kind"] for event in events].count("attempt") == 40
        restored = events[-1]["data"]
        assert restored["rows"]["sessions"] == restored["rows"]["exercises"] == 40
        assert restored["file"] == damaged_files(path)[0].name
        with store.transaction() as tx:
            assert tx.active() == "s1"
            assert tx.exercise("s7") == (EXERCISE, VAULT)
            assert tx.session("s7") == session("s7", created_at="0007")
        assert store.journal().load(KEY) == [JournalEntry(Role.SCAFFOLD, 1, {"a": 1})]


def test_damage_anywhere_is_found_on_opening(path):
    with opened(path) as store:
        fill(store)
    middle = path.read_bytes().index(b'"id":"s20"') // PAGE * PAGE
    overwrite(path, middle, b"\xff" * PAGE)
    with pytest.raises(TutorError) as caught, opened(path):
        pass
    assert caught.value.reason == "damaged"


def test_a_damaged_file_and_its_log_are_set_aside_byte_for_byte(path):
    with opened(path) as store:
        fill(store)
        empty_the_log(path)
        write_session(store)
        whole, log = path.read_bytes(), Path(f"{path}-wal").read_bytes()
    middle = whole.index(b'"id":"s20"') // PAGE * PAGE
    damaged = whole[:middle] + b"\xff" * PAGE + whole[middle + PAGE :]
    path.write_bytes(damaged)
    Path(f"{path}-wal").write_bytes(log)
    assert refused(path).reason == "damaged"
    [aside] = damaged_files(path)
    assert aside.read_bytes() == damaged
    assert Path(f"{aside}-wal").read_bytes() == log


def test_a_file_that_was_made_anew_meanwhile_is_not_set_aside(path):
    path.parent.mkdir(parents=True)
    with opened(path) as first, opened(path) as second:
        path.rename(path.with_name("moved"))
        write_session(first)
        assert second._set_aside().reason == "damaged"
        assert damaged_files(path) == []
        assert read(second)[0] == ["new"]


def test_rows_before_and_after_a_damaged_page_are_taken_over(path):
    with opened(path) as store:
        fill(store)
    whole = path.read_bytes()
    middle = whole.index(b'"id":"s20"') // PAGE * PAGE
    overwrite(path, middle, b"\xff" * PAGE)
    refused(path)
    with opened(path) as store:
        sessions, _, nodes = read(store)
        assert {"s0", "s1", "s39"} <= set(sessions)
        assert "s20" not in sessions
        assert len(sessions) > 25
        assert nodes == {"python-strings": NODE}


def write_session(store, times=1):
    for _ in range(times):
        with store.transaction() as tx:
            tx.put_session(session("new"))
            tx.sessions()


def empty_the_log(path):
    """Move all pages from the log into the file, as happens now and then."""
    other = sqlite3.connect(path)
    other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    other.close()


def test_damage_that_comes_up_in_use_is_set_aside_and_the_same_store_goes_on(path):
    with opened(path) as store:
        fill(store)
        empty_the_log(path)
        overwrite(path, (root_page(path, "sessions") - 1) * PAGE, b"\xff" * PAGE)
        with opened(path.with_name("other.db")) as unhurt:
            write_session(unhurt)
        with pytest.raises(TutorError) as caught:
            write_session(store, times=3)
        assert caught.value.reason == "damaged"
        assert len(damaged_files(path)) == 1
        write_session(store)
        with store.transaction() as tx:
            assert tx.nodes() == {"python-strings": NODE}
            assert tx.session("new") == session("new")


def test_a_row_that_is_no_json_is_damage_and_the_others_stay(path):
    with opened(path) as store:
        fill(store, sessions=3)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE sessions SET body = substr(body, 1, 50) WHERE id = 's1'")
    connection.commit()
    connection.close()
    assert refused(path).reason == "damaged"
    with opened(path) as store:
        assert read(store)[0] == ["s2", "s0"]


def test_two_stores_find_the_damage_and_set_it_aside_once(path):
    with opened(path) as first, opened(path) as second:
        fill(first)
        write_session(second)
        empty_the_log(path)
        overwrite(path, 0, b"garbage" * 3000)
        with pytest.raises(TutorError) as caught:
            write_session(first, times=3)
        assert caught.value.reason == "damaged"
        write_session(second)
        write_session(first)
        assert len(damaged_files(path)) == 1
        assert read(first)[0] == read(second)[0] == ["new"]


def test_what_is_damaged_twice_is_kept_twice(path):
    path.parent.mkdir(parents=True)
    for text in (b"first ", b"second "):
        path.write_bytes(text * 500)
        refused(path)
        with opened(path) as store:
            write_session(store)
    assert [entry.read_bytes()[:6] for entry in damaged_files(path)] == [b"first ", b"second"]


def test_the_log_beside_a_damaged_file_is_kept_with_it(path):
    path.parent.mkdir(parents=True)
    path.write_bytes(b"garbage" * 3000)
    Path(f"{path}-wal").write_bytes(b"log")
    refused(path)
    [aside] = damaged_files(path)
    assert Path(f"{aside}-wal").read_bytes() == b"log"


def test_a_log_without_its_file_is_not_played_into_a_new_one(path):
    with opened(path) as store:
        fill(store)
        for name in ("tutor.db-wal",):
            (path.parent / "kept").write_bytes((path.parent / name).read_bytes())
    path.unlink()
    (path.parent / "kept").rename(f"{path}-wal")
    with opened(path) as store:
        assert read(store) == ([], [], {})
    assert len([entry for entry in path.parent.iterdir() if ".damaged-" in entry.name]) == 1


def test_a_file_deleted_in_use_is_made_anew(path):
    with opened(path) as store:
        fill(store)
        shutil.rmtree(path.parent)
        write_session(store)
        assert path.exists()
    with opened(path) as store:
        assert read(store)[0] == ["new"]


def test_a_note_without_its_file_does_no_harm(path):
    """So it is left when a program is killed between the note and the renaming."""
    with opened(path) as store:
        write_session(store)
    path.with_name("tutor.db.restore").write_text("tutor.db.damaged-1")
    for _ in range(2):
        with opened(path) as store:
            sessions, events, _ = read(store)
            assert (sessions, len(events)) == (["new"], 1)
            assert set(events[0]["data"]["rows"].values()) == {0}
    assert not path.with_name("tutor.db.restore").exists()


def test_an_empty_file_is_a_new_record(path):
    path.parent.mkdir(parents=True)
    path.touch()
    with opened(path) as store:
        write_session(store)
        assert read(store)[0] == ["new"]


def test_a_full_disk_is_told_and_what_was_there_is_kept(path):
    with opened(path) as store:
        with store.transaction() as tx:
            tx.put_node(NODE)
        (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(TutorError) as caught:
            fill(store)
        assert caught.value.reason == "full"
        assert "Free some space" in caught.value.message
        store._connection.execute("PRAGMA max_page_count = 100000")
        assert read(store) == ([], [], {"python-strings": NODE})
        fill(store)


def test_a_home_that_is_a_file_is_told(tmp_path):
    (tmp_path / "home").write_text("a file")
    trouble = refused(tmp_path / "home" / "tutor.db")
    assert trouble.reason == "forbidden"
    assert "tutor.home" in trouble.message


AS_NOBODY = """
import os, sys
from pathlib import Path
from tutor_lsp.core.errors import TutorError
from tutor_lsp.store.database import open_store
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
try:
    store = open_store(Path(sys.argv[1]))
    print(store.work(lambda tx: tx.sessions()), store.refusal.reason)
    with store.transaction() as tx:
        tx.set_active("new")
except TutorError as error:
    print(error.reason, error.message)
"""


@pytest.mark.parametrize("existing", [True, False])
def test_a_home_that_cannot_be_written_is_told_by_the_first_write(existing):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "home" / "tutor.db"
        path.parent.mkdir()
        if existing:
            with opened(path):
                pass
            path.chmod(0o444)
        path.parent.chmod(0o555)
        Path(folder).chmod(0o755)
        done = subprocess.run(
            [sys.executable, "-c", AS_NOBODY, path], capture_output=True, text=True, check=False
        )
        path.parent.chmod(0o755)
    assert done.stdout.startswith("[] forbidden\nforbidden Your record"), done.stderr
    assert "cannot be written" in done.stdout


@pytest.mark.parametrize(
    ("number", "reason"),
    [(errno.ENOSPC, "full"), (errno.EDQUOT, "full"), (errno.EROFS, "forbidden")],
)
def test_troubles_of_the_file_system_are_told(number, reason):
    error = OSError(number, os.strerror(number))
    assert troubles.from_os(error, Path("/x")).reason == reason


def test_any_other_trouble_is_told(path):
    with opened(path) as store:
        with pytest.raises(TutorError) as caught, store.transaction() as tx:
            tx._connection.execute("SELECT * FROM nothing")
        assert caught.value.reason == "failed"
        with store.transaction() as tx:
            tx.put_node(replace(NODE, mastery=1))
