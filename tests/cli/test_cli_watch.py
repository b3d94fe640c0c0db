"""`watch`: live results on a terminal, lines in a pipe, and a terminal that is put back."""

import os
import shutil
import signal
import subprocess
import sys
import termios

import pytest
from cli_tools import FOREVER, PROGRAM, SHELL, Terminal, environment, processes_in, until

pytestmark = pytest.mark.first(3)

# What is kept late is shown late, too: after PATIENCE_S the results before it are not current.
KEEPS_LATE = """
import asyncio, sys
from tutor_lsp.cli.main import main
from tutor_lsp.tutor.running.run_queue import ExerciseRuns
keep = ExerciseRuns._keep
async def late(*arguments):
    await asyncio.sleep(0.7)
    await keep(*arguments)
ExerciseRuns._keep = late
sys.exit(main(sys.argv[1:]))
"""
ENTER, LEAVE = "\x1b[?1049h", "\x1b[?1049l"


@pytest.fixture
def watch(home, exercise, tmp_path):
    with Terminal("watch", env=environment(home), cwd=tmp_path) as terminal:
        terminal.wait_for("0 of 4 units")
        terminal.wait_for("q quit")
        yield terminal


def restored(terminal):
    """Whether screen, cursor and key handling are as they were."""
    last = terminal.raw.rfind
    return (
        last(LEAVE) > last(ENTER)
        and last("\x1b[?25h") > last("\x1b[?25l")
        and termios.tcgetattr(terminal.master) == terminal.attributes
    )


def test_a_save_shows_its_result_and_keys_work(watch, exercise):
    assert ENTER in watch.raw
    watch.wait_for("ex-1 to_minutes  to do")
    exercise.body("to_minutes", "return 3")
    at = watch.wait_for("`to_minutes(2, 46)` gave 3, expected 166 (3 of 3 tests)")
    watch.send("l")
    at = watch.wait_for("ex-4 plan  an f-string puts answers into a sentence", after=at)
    watch.send("o")
    at = watch.wait_for(f"{exercise.workspace}/LESSON.md:5", after=at)
    watch.send("h")
    at = watch.wait_for("Hint 1", after=at)
    watch.send("n")
    at = watch.wait_for("Press n again", after=at)
    exercise.solve()
    at = watch.wait_for("All tests pass.", after=at)
    watch.send("a")
    at = watch.wait_for("Mastery of python-functions: 0 → 1 of 3", after=at)
    at = watch.wait_for("✓ Passed.", after=at)
    watch.send("n")
    at = watch.wait_for("python-strings", after=at)
    watch.wait_for("0 of ", after=at)
    watch.send("q")
    assert watch.end() == 0
    assert restored(watch)


@pytest.mark.long("starts a program in a terminal for a case beside those that stand for it here")
def test_a_text_that_does_not_parse_is_said(watch, exercise):
    before = exercise.source.read_text()
    exercise.source.write_text(before + "\ndef broken(:\n")
    watch.wait_for("It does not build yet: src/exercise/movie.py:")
    exercise.source.write_text(before)
    watch.send("q")
    assert watch.end() == 0


@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_every_signal_gives_the_terminal_back(watch, exercise, number, code):
    exercise.body("to_minutes", FOREVER)
    # A terminal that nobody reads holds up what is drawn on it.
    until("the tests run", lambda: watch.read() or processes_in(exercise.workspace))
    watch.process.send_signal(number)
    assert watch.end() == code
    assert restored(watch)
    assert not processes_in(exercise.workspace)


def test_ctrl_z_gives_the_terminal_back_and_fg_takes_it_again(home, exercise, tmp_path):
    argv = [sys.executable, "-c", SHELL, *PROGRAM]
    with Terminal("watch", env=environment(home), cwd=tmp_path, argv=argv) as terminal:
        terminal.wait_for("q quit")
        terminal.send("\x1a")
        until("it stopped", lambda: terminal.read() or restored(terminal))
        at = len(terminal.text)
        terminal.send("\n")
        terminal.wait_for("0 of 4 units", after=at)
        terminal.send("q")
        assert terminal.end() == 0
        assert restored(terminal)


@pytest.mark.long("starts a program in a terminal for a case beside those that stand for it here")
def test_a_low_screen_keeps_focus_and_keys(home, exercise, tmp_path):
    with Terminal("watch", env=environment(home), cwd=tmp_path, rows=9) as terminal:
        terminal.wait_for("q quit")
        terminal.send("l")
        terminal.wait_for("…")
        terminal.wait_for("q quit")
        terminal.send("q")
        assert terminal.end() == 0


@pytest.mark.long("starts a program in a terminal for a case beside those that stand for it here")
def test_a_folder_that_goes_away_ends_it(watch, exercise):
    shutil.rmtree(exercise.workspace)
    watch.wait_for("is gone")
    assert watch.end() == 1
    assert restored(watch)


@pytest.mark.first(1)
@pytest.mark.parametrize(
    "program", [PROGRAM, [sys.executable, "-c", KEEPS_LATE]], ids=["as it is", "results kept late"]
)
def test_without_a_terminal_it_prints_a_line_per_change(home, exercise, program):
    child = subprocess.Popen(
        [*program, "watch", str(exercise.source)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment(home),
        text=True,
    )
    assert child.stdout.readline() == (
        "0 of 11 tests · ex-1 to_minutes: ex-1: return hands back the answer. Not written yet.\n"
    )
    exercise.body("to_minutes", "return hours * 60 + minutes")
    assert child.stdout.readline().startswith("3 of 11 tests · ex-2 ends_at:")
    child.stdin.write("o\n")
    child.stdin.flush()
    assert child.stdout.readline().startswith(f"Lesson  {exercise.workspace}/LESSON.md:")
    child.stdout.readline()
    child.stdin.write("q\n")
    child.stdin.flush()
    assert child.wait(30) == 0
    assert "\x1b" not in child.communicate()[0]


@pytest.mark.long("starts a program in a terminal for a case beside those that stand for it here")
def test_the_end_of_its_input_does_not_end_it(home, exercise):
    with open(os.devnull) as nothing:  # noqa: PTH123
        child = subprocess.Popen(
            [*PROGRAM, "watch", "--plain"],
            stdin=nothing,
            stdout=subprocess.PIPE,
            env=environment(home),
            text=True,
        )
    child.stdout.readline()
    exercise.solve()
    # A busy machine may take longer than results are shown as they were.
    old = "not run yet · ex-1 to_minutes: not run yet\n"
    shown = next(line for line in child.stdout if line != old)
    assert shown == "11 of 11 tests · all pass: a finishes with a review\n"
    child.send_signal(signal.SIGTERM)
    assert child.wait(30) == 143
    child.stdout.close()


def test_there_must_be_an_exercise(cli):
    result = cli("watch")
    assert result.code == 1
    assert result.err == "No exercise is open. Start one first (tutor-lsp start).\n"
