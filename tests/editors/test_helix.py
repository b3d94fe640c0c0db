"""Whole sessions with the real server in a real Helix, by its keys and its screen."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

SERVER = [sys.executable, "-m", "tutor_lsp"]
LIBRARY = Path(__file__).resolve().parents[2] / "tutor_lsp/library/python"
SOLUTION = LIBRARY / "python-functions-movie-night/solution/src/exercise/movie.py"
STARTER = (LIBRARY / "python-functions-movie-night/src/exercise/movie.py").read_text().split("\n")
DEF, READ, BODY = (
    next(number for number, line in enumerate(STARTER, start=1) if said in line)
    for said in ("def to_minutes", "Read: LESSON.md", "raise NotImplementedError")
)
END_S = 15


def left_behind(home):
    """Processes that know this tutor home, once they had time to end."""
    deadline = time.monotonic() + END_S
    while found := [
        entry.name
        for entry in Path("/proc").glob("[0-9]*")
        if int(entry.name) != os.getpid() and _knows(entry, f"TUTOR_LSP_HOME={home}")
    ]:
        if time.monotonic() > deadline:
            return found
        time.sleep(0.05)
    return []


def _knows(entry, mark):
    try:
        state = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0]
        return state != "Z" and mark.encode() in (entry / "environ").read_bytes()
    except (OSError, IndexError):  # it ended while it was read
        return False


@pytest.fixture
def started(tmp_path):
    """Starts a Helix on the first Python exercise, which the terminal began; gives its stub file,
    too."""
    helix = pytest.importorskip("helix", reason="pyte is not installed: make test-editors does so")
    home = tmp_path / "a höme" / "tutor"
    home.mkdir(parents=True)
    begun = subprocess.run(
        [*SERVER, "start", "--json", "--node", "python-functions"],
        env={**os.environ, "TUTOR_LSP_HOME": str(home)},
        capture_output=True,
        text=True,
        check=True,
    )
    ready = json.loads(begun.stdout)
    stub = Path(ready["workspace"], ready["units"][0]["file"])
    opened = []

    def start(binary, **more):
        opened.append(helix.Helix(binary, tmp_path, SERVER, [stub], **more))
        opened[0].wait("●")
        return opened[0], stub

    yield start
    for editor in opened:
        editor.close()
    assert left_behind(home) == []


@pytest.fixture(params=["helix-25.01", "helix-25.07"])
def exercise(request, get, started):
    return started(get(request.param))


def holds(path, text):
    """Whether a file has that text; for a moment of its being written there is none."""
    try:
        return text in path.read_text()
    except OSError:
        return False


def put(editor, stub, text):
    """Put a line in place of the one with the body of the first stub, and save."""
    editor.keys(f"{BODY}Ggsvglc", text)
    editor.wait(text)
    editor.keys("\x1b")
    editor.wait(" NOR ")
    editor.command("write")
    # Helix writes beside what it does next: what is run must be there, and its message gone by.
    editor.wait(lambda screen: holds(stub, text) and "written" in screen)


def coach_says(editor, stub, text):
    path = stub.parents[2] / ".tutor" / "coach.md"
    editor.wait(lambda _: holds(path, text))


def test_a_session(exercise):
    editor, stub = exercise
    editor.keys(f"{DEF}Gww")
    editor.keys(" k")
    editor.wait("ex-1 ○ to do")
    editor.keys(" a")
    editor.wait("Go to the test of to_minutes")
    editor.keys("\r")
    editor.wait("Hint 1 ")
    coach_says(editor, stub, "## Hint 1 for `to_minutes`")

    put(editor, stub, "return hours + minutes")
    # By the README's config.toml it is shown beneath the stub, with the cursor in the code.
    editor.wait(re.compile(r"└─`to_minutes\(2, 46\)` gave 48, expected 166").search)
    put(editor, stub, "return hours * 60 + minutes")
    editor.command("lsp-workspace-command tutor.check")
    editor.wait("3 of 11 tests pass.")

    stub.write_text(SOLUTION.read_text())
    editor.command("reload")
    editor.wait(lambda text: "NotImplementedError" not in text)
    editor.command("lsp-workspace-command tutor.attempt")
    coach_says(editor, stub, "## Review of attempt 1: passed")
    editor.wait(lambda text: "●" not in text)
    editor.command("lsp-workspace-command tutor.next")
    editor.wait(lambda text: "Ready: " in text or "movie.py" not in editor.status())


# Helix 25.01 asks nothing.
def test_what_is_offered_is_whole_on_a_small_screen(get, started):
    editor, _ = started(get("helix-25.07"), size=(80, 24))
    editor.command("lsp-workspace-command tutor.start")
    shown = editor.wait("What would you like to do?")
    offered = [line for line in shown.split("\n") if "Continue: Movie night (Python)" in line]
    assert offered, shown
    assert re.search(r" Rust: [^()]+ \([^()]+\)", shown), shown
    editor.keys("\x1b")
    editor.wait(lambda text: "What would" not in text)


def test_what_fails_leaves_the_edited_line_on_a_small_screen(get, started):
    editor, stub = started(get("helix-25.07"), size=(80, 24))
    written = "return hours + minutes"
    put(editor, stub, written)
    shown = editor.wait("└─`to_minutes(2, 46)` gave 48, expected 166 (2 of 3 tests)").split("\n")
    (row,) = [number for number, line in enumerate(shown) if "└─" in line]
    assert re.match(rf" +{DEF + 1} ", shown[row + 1]), shown
    assert [line for line in shown if written in line], shown
    # The other test that fails is in the hover.
    editor.keys(f"{DEF}Gww", " k")
    editor.wait("to_minutes(3, 0) gave 3, expected 180")


def test_comment_leads_to_the_lesson_and_the_lesson_to_the_stub(exercise):
    editor, _ = exercise
    editor.keys(f"{READ}Gglgd")
    editor.wait(lambda _: "LESSON.md" in editor.status())
    editor.keys("gd")
    editor.wait(lambda _: "movie.py" in editor.status())


def test_a_build_error_on_a_line_that_is_not_ascii(exercise):
    editor, stub = exercise
    put(editor, stub, "return 'nä𝄞' )")
    editor.command("goto 1")
    editor.wait(lambda _: editor.status().endswith(" 1:1"))
    marked = re.compile(rf"^ *● +{BODY} .*nä", re.MULTILINE)
    editor.wait(marked.search)  # else the next diagnostic is still that of the stub
    editor.keys("]d")
    # The place of the closing bracket, in characters as Helix counts them.
    editor.wait(lambda _: editor.status().endswith(f" {BODY}:18"))


def test_commands_need_no_argument(exercise):
    editor, _ = exercise
    for command, says in (
        ("status", "Movie night: just begun."),
        ("review", "There is no review yet"),
        ("sessions", "Movie night"),
        ("curriculum", "Recommended"),
        ("check", "0 of 11 tests pass."),
        ("hint", "Hint 1 "),
        ("ask", "needs a model to answer it"),
        ("reveal", "opens after"),
        ("compare", "does not pass yet"),
        ("claim", "tutor.claim: node"),
        ("cancel", "Nothing is running here."),
        ("reset", "Everything is as it was given"),
        ("restore", "Everything is as it was given"),
        ("end", "“Movie night”: 0 of 4 units pass"),
    ):
        editor.command(f"lsp-workspace-command tutor.{command}")
        editor.wait(says)
