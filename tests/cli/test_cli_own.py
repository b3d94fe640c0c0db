"""Exercises of one's own in the terminal."""

import asyncio
import json

import pytest

from tutor_lsp.process.contain import probe_containment


@pytest.fixture
def own(cli, tmp_path):
    """A new exercise and how it is checked."""
    folder = tmp_path / "own-basics-weather"
    assert cli("new-exercise", str(folder), "--language", "python").code == 0

    def check(*options):
        return cli("check-exercise", str(folder), *options)

    return folder, check


@pytest.mark.long("proves an exercise")
def test_a_new_exercise_holds(own, cli, tmp_path):
    folder, check = own
    result = check()
    assert (result.code, result.out.count("\n")) == (0, 1)
    assert result.out.startswith("Valid: 3 units, 6 tests.")
    contained = asyncio.run(probe_containment()).isolated
    assert ("Its tests are not contained." in result.err) is not contained
    again = cli("new-exercise", str(folder), "--json")
    assert (again.code, again.error["kind"]) == (2, "BAD_ARGUMENT")
    other = cli("new-exercise", str(tmp_path / "c-basics-tea"), "--json")
    assert (other.code, other.json["language"]) == (0, "c")
    assert "exercise.toml" in other.json["files"]


@pytest.mark.long("proves an exercise")
def test_what_is_to_be_mended_is_told_for_people_and_programs(own):
    folder, check = own
    tests = folder / "tests" / "test_weather.py"
    text = tests.read_text("utf-8")
    tests.write_text(text.replace('assert note(-5) == "-5 C is 23 F, frost"', "note(-5)"), "utf-8")
    told = check()
    assert told.code == 1
    assert "Tests on the stubs (stubs)\n  tests/test_weather.py:29 (ex-3)\n" in told.out
    assert told.out.endswith("to fix.\n")
    assert "fail" not in told.out.replace("fails on", "").lower()
    result = check("--json").json
    assert result["ok"] is False
    assert result["findings"][0].keys() == {"step", "file", "line", "unit", "message", "output"}
    assert result["findings"][0]["step"] == "stubs"
    assert result["proof"]["unitMap"].keys() == {"ex-1", "ex-2", "ex-3"}


def test_a_topic_that_is_not_there_yet_comes_along(cli, tmp_path):
    made = cli("new-exercise", str(tmp_path / "python-basics-weather"))
    assert made.code == 0
    assert "There is no topic python-basics yet, so this exercise brings it along" in made.err
    assert "tutor-lsp curriculum lists the topics that there are" in made.err
    toml = (tmp_path / "python-basics-weather" / "exercise.toml").read_text("utf-8")
    assert '[topic]\ntitle = "Basics"\n' in toml
    known = cli("new-exercise", str(tmp_path / "python-strings-weather"))
    assert (known.code, known.err) == (0, "")
    assert cli("new-exercise", str(tmp_path / "c-strings-x"), "--json").json["note"] is None
    refused = cli("new-exercise", str(tmp_path / "weather"), "--language", "python")
    assert '"python-functions-weather"' in refused.err, "the example is one that works"


@pytest.mark.parametrize("name", ["cobol-x-y", "weather-notes"])
def test_a_name_without_a_language_is_asked_for_one(cli, tmp_path, monkeypatch, name):
    refused = cli("new-exercise", name, "--json")
    assert (refused.code, refused.error["kind"]) == (2, "BAD_ARGUMENT")
    first = name.partition("-")[0]
    assert f'no language called "{first}". Begin it with one of: c, python, rust' in refused.err
    assert not (tmp_path / name).exists()
    monkeypatch.setenv("TUTOR_LSP_LANGUAGE", "rust")
    assert cli("new-exercise", name, "--json").json["language"] == "rust"


def test_a_record_is_checked_too(cli, tmp_path):
    path = tmp_path / "record.jsonl"
    payload = {"file_path": "a.py", "content": "x = 1\n"}
    line = {"stage": "starter-expand", "iteration": 1, "accepted": True, "payload": payload}
    path.write_text(json.dumps(line) + "\n", "utf-8")
    result = cli("check-exercise", str(path), "--json")
    assert (result.code, result.json["ok"]) == (1, False)
    assert {finding["step"] for finding in result.json["findings"]} == {"shape"}


@pytest.mark.parametrize("place", ["nowhere", "notes.txt"])
def test_what_cannot_be_checked_is_refused(cli, tmp_path, place):
    (tmp_path / "notes.txt").write_text("hello", "utf-8")
    result = cli("check-exercise", str(tmp_path / place), "--json")
    assert result.code in (1, 2)
    assert result.error["kind"] in ("BAD_ARGUMENT", "BAD_SCRIPT")


def test_an_exercise_with_a_unit_that_asks_for_a_declaration_is_begun(cli, tmp_path):
    folder = tmp_path / "python-strings-labels"
    made = cli("new-exercise", str(folder), "--kind", "declare", "--json")
    assert {"src/exercise/reading.py", "tests/test_reading.py"} <= set(made.json["files"])
    assert cli("new-exercise", str(tmp_path / "python-a-b"), "--kind", "guess").code == 2


@pytest.mark.long("proves an exercise")
def test_such_an_exercise_holds(cli, tmp_path):
    folder = tmp_path / "python-strings-labels"
    assert cli("new-exercise", str(folder), "--kind", "declare").code == 0
    checked = cli("check-exercise", str(folder), "--json")
    assert (checked.code, checked.json["proof"]["codes"]) == (0, {"ex-4": ["ImportError"]})


@pytest.mark.long("proves an exercise")
def test_an_exercise_with_a_unit_that_asks_for_tests_is_begun(cli, tmp_path):
    folder = tmp_path / "python-strings-labels"
    made = cli("new-exercise", str(folder), "--kind", "test", "--kind", "declare", "--json")
    both = {"variants/ex-4.md", "mistakes/ex-4.md", "tests/test_span.py", "tests/test_reading.py"}
    assert both <= set(made.json["files"])
    checked = cli("check-exercise", str(folder), "--json")
    assert (checked.code, checked.json["findings"]) == (0, [])
    (folder / "mistakes/ex-4.md").unlink()
    refused = cli("check-exercise", str(folder), "--json")
    assert (refused.code, refused.json["ok"]) == (1, False)
    assert "mistakes/ex-4.md is missing" in refused.json["findings"][0]["message"]
