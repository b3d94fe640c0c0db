"""Threads and programs at the same time: nothing lost, nothing half, waits are bounded."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from store_kit import NODE, opened

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.session import Event

WRITER = Path(__file__).with_name("writer.py")


@contextmanager
def program(path, *arguments):
    """The writer as a child process, killed at the end if it still runs."""
    child = subprocess.Popen(
        [sys.executable, WRITER, path, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield child
    finally:
        child.kill()
        child.wait(timeout=20)
        child.stdin.close()
        child.stdout.close()


def test_two_programs_with_two_threads_each_lose_no_update(path):
    def count():
        for _ in range(50):
            with store.transaction() as tx:
                record = tx.node("rust", "let")
                tx.put_node(replace(record, mastery=record.mastery + 1))

    with program(path, "count", "100") as other, opened(path, busy_s=30) as store:
        threads = [threading.Thread(target=count) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert other.wait(timeout=30) == 0
        with store.transaction() as tx:
            assert tx.node("rust", "let").mastery == 200


def test_programs_that_make_the_file_at_the_same_time_get_one(path):
    children = [subprocess.Popen([sys.executable, WRITER, path, "count", "5"]) for _ in range(4)]
    assert [child.wait(timeout=30) for child in children] == [0] * 4
    with opened(path) as store, store.transaction() as tx:
        assert tx.node("rust", "let").mastery == 20


def test_a_file_that_another_program_is_just_making_was_not_emptied(path):
    with opened(path) as store:
        assert store.work(lambda tx: tx.sessions()) == []
        path.parent.mkdir(parents=True)
        path.touch()
        with store.transaction() as tx:
            tx.put_node(NODE)
        assert store.work(lambda tx: tx.node(NODE.language, NODE.node)) == NODE


@pytest.mark.parametrize("after", [1, 40])
def test_a_killed_program_loses_nothing_that_it_had_committed(path, after):
    with program(path, "events") as child:
        lines = (child.stdout.readline() for _ in range(after))
        last = int(list(lines)[-1])
        os.kill(child.pid, signal.SIGKILL)
        last = int(([str(last), *child.stdout.read().split()])[-1])
    with opened(path) as store, store.transaction() as tx:
        numbers = [event["data"]["number"] for event in tx.events(kind="tick")]
        tx.log(Event("after"))
    assert numbers == list(range(len(numbers)))
    assert len(numbers) > last
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.parametrize("how", ["hold", "lock"])
def test_a_file_that_another_program_holds_is_told_after_the_limit(path, how):
    with opened(path, busy_s=0.2) as store, store.transaction() as tx:
        tx.put_node(NODE)
    with program(path, how) as child:
        assert child.stdout.readline() == "held\n"
        before = time.monotonic()
        with pytest.raises(TutorError) as caught, opened(path, busy_s=0.2) as store:
            write(store)
        assert 0.1 < time.monotonic() - before < 20
        assert (caught.value.kind, caught.value.reason) == ("STORE", "locked")
        assert "another program has locked" in caught.value.message
        child.stdin.close()
        assert child.wait(timeout=20) == 0
        with opened(path) as store, store.transaction() as tx:
            assert tx.nodes() == {"python-strings": NODE}


def write(store):
    with store.transaction() as tx:
        tx.put_node(replace(NODE, mastery=0))


def test_a_store_that_was_refused_goes_on_when_the_file_is_free_again(path):
    with opened(path, busy_s=0.2) as store:
        with program(path, "hold") as child:
            assert child.stdout.readline() == "held\n"
            with pytest.raises(TutorError):
                write(store)
        write(store)
        with store.transaction() as tx:
            assert tx.node("python", "python-strings").mastery == 0


def test_a_thread_that_keeps_its_turn_too_long_is_told_too(path):
    holding, done = threading.Event(), threading.Event()

    def hold():
        with store.transaction():
            holding.set()
            done.wait(20)

    with opened(path, busy_s=0.1) as store:
        thread = threading.Thread(target=hold)
        thread.start()
        holding.wait(20)
        with pytest.raises(TutorError) as caught:
            write(store)
        done.set()
        thread.join()
        assert caught.value.reason == "locked"
        write(store)


def test_readers_see_only_what_is_committed(path):
    with opened(path) as first, opened(path) as second:
        with first.transaction() as tx:
            tx.put_node(NODE)
        with second.transaction() as tx:
            assert tx.nodes() == {"python-strings": NODE}


def test_what_another_program_writes_is_noticed_and_reading_is_not(path):
    path.parent.mkdir(parents=True)
    with opened(path) as store:
        assert store.changed_elsewhere()  # nothing is known yet
        with store.transaction() as tx:
            tx.log(Event("mine"))
        assert not store.changed_elsewhere()
        with opened(path) as other:
            with other.transaction() as tx:
                tx.node("rust", "let")
            assert not store.changed_elsewhere()
            with other.transaction() as tx:
                tx.log(Event("theirs"))
        assert store.changed_elsewhere()
        assert not store.changed_elsewhere()
        with store.transaction():
            answers = []
            asking = threading.Thread(target=lambda: answers.append(store.changed_elsewhere()))
            asking.start()
            asking.join(timeout=20)
            assert answers == [False], "it waited for a transaction"
    assert not store.changed_elsewhere()
