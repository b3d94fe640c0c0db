"""What is stored comes back as it was, atomically."""

import sqlite3
import stat
from dataclasses import replace
from pathlib import Path

import pytest
import quick
from store_kit import EXERCISE, NODE, VAULT, opened, session

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.session import Event, NodeRecord
from tutor_lsp.store import files


def test_everything_comes_back_as_it_was_after_reopening(path):
    with opened(path) as store, store.transaction() as tx:
        tx.put_session(session())
        tx.put_exercise("s1", EXERCISE, VAULT)
        tx.put_node(NODE)
        tx.set_active("s1")
        assert tx.session("s1") == session()
    with opened(path) as store, store.transaction() as tx:
        assert tx.session("s1") == session()
        assert tx.exercise("s1") == (EXERCISE, VAULT)
        assert tx.node("python", "python-strings") == NODE
        assert tx.active() == "s1"


def test_what_is_written_is_on_the_disk_before_it_counts(path, monkeypatch):
    monkeypatch.setattr(sqlite3, "connect", quick.connect)
    with opened(path) as store:
        assert store.work(lambda tx: tx.sessions()) == []
        assert store._connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_what_is_not_there_is_none_or_empty(path):
    with opened(path) as store, store.transaction() as tx:
        assert tx.session("x") is None
        assert tx.exercise("x") is None
        assert tx.session_of_workspace("/x") is None
        assert tx.active() is None
        assert tx.node("rust", "x") == NodeRecord("x", "rust")
        assert tx.nodes() == {}
        assert tx.sessions() == tx.events() == []


def test_a_missing_folder_is_made_by_the_first_write(path):
    with opened(path) as store, opened(path) as other:
        assert store.work(lambda tx: tx.sessions()) == []
        with pytest.raises(ZeroDivisionError):
            store.work(lambda tx: tx.sessions()[0] if 1 / 0 else None)
        assert not path.parent.exists()
        store.work(lambda tx: tx.put_session(session()))
        assert path.is_file()
        assert other.work(lambda tx: tx.sessions()) == [session()]
        other.work(lambda tx: tx.put_node(NODE))
        assert store.work(lambda tx: tx.node("python", "python-strings")) == NODE


def test_a_folder_that_cannot_be_made_is_told_at_once(path):
    path.parent.parent.write_text("")
    with pytest.raises(TutorError) as caught, opened(path):
        pass
    assert caught.value.kind == "STORE"


def test_putting_again_replaces(path):
    with opened(path) as store, store.transaction() as tx:
        for title in ("old", "new"):
            tx.put_session(session(title=title))
            tx.put_exercise("s1", replace(EXERCISE, title=title), VAULT)
            tx.put_node(replace(NODE, mastery=len(title) % 2))
        assert [each.title for each in tx.sessions()] == ["new"]
        assert tx.exercise("s1")[0].title == "new"
        assert tx.node("python", "python-strings").mastery == 1


def test_sessions_come_newest_first_and_the_newest_owns_its_folder(path):
    with opened(path) as store, store.transaction() as tx:
        for name, day in (("a", "1"), ("c", "3"), ("b", "2"), ("d", "3")):
            tx.put_session(session(name, created_at=day, workspace="/same"))
        tx.put_session(session("c", created_at="3", workspace="/same", title="later"))
        assert [each.id for each in tx.sessions()] == ["d", "c", "b", "a"]
        assert tx.session_of_workspace("/same").id == "d"


def test_an_ended_session_is_not_active(path):
    with opened(path) as store, store.transaction() as tx:
        tx.put_session(session("a"))
        tx.put_session(session("b"))
        tx.set_active("a")
        tx.set_active("b")
        assert tx.active() == "b"
        tx.put_session(session("b", ended_at="t"))
        assert tx.active() is None
        tx.set_active("a")
        tx.set_active(None)
        assert tx.active() is None


def test_nodes_can_be_asked_for_by_language(path):
    with opened(path) as store, store.transaction() as tx:
        tx.put_node(NODE)
        tx.put_node(NodeRecord("rust-let", "rust"))
        assert list(tx.nodes()) == ["python-strings", "rust-let"]
        assert list(tx.nodes("rust")) == ["rust-let"]


def test_events_come_in_order_with_what_they_carry(path):
    with opened(path) as store, store.transaction() as tx:
        tx.log(Event("attempt", {"text": "é\ud800\0", "n": [1, None]}, "s1"))
        tx.log(Event("hint", session="s2"))
        tx.log(Event("attempt"))
        first, second, _ = tx.events()
        assert first["at"] < second["at"]
        assert first == {
            "id": 1,
            "at": first["at"],
            "kind": "attempt",
            "session": "s1",
            "data": {"text": "é\ud800\0", "n": [1, None]},
        }
        assert [event["id"] for event in tx.events(kind="attempt")] == [1, 3]
        assert [event["id"] for event in tx.events(session="s2")] == [2]
        assert tx.events(session="s2", kind="attempt") == []


def test_the_event_log_can_only_grow(path):
    with opened(path) as store, store.transaction() as tx:
        tx.log(Event("attempt"))
    connection = sqlite3.connect(path)
    for change in ("UPDATE events SET kind = 'x'", "DELETE FROM events"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            connection.execute(change)
    connection.close()


def break_off(store):
    with store.transaction() as tx:
        tx.put_node(replace(NODE, mastery=0))
        tx.put_session(session())
        assert tx.node("python", "python-strings").mastery == 0
        raise KeyError


def test_a_transaction_is_all_or_nothing(path):
    with opened(path) as store:
        with store.transaction() as tx:
            tx.put_node(NODE)
        with pytest.raises(KeyError):
            break_off(store)
        with store.transaction() as tx:
            assert tx.node("python", "python-strings") == NODE
            assert tx.sessions() == []


def test_a_transaction_that_has_ended_refuses_further_calls(path):
    with opened(path) as store:
        with store.transaction() as tx:
            pass
        with pytest.raises(RuntimeError, match="ended"):
            tx.sessions()


def test_transactions_of_one_thread_do_not_nest(path):
    with opened(path) as store, store.transaction() as tx:
        with pytest.raises(RuntimeError, match="nested"), store.transaction():
            pass
        tx.put_node(NODE)


def test_a_closed_store_says_so(path):
    with opened(path) as store:
        pass
    store.close()
    with pytest.raises(TutorError) as caught, store.transaction():
        pass
    assert (caught.value.kind, caught.value.reason) == ("STORE", "closed")


def test_paths_that_are_no_proper_text_are_kept(path):
    odd = session(workspace="/home/\udcff/x")
    with opened(path) as store, store.transaction() as tx:
        tx.put_session(odd)
        assert tx.session_of_workspace("/home/\udcff/x") == odd


def test_folders_and_file_are_for_their_owner_only(path):
    with opened(path) as store, store.transaction() as tx:
        tx.put_node(NODE)
        modes = {entry.name: stat.S_IMODE(entry.stat().st_mode) for entry in path.parent.iterdir()}
    assert set(modes) >= {"tutor.db", "tutor.db-wal"}
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.parent.parent.stat().st_mode) == 0o700


def test_a_file_that_others_could_read_is_closed_to_them(path):
    path.parent.mkdir(parents=True)
    with opened(path):
        pass
    path.chmod(0o644)
    with opened(path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_record_of_an_unknown_shape_is_refused_and_kept(path):
    with opened(path) as store, store.transaction() as tx:
        tx.put_session(session())
    connection = sqlite3.connect(path)
    connection.execute("""UPDATE sessions SET body = '{"id": 3}'""")
    connection.commit()
    connection.close()
    with opened(path) as store:
        with pytest.raises(TutorError) as caught, store.transaction() as tx:
            tx.sessions()
        assert caught.value.reason == "unknown-form"
        assert "session s1" in caught.value.message
        with store.transaction() as tx:
            assert tx.nodes() == {}
    assert [entry.name for entry in path.parent.glob("*damaged*")] == []


def test_whether_a_folder_could_be_made_is_tried_and_leaves_nothing(tmp_path):
    assert files.could_be_made(tmp_path / "new" / "home")
    assert list(tmp_path.iterdir()) == []
    assert not files.could_be_made(tmp_path)
    # Root may write there, says the system, and yet nobody can.
    assert not files.could_be_made(Path("/proc/nope"))
