"""Interrupted set-ups: found again, ended, kept apart."""

import sqlite3
from contextlib import ExitStack
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store_kit import opened

from tutor_lsp.core.ports import JournalEntry, JournalKey
from tutor_lsp.core.stage import Role

KEY = JournalKey("rust-let", "rust", "D1", "codex")


def entry(role, iteration=1, text="x"):
    return JournalEntry(role, iteration, {"content": text, "n": None, "é": ["\ud800"]})


SCAFFOLD, STARTER, STARTER_2, TEST = (
    entry(Role.SCAFFOLD),
    entry(Role.STARTER),
    entry(Role.STARTER, 2),
    entry(Role.TEST),
)


def test_entries_are_found_again_in_order_after_a_restart(path):
    with opened(path) as store:
        assert store.journal().load(KEY) == []
        for each in (SCAFFOLD, STARTER, STARTER_2):
            store.journal().append(KEY, each)
    with opened(path) as store:
        assert store.journal().load(KEY) == [SCAFFOLD, STARTER, STARTER_2]
        store.journal().append(KEY, TEST)
        assert store.journal().load(KEY) == [SCAFFOLD, STARTER, STARTER_2, TEST]


@pytest.mark.parametrize(
    "other",
    [
        replace(KEY, subject="topic:closures"),
        replace(KEY, language="python"),
        replace(KEY, depth="D2"),
        replace(KEY, backend="library"),
    ],
)
def test_each_part_of_the_key_counts(path, other):
    with opened(path) as store:
        journal = store.journal()
        journal.append(KEY, SCAFFOLD)
        assert journal.load(other) == []
        journal.append(other, TEST)
        journal.close(other, "ready")
        assert journal.load(KEY) == [SCAFFOLD]


def test_an_ended_set_up_is_kept_but_not_found(path):
    with opened(path) as store:
        journal = store.journal()
        journal.append(KEY, SCAFFOLD)
        journal.close(KEY, "proof-failed")
        assert journal.load(KEY) == []
        journal.append(KEY, STARTER)
        assert journal.load(KEY) == [STARTER]
    connection = sqlite3.connect(path)
    rows = connection.execute(
        "SELECT outcome, role FROM setups JOIN setup_entries ON setups.id = setup ORDER BY setup"
    ).fetchall()
    connection.close()
    assert rows == [("proof-failed", "scaffold"), (None, "starter-expand")]


def test_appending_the_same_twice_changes_nothing(path):
    with opened(path) as store:
        for _ in range(2):
            store.journal().append(KEY, SCAFFOLD)
        assert store.journal().load(KEY) == [SCAFFOLD]


def test_two_programs_that_set_up_the_same_do_not_mix(path):
    with opened(path) as first, opened(path) as second:
        mine, yours = first.journal(), second.journal()
        mine.append(KEY, SCAFFOLD)
        assert yours.load(KEY) == [SCAFFOLD]
        mine.append(KEY, entry(Role.STARTER, text="mine"))
        yours.append(KEY, entry(Role.STARTER, text="yours"))
        mine.append(KEY, entry(Role.TEST, text="mine"))
        yours.append(KEY, entry(Role.TEST, text="yours"))
        expected = [SCAFFOLD, entry(Role.STARTER, text="yours"), entry(Role.TEST, text="yours")]
        assert yours.load(KEY) == expected
        mine.append(KEY, entry(Role.LESSON, text="mine"))
    connection = sqlite3.connect(path)
    mixed = connection.execute(
        "SELECT setup FROM setup_entries WHERE role != 'scaffold' "
        "GROUP BY setup HAVING count(DISTINCT payload) > 1"
    ).fetchall()
    connection.close()
    assert mixed == []


def test_a_set_up_goes_on_although_another_program_ended_it(path):
    with opened(path) as first, opened(path) as second:
        first.journal().append(KEY, SCAFFOLD)
        second.journal().load(KEY)
        second.journal().close(KEY, "fresh")
        first.journal().append(KEY, STARTER)
        assert first.journal().load(KEY) == [SCAFFOLD, STARTER]


programs = st.lists(
    st.tuples(st.integers(0, 1), st.sampled_from(["load", "append", "append", "append", "ready"])),
    max_size=25,
)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(programs)
def test_over_any_interleaving_each_program_finds_a_line_of_its_own(tmp_path_factory, steps):
    """What a program loads begins with what it knew, and holds no entry of the other after it
    has written one of its own."""
    path = tmp_path_factory.mktemp("journal") / "tutor.db"
    order = [Role.SCAFFOLD, Role.STARTER, Role.TEST, Role.LESSON]
    with ExitStack() as stack:
        journals = [stack.enter_context(opened(path)).journal() for _ in range(2)]
        known = [[], []]
        for who, step in steps:
            journal, mine = journals[who], known[who]
            if step == "load":
                known[who] = list(journal.load(KEY))
                assert [each.role for each in known[who]] == order[: len(known[who])]
            elif step == "ready":
                journal.close(KEY, "ready")
                known[who] = []
            elif len(mine) < len(order):
                new = entry(order[len(mine)], text=f"program {who}, {len(mine)}")
                journal.append(KEY, new)
                mine.append(new)
        connection = sqlite3.connect(path)
        rows = connection.execute("SELECT setup, role FROM setup_entries ORDER BY setup, place")
        lines = {}
        for setup, role in rows:
            lines.setdefault(setup, []).append(role)
        connection.close()
        for roles in lines.values():
            assert roles == [role.value for role in order[: len(roles)]]
