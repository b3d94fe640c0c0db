"""Cases that a review found: in lists, in the learner's test file, in checks and in resets."""

from dataclasses import replace
from pathlib import Path

import pytest
from tutor_kit import solve, stub_file, write_wrong

from tutor_lsp.core.session import CounterExample
from tutor_lsp.tutor.exercise.place_cases import place_tests
from tutor_lsp.tutor.learner.standings import standings

CASE = CounterExample("ex-1", (), "to_minutes(1, 1)", "61", "-1")
NAME = "test_to_minutes_in_case_1_of_the_review"


def given_tests(ready):
    return next(Path(ready["workspace"], "tests").glob("test_*.py"))


async def join(t, opened, *, place=True):
    given = dict(opened.vault.originals)
    await t.app.exercises.change_session(opened, lambda session: replace(session, cases=(CASE,)))
    if place:
        await place_tests(t.app.services, opened, given)


async def begin(t):
    ready = await t.start(language="python")
    assert ready["units"][0]["stub"] == "to_minutes"
    return ready, t.app.exercises.opened_of(stub_file(ready))


async def test_a_list_counts_a_case_like_the_open_exercise(t):
    ready, opened = await begin(t)
    solve(ready)
    await join(t, opened)
    await t.do("check")
    open_now = opened.standing()
    _, listed = (await standings(t.app.services, [opened.session]))[opened.session.id]
    assert open_now.all_green
    assert (listed.tests, listed.units_words) == (open_now.tests, open_now.units_words)


async def test_a_case_leaves_unsaved_edits_of_the_tests_alone(t):
    ready, opened = await begin(t)
    path = given_tests(ready)
    given = path.read_text()
    t.desk.buffers[path] = given + "# a case of mine\n"
    await join(t, opened)
    assert t.desk.buffers[path] == given + "# a case of mine\n"
    assert path.read_text() == given


async def test_a_case_is_saved_where_the_tests_are_open_without_edits(t):
    ready, opened = await begin(t)
    path = given_tests(ready)
    t.desk.buffers[path] = path.read_text()
    await join(t, opened)
    assert NAME in path.read_text()


async def test_a_case_comes_into_a_test_file_with_other_line_ends(t):
    ready, opened = await begin(t)
    path = given_tests(ready)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    await join(t, opened)
    data = path.read_bytes()
    assert NAME.encode() in data
    assert data.count(b"\n") == data.count(b"\r\n")


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_a_check_leaves_out_a_case_that_the_test_file_lacks_and_an_attempt_runs_it(t):
    ready, opened = await begin(t)
    solve(ready)
    path = given_tests(ready)
    path.write_text(path.read_text() + "\n# mine\n")
    await join(t, opened)
    report = await t.do("check")
    assert report["outcome"] == "passed"
    assert NAME not in [test["name"] for test in report["tests"]]
    ran = (await t.do("attempt"))["report"]["tests"]
    assert [test["outcome"] for test in ran if test["name"].endswith(NAME)] == ["passed"]


async def test_a_check_still_misses_a_test_of_the_exercise_itself(t):
    ready, opened = await begin(t)
    solve(ready)
    path = given_tests(ready)
    first = ready["units"][0]["tests"][0]
    path.write_text(path.read_text().replace(f"def {first}", "def other"))
    await join(t, opened)
    report = await t.do("check")
    assert [x["name"] for x in report["tests"] if x["outcome"] == "errored"] == [first]


@pytest.mark.parametrize("unit", [None, "ex-1"])
async def test_undo_brings_the_cases_back_that_a_reset_took(t, unit):
    ready, opened = await begin(t)
    given = given_tests(ready).read_text()
    write_wrong(ready)
    await join(t, opened)
    with_case = given_tests(ready).read_text()
    await t.do("reset")
    assert opened.session.cases == ()
    assert given_tests(ready).read_text() == given
    await t.do("reset", undo=True, **({} if unit is None else {"unit": unit}))
    assert opened.session.cases == (CASE,)
    assert given_tests(ready).read_text() == with_case
    await t.do("reset", undo=True)
    assert opened.session.cases == ()


async def test_a_reset_that_took_cases_alone_is_undone(t):
    _, opened = await begin(t)
    await join(t, opened)
    await t.do("reset")
    assert opened.session.cases == ()
    assert (await t.do("reset", undo=True))["undone"]
    assert opened.session.cases == (CASE,)
    await t.do("reset", undo=True)
    assert opened.session.cases == ()


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_an_undo_that_brought_cases_alone_is_undone(t):
    ready, opened = await begin(t)
    mine = write_wrong(ready)
    await join(t, opened)
    await t.do("reset")
    stub_file(ready).write_text(mine)
    assert (await t.do("reset", undo=True, unit="ex-1"))["files"] == []
    assert opened.session.cases == (CASE,)
    await t.do("reset", undo=True)
    assert opened.session.cases == ()
    assert stub_file(ready).read_text() == mine


async def test_a_reset_that_fails_leaves_the_cases(t, monkeypatch):
    ready, opened = await begin(t)
    write_wrong(ready)
    await join(t, opened)

    async def fails(path, text):
        raise OSError("read-only")

    monkeypatch.setattr(t.desk, "replace", fails)
    with pytest.raises(OSError, match="read-only"):
        await t.do("reset")
    assert opened.session.cases == (CASE,)
