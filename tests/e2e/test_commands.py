"""Commands refused with words that tell what to do; the server goes on."""

import shutil
from pathlib import Path

import pytest
from editor import editor, line_of
from lsprotocol import types as lsp

pytestmark = pytest.mark.first(3)

WRONG_CALLS = [
    ("tutor.start", [{"langauge": "python"}], "BAD_ARGUMENT", "langauge"),
    ("tutor.start", [{"language": 7}], "BAD_ARGUMENT", "language"),
    ("tutor.start", [{"language": "python"}, {}], "BAD_ARGUMENT", "one object"),
    ("tutor.start", ["python"], "BAD_ARGUMENT", "one object"),
    ("tutor.start", [{"depth": "D4"}], "BAD_ARGUMENT", "depth"),
    ("tutor.start", [{"language": "cobol"}], "NO_LANGUAGE", "python"),
    ("tutor.start", [{"node": "no-such-node"}], "NO_NODE", "tutor.curriculum"),
    ("tutor.start", [{"node": "python-strings", "language": "rust"}], "BAD_ARGUMENT", "python"),
    ("tutor.start", [{"language": "python", "backend": "nobody"}], "UNKNOWN_BACKEND", "library"),
    ("tutor.claim", [], "BAD_ARGUMENT", "node"),
    ("tutor.claim", [{"node": "nothing", "known": True}], "NO_NODE", "tutor.curriculum"),
    ("tutor.check", [], "NO_SESSION", "tutor.start"),
    ("tutor.hint", [{"unit": "ex-1"}], "NO_SESSION", "tutor.start"),
    ("tutor.resume", [{"session": "zzz"}], "NO_SESSION", "tutor.sessions"),
    ("tutor.resume", [], "NO_SESSION", "Start an exercise"),
    ("tutor.open", [{"target": "moon"}], "BAD_ARGUMENT", "target"),
]


@pytest.mark.first(1)
@pytest.mark.parametrize(("name", "language"), [("main.rs", "rust"), ("main.c", "c")])
async def test_the_list_begins_in_the_language_of_the_workspace(tmp_path, name, language):
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / name).write_text("")
    async with editor(tmp_path / "home", folder=folder) as ed:
        assert (await ed.command("tutor.choices"))[0]["language"] == language
    async with editor(tmp_path / "home") as ed:
        ed.open(folder / name)
        assert (await ed.command("tutor.choices"))[0]["language"] == language


async def test_wrong_calls_are_refused_with_kind_and_remedy(ed):
    for name, arguments, kind, says in WRONG_CALLS:
        error = await ed.refused(name, *arguments)
        assert error["kind"] == kind, (name, arguments, error)
        assert says in error["message"], (name, arguments, error)
        assert -32099 <= error["code"] <= -32000
    assert (await ed.command("tutor.status"))["session"] is None


async def test_before_anything_is_open(ed):
    status = await ed.command("tutor.status")
    assert status["session"] is None
    assert status["units"] is None
    assert status["jobs"] == []
    assert status["backend"]["name"] == "library"
    assert status["home"] == str(ed.home)

    # null and empty arguments mean none
    assert await ed.command("tutor.sessions", None) == []
    assert await ed.command("tutor.sessions", {}) == []
    assert (await ed.command("tutor.cancel"))["cancelled"] is False
    assert (await ed.command("tutor.cancel", {"jobId": "zzz"}))["cancelled"] is False

    # a node without an exercise names the nearest
    curriculum = await ed.command("tutor.curriculum", {"language": "python"})
    lacking = next(node for node in curriculum["nodes"] if not node["offline"])
    error = await ed.refused("tutor.start", {"node": lacking["id"]})
    assert error["kind"] == "NO_EXERCISE"
    assert error["details"]["nearest"] in error["message"]


async def test_a_model_that_the_editor_has_later_is_counted_on(ed):
    async def why():
        return (await ed.command("tutor.status"))["backend"]["why"]

    assert "editor" not in await why()
    ed.client.protocol.notify("tutor/modelChanged", {"available": True})
    assert "editor" in await why()
    ed.client.protocol.notify("tutor/modelChanged", {"available": False})
    assert "editor" not in await why()


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_topic_is_mapped_to_a_node_or_refused(ed):
    ready = await ed.start(language="python", topic="string methods")
    assert ready["node"] == "python-strings"
    error = await ed.refused("tutor.start", {"language": "python", "topic": "quantum gravity"})
    assert error["kind"] == "NO_EXERCISE"
    assert "python-functions" in error["message"]


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_curriculum_lists_what_opens_now(ed):
    found = await ed.command("tutor.curriculum")
    assert found["languages"] == ["rust", "python", "c"]
    assert len(found["nodes"]) >= 30
    by_language = dict.fromkeys(found["languages"], 0)
    for node in found["nodes"]:
        by_language[node["language"]] += node["openable"]
    assert min(by_language.values()) >= 3
    assert found["recommended"]["python"][0]["reason"]
    assert found["withModel"]["rust"] > 0


async def test_unsaved_buffer_is_refused_and_nothing_is_run(ed):
    ready = await ed.start(language="python")
    path = Path(ready["workspace"], ready["units"][0]["file"])
    uri = ed.open(path)
    ed.change(uri, ed.texts[uri] + "\n# more\n")
    for name in ("tutor.check", "tutor.attempt", "tutor.next"):
        error = await ed.refused(name)
        assert error["kind"] == "UNSAVED"
        assert ready["units"][0]["file"] in error["message"]
    assert (await ed.command("tutor.status"))["session"]["attempts"] == 0


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_uri_outside_any_exercise_is_refused(ed, tmp_path):
    await ed.start(language="python")
    other = tmp_path / "other.py"
    other.write_text("x = 1\n")
    error = await ed.refused("tutor.check", {"uri": other.as_uri()})
    assert error["kind"] == "NO_SESSION"


async def test_no_argument_commands_use_the_active_session(ed):
    ready = await ed.start(language="python")
    assert (await ed.command("tutor.check"))["outcome"] == "failed"
    place = await ed.command("tutor.open", {"target": "lesson"})
    assert (place["file"], place["line"]) == ("LESSON.md", ready["units"][0]["lesson"]["line"])
    assert (await ed.command("tutor.open", {"target": "test"}))["file"].startswith("tests/")
    assert (await ed.refused("tutor.open", {"target": "coach"}))["kind"] == "NO_FILE"


@pytest.mark.long("test_hint_flow.py goes up the ladder without a server")
async def test_hints_go_up_and_the_third_stays(ed):
    await ed.start(language="python")
    shown = [await ed.command("tutor.hint") for _ in range(4)]
    assert [hint["level"] for hint in shown] == [1, 2, 3, 3]
    assert shown[3]["text"] == shown[2]["text"]
    status = await ed.command("tutor.status")
    assert status["session"]["hintLevelUsed"] == 3
    assert status["units"][0]["hintLevel"] == 3


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_hint_at_a_position(ed):
    ready = await ed.start(language="python")
    unit = ready["units"][1]
    path = Path(ready["workspace"], unit["file"])
    uri = ed.open(path)
    line = line_of(ed.texts[uri], f"def {unit['stub']}(")
    hint = await ed.command("tutor.hint", {"uri": uri, "position": {"line": line, "character": 4}})
    assert hint["unit"] == unit["id"]


@pytest.mark.long("test_reveal_compare.py reveals without a server")
async def test_reveal_says_both_ways_and_confirm_shows_the_solution(ed):
    ready = await ed.start(language="python")
    error = await ed.refused("tutor.reveal", {"unit": "ex-1"})
    assert error["kind"] == "REFUSED"
    assert "4 more runs" in error["message"]
    assert "confirm" in error["message"]
    shown = await ed.command("tutor.reveal", {"unit": "ex-1", "confirm": True})
    assert f"def {ready['units'][0]['stub']}" in shown["solution"]


@pytest.mark.long("starts a server; test_reset.py resets and restores without one")
async def test_reset_keeps_the_old_text_and_restore_mends_tests(ed):
    ready = await ed.start(language="python")
    root = Path(ready["workspace"])
    path = root / ready["units"][0]["file"]
    given = path.read_text()
    uri = ed.open(path)
    ed.save(uri, given.replace("raise NotImplementedError", "return 1  #", 1))
    result = await ed.command("tutor.reset", {"unit": "ex-1"})
    assert result["files"] == [ready["units"][0]["file"]]
    assert ed.texts[uri] == given
    ed.save(uri)

    test = next(root.glob("tests/*.py"))
    original = test.read_text()
    test.write_text(original.replace("assert", "assert True or", 1))
    attempt = await ed.command("tutor.attempt", {"uri": test.as_uri()})
    assert attempt["report"]["outcome"] == "failed"
    assert f"your changes to tests/{test.name} (tutor.restore undoes them)" in attempt["note"]
    assert (await ed.command("tutor.restore"))["files"] == [f"tests/{test.name}"]
    assert test.read_text() == original


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_deleted_workspace_is_said_and_listed(ed):
    ready = await ed.start(language="python")
    shutil.rmtree(ready["workspace"])
    error = await ed.refused("tutor.check")
    assert error["kind"] == "NO_WORKSPACE"
    assert "Start the exercise again" in error["message"]
    (session,) = await ed.command("tutor.sessions")
    assert session["missing"]
    # The session that was there keeps its place.
    assert (await ed.start(language="python"))["workspace"] == f"{ready['workspace']}-2"


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_broken_record_is_written_anew(ed):
    ready = await ed.start(language="python")
    record = Path(ready["workspace"], ".tutor", "exercise.json")
    before = record.read_text()
    record.write_text("{ broken")
    async with editor(ed.home) as other:
        assert (await other.command("tutor.check"))["outcome"] == "failed"
    assert len(record.read_text()) >= len(before) // 2


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_end_sums_up_and_recommends(ed):
    await ed.start(language="python")
    ended = await ed.command("tutor.end")
    assert "0 of" in ended["summary"]
    assert ended["recommendations"]
    assert (await ed.refused("tutor.check"))["kind"] == "NO_SESSION"


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_claim_and_report_and_doctor(ed):
    node = await ed.command("tutor.claim", {"node": "python-functions", "known": True})
    assert node["claimed"]
    assert (await ed.command("tutor.curriculum"))["recommended"]["python"][0]["node"] != node["id"]
    page = Path((await ed.command("tutor.report"))["path"])
    assert "Learning report" in page.read_text()
    assert [shown.external for shown in ed.client.shown_documents] == [True]
    doctor = await ed.command("tutor.doctor")
    assert any(tool["name"] == "python" for tool in doctor["tools"])


async def test_malformed_settings_are_said_and_left_out(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    (home / "config.toml").write_text('runOnSave = "perhaps"\nlangage = "rust"\n')
    async with editor(home, settings={"buildErrors": "sometimes"}) as ed:
        await ed.command("tutor.status")
        said = " ".join(message.message for message in ed.client.messages)
        assert "runOnSave" in said
        assert "langage" in said
        assert "buildErrors" in said


@pytest.mark.long("starts a server for a case beside those that stand for it here")
@pytest.mark.first(1)
@pytest.mark.parametrize("text", ["not toml = = ", "\0"])
async def test_broken_config_file_is_said(tmp_path, text):
    home = tmp_path / "home"
    home.mkdir()
    (home / "config.toml").write_text(text)
    async with editor(home) as ed:
        await ed.command("tutor.status")
        assert any("config.toml" in message.message for message in ed.client.messages)


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_setting_that_is_removed_in_the_editor_is_gone(tmp_path):
    async with editor(tmp_path / "home", settings={"backend": "codex"}) as ed:
        assert (await ed.command("tutor.status"))["backend"]["name"] == "codex"
        ed.client.set_configuration({}, section="tutor")
        ed.client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams(settings={}))

        async def serving():
            return (await ed.command("tutor.status"))["backend"]["name"]

        for _ in range(200):
            if await serving() == "library":
                break
        assert await serving() == "library"
