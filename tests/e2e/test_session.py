"""A whole session, under the capabilities of three editors."""

import re

import pytest
from editor import PROFILES, editor, line_of
from placeholders import with_body
from solutions import solve_unit

from tutor_lsp.library.loader import BUNDLED, Library

pytestmark = pytest.mark.first(3)

PROVEN = r"Proven: (\d+) of \1 tests fail on the stubs, \1 pass on the reference\."


def bundled(language, node=None):
    library = Library([BUNDLED])
    entries = [e for e in library.entries(language) if node in (None, e.node)]
    return library.load(entries[0])


@pytest.mark.first(1)
@pytest.mark.parametrize("profile", PROFILES)
async def test_python_session_from_start_to_next(tmp_path, profile):
    async with editor(tmp_path / "home", profile=profile) as ed:
        ready = await ed.start(language="python")
        root = tmp_path / "home" / "exercises"
        assert ready["workspace"].startswith(str(root))
        assert ready["proof"]["ok"]
        assert (root / ready["workspace"] / "LESSON.md").is_file()

        units = ready["units"]
        first = units[0]
        path = root / ready["workspace"] / first["file"]
        uri = ed.open(path)
        await ed.until(lambda: ed.diagnostics(uri, "todo"), "no todo on the stubs")
        severities = [item.severity.name for item in ed.diagnostics(uri)]
        assert severities == ["Information"] + ["Hint"] * (len(units) - 1)
        stub_line = line_of(ed.texts[uri], f"def {first['stub']}(")
        assert ed.diagnostics(uri)[0].range.start.line == stub_line

        exercise = bundled("python", ready["node"])
        wrong = with_body(ed.texts[uri], first["stub"], "return -1")
        ed.save(uri, wrong)
        await ed.until(lambda: ed.diagnostics(uri, "test-failed"), "no failure after the save")
        failure = ed.diagnostics(uri, "test-failed")[0]
        assert failure.range.start.line == stub_line
        assert first["stub"] in failure.message
        assert "expected" in failure.message

        text = await ed.hover(uri, stub_line, len("def ") + 1)
        assert text is not None
        assert text.count("\n\n") < 6

        cue = line_of(ed.texts[uri], "Start here:")
        titles = [action.title for action in await ed.actions(uri, cue)]
        assert any("Hint" in title for title in titles)
        assert len(await ed.actions(uri, stub_line)) <= 3
        hint = next(a for a in await ed.actions(uri, cue) if a.command.command == "tutor.hint")
        shown = await ed.command(hint.command.command, *hint.command.arguments)
        assert shown["unit"] == "ex-1"
        assert shown["level"] == 1
        assert shown["text"] in await ed.hover(uri, cue, 5)

        lens_titles = [lens.command.title for lens in await ed.lenses(uri)]
        assert "Lesson" in lens_titles

        ed.save(uri, solve_unit(exercise, ed.texts[uri], first))
        await ed.until(lambda: not ed.diagnostics(uri, "test-failed"), "the failure stays")
        assert len(ed.diagnostics(uri, "todo")) == len(units) - 1

        for unit in units[1:]:
            ed.change(uri, solve_unit(exercise, ed.texts[uri], unit))
        ed.save(uri)
        await ed.until(lambda: not ed.diagnostics(uri), "diagnostics stay on a solved exercise")

        result = await ed.command("tutor.attempt")
        assert result["report"]["outcome"] == "passed"
        assert result["review"]["verdict"] == "PASS"
        assert result["mastery"] == {"node": ready["node"], "before": 0, "after": 1}
        assert result["next"]

        kept = (await ed.command("tutor.status"))["session"]["history"]
        assert [(item["number"], item["verdict"]) for item in kept] == [(1, "PASS")]
        assert kept[0]["testsPassing"] == kept[0]["tests"] == len(result["report"]["tests"])

        onward = await ed.command("tutor.next")
        assert onward["node"] == result["next"][0]["node"]
        await ed.until(lambda: len(ed.notified["tutor/sessionReady"]) == 2, "no next exercise")
        sessions = await ed.command("tutor.sessions")
        assert [item["active"] for item in sessions] == [True, False]
        for item in sessions:
            assert re.fullmatch(PROVEN, item["proven"])
