"""An exercise that was begun when stub comments had another form goes on as it was."""

import shutil
from dataclasses import replace
from pathlib import Path

from tutor_kit import solve_first_unit, stub_file, tutor

from tutor_lsp.authoring.index import build_index
from tutor_lsp.authoring.workspace import RECORD, record
from tutor_lsp.core.exercise.stub_comment import parse_stub_comment
from tutor_lsp.library.loader import BUNDLED, Library

LIBRARY = Library([BUNDLED])
NODE = "python-functions"


def older(text, units):
    """A source file with its stub comments as earlier versions wrote them."""
    for unit in units:
        first, *more = unit.tests
        names = "".join(f",\n        {name}" for name in more)
        text = text.replace(f"Test: {first}\n", f"Test: {first}{names}\n")
    return text.replace(" - First principle", " — First principle").replace(
        'LESSON.md, "', 'LESSON.md § "'
    )


async def begun(t):
    """An exercise as an earlier version left it: its folder, its record, what it kept."""
    ready = await t.start(node=NODE)
    path, root, id_ = stub_file(ready), Path(ready["workspace"]), ready["sessionId"]
    exercise, vault = await t.app.services.db(lambda tx: tx.exercise(id_))
    file = path.relative_to(root).as_posix()
    text = older(path.read_text(), exercise.units)
    toolchain = t.app.services.toolchain("python")
    index = build_index({**vault.originals, file: text}, None, toolchain)
    assert index.findings == ()
    exercise = replace(exercise, starter={file: text}, units=index.units)
    solution = {file: older(vault.solution[file], exercise.units)}
    vault = replace(vault, originals={**vault.originals, file: text}, solution=solution)
    await t.app.services.db(lambda tx: tx.put_exercise(id_, exercise, vault))
    path.write_text(text)
    (root / RECORD).write_text(record(exercise))
    return ready, exercise, text


async def goes_on(t, ready, exercise, text):
    """All that a learner does in it, whatever the library has now."""
    path = stub_file(ready)
    opened = await t.app.exercises.adopt(path)
    view = opened.view()
    assert view.changed_files == ()
    assert opened.vault.originals[exercise.units[0].file] == text
    assert [item.unit.tests for item in view.units] == [unit.tests for unit in exercise.units]
    assert all(item.cue_line for item in view.units)
    assert parse_stub_comment(view.units[0].site.comment).tests == exercise.units[0].tests
    await t.do("check", uri=path.as_uri(), trust=True)
    hint = await t.do("hint", uri=path.as_uri(), unit="ex-1")
    assert hint["level"] == 1
    authors = LIBRARY.load(LIBRARY.by_id(exercise.id)).hints["ex-1"][0].strip()
    first = exercise.units[0].tests[0]
    assert hint["text"] == f"{authors} `{first}` is the first test of it."
    solve_first_unit(ready)
    report = await t.do("check", uri=path.as_uri())
    assert {each["unit"] for each in report["tests"] if each["outcome"] == "passed"} == {"ex-1"}
    assert "your changes to" not in report["note"]
    await t.do("reset", uri=path.as_uri(), unit="ex-1")
    assert path.read_text() == text


async def test_a_session_goes_on(tmp_path):
    home = tmp_path / "home"
    async with tutor(home) as t:
        ready, exercise, text = await begun(t)
    async with tutor(home) as again:
        assert (await again.do("resume"))["sessionId"] == ready["sessionId"]
        await goes_on(again, ready, exercise, text)


async def test_an_untouched_one_is_gone_on_with_and_not_started_anew(tmp_path):
    home = tmp_path / "home"
    async with tutor(home) as t:
        ready, _, text = await begun(t)
    async with tutor(home) as again:
        assert (await again.start(node=NODE))["sessionId"] == ready["sessionId"]
        assert stub_file(ready).read_text() == text


async def test_a_folder_without_a_record_is_adopted_with_its_hints(tmp_path):
    home = tmp_path / "home"
    async with tutor(home) as t:
        ready, exercise, text = await begun(t)
    for path in home.iterdir():
        if path.name.startswith("tutor.") or path.suffix in (".db", ".sqlite"):
            path.unlink()
    shutil.rmtree(home / "backups", ignore_errors=True)
    async with tutor(home) as again:
        await goes_on(again, ready, exercise, text)
