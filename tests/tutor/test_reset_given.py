"""Whatever was given and is gone or changed can be put back, and is told with the way to it."""

from pathlib import Path

import pytest
from tutor_kit import stub_file, write_wrong

from tutor_lsp.tutor.ide.diagnostics import diagnostics

GIVEN = [
    ("c", "src/timer.h"),
    ("c", "src/stub.h"),
    ("c", "tests/test.h"),
    ("python", "src/exercise/__init__.py"),
    pytest.param("rust", "Cargo.toml", marks=pytest.mark.cargo),
]


@pytest.mark.first(1)
@pytest.mark.parametrize("command", ["restore", "reset"])
@pytest.mark.parametrize(("language", "file"), GIVEN)
async def test_a_given_file_that_is_gone_is_put_back(t, language, file, command):
    ready = await t.start(language=language)
    path = Path(ready["workspace"], file)
    given = path.read_text()
    path.unlink()
    assert file in (await t.do(command))["files"]
    assert path.read_text() == given
    assert (await t.do("restore"))["files"] == []


@pytest.mark.first(1)
@pytest.mark.parametrize("gone", [True, False])
async def test_a_header_is_told_with_the_command_that_puts_it_back(t, gone):
    ready = await t.start(language="c")
    path = Path(ready["workspace"], "src/timer.h")
    given = path.read_text()
    if gone:
        path.unlink()
    else:
        path.write_text("int mine;\n" + given)
    note = (await t.do("check"))["note"]
    said = "the deletion of src/timer.h" if gone else "your changes to src/timer.h"
    assert said in note
    assert "tutor.restore" in note
    if gone:
        shown = diagnostics(t.app.exercises.opened_of(stub_file(ready)).view(), build_errors=True)
        (error,) = [each for each in shown["src/timer.c"] if each.code == "build-error"]
        assert "src/timer.h is gone: tutor.restore" in error.message
    assert (await t.do("restore"))["files"] == ["src/timer.h"]
    assert path.read_text() == given
    assert (await t.do("check"))["note"] == ""
    if not gone:
        await t.do("reset", undo=True)
        assert path.read_text() == "int mine;\n" + given


async def test_what_was_written_stays_where_given_files_are_put_back(t):
    ready = await t.start(language="c")
    stub = ready["units"][0]["stub"]
    path = stub_file(ready)
    mine = path.read_text().replace(f'TODO("{stub}")', "") + "/* mine */\n"
    path.write_text(mine)
    Path(ready["workspace"], "src/timer.h").unlink()
    await t.do("restore")
    assert path.read_text() == mine


async def test_a_git_file_that_was_removed_is_not_missed(t):
    ready = await t.start(language="python")
    Path(ready["workspace"], ".gitignore").unlink()
    write_wrong(ready)
    assert (await t.do("check"))["note"] == ""
    assert (await t.do("restore"))["files"] == []
