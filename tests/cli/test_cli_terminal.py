"""In a terminal: questions, colours, Ctrl-C; and pipes that close early."""

import json
import os
import signal
import subprocess

import pytest
from cli_tools import (
    FOREVER,
    PROGRAM,
    Terminal,
    environment,
    processes_in,
    until,
)


def test_start_without_wishes_asks_and_starts_what_is_chosen(home, tmp_path):
    with Terminal("start", env=environment(home), cwd=tmp_path) as terminal:
        terminal.wait_for("What would you like to do?")
        terminal.wait_for("Your own topic")
        asked = terminal.wait_for("q to leave):")
        terminal.send("99\n")
        asked = terminal.wait_for("Please type a number", after=asked)
        terminal.send("2\n")
        terminal.wait_for("Lesson: ", after=asked)
        terminal.wait_for("tutor-lsp check", after=asked)
        assert terminal.end() == 0
        assert "\x1b[1m" in terminal.raw
        assert " %" in terminal.text
    with Terminal("start", env=environment(home), cwd=tmp_path) as terminal:
        terminal.wait_for("1  Continue: ")
        terminal.send("q\n")
        assert terminal.end() == 0


@pytest.mark.long("starts a program in a terminal for a case beside those that stand for it here")
def test_browsing_all_topics(home, tmp_path):
    with Terminal("start", env=environment(home), cwd=tmp_path) as terminal:
        terminal.wait_for("Browse all topics")
        terminal.wait_for("q to leave):")
        terminal.send("4\n")
        at = terminal.wait_for("Browse all topics")
        at = terminal.wait_for("Python", after=at)
        at = terminal.wait_for("q to leave):", after=at)
        terminal.send("2\n")
        at = terminal.wait_for("Functions and return values", after=at)
        at = terminal.wait_for("more with a model", after=at)
        at = terminal.wait_for("q to leave):", after=at)
        terminal.send("2\n")
        terminal.wait_for("python-strings", after=at)
        assert terminal.end() == 0


@pytest.mark.long("starts a program in a terminal for a case beside those that stand for it here")
def test_ctrl_c_at_a_question_leaves(home, tmp_path):
    with Terminal("start", env=environment(home), cwd=tmp_path) as terminal:
        terminal.wait_for("q to leave):")
        terminal.send("\x03")
        assert terminal.end() == 130
        assert "Stopped." in terminal.text


def test_ctrl_c_ends_a_start_and_leaves_nothing(home, cli):
    child = subprocess.Popen(
        [*PROGRAM, "start", "--language", "python"],
        env=environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stderr.readline() == "Tutor: Movie night\n"
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=30)
    assert (child.returncode, out) == (130, "")
    assert err.endswith("Stopped.\n")
    assert cli("sessions", "--json").json == []
    assert not list(home.glob("python/*"))


def test_ctrl_c_ends_a_run_and_its_processes(home, exercise, tmp_path):
    exercise.body("to_minutes", FOREVER)
    with Terminal("check", env=environment(home), cwd=tmp_path) as terminal:
        # A terminal that nobody reads holds up what is written to it.
        until("the tests run", lambda: terminal.read() or processes_in(exercise.workspace))
        terminal.send("\x03")
        assert terminal.end() == 130
        assert not processes_in(exercise.workspace)


@pytest.mark.long("starts a program in a terminal for a case beside those that stand for it here")
def test_sigterm_ends_a_run_and_its_processes(home, exercise):
    exercise.body("to_minutes", FOREVER)
    child = subprocess.Popen(
        [*PROGRAM, "check", "--json"], env=environment(home), stdout=subprocess.PIPE, stderr=-3
    )
    until("the tests run", lambda: processes_in(exercise.workspace))
    child.send_signal(signal.SIGTERM)
    out, _ = child.communicate(timeout=30)
    assert child.returncode == 128 + signal.SIGTERM
    assert out == b""
    assert not processes_in(exercise.workspace)


@pytest.mark.long("starts a program in a terminal for a case beside those that stand for it here")
def test_no_colour_where_none_is_wanted(home, tmp_path):
    with Terminal("curriculum", env=environment(home), cwd=tmp_path, NO_COLOR="1") as terminal:
        assert terminal.end() == 0
        assert "\x1b" not in terminal.raw
        assert "python-functions" in terminal.text


@pytest.mark.long("starts a program in a terminal for a case beside those that stand for it here")
def test_a_reader_that_has_seen_enough_is_no_disaster(home):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*PROGRAM, "curriculum"],
        env=environment(home),
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert done.returncode == 0
    assert done.stderr == b""


@pytest.mark.long("starts a program in a terminal for a case beside those that stand for it here")
def test_the_setting_plain_counts_too(home, tmp_path):
    home.mkdir()
    (home / "config.toml").write_text("plain = true\n")
    with Terminal("curriculum", env=environment(home), cwd=tmp_path) as terminal:
        assert terminal.end() == 0
        assert "\x1b" not in terminal.raw


def test_the_server_in_a_terminal_says_what_it_is_for(home, tmp_path):
    with Terminal(env=environment(home), cwd=tmp_path) as terminal:
        terminal.wait_for("tutor-lsp start. All verbs: tutor-lsp --help.")
        terminal.send("\x03")
        # CPython dies by the signal if it came while a dataclass was made: 130 to a shell as well.
        assert terminal.end() in (130, -signal.SIGINT)
        assert "Traceback" not in terminal.text


@pytest.mark.long("starts a program in a terminal for a case beside those that stand for it here")
def test_the_plan_of_a_new_exercise_is_shown_and_can_be_declined(home, tmp_path):
    unit = {
        "unit_id": "ex-1", "stub": "count_bees", "file_path": "src/exercise/hive.py",
        "first_principle": "len of a list", "lesson_heading": "Counting",
        "test_names": ["test_count_bees_counts_all"],
    }  # fmt: skip
    plan = {
        "schema_version": "scaffold_v1", "role": "scaffold", "scaffold_id": "bee-counter",
        "node_id": "topic-bees", "depth_target": "D2",
        "exercise_description": "Count the bees of a hive.",
        "lesson_plan": {"section_intents": ["Counting"]},
        "starter_plan": {"file_intents": ["hive.py"]}, "test_plan": {"case_intents": ["counts"]},
        "units": [unit],
    }  # fmt: skip
    script = tmp_path / "script.jsonl"
    script.write_text(json.dumps({"stage": "scaffold", "payload": plan}) + "\n", "utf-8")
    asked = ("start", "--topic", "bees", "--language", "python", "--replay", str(script), "--trust")
    with Terminal(*asked, env=environment(home), cwd=tmp_path) as terminal:
        terminal.wait_for("Count the bees of a hive.")
        terminal.wait_for("count_bees: len of a list")
        terminal.wait_for("To make it: about ")
        terminal.wait_for("In the meantime: ")
        at = terminal.wait_for("Cancel")
        at = terminal.wait_for("q to leave):", after=at)
        terminal.send("3\n")
        terminal.wait_for("declined; nothing was made", after=at)
        assert terminal.end() == 1
    assert not list(home.glob("python/*"))
