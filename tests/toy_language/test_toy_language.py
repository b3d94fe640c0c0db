"""A language that is none of ours: installed as a package, it does all that ours do."""

import shutil
import subprocess
from pathlib import Path

import pytest
from added_packages import HERE, TOGETHER, added

EXERCISE = HERE / "toy_language" / "exercises" / "toy" / "toy-functions-tea-round"
SOURCE = "src/tea.toy"
pytestmark = TOGETHER


@pytest.fixture
def tutor(tmp_path_factory, tmp_path):
    """The terminal, in a tutor home of its own."""
    library = str(HERE / "toy_language" / "exercises")
    return added(tmp_path_factory).at_home(
        tmp_path, TUTOR_LSP_LIBRARIES=library, TUTOR_LSP_BACKEND="library"
    )


def solved(text):
    return (EXERCISE / "solution" / SOURCE).read_text("utf-8").replace(*text)


def test_its_exercise_is_learned_from_start_to_pass(tutor):
    with tutor.server() as ed:
        nodes = ed.do("curriculum", language="toy")["nodes"]
        assert [(node["id"], node["offline"]) for node in nodes] == [("toy-functions", True)]
        assert "toy" in {tool["name"] for tool in ed.do("doctor")["tools"]}

        ready = ed.do("start", node="toy", trust=True)
        assert (ready["node"], ready["proof"]["ok"]) == ("toy-functions", True)
        assert [unit["state"] for unit in ready["units"]] == ["todo"] * 3
        assert ed.do("hint")["text"].startswith("Count the cups of one guest first")

        file = Path(ready["workspace"]) / SOURCE
        given = file.read_text("utf-8")
        for broken in (
            given.replace("    todo bill\nend", "    give bill("),
            given.replace("fun bill(guests, price)\n    todo bill\nend", "fun bil"),
        ):
            file.write_text(broken)
            ed.do("reset", unit="ex-2")
            assert file.read_text("utf-8") == given

        file.write_text("fun cups(guests)\n    give 1\n")
        report = ed.do("check")
        assert report["outcome"] == "build_error"
        assert report["buildErrors"][0]["message"] == "`fun` is never closed by `end`"
        assert "no `end`" in ed.do("hint")["text"]

        file.write_text(solved(("guests * 2", "guests * 3")))
        uri = ed.open(file, "toy")
        assert ed.do("check")["tests"][0]["message"] == "`cups(3)` gave 9, expected 6"
        assert ed.do("attempt")["review"]["verdict"] == "FAIL"
        assert ed.do("hint")["level"] == 2
        failed = [item for item in ed.shown(uri) if item["code"] == "test-failed"]
        assert {item["range"]["start"]["line"] for item in failed} == {6, 16}
        assert failed[0]["message"].startswith("`cups(3)` gave 9, expected 6")


@pytest.mark.long("proves an exercise, which starting it does here too")
def test_its_exercises_are_proven(tutor):
    proof = tutor("check-exercise", EXERCISE)
    assert (proof["ok"], proof["findings"]) == (True, [])
    assert proof["proof"]["failOnStub"] == proof["proof"]["passOnReference"] == 6
    assert proof["proof"]["lessonBlocks"] == {"run": 3, "ok": 3}


@pytest.mark.long("starts the program for each verb")
def test_its_exercise_is_passed_in_a_terminal(tutor):
    ready = tutor("start", "--language", "toy", "--trust")
    assert (ready["node"], ready["proof"]["ok"]) == ("toy-functions", True)
    file = Path(ready["workspace"]) / SOURCE
    assert [unit["state"] for unit in ready["units"]] == ["todo"] * 3

    hint = tutor("hint")
    assert hint["text"].startswith("Count the cups of one guest first")
    file.write_text(solved(("guests * 2", "guests * 3")))
    report = tutor("check", code=3)
    assert report["tests"][0]["message"] == "`cups(3)` gave 9, expected 6"
    attempt = tutor("attempt", code=3)
    assert attempt["review"]["verdict"] == "FAIL"
    assert tutor("hint")["level"] == 2

    file.write_text(solved(("give guests * 2", "give guests + guests")))
    assert tutor("check")["outcome"] == "passed"
    attempt = tutor("attempt")
    assert attempt["mastery"] == {"node": "toy-functions", "before": 0, "after": 1}
    compared = tutor("compare", "--unit", "ex-1")
    assert "give guests * 2" in Path(compared["reference"]).read_text()


@pytest.mark.long("starts a program of its own for one function")
def test_what_gives_its_solution_away_is_known(tutor):
    asked = """
import sys, pathlib
from tutor_lsp.stages.reveal import solution_lines
texts = [pathlib.Path(path).read_text() for path in sys.argv[1:]]
texts[1] = texts[1].replace("    give all", "    -- No tip.\\n    give all")
print(solution_lines("toy", *texts, "bill")[-2:])
"""
    texts = (EXERCISE / part / SOURCE for part in ("", "solution"))
    done = subprocess.run(
        [tutor.python, "-c", asked, *texts],
        env=tutor.environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "['end', 'giveall']\n"


@pytest.mark.long("starts the program for each proof")
def test_what_is_wrong_in_its_exercises_is_found(tutor, tmp_path):
    broken = tmp_path / EXERCISE.name
    shutil.copytree(EXERCISE, broken)
    for path, old, new in (
        ("LESSON.md", "```text\n120", "```text\n121"),
        ("LESSON.md", "-- prints 120", "-- prints 121"),
        ("src/tea.toy", "    todo cups", "    -- give guests * 2\n    todo cups"),
        ("tests/tea.toy", 'check mood(0) == "quiet"', "check cups(3) == 7"),
    ):
        whole = (broken / path).read_text("utf-8")
        (broken / path).write_text(whole.replace(old, new), "utf-8")
        found = tutor("check-exercise", broken, code=1)["findings"]
        assert found, new
        (broken / path).write_text(whole, "utf-8")
