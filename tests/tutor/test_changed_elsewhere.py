"""Results are never shown as those of a text that they do not belong to."""

import time
from pathlib import Path

import pytest
from tutor_kit import solve, stub_file, tutor, write_wrong

from tutor_lsp.tutor.exercise.follow import show_changes
from tutor_lsp.tutor.running.saving import saved


async def states(t):
    return [unit["state"] for unit in (await t.do("status"))["units"]]


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_results_of_a_text_that_was_changed_elsewhere_are_stale(t):
    ready = await t.start(language="python")
    given = stub_file(ready).read_text()
    solve(ready)
    assert set(await states(t)) == {"stale"}, "written, and not run yet"
    await t.do("check")
    solved = stub_file(ready).read_text()
    green = ["passing"] * len(ready["units"])
    assert await states(t) == green
    stub = ready["units"][1]["stub"]
    assert Path(ready["workspace"], ready["units"][1]["file"]) == stub_file(ready)
    head = f"def {stub}("
    at = solved.index("\n", solved.index('"""', solved.index('"""', solved.index(head)) + 3)) + 1
    stub_file(ready).write_text(solved[:at] + "    raise ValueError\n" + solved[at:])
    assert set(await states(t)) == {"stale"}, "one function may change what the others give"
    async with tutor(t.home) as other:
        other.desk.document = stub_file(ready)
        assert set(await states(other)) == {"stale"}
    stub_file(ready).write_text(given)  # back to the stubs: nothing is written yet
    assert set(await states(t)) == {"todo"}
    stub_file(ready).write_text(solved)
    assert await states(t) == green


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_a_failure_of_another_text_is_stale_until_the_next_check(t):
    ready = await t.start(language="python")
    write_wrong(ready)
    await t.do("check")
    assert (await states(t))[0] == "failing"
    stub_file(ready).write_text(stub_file(ready).read_text().replace("return -1", "return -2"))
    assert (await states(t))[0] == "stale"
    await t.do("check")
    assert (await states(t))[0] == "failing"


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_a_build_error_stands_in_its_unit(t):
    ready = await t.start(language="python")
    text = write_wrong(ready)
    await t.do("check")
    stub_file(ready).write_text(text.replace("return -1", "return (("))
    assert (await t.do("check"))["outcome"] == "build_error"
    assert (await states(t))[0] == "failing"


async def test_typing_and_a_save_here_keep_the_results_until_the_new_ones_are_there(t):
    ready = await t.start(language="python")
    path = stub_file(ready)
    write_wrong(ready)
    await t.do("check")
    opened = t.app.exercises.opened_of(path)
    typed = path.read_text().replace("return -1", "return -2")
    t.desk.buffers[path] = typed
    assert opened.view().units[0].state == "failing"
    path.write_text(typed)
    opened.expect_results(time.monotonic())
    opened.saves += 1
    assert opened.view().units[0].state == "failing"  # it is known that a save came
    saved(t.app.services, t.app.runs.of(opened), opened, path)
    opened.saves -= 1
    assert opened.view().units[0].state == "failing"  # its check is on its way
    await t.app.runs.of(opened).check()
    assert opened.view().units[0].state == "failing"


async def test_what_another_editor_found_is_shown_here(t):
    ready = await t.start(language="python")
    async with tutor(t.home) as other:
        other.desk.document = stub_file(ready)
        await other.do("check")
        stub_file(ready).write_text("def broken(:\n")
        opened = other.app.exercises.opened_of(stub_file(ready))
        assert not opened.parses()  # as after a save there
        assert opened.view().build_error is not None
        await t.do("check")
        solve(ready)
        await t.do("attempt")
        await show_changes(other.app.exercises)
        shown = len(other.desk.shown)
        (view,) = other.desk.shown[-1:]
        assert {item.state for item in view.units} == {"passing"}
        assert view.build_error is None
        assert view.review is not None
        await show_changes(other.app.exercises)
        assert len(other.desk.shown) == shown, "nothing more was stored"
