"""What lists and starts look for is found by an index, whatever else the record has."""

import re
import sqlite3

import pytest
from store_kit import opened, session

from tutor_lsp.core.session import Event
from tutor_lsp.store.migrations import MIGRATIONS, migrate
from tutor_lsp.store.records import dump, load_session
from tutor_lsp.store.transaction import Transaction

LOOKS = {
    "events of a session": lambda tx: tx.events(session="s1"),
    "events of a kind": lambda tx: tx.events(kind="hint"),
    "both": lambda tx: tx.events(session="s1", kind="hint"),
    "last event": lambda tx: tx.last_event("hint", "attempt"),
    "times": lambda tx: tx.times("s1"),
    "going on": lambda tx: tx.rows(going_on=True),
    "passed exercises": lambda tx: tx.passed_exercises(),
    "last used": lambda tx: tx.last_used(),
    "folder": lambda tx: tx.session_of_workspace("/w"),
    "topic": lambda tx: list(tx.sessions_of("python", "n")),
    "passed": lambda tx: tx.has_passed("python", "n"),
    "begun": lambda tx: tx.begun(),
    "active": lambda tx: tx.active(),
}


@pytest.mark.parametrize("look", LOOKS)
def test_no_look_reads_a_whole_table(path, look):
    asked = []
    with opened(path) as store, store.transaction() as tx:
        tx.put_session(session("s1", language="python", node="n"))
        connection = tx._held.to_write()
        connection.set_trace_callback(asked.append)
        LOOKS[look](tx)
        connection.set_trace_callback(None)
        plans = [
            row[3]
            for query in asked
            if query.lstrip().startswith("SELECT")
            for row in connection.execute(f"EXPLAIN QUERY PLAN {query}")
        ]
    assert plans
    assert [plan for plan in plans if re.match(r"SCAN (events|sessions)(?! USING)", plan)] == []


def test_sessions_in_short_are_those_of_the_record(path):
    odd = "/home/\udcff/work"
    with opened(path) as store, store.transaction() as tx:
        going = session("s1", created_at="1", updated_at="9", ended_at=None, passed=False)
        ended = session("s2", created_at="2", updated_at="8", ended_at="3", passed=False)
        passed = session("s3", created_at="3", updated_at="7", ended_at=None, passed=True)
        strange = session("s4", created_at="4", updated_at="6", workspace=odd, passed=False,
                          ended_at=None, review_of="s3")  # fmt: skip
        for each in (going, ended, passed, strange):
            tx.put_session(each)
        every = tx.sessions()
        assert [row.id for row in tx.rows()] == [each.id for each in every]
        assert tx.folders() == [(each.id, each.workspace) for each in every]
        assert [row.id for row in tx.rows(going_on=True)] == ["s4", "s1"]
        assert tx.rows(going_on=True)[0].workspace == odd
        assert tx.begun() == {(each.language, each.node) for each in every}
        assert tx.count_sessions() == 4
        assert tx.passed_exercises() == {passed.exercise_id}
        assert tx.last_used() == going
        assert next(tx.newest()) == strange
        assert list(tx.sessions_of(going.language, going.node)) == every
        assert list(tx.sessions_of(going.language, "other")) == []


def test_a_short_review_is_no_pass(path):
    with opened(path) as store, store.transaction() as tx:
        tx.put_session(session("s1", language="c", node="n", passed=True, review_of="s0"))
        assert not tx.has_passed("c", "n")
        tx.put_session(session("s2", language="c", node="n", passed=True, review_of=""))
        assert tx.has_passed("c", "n")
        assert not tx.has_passed("c", "m")


def test_a_session_is_found_by_the_begin_of_its_id(path):
    with opened(path) as store, store.transaction() as tx:
        for name in ("ab1", "ab2", "ab", "b%_"):
            tx.put_session(session(name))
        assert [each.id for each in tx.sessions_named("ab")] == ["ab"]
        assert {each.id for each in tx.sessions_named("a")} == {"ab", "ab1", "ab2"}
        assert [each.id for each in tx.sessions_named("b%")] == ["b%_"]
        assert tx.sessions_named("AB") == []


def test_events_come_in_order_whatever_is_asked(path):
    with opened(path) as store, store.transaction() as tx:
        for number in range(20):
            owner = f"s{number % 2}"
            tx.log(Event(("hint", "attempt", "claim")[number % 3], {"n": number}, owner))
        every = tx.events()
        assert [each["data"]["n"] for each in every] == list(range(20))
        for owner in ("s0", "s1"):
            mine = [each for each in every if each["session"] == owner]
            assert tx.events(session=owner) == mine
            assert tx.times(owner) == [each["at"] for each in mine]
            hints = [each for each in mine if each["kind"] == "hint"]
            assert tx.events(session=owner, kind="hint") == hints
        assert tx.last_event("hint", "attempt") == "attempt"
        assert tx.last_event("hint", "nothing") == "hint"
        assert tx.last_event("nothing") is None


def test_a_record_of_version_3_is_kept_with_its_log(path):
    path.parent.mkdir(parents=True)
    old = sqlite3.connect(path, isolation_level=None)
    migrate(old, "then", MIGRATIONS[:3])
    kept = session("s1")
    old.execute(
        "INSERT INTO sessions VALUES ('s1','e1','n','python','D1','/w','1','1',NULL,0,?)",
        (dump(kept),),
    )
    old.executemany(
        "INSERT INTO events (at, kind, session, data) VALUES (?, ?, 's1', '{}')",
        [(str(number), "hint") for number in range(5)],
    )
    old.close()
    with opened(path) as store, store.transaction() as tx:
        assert tx.session("s1") == kept
        assert tx.times("s1") == list("01234")
        assert [row.id for row in tx.rows(going_on=True)] == ["s1"]


def test_finding_one_session_reads_no_other(path, monkeypatch):
    read = []

    def noted(text):
        found = load_session(text)
        read.append(found.id)
        return found

    monkeypatch.setattr("tutor_lsp.store.transaction.load_session", noted)
    with opened(path) as store, store.transaction() as tx:
        assert isinstance(tx, Transaction)
        for number in range(20):
            tx.put_session(
                session(f"s{number:02}", created_at=f"{number:02}", updated_at=f"{number:02}")
            )
        assert tx.last_used().id == "s19"
        assert next(tx.newest()).id == "s19"
        assert next(tx.sessions_of("python", session().node)).id == "s19"
    assert set(read) == {"s19"}
