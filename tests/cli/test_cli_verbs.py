"""The verbs on a real exercise: results, exit codes, errors, which exercise is meant."""

import asyncio
import json
import shutil

from tutor_lsp.cli.work import perform

READY = {
    "jobId", "sessionId", "exerciseId", "node", "title", "language", "depth", "workspace",
    "lesson", "files", "units", "proof", "challenge", "say",
}  # fmt: skip
REPORT = {"runId", "outcome", "tests", "buildErrors", "durationMs", "command"}


def test_start_waits_and_prints_what_is_ready(cli, home):
    result = cli("start", "--language", "python", "--json")
    assert result.code == 0
    assert set(result.json) == READY
    assert result.json["workspace"].startswith(str(home))
    assert result.json["proof"]["ok"] is True
    assert result.err == ""


def test_start_in_words_says_where_to_begin(cli, home):
    result = cli("start", "--language", "python", "--plain")
    assert result.code == 0
    (workspace,) = (home / "exercises").iterdir()
    assert f"Lesson: {workspace}/LESSON.md\n" in result.out
    assert f"Start at: {workspace}/src/exercise/movie.py:" in result.out
    assert "\x1b" not in result.out + result.err
    assert "100 %" in result.err or "98 %" in result.err


def test_the_day_of_a_learner(cli, exercise):
    check = cli("check", "--json")
    assert check.code == 3
    assert set(check.json) >= REPORT
    assert check.json["outcome"] == "failed"

    exercise.body("to_minutes", "return 3")
    check = cli("check")
    assert check.code == 3
    assert "✗ ex-1 to_minutes: `to_minutes(2, 46)` gave 3, expected 166 (3 of 3 tests)" in check.out
    assert "○ ex-2 ends_at: not written yet" in check.out

    hint = cli("hint", "--json").json
    assert (hint["unit"], hint["level"]) == ("ex-1", 1)
    assert "Hint 2 · ex-1" in cli("hint").out

    attempt = cli("attempt")
    assert attempt.code == 3
    assert "fail" not in attempt.out.lower()
    assert cli("review", "--json").json["verdict"] == "FAIL"

    exercise.solve()
    attempt = cli("attempt", "--json")
    assert attempt.code == 0
    assert attempt.json["mastery"] == {"node": "python-functions", "before": 0, "after": 1}
    assert attempt.json["topic"] == "Functions and return values"
    assert attempt.json["review"]["verdict"] == "PASS"

    following = cli("next", "--json")
    assert following.code == 0, following.err
    assert "Proven" not in cli("sessions").out
    assert all(row["proven"].startswith("Proven: ") for row in cli("sessions", "--json").json)
    assert set(following.json) == READY
    assert following.json["node"] == attempt.json["next"][0]["node"]
    assert cli("status", "--json").json["session"]["id"] == following.json["sessionId"]
    assert "passed" in cli("sessions").out


def test_lists_and_places(cli, exercise):
    status = cli("status")
    assert "○ ex-1 to_minutes to do · " in status.out
    assert " · src/exercise/movie.py:11 · you are here" in status.out
    assert cli("open", "lesson").out == f"{exercise.workspace}/LESSON.md:5\n"
    assert cli("open", "test", "--unit", "plan", "--json").json["file"] == "tests/test_movie.py"
    curriculum = cli("curriculum", "--language", "python")
    assert "more with a model" in curriculum.out
    assert "rust" not in curriculum.out
    assert cli("claim", "python-functions", "--json").json["claimed"] is True
    assert cli("claim", "python-functions", "--unknown", "--json").json["claimed"] is False
    assert cli("cancel", "--json").json["cancelled"] is False
    assert cli("report").code == 0
    doctor = cli("doctor", "--json")
    assert doctor.code == 0
    assert {tool["name"] for tool in doctor.json["tools"]} >= {"python", "pytest", "cargo"}


def test_files_are_put_back(cli, exercise):
    given = exercise.source.read_text()
    exercise.body("to_minutes", "return 3")
    names = ["src/exercise/movie.py"]
    reset = cli("reset", "--unit", "ex-1", "--json").json
    assert (reset["files"], reset["kept"]) == (names, names)
    assert exercise.source.read_text() == given
    undone = cli("reset", "--undo")
    assert "src/exercise/movie.py" in undone.out
    assert "return 3" in exercise.source.read_text()
    (exercise.workspace / "tests" / "test_movie.py").unlink()
    assert "tests/test_movie.py" in cli("restore").out


def test_a_session_ends_and_goes_on(cli, exercise):
    ended = cli("end", "--json")
    assert set(ended.json) == {"summary", "recommendations", "say"}
    refused = cli("check", "--json")
    assert refused.code == 1
    assert "tutor-lsp start" in refused.err
    assert refused.error["kind"] == "NO_SESSION"
    assert cli("resume", exercise.session[:6], "--json").json["sessionId"] == exercise.session
    assert cli("check").code == 3


def test_what_is_resumed_is_the_exercise_of_the_folder(cli, exercise, monkeypatch, tmp_path):
    other = cli("start", "--node", "python-strings", "--json").json
    assert cli("resume", "--json").json["sessionId"] == other["sessionId"]
    monkeypatch.chdir(exercise.source.parent)
    assert cli("resume", "--json").json["sessionId"] == exercise.session
    by_path = cli("resume", "--path", other["workspace"], "--json").json
    assert by_path["sessionId"] == other["sessionId"]
    by_id = cli("resume", other["sessionId"][:6], "--json").json
    assert by_id["sessionId"] == other["sessionId"]
    monkeypatch.chdir(tmp_path)
    assert cli("resume", "--json").json["sessionId"] == other["sessionId"]


def test_a_session_keeps_its_folder_when_that_is_gone(cli, exercise):
    shutil.rmtree(exercise.workspace)
    again = cli("start", "--node", "python-functions", "--json").json
    assert again["workspace"] != str(exercise.workspace)
    refused = cli("resume", exercise.session, "--json")
    assert (refused.code, refused.error["kind"]) == (1, "NO_WORKSPACE")
    assert cli("check", "--session", exercise.session, "--json").code == 1


def test_a_topic_with_unfinished_work_is_gone_on_with(cli, exercise, home):
    node = "python-functions"
    exercise.body("to_minutes", "return 3")
    by_id = cli("start", "--node", node, "--json")
    assert by_id.json["sessionId"] == exercise.session
    assert f"tutor-lsp start --node {node} --fresh begins anew" in by_id.err
    by_words = cli("start", "--topic", "functions", "--language", "python", "--json")
    assert by_words.json["sessionId"] == exercise.session
    assert len(list((home / "exercises").iterdir())) == 1
    anew = cli("start", "--node", node, "--fresh", "--json").json
    assert anew["sessionId"] != exercise.session
    assert "return 3" in exercise.source.read_text()


def test_which_exercise_is_meant(cli, exercise, monkeypatch):
    other = cli("start", "--node", "python-strings", "--json").json
    assert cli("status", "--json").json["session"]["id"] == other["sessionId"]
    by_path = cli("status", "--path", str(exercise.source), "--json").json
    assert by_path["session"]["id"] == exercise.session
    by_id = cli("status", "--session", exercise.session[:8], "--json").json
    assert by_id["session"]["id"] == exercise.session
    monkeypatch.chdir(exercise.source.parent)
    assert cli("status", "--json").json["session"]["id"] == exercise.session
    outside = cli("check", "--path", "/", "--json")
    assert (outside.code, outside.error["kind"]) == (1, "NO_SESSION")


def test_home_on_the_command_line_wins(cli, exercise, tmp_path):
    other = tmp_path / "other home"
    status = cli("status", "--home", str(other), "--json").json
    assert status["home"] == str(other)
    assert status["session"] is None


def test_errors_are_a_line_for_people_and_one_for_programs_that_ask_for_it(cli, exercise):
    refused = cli("reveal")
    assert refused.code == 1
    assert refused.out == ""
    assert "tutor-lsp reveal --confirm" in refused.err
    assert "{" not in refused.err
    refused = cli("reveal", "--json")
    assert refused.error["kind"] == "REFUSED"
    assert refused.error["details"]["runsLeft"] == 4
    assert "def to_minutes" in cli("reveal", "--confirm").out
    assert cli("start", "--node", "nope", "--json").error["kind"] == "NO_NODE"
    wrong = cli("start", "--node", "python-functions", "--topic", "x", "--json")
    assert (wrong.code, wrong.error["kind"]) == (2, "BAD_ARGUMENT")


def test_tests_that_cannot_run_are_no_result(cli, exercise, monkeypatch):
    monkeypatch.setenv("TUTOR_LSP_PYTHON_INTERPRETER", "/nowhere/python")
    result = cli("check")
    assert result.code == 1
    assert result.out == ""
    assert result.err.count("/nowhere/python") == 1
    assert "kind" in cli("check", "--json").error


def test_a_folder_that_is_gone_is_said(cli, exercise):
    shutil.rmtree(exercise.workspace)
    result = cli("check", "--json")
    assert (result.code, result.error["kind"]) == (1, "NO_WORKSPACE")
    assert "its folder is gone" in cli("sessions").out


def test_a_failed_start_gives_the_job_and_leaves_the_session(cli, exercise, home):
    for folder in (home / "exercises").iterdir():
        assert folder == exercise.workspace
    result = cli("start", "--topic", "sea shanties", "--language", "python", "--json")
    assert result.code == 1
    assert result.out == ""
    assert json.loads(result.err.rstrip().split("\n")[-1])["kind"] == "NO_EXERCISE"
    assert cli("status", "--json").json["session"]["id"] == exercise.session


def test_doctor_needs_the_tools_of_languages_that_were_begun_or_set(cli, exercise, monkeypatch):
    def needed():
        tools = {tool["name"]: tool["needed"] for tool in cli("doctor", "--json").json["tools"]}
        return [tools[name] for name in ("tutor-lsp", "pytest", "cargo", "cc")]

    assert needed() == [True, True, False, False]
    monkeypatch.setenv("TUTOR_LSP_LANGUAGE", "rust")
    assert needed() == [True, True, True, False]


def test_doctor_marks_models_that_nobody_named_as_optional(cli, home, monkeypatch):
    monkeypatch.setenv("TUTOR_LSP_CODEX_COMMAND", "/nowhere/codex")
    monkeypatch.setenv("TUTOR_LSP_BACKEND", "auto")

    def rows(result):
        return {row["name"]: row for row in result.json["tools"]}

    found = cli("doctor")
    assert "○ backend codex not found · optional\n" in found.out
    row = rows(cli("doctor", "--json"))["backend codex"]
    assert (row["works"], row["optional"]) == (False, True)
    nothing = {"url": None, "line": None, "command": None, "argument": {}, "file": None}
    assert row["mends"] == [{"kind": "setting", "setting": "codex.command", **nothing}]
    monkeypatch.setenv("TUTOR_LSP_BACKEND", "codex")
    assert "✗ backend codex not found\n" in cli("doctor").out
    assert not rows(cli("doctor", "--json"))["backend codex"]["optional"]


def test_doctor_gives_what_can_be_done_about_a_tool(cli, home, monkeypatch):
    monkeypatch.setenv("TUTOR_LSP_PYTHON_INTERPRETER", "/nowhere/python")
    rows = {row["name"]: row for row in cli("doctor", "--json").json["tools"]}
    (mend,) = rows["python"]["mends"]
    assert (mend["kind"], mend["setting"]) == ("setting", "python.interpreter")
    assert all(not row["mends"] for row in rows.values() if row["works"])


def test_doctor_says_a_problem_of_the_settings_once(cli, home):
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.toml").write_text("language = \n")
    done = cli("doctor")
    assert done.err == ""
    assert done.out.count("config.toml is not valid TOML (line 1, column 12)") == 1
    assert "config.toml is not valid TOML" in cli("status").err


def test_doctor_gives_what_can_be_done_about_each_problem(cli, home, tmp_path, monkeypatch):
    home.mkdir(parents=True, exist_ok=True)
    config = home / "config.toml"
    config.write_text('lenguage = "python"\ndepth = "D9"\n')
    broken = tmp_path / "mine" / "python" / "broken"
    broken.mkdir(parents=True)
    (broken / "exercise.toml").write_text("")
    monkeypatch.setenv("TUTOR_LSP_LIBRARIES", f"{broken.parents[1]}:{tmp_path / 'nowhere'}")
    monkeypatch.setenv("TUTOR_LSP_LANGUAGE", "klingon")
    found = cli("doctor", "--json").json
    told = [
        (problem, next((r["mend"] for r in found["remedies"] if r["message"] == problem), None))
        for problem in found["problems"]
    ]
    assert [(m and (m["kind"], m["file"] or m["setting"])) for _, m in told] == [
        ("file", str(config)),
        ("file", str(config)),
        None,  # only whoever set the environment knows where
        ("file", str(broken / "exercise.toml")),
        ("setting", "libraries"),
    ], told
    said = cli("doctor").out
    assert f"1. Open {config}.\n" in said
    assert f"4. Set libraries, for example in {config}.\n" in said


def test_a_language_is_named_as_it_is_shown(cli):
    assert cli("curriculum", "--language", "Python", "--json").json["languages"] == ["python"]


def test_a_code_of_another_language_is_said_to_be_one(cli):
    refused = cli("start", "--error-code", "E0502", "--language", "python", "--json")
    assert refused.error["kind"] == "NO_EXERCISE"
    assert "E0502 is an error code of rust, not of python" in refused.err


def test_an_exercise_of_another_depth_is_not_offered_by_naming_the_library(cli):
    refused = cli("start", "--node", "python-strings", "--depth", "d3", "--json")
    assert refused.error["kind"] == "NO_EXERCISE"
    assert "another depth: leave the depth out to get it" in refused.err


def test_a_verb_ends_when_what_later_ones_need_is_done(cli, monkeypatch):
    shown, ended = [], []

    async def performing(verb, invocation, app, argument):
        async def lasting():
            await asyncio.sleep(0.01)
            ended.append(bool(shown))

        app.services.tasks.spawn(lasting(), "what lasts", lasts=True)
        shown.append(verb)
        return 0

    monkeypatch.setattr(perform, "_perform", performing)
    assert [cli("hint").code, ended] == [0, [True]]
    assert [cli("status").code, ended] == [0, [True]]
