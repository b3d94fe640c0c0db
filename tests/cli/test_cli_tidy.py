"""`tidy`: what it says, what it gives as JSON, and the copy that stays."""

import contextlib
import sqlite3

from tutor_lsp.core.session import Event
from tutor_lsp.store.database import open_store

BIG = {"level": 1, "unit": "ex-1", "text": "x" * 4000}


def logged(home, *events):
    """Write these events to the record."""
    with contextlib.closing(open_store(home / "tutor.db")) as store, store.transaction() as tx:
        for kind, data in events:
            tx.log(Event(kind, data))


def copies(home):
    return sorted(home.glob("*before-tidy*"))


def events(path):
    with sqlite3.connect(path) as connection:
        return connection.execute("SELECT kind, data FROM events ORDER BY id").fetchall()


def test_it_says_what_it_did_and_keeps_the_record_as_it_was(cli, home, exercise):
    logged(home, ("hint", BIG))
    before = events(home / "tutor.db")
    said = cli("tidy")
    assert (said.code, said.err) == (0, "")
    [copy] = copies(home)
    assert "Trimmed: no event removed, 1 event shortened.\n" in said.out
    assert "The record had 0.1 MB and has 0.1 MB now.\n" in said.out
    assert f"As it was before: {copy} (delete it when you like)\n" in said.out
    assert events(copy) == before
    after = events(home / "tutor.db")
    assert [kind for kind, _ in after] == [kind for kind, _ in before]
    assert "xxx" not in str(after)


def test_its_json_has_the_counts_and_the_copy(cli, home, exercise):
    logged(home, ("hint", BIG), ("hint", {**BIG, "level": 2}))
    result = cli("tidy", "--json").json
    assert (result["removed"], result["shortened"]) == (0, 2)
    assert result["backup"] == str(copies(home)[0])
    assert result["freed"] == max(result["bytesBefore"] - result["bytesAfter"], 0)
    assert result["bytesAfter"] == (home / "tutor.db").stat().st_size


def test_no_copy_stays_where_there_is_nothing_to_trim(cli, home, exercise):
    said = cli("tidy")
    assert (said.code, said.out.strip()) == (0, "There is nothing to trim.")
    result = cli("tidy", "--json").json
    assert (result["removed"], result["shortened"], result["freed"]) == (0, 0, 0)
    assert result["backup"] is None
    assert copies(home) == []


def test_a_second_time_it_has_nothing_to_do(cli, home, exercise):
    logged(home, ("hint", BIG))
    cli("tidy")
    assert cli("tidy").out.strip() == "There is nothing to trim."
    assert len(copies(home)) == 1


def test_a_home_without_a_record_has_nothing_to_trim(cli, home):
    said = cli("tidy")
    assert (said.code, said.out.strip()) == (0, "There is nothing to trim.")
    assert not (home / "tutor.db").exists()
