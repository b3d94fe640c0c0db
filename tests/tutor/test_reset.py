"""Reset takes nothing away for good: `undo` brings it back, and takes that back too."""

from pathlib import Path

import pytest
from placeholders import with_body
from tutor_kit import stub_file, tutor, write_wrong

from tutor_lsp.tutor.commands import reset
from tutor_lsp.tutor.ide.actions import actions


def undo_actions(t, ready):
    opened = t.app.exercises.opened_of(stub_file(ready))
    view = opened.view()
    unit = ready["units"][0]
    found = actions(view, unit["file"], view.units[0].site.line, view.units[0].site.line)
    return [action for action in found if action.argument.get("undo")]


async def test_a_reset_is_undone_and_that_too(t):
    ready = await t.start(language="python")
    path = stub_file(ready)
    given = path.read_text()
    mine = write_wrong(ready) + "# mine\n"
    path.write_text(mine)
    assert (await t.refused("reset", undo=True)).kind == "REFUSED"
    assert undo_actions(t, ready) == []
    assert (await t.do("reset"))["files"] == [ready["units"][0]["file"]]
    assert path.read_text() == given
    (action,) = undo_actions(t, ready)
    assert "Bring back what you wrote" in action.title
    undone = await t.do("reset", undo=True)
    names = [ready["units"][0]["file"]]
    assert (undone["files"], undone["kept"], undone["undone"]) == (names, names, True)
    assert path.read_text() == mine
    assert undo_actions(t, ready) == []
    again = await t.do("reset", undo=True)
    assert path.read_text() == given
    assert (undone["redone"], again["redone"]) == (False, True)
    assert "the last undo is taken back" in again["say"]["oneLine"]


async def test_undo_goes_back_reset_by_reset(t):
    ready = await t.start(language="python")
    path, texts = stub_file(ready), []
    for mine in ("# first\n", "# second\n", "# third\n"):
        texts.append(path.read_text() + mine)
        path.write_text(texts[-1])
        await t.do("reset")
    for text in reversed(texts):
        await t.do("reset", undo=True)
        assert path.read_text() == text
    await t.do("reset", undo=True)
    assert path.read_text() == texts[1]


async def test_undo_goes_back_stub_by_stub(t):
    ready = await t.start(language="python")
    path = stub_file(ready)
    given = path.read_text()
    for unit, body in (("ex-1", "return 1"), ("ex-2", "return 2")):
        stub = next(each["stub"] for each in ready["units"] if each["id"] == unit)
        path.write_text(with_body(path.read_text(), stub, body))
    mine = path.read_text()
    await t.do("reset", unit="ex-1")
    await t.do("reset", unit="ex-2")
    assert path.read_text() == given
    await t.do("reset", undo=True)
    await t.do("reset", undo=True)
    assert path.read_text() == mine


async def test_an_undo_that_finds_its_text_there_lets_the_next_go_on(t):
    ready = await t.start(language="python")
    path = stub_file(ready)
    first = path.read_text() + "# first\n"
    path.write_text(first)
    await t.do("reset")
    second = path.read_text() + "# second\n"
    path.write_text(second)
    await t.do("reset")
    path.write_text(second)
    await t.do("reset", undo=True)
    await t.do("reset", undo=True)
    assert path.read_text() == first


async def test_undo_of_one_stub_leaves_what_was_written_since(t):
    ready = await t.start(language="python")
    path = stub_file(ready)
    write_wrong(ready)
    await t.do("reset", unit="ex-1")
    second = ready["units"][1]
    assert Path(ready["workspace"], second["file"]) == path
    since = with_body(path.read_text(), second["stub"], "return 'since'")
    path.write_text(since)
    await t.do("reset", unit="ex-1")  # nothing had changed: nothing is taken
    (action,) = undo_actions(t, ready)
    await t.do(action.command.removeprefix("tutor."), **action.argument)
    assert "return -1" in path.read_text()
    assert "return 'since'" in path.read_text()


async def test_undo_goes_through_the_buffer_and_keeps_bytes_that_are_no_text(t):
    ready = await t.start(language="python")
    path = stub_file(ready)
    given = path.read_text()
    t.desk.buffers[path] = given + "# open\n"
    await t.do("reset")
    assert t.desk.buffers[path] == given
    await t.do("reset", undo=True)
    assert t.desk.buffers[path] == given + "# open\n"
    t.desk.buffers.clear()
    path.write_bytes(given.encode() + b"# caf\xe9\n")
    await t.do("reset")
    await t.do("reset", undo=True)
    assert path.read_bytes() == given.encode() + b"# caf\xe9\n"


async def test_what_a_restore_took_is_brought_back_and_that_too(t):
    ready = await t.start(language="python")
    root = Path(ready["workspace"])
    test = next((root / "tests").glob("test_*.py"))
    lesson = root / "LESSON.md"
    given, own = test.read_text(), test.read_text() + "\n# a case of mine\n"
    test.write_text(own)
    lesson.write_text("my notes")
    names = sorted(["LESSON.md", test.relative_to(root).as_posix()])
    assert (await t.do("restore"))["files"] == names
    assert test.read_text() == given
    undone = await t.do("reset", undo=True)
    assert (undone["files"], undone["kept"], undone["undone"]) == (names, names, True)
    assert (test.read_text(), lesson.read_text()) == (own, "my notes")
    await t.do("reset", undo=True)
    assert test.read_text() == given


@pytest.mark.parametrize("order", [("reset", "restore"), ("restore", "reset")])
async def test_undo_reaches_both_kinds_the_later_first(t, order):
    ready = await t.start(language="python")
    stub, lesson = stub_file(ready), Path(ready["workspace"], "LESSON.md")
    mine = write_wrong(ready) + "# mine\n"
    stub.write_text(mine)
    lesson.write_text("my notes")
    for command in order:
        await t.do(command)
    for command in reversed(order):
        undone = await t.do("reset", undo=True)
        assert ("LESSON.md" in undone["files"]) == (command == "restore")
    assert (stub.read_text(), lesson.read_text()) == (mine, "my notes")


async def test_what_was_saved_and_not_run_comes_back_after_its_file_was_deleted(t):
    ready = await t.start(language="python")
    path = stub_file(ready)
    mine = write_wrong(ready) + "# mine\n"
    path.write_text(mine)
    t.app.exercises.opened_of(path).view()  # as an editor does all the time
    path.unlink()
    assert (await t.do("reset"))["kept"] == [ready["units"][0]["file"]]
    assert len(undo_actions(t, ready)) == 1
    await t.do("reset", undo=True)
    assert path.read_text() == mine


async def test_what_is_written_while_a_reset_is_on_its_way_stays(t, monkeypatch):
    ready = await t.start(language="python")
    path = stub_file(ready)
    given = path.read_text()
    write_wrong(ready)
    find = reset.last_texts

    async def meanwhile(*given):
        path.write_text("# just written\n")
        return await find(*given)

    monkeypatch.setattr(reset, "last_texts", meanwhile)
    refused = await t.refused("reset")
    assert "changed while it was being put back" in refused.message
    assert path.read_text() == "# just written\n"
    monkeypatch.undo()
    await t.do("reset")
    assert path.read_text() == given
    await t.do("reset", undo=True)
    assert path.read_text() == "# just written\n"


async def test_undo_reaches_the_disk_while_the_editor_still_holds_the_old_text(t):
    """The reset was made elsewhere, and the editor has not read the file again."""
    ready = await t.start(language="python")
    path = stub_file(ready)
    given = path.read_text()
    mine = write_wrong(ready) + "# mine\n"
    path.write_text(mine)
    async with tutor(t.home) as elsewhere:
        await elsewhere.do("reset", session=ready["sessionId"])
    assert path.read_text() == given
    t.desk.buffers[path] = mine
    undone = await t.do("reset", undo=True)
    assert undone["files"] == undone["kept"] == [ready["units"][0]["file"]]
    assert path.read_text() == t.desk.buffers[path] == mine
    # What was on the disk is kept, too.
    await t.do("reset", undo=True)
    assert t.desk.buffers[path] == given


@pytest.mark.parametrize("undo", [True, False])
async def test_a_reset_names_its_undo(t, undo):
    ready = await t.start(language="python")
    write_wrong(ready)
    said = (await t.do("reset"))["say"]
    assert 'tutor.reset with {"undo": true}' in said["oneLine"]
    assert 'tutor.reset with {"undo": true}' in said["markdown"]
    if undo:
        assert (await t.do("reset", undo=True))["say"]["oneLine"].startswith("Brought back: ")
