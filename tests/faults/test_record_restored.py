"""A record that is brought back: nobody loses what was written since."""

import threading
from contextlib import closing

import pytest
import record_kit
from record_kit import (
    ask,
    empty,
    sessions,
    terminal,
    truncated,
)

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.session import Event
from tutor_lsp.store.database import open_store

pytestmark = pytest.mark.first(3)

home = record_kit.home


def claimed(home):
    return {node for (node,) in ask(home, "SELECT node FROM nodes WHERE claimed")}


def _log(tx, mark):
    tx.log(Event("mark", {"mark": mark}))


def test_what_was_written_since_stays(home, used):
    empty(home)
    assert terminal(home, "start", "--node", "python-strings", "--json")[0] == 0
    assert terminal(home, "claim", "python-lists")[0] == 0
    (new,) = sessions(home)
    assert terminal(home, "restore", "--record")[0] == 0
    assert sessions(home) == sessions(used) | {new}
    assert claimed(home) == {"python-strings", "python-lists"}


@pytest.mark.long("runs tests several times; others here stand for it")
def test_a_session_that_only_stood_in_gives_way(used, tmp_path):
    """Opening the folder meanwhile made a session for it, in which nothing was done."""
    home = tmp_path / "home"
    for verb in ("start", "claim"):
        more = ("--language", "python") if verb == "start" else ("python-strings",)
        assert terminal(home, verb, *more)[0] == 0
    before = sessions(home)
    truncated(home, 0)
    workspace = next((home / "exercises").iterdir())
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
