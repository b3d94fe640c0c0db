"""`watch`: live results on a terminal, lines in a pipe, and a terminal that is put back."""

import os
import shutil
import signal
import subprocess
import sys
import termios
from contextlib import contextmanager

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
    watch.wait_for("to_minutes(2, 46) gave 3, expected 166 (3 of 3 tests)")
    watch.press("f", "ex-4 plan  an f-string puts answers into a sentence")
    watch.press("l", f"{exercise.workspace}/LESSON.md:5")
    watch.press("o", "✗ test_to_minutes")
    watch.press("h", "Hint 1")
    watch.press("n", "Press n again")
    exercise.solve()
    watch.shows("All tests pass.")
    watch.press_for_all("a", "Mastery of “Functions and return values”: 0 → 1 of 3", "✓ Passed.")
    watch.press("n", "python-strings", "0 of ")
    watch.quits()
    assert restored(watch)


@pytest.mark.long("starts a program in a terminal for a case beside those that stand for it here")
def test_what_takes_something_away_asks_for_the_key_again(watch, exercise):
    given = exercise.source.read_text()
    exercise.body("to_minutes", "return 3")
    watch.wait_for("gave 3, expected 166")
    watch.press("s", "Press s again to see it now.")
    watch.press("s", "return hours * 60 + minutes")
    watch.press("x", "Press x again to put to_minutes back")
    watch.press("x", "u (reset --undo) brings")
    until("the stub is back", lambda: watch.read() or exercise.source.read_text() == given)
    watch.send("u")
    until("the text is back", lambda: watch.read() or "return 3" in exercise.source.read_text())
    watch.press("k", "what the failing tests of this unit said")
    watch.quits()


@pytest.mark.long("starts a program in a terminal for a case beside those that stand for it here")
def test_a_second_key_is_for_the_unit_that_was_asked_about_and_a_question_is_typed(watch, exercise):
    watch.press("s", "Press s again to see it now.")
    exercise.body("to_minutes", "return hours * 60 + minutes")
    watch.shows("ex-2 ends_at  to do")
    watch.press("s", "The solution of ends_at opens after")
    watch.press("?", "Your question (Enter asks, Esc leaves):")
    watch.press("quäx\x7f?\x1b[A", "quä?")
    watch.press("\r", "needs a model")
    watch.press("?", "Your question")
    watch.send("q\x1b")
    watch.press("f", "ex-4 plan")
    watch.quits()


@pytest.mark.long("starts a program in a terminal for a case beside those that stand for it here")
def test_what_is_left_and_opened_again_is_said_with_the_reason(watch):
    watch.press("n", "Press n again")
    watch.press("n", "not passed yet. Mastery of", "so it is open again as you left it", "Lesson ")
    watch.shows("q quit")
    watch.quits()


def has(screen, *words, without):
    return all(each in screen for each in words) and without not in screen


@pytest.mark.long("plays a whole exercise in a terminal; test_watch_panel.py has the rules")
def test_what_a_key_shows_goes_with_its_unit_and_with_escape(watch, exercise):
    exercise.body("to_minutes", "return 3")
    watch.press("h", "Hint 1 ")
    watch.press("h", "Hint 2 ")
    exercise.source.write_text(exercise.source.read_text().replace("return 3", "return 4"))
    watch.wait_for("gave 4")
    assert "Hint 2 " in watch.screen()
    watch.press("c", "ex-2 ends_at", "Not yet: ")
    exercise.source.write_text(exercise.source.read_text().replace("return 4", "return 5"))
    watch.shows("gave 5", "q quit")
    assert "Not yet: " not in watch.screen()
    watch.press("o", "gave 5, expected 166")
    solved = exercise.source.read_text().replace("return 5", "return hours * 60 + minutes")
    exercise.source.write_text(solved)
    until("the next unit", lambda: has(watch.screen(), "ex-2 ends_at", "q quit", without="gave 5"))
    watch.press("h", "Hint 1 ")
    exercise.solve()
    watch.shows("All tests pass.", "q quit")
    assert "Hint 1 " not in watch.screen()
    watch.press("f", "ex-4 plan", "q quit")
    watch.send("\x1b")
    until("the answer is gone", lambda: has(watch.screen(), "q quit", without="ex-4 plan"))
    watch.press("k", "  Esc  close what a key has shown")
    watch.quits()


@pytest.mark.long("starts a program in a terminal for a case beside those that stand for it here")
def test_an_exercise_begun_elsewhere_is_followed_and_keys_lead_on_after_the_last_hint(watch, cli):
    assert cli("start", "--language", "python", "--node", "python-strings").code == 0
    watch.shows("python · python-strings", "q quit")
    watch.press("e", "offered after the last hint")
    for level in "123":
        watch.press("h", f"Hint {level} ")
    watch.shows("Still stuck?  s solution  e easier", "(s)", "(e)")
    watch.press("e", "python · python-functions")
    watch.quits()


@pytest.mark.long("starts a program in a terminal for a case beside those that stand for it here")
def test_a_text_that_does_not_parse_is_said(watch, exercise):
    before = exercise.source.read_text()
    exercise.source.write_text(before + "\ndef broken(:\n")
    watch.wait_for("It does not build yet: src/exercise/movie.py:")
    exercise.source.write_text(before)
    watch.quits()


@pytest.mark.long("starts a program in a terminal for a case beside those that stand for it here")
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
        terminal.quits()
        assert restored(terminal)


@pytest.mark.long("starts a program in a terminal for a case beside those that stand for it here")
def test_a_low_screen_keeps_focus_and_keys(home, exercise, tmp_path):
    with Terminal("watch", env=environment(home), cwd=tmp_path, rows=9) as terminal:
        terminal.wait_for("Not written yet.")
        terminal.press("l", "LESSON.md:", "page 1 of", "q quit")
        terminal.quits()


@pytest.mark.long("starts a program in a terminal for a case beside those that stand for it here")
def test_a_folder_that_goes_away_ends_it(watch, exercise):
    shutil.rmtree(exercise.workspace)
    watch.wait_for("is gone")
    assert watch.end() == 1
    assert restored(watch)


@contextmanager
def in_pipes(home, *arguments, program=PROGRAM):
    """`watch` without a terminal, and what writes a line to it."""
    with subprocess.Popen(
        [*program, "watch", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment(home),
        text=True,
    ) as child:

        def write(text):
            child.stdin.write(text)
            child.stdin.flush()

        try:
            yield child, write
        finally:
            child.kill()


TO_DO = "0 of 11 tests · ex-1 to_minutes: ex-1: return hands back the answer. Not written yet.\n"


@pytest.mark.first(1)
@pytest.mark.parametrize(
    "program", [PROGRAM, [sys.executable, "-c", KEEPS_LATE]], ids=["as it is", "results kept late"]
)
def test_without_a_terminal_it_prints_a_line_per_change(home, exercise, program):
    with in_pipes(home, str(exercise.source), program=program) as (child, write):
        assert child.stdout.readline() == TO_DO
        exercise.body("to_minutes", "return hours * 60 + minutes")
        assert child.stdout.readline().startswith("3 of 11 tests · ex-2 ends_at:")
        write("l\n")
        assert child.stdout.readline().startswith(f"Lesson  {exercise.workspace}/LESSON.md:")
        assert child.stdout.readline() == "Functions that use functions\n"
        write("? why is it too small?\nq\n")
        assert child.wait(30) == 0
        assert "\x1b" not in child.stdout.read()


@pytest.mark.long("starts a program in a terminal for a case beside those that stand for it here")
def test_a_word_in_a_line_is_the_key_of_its_first_letter(home, exercise):
    with in_pipes(home) as (child, write):
        assert child.stdout.readline() == TO_DO
        write("output\nxre")
        assert child.stdout.readline() == "No test of this unit fails.\n"
        write("set\n")
        assert child.stdout.readline().startswith("Press x again to put to_minutes back")
        write("?\n")
        assert child.stdout.readline() == "Write your question behind the key: ? why …\n"
        write("quit\n")
        assert child.wait(30) == 0


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
