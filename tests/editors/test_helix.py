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


@pytest.fixture(params=["helix-25.01", "helix-25.07"])
def exercise(request, get, tmp_path):
    """A Helix on the first Python exercise, which the terminal started, and its stub file."""
    binary = get(request.param)
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
    editor = helix.Helix(binary, tmp_path, SERVER, [stub])
    editor.wait("●")
    yield editor, stub
    editor.close()
    assert left_behind(home) == []


def holds(path, text):
    """Whether a file has that text; for a moment of its being written there is none."""
    try:
        return text in path.read_text()
    except OSError:
        return False


def put(editor, stub, text):
    """Put a line in place of the one with the body of the first stub, and save."""
    editor.keys("20Ggsvglc", text)
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
    editor.keys("11Gww")
    editor.keys(" k")
    editor.wait("ex-1 ○ to do")
    editor.keys(" a")
    editor.wait("Go to the test of to_minutes")
    editor.keys("\r")
    editor.wait("Hint 1 ")
    coach_says(editor, stub, "## Hint 1 for `to_minutes`")

    put(editor, stub, "return hours + minutes")
    editor.keys("11Gww")
    editor.wait("expected")
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


def test_comment_leads_to_the_lesson_and_the_lesson_to_the_stub(exercise):
    editor, _ = exercise
    editor.keys("15Gglgd")
    editor.wait(lambda _: "LESSON.md" in editor.status())
    editor.keys("gd")
    editor.wait(lambda _: "movie.py" in editor.status())


def test_a_build_error_on_a_line_that_is_not_ascii(exercise):
    editor, stub = exercise
    put(editor, stub, "return 'nä𝄞' )")
    editor.command("goto 1")
    editor.wait(lambda _: editor.status().endswith(" 1:1"))
    marked = re.compile(r"^ *● +20 .*nä", re.MULTILINE)
    editor.wait(marked.search)  # else the next diagnostic is still that of the stub
    editor.keys("]d")
    # The place of the closing bracket, in characters as Helix counts them.
    editor.wait(lambda _: editor.status().endswith(" 20:18"))


def test_commands_need_no_argument(exercise):
    editor, _ = exercise
    for command, says in (
        ("status", "Movie night: 0 of 4 units pass."),
        ("review", "No review yet"),
        ("sessions", "Movie night"),
        ("curriculum", "Recommended"),
        ("check", "0 of 11 tests pass."),
        ("hint", "Hint 1 "),
        ("ask", "No question was asked."),
        ("reveal", "opens after"),
        ("compare", "does not pass yet"),
        ("claim", "tutor.claim: node"),
        ("cancel", "Nothing was going on."),
        ("reset", "Put back: "),
        ("restore", "Put back: "),
        ("end", "“Movie night”: 0 of 4 units pass"),
    ):
        editor.command(f"lsp-workspace-command tutor.{command}")
        editor.wait(says)
