"""The editor that docs/adding-an-editor.md follows, on a session with the real server."""

import os
import queue
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from placeholders import with_body

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SOLUTION = ROOT / "tutor_lsp/library/python/python-functions-movie-night/solution"
WAIT_S = 60


class Typist:
    """Types into the editor and reads what it prints."""

    def __init__(self, home):
        self.home = home
        command = [sys.executable, str(HERE / "toy_editor.py"), sys.executable, "-m", "tutor_lsp"]
        environment = {**os.environ, "TUTOR_LSP_HOME": str(home), "TUTOR_LSP_BACKEND": "library"}
        self.process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self.lines = queue.Queue()
        self.printed = []
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))

    def type(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, pattern):
        """The first match in a line that is printed from now on."""
        while True:
            try:
                self.printed.append(self.lines.get(timeout=WAIT_S))
            except queue.Empty:
                raise AssertionError(f"{pattern} was not printed", self.printed) from None
            if found := re.search(pattern, self.printed[-1]):
                return found

    def pick(self, label):
        """Choose a row of the list that is about to be printed."""
        number = self.until(rf"^ *(\d+) .*{label}")[1]
        self.until(r"^Which\?$")
        self.type(number)


@pytest.fixture
def typist(tmp_path):
    typing = Typist(tmp_path / "home")
    yield typing
    typing.process.kill()
    typing.process.wait()


def test_a_session(typist):
    typist.type(":check")
    typist.until(r"^No exercise is open.*\(:start\)")
    typist.type(":start")
    typist.pick("Browse all topics")
    typist.pick("Python")
    typist.pick("Functions and return values")
    typist.until("^Starting: |^# Starting: ")
    folder = Path(typist.until("^- Folder: `(.*)`")[1])
    typist.until(r"^movie.py:11: .*Not written yet")

    stub = folder / "src/exercise/movie.py"
    given = stub.read_text("utf-8")
    stub.write_text(with_body(given, "to_minutes", "return hours"))
    typist.type(":write")
    typist.until(r"^movie.py:11: .*expected")
    typist.type(":hint ex-1")
    typist.until("^# Hint 1 · ex-1 to_minutes$")
    typist.type(":reveal ex-1")
    typist.until("^y or n")
    typist.type("y")
    typist.until("^# Solution of ex-1 to_minutes$")

    stub.write_text((SOLUTION / "src/exercise/movie.py").read_text("utf-8"))
    typist.type(":write")
    typist.until(r"^\[4 of 4 units pass\]$")
    typist.type(":attempt")
    typist.until("^# Passed · ")
    typist.until("^:next starts the first of them.$")
    typist.type(":reset ex-1")
    typist.until("^Put back as given: src/exercise/movie.py")
    typist.type(":reset undo")
    typist.until("^Brought back: ")
    typist.type(":sessions")
    typist.pick("Movie night")
    typist.until("^# Ready: Movie night$")
    typist.type(":end")
    typist.until("^# The session has ended$")
    typist.process.stdin.close()
    assert typist.process.wait(WAIT_S) == 0
    assert typist.process.stderr.read() == ""


@pytest.mark.long("starts the server twice for the editor of a page; a session stands for it here")
def test_what_is_typed_ahead_waits_for_the_list_that_it_answers(typist):
    """As from a pipe: every line is there before the server has answered the first."""
    list_, topics, python, functions = ":start", "Browse all topics", "Python", "Functions and"
    numbers = []
    typist.type(list_)
    for label in (topics, python, functions):
        numbers.append(typist.until(rf"^ *(\d+) .*{label}")[1])
        typist.until(r"^Which\?$")
        typist.type(numbers[-1])
    typist.until("^- Folder: ")
    ahead = Typist(typist.home.with_name("ahead"))
    try:
        ahead.process.stdin.write("\n".join([list_, *numbers, ":sessions", ""]))
        ahead.process.stdin.close()
        ahead.until("^# Starting: |^Starting: ")
        assert not [line for line in ahead.printed if "no command" in line], ahead.printed
        assert ahead.process.wait(WAIT_S) == 0
    finally:
        ahead.process.kill()
        ahead.process.wait()
