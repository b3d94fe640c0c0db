"""What is on the screens of Neovim and Emacs at usual sizes, in a terminal that the test holds."""

import json
import os
import shlex
import sys
from pathlib import Path

import pytest

PLUGINS = Path(__file__).resolve().parents[2] / "editors"
SERVER = [sys.executable, "-m", "tutor_lsp"]
SIZES = pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
WRONG = "    return hours + minutes"
SENTENCE = "`to_minutes(2, 46)` gave 48, expected 166"


def terminal(program, arguments, folder, size):
    """A terminal of that size with an editor in it, which finds the server on its PATH."""
    held = pytest.importorskip(
        "terminal", reason="pyte is not installed: make test-editors does so"
    )
    shim = folder / "bin" / "tutor-lsp"
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nexec {shlex.join(SERVER)} "$@"\n')
    shim.chmod(0o755)
    environment = {
        "HOME": str(folder),
        "PATH": f"{shim.parent}:{os.environ['PATH']}",
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "TUTOR_LSP_HOME": str(folder / "tutor"),
        **{f"XDG_{name}_HOME": str(folder / name) for name in ("CONFIG", "DATA", "STATE", "CACHE")},
    }
    return held.Terminal(program, arguments, folder, environment, size)


def assert_one_can_work(screen, *, wrong):
    """Signature, code and the lesson's marked section are in view, and what fails beneath it."""
    assert "def to_minutes(hours: int, minutes: int) -> int:" in screen, screen
    assert wrong or "# Movie night" in screen, screen
    assert "◀ to_minutes" in screen, screen
    assert "Press ENTER" not in screen, screen
    lines = screen.split("\n")
    body = WRONG if wrong else '    raise NotImplementedError("to_minutes")'
    (row,) = [number for number, line in enumerate(lines) if body.strip() in line]
    assert (SENTENCE in lines[row + 1]) is wrong, screen
    assert screen.count(SENTENCE) == wrong, screen


def cursor_is_behind(screen, code, cursor):
    """Whether the cursor stands at the end of the line with that code."""
    row, column = cursor
    line = screen.split("\n")[row]
    return code in line and column == line.index(code) + len(code)


# The other versions are started through a loader, which they take for themselves when they start
# their second half, the terminal's.
def neovim(get, folder, size, node="python-functions"):
    """A Neovim with the first stub of that topic in front."""
    (folder / "init.lua").write_text(f"""
        vim.opt.rtp:prepend({json.dumps(str(PLUGINS / "neovim"))})
        require("tutor_lsp.handlers").opens_by_itself_ns = math.huge""")
    editor = terminal(get("nvim-0.11"), ["-n", "-u", folder / "init.lua"], folder, size)
    editor.wait("[No Name]")
    editor.keys(f":TutorLsp start python {node}\r")
    editor.wait("ex-1 ○ to do")
    return editor


def emacs(get, folder, size, node="python-functions"):
    """An Emacs with the first stub of that topic in front."""
    server = " ".join(json.dumps(word) for word in SERVER)
    settings = f"""(progn (setq tutor-lsp-command '({server}) tutor-lsp--opens-itself-s 1000
                                make-backup-files nil native-comp-jit-compilation nil
                                native-comp-enable-subr-trampolines nil)
                          (tutor-lsp-global-mode 1)
                          (tutor-lsp--ask "tutor.start"
                                          '(:language "python" :node "{node}")))"""
    arguments = ["-Q", "-nw", "-L", PLUGINS / "emacs", "-l", "tutor-lsp", "--eval", settings]
    editor = terminal(get("emacs-30"), arguments, folder, size)
    editor.wait("NotImplementedError")
    return editor


@SIZES
def test_neovim(get, tmp_path, size):
    editor = neovim(get, tmp_path, size)
    try:
        assert_one_can_work(editor.wait("NotImplementedError"), wrong=False)
        editor.keys("cc" + WRONG.strip() + "\x1b:w\r")
        assert_one_can_work(editor.wait(SENTENCE), wrong=True)

        editor.keys("\\th")
        shown = editor.wait("Hint 1 · ex-1")
        assert "h next hint" in shown, shown
        assert WRONG in shown, shown
        editor.keys("A")
        editor.wait(lambda text: "Hint 1 · ex-1" not in text and "-- INSERT --" in text)
        editor.keys("\x1b", ":TutorLsp compare\r")
        # Longer than the last line: it must not ask for ENTER.
        shown = editor.wait("does not pass yet")
        assert "Press ENTER" not in shown, shown
    finally:
        editor.close("\x1b:qa!\r")


@SIZES
def test_emacs(get, tmp_path, size):
    editor = emacs(get, tmp_path, size)
    try:
        assert_one_can_work(editor.wait("Flymake[0 0 4]"), wrong=False)
        editor.keys("\x01\x0b", WRONG, "\x18\x13")
        assert_one_can_work(editor.wait(SENTENCE), wrong=True)
        editor.wait(lambda screen: cursor_is_behind(screen, WRONG, editor.cursor()))
        editor.keys("\x03,h")
        shown = editor.wait("# Hint 1 · ex-1")
        assert "C-c , h next hint" in shown, shown
        assert WRONG in shown, shown
        editor.keys("\x03,,")
        shown = editor.wait("Continue or start…")
        assert "tutor: 0 of 4 units pass ▶ to_minutes" in shown, shown
        assert WRONG in shown, shown
        assert not [line for line in shown.split("\n") if line.endswith("…$")], shown
        editor.keys("n")
        editor.wait("is not passed yet")
    finally:
        editor.close("\x07\x18\x03n", "yes\r")


def test_neovim_has_a_stub_from_its_signature_to_its_failure_in_view(get, tmp_path):
    editor = neovim(get, tmp_path, (80, 24))
    try:
        editor.keys(":TutorLsp open stub ex-3\r")
        shown = editor.wait('raise NotImplementedError("catches_bus")')
        assert "def catches_bus(" in shown, shown
        row, _ = editor.cursor()
        assert 'raise NotImplementedError("catches_bus")' in shown.split("\n")[row], shown
        editor.keys(":TutorLsp open stub ex-4\r")
        assert "def plan(" in editor.wait('raise NotImplementedError("plan")')
        # Until the others pass, that is what is said of this unit: in one row or two.
        editor.keys("ccreturn title\x1b:w\r")
        shown = editor.wait("↳")
        assert "def plan(" in shown, shown
        # The tallest stub and two lines more: what fails is in view before the signature.
        editor.keys("Onote = title\rmore = note\x1bj:w\r")
        shown = editor.wait(lambda text: "more = note" in text and "↳" in text)
        below = shown.split("\n").index("      return title") + 1
        assert "↳" in shown.split("\n")[below], shown
    finally:
        editor.close("\x1b:qa!\r")


LONG_INTRODUCTION = ("python-lists", "# Step chart", "average")
WRITTEN = "    return 0"


def assert_lesson_is_turned(editor, said, write):
    """A section further down is named at once, and in view once something is written."""
    _, title, stub = LONG_INTRODUCTION
    shown = editor.wait(f"{title}  ▼ {stub}")
    assert f"◀ {stub}" not in shown, shown
    editor.keys(*write)
    shown = editor.wait(lambda text: said in text and f"◀ {stub}" in text)
    assert "▼" not in shown, shown


def test_neovim_turns_a_long_lesson_to_the_section(get, tmp_path):
    editor = neovim(get, tmp_path, (80, 24), LONG_INTRODUCTION[0])
    try:
        assert_lesson_is_turned(editor, "↳", ["cc" + WRITTEN.strip() + "\x1b:w\r"])
    finally:
        editor.close("\x1b:qa!\r")


def test_emacs_turns_a_long_lesson_to_the_section(get, tmp_path):
    editor = emacs(get, tmp_path, (80, 24), LONG_INTRODUCTION[0])
    try:
        editor.wait("Flymake[0 0 ")
        assert_lesson_is_turned(editor, "↳", ["\x01\x0b", WRITTEN, "\x18\x13"])
    finally:
        editor.close("\x07\x18\x03n", "yes\r")


def test_neovim_shows_long_hints_away_from_the_stub(get, tmp_path):
    editor = neovim(get, tmp_path, (80, 24), "python-strings")
    try:
        for level in (1, 2, 3):
            editor.keys("\\th")
            shown = editor.wait(lambda text, now=level: f"Hint {now} · ex-1" in text)
            lines = shown.split("\n")
            assert "○ def clean(title: str) -> str:" in lines, shown
            assert "  ex-1 ○ to do | Hint | Lesson" in lines, shown
            assert ("w read on" in shown) is (level > 1), shown
        assert "s solution · e easier" in shown, shown
    finally:
        editor.close("\x1b:qa!\r")
