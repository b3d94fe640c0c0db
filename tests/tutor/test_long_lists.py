"""Lists after years of use: what is shown first is read, the rest when it is asked for."""

from dataclasses import replace
from pathlib import Path

import pytest
from tutor_kit import tutor

from tutor_lsp.tutor.learner.standings import CONTINUED
from tutor_lsp.tutor.starting.choices import NEWEST

MANY = NEWEST + 5


@pytest.fixture
async def t(tmp_path):
    async with tutor(tmp_path / "home") as found:
        yield found


async def many_sessions(t, **changes):
    """Sessions like the first one, each with its folder, from the oldest to the newest."""
    await t.start(node="python-loops")
    services = t.app.services
    (first,) = await services.db(lambda tx: tx.sessions())
    kept = await services.db(lambda tx: tx.exercise(first.id))

    def write(tx):
        for number in range(MANY):
            name = f"many-{number:03}"
            folder = Path(first.workspace).with_name(name)
            folder.mkdir()
            given = {"created_at": f"2999-{number:03}", "workspace": str(folder), **changes}
            tx.put_session(replace(first, id=name, **given))
            tx.put_exercise(name, *kept)

    await services.db(write)
    return first


async def test_the_newest_sessions_come_first_and_all_on_request(t):
    first = await many_sessions(t, passed=True)
    rows = await t.do("choices", list="sessions")
    assert [row["argument"].get("session") for row in rows[:-1]] == [
        f"many-{number:03}" for number in range(MANY - 1, MANY - NEWEST - 1, -1)
    ]
    assert rows[-1]["label"] == f"{MANY + 1 - NEWEST} older sessions"
    assert rows[-1]["command"] == "tutor.choices"
    every = await t.do("choices", **rows[-1]["argument"])
    assert [row["argument"]["session"] for row in every] == [
        *(f"many-{number:03}" for number in range(MANY - 1, -1, -1)),
        first.id,
    ]


async def test_what_goes_on_is_offered_up_to_a_number_the_one_in_use_first(t):
    first = await many_sessions(t)
    rows = await t.do("choices", list="start", language="python")
    going_on = [row["argument"]["session"] for row in rows if row["kind"] == "session"]
    assert going_on[0] == first.id
    assert going_on[1:] == [f"many-{MANY - 1 - number:03}" for number in range(CONTINUED - 1)]
    # What is begun and not shown is not offered as new either.
    assert not [row for row in rows if row["argument"].get("node") == first.node]
    (all_,) = [row for row in rows if row["argument"].get("list") == "sessions"]
    assert all_["detail"] == f"{MANY + 1} sessions"


async def test_one_in_the_likely_language_is_offered_however_old_it_is(t, monkeypatch):
    monkeypatch.setattr("tutor_lsp.tutor.learner.standings.CONTINUED", 2)
    first = await many_sessions(t, language="rust")
    await t.app.services.db(lambda tx: tx.set_active("many-003"))
    rows = await t.do("choices", list="start", language="python")
    going_on = [row["argument"]["session"] for row in rows if row["kind"] == "session"]
    assert going_on == [first.id, "many-003", f"many-{MANY - 1:03}"]


async def test_a_list_reads_only_what_it_shows(t):
    await many_sessions(t)
    read = []
    db = t.app.services.store.work

    def watched(work):
        def noting(tx):
            one = tx._one_session
            tx._one_session = lambda *asked: read.append(asked) or one(*asked)
            tx.sessions = pytest.fail
            return work(tx)

        return db(noting)

    t.app.services.store.work = watched
    await t.do("choices", list="start", language="python")
    assert 0 < len(read) < 2 * CONTINUED
