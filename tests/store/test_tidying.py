"""Tidying the event log: smaller, and whatever is read of it is what it was."""

import sqlite3
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_kit import NODE, REPORT, opened, session

from tutor_lsp.core.learner.merging import missing_events
from tutor_lsp.core.learner.tidying import DISPENSABLE, SHORTENED
from tutor_lsp.core.session import ELSEWHERE, Event
from tutor_lsp.store.holdings import has_all_of
from tutor_lsp.tutor.exercise.last_texts import last_texts
from tutor_lsp.tutor.hinting.context import _texts_before
from tutor_lsp.tutor.learner.mastery import _minutes, _sources
from tutor_lsp.tutor.learner.pages.timeline import SHOWN, steps

FILES = st.dictionaries(st.sampled_from(["src/a.py", "src/b.py"]), st.text(max_size=6))
DATA = {
    "attempt": st.fixed_dictionaries(
        {
            "runId": st.sampled_from(["r1", "r2", "r3", "r4"]),
            "outcome": st.sampled_from(["passed", "failed", "build_error"]),
            "passed": st.integers(0, 3),
            "total": st.just(3),
            "files": FILES,
            "report": st.just({"text": "long" * 9}),
        },
        optional={ELSEWHERE: st.just(True)},
    ),
    "hint": st.fixed_dictionaries(
        {"level": st.integers(1, 3), "unit": st.just("ex-1"), "replaces": st.booleans(),
         "text": st.text(max_size=40)}
    ),
    "reveal": st.fixed_dictionaries({"unit": st.just("ex-1"), "free": st.booleans()}),
    "review": st.just({"attempt": 1, "review": {"summary": "…"}}),
    "misconception": st.fixed_dictionaries(
        {"tag": st.sampled_from(["a", "b"]), "source": st.sampled_from(["coach", "review"])}
    ),
    "reset": st.fixed_dictionaries({"files": FILES, "base64": st.just([])}),
    "memory": st.just({"rating": "good"}),
    "stage-accepted": st.just({"backend": "codex", "durationMs": 2.5}),
    "session-resumed": st.just({}),
    "of another version": st.just({"x": 1}),
}  # fmt: skip
OWNERS = ("passed", "goes-on", None)
LOGS = st.lists(
    st.sampled_from(sorted(DATA)).flatmap(
        lambda kind: st.tuples(st.just(kind), st.sampled_from(OWNERS), DATA[kind])
    ),
    max_size=25,
)


class Opened:
    """As much of an open exercise as `last_texts` asks for."""

    def __init__(self, session):
        self.seen_texts = {}
        self.session = session
        self.vault = type("", (), {"originals": {"src/a.py": "given", "src/b.py": "given"}})
        self.exercise = type("", (), {"starter": {}})


def texts_of(tx, name):
    """What `last_texts` gives, without a loop."""

    class Services:
        async def db(self, work):
            return work(tx)

    waiting = last_texts(Services(), Opened(session(name)))
    try:
        waiting.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError


def read(tx):
    """All that the tutor reads of a log, as far as tidying promises to keep it."""
    events = sorted((e for kind in SHOWN for e in tx.events(kind=kind)), key=lambda e: e["id"])
    found = {
        "report": steps(events),
        "sessions": tx.sessions(),
        "nodes": tx.all_nodes(),
        "kinds": {
            kind: [e["data"] for e in tx.events(kind=kind)]
            for kind in DATA
            if kind not in DISPENSABLE and kind not in SHORTENED
        },
        "minutes": _minutes(tx, session("goes-on")),
    }
    for name in ("passed", "goes-on"):
        attempts = tx.events(session=name, kind="attempt")
        found[name] = (
            _sources(tx, session(name)),
            texts_of(tx, name),
            _texts_before(attempts, None),
            attempts and _texts_before(attempts, _report(attempts[-1])),
        )
    return found


def _report(attempt):
    return replace(REPORT, run_id=attempt["data"]["runId"])


def write(tx, log):
    tx.put_session(session("passed", passed=True))
    tx.put_session(session("goes-on", passed=False))
    tx.put_node(NODE)
    for minute, (kind, owner, data) in enumerate(log):
        at = f"2026-01-01T{minute // 60:02}:{minute % 60:02}:00.000Z"
        tx.log_past(at, Event(kind, data, owner))


@settings(max_examples=25, deadline=None)
@given(LOGS)
def test_what_is_read_stays_as_it_was(tmp_path_factory, log):
    path = tmp_path_factory.mktemp("tidy") / "tutor.db"
    with opened(path) as store:
        with store.transaction() as tx:
            write(tx, log)
            before, events = read(tx), tx.events()
        old = store.keep_copy("before-tidy")
        with store.transaction() as tx:
            tx.trim()
        store.shrink()
        with store.transaction() as tx:
            assert read(tx) == before
            left = tx.events()
            assert [e["id"] for e in left] == [
                e["id"] for e in events
                if not (e["kind"] in DISPENSABLE and e["session"] == "passed")
            ]  # fmt: skip
            # An old export or backup adds nothing that is there, only what nothing reads.
            again = missing_events(left, events)
            assert {e["kind"] for e in again} <= DISPENSABLE
        assert has_all_of(path, old), "a backup of before has nothing that is missed"
        with store.transaction() as tx:
            done = tx.trim()
            assert (done.removed, done.shortened) == (0, 0)


def test_the_log_is_append_only_again(path):
    with opened(path) as store:
        with store.transaction() as tx:
            tx.log(Event("hint", {"text": "x" * 100}))
            assert tx.trim().shortened == 1
        for change in ("DELETE FROM events", "UPDATE events SET data = ''"):
            with pytest.raises(Exception, match="could not"), store.transaction() as tx:
                tx._held.to_write().execute(change)
        with store.transaction() as tx:
            assert len(tx.events()) == 1


def test_what_is_interrupted_changes_nothing(path):
    with opened(path) as store:
        with store.transaction() as tx:
            tx.log(Event("hint", {"text": "x" * 100}))
            before = tx.events()

        def half(tx):
            tx.trim()
            raise KeyError

        with pytest.raises(KeyError):
            store.work(half)
        with store.transaction() as tx:
            assert tx.events() == before
        with sqlite3.connect(path) as connection:
            triggers = connection.execute(
                "SELECT count(*) FROM sqlite_master WHERE type = 'trigger'"
            )
            assert triggers.fetchone() == (2,)
