"""Emacs with the real server, in batch: one Emacs and one home per test of tutor-lsp-*-tests.el."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from made_up import LOCALE, translation

HERE = Path(__file__).parent
PACKAGE = HERE.parents[1] / "editors" / "emacs"
TESTS = sorted(HERE.glob("tutor-lsp-*-tests.el"))
SOLUTION = (
    HERE.parents[1]
    / "tutor_lsp/library/python/python-functions-movie-night/solution/src/exercise/movie.py"
)
GUIDE = HERE.parents[1] / "docs" / "editors.md"
LIMIT_S = 150
NAMES = [
    name
    for file in TESTS
    for name in re.findall(r"\(ert-deftest (\S+)", file.read_text(encoding="utf-8"))
]


def run(program):
    """What a program prints."""
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout


def emacs(get, folder, *arguments, **environment):
    """Run Emacs in batch to its end; what it printed. Nothing that it started is left."""
    done = subprocess.Popen(
        [str(get("emacs-30")), "-Q", "--batch", "-L", str(PACKAGE), *arguments],
        cwd=folder,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "LANG": "C.UTF-8",
            "TUTOR_LSP_HOME": str(folder / "tutor"),
            **environment,
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        said, _ = done.communicate(timeout=LIMIT_S)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(done.pid, signal.SIGKILL)
    return done.returncode, said


@pytest.mark.parametrize("name", NAMES)
def test_session(get, tmp_path, name):
    folder = tmp_path / "a höme"
    folder.mkdir()
    scaffold = json.loads((HERE / "scaffold.json").read_text())
    lines = [
        *[{"stage": "scaffold", "payload": scaffold}] * 2,
        {"stage": "starter-expand", "text": "{}", "delay_s": 120},
    ]
    script = folder / "script.jsonl"
    script.write_text("".join(json.dumps(line) + "\n" for line in lines))
    extra = {"TUTOR_LSP_SCRIPT": str(script)}
    if name.startswith("tests-beside-another-server"):
        extra["TUTOR_TEST_PYRIGHT"] = str(get("pyright"))
    if name == "tests-beside-another-server":
        extra["TUTOR_TEST_RASS"] = str(get("rass-0.3"))
    if name == "tests-beside-another-server-in-lsp-mode":
        extra["TUTOR_TEST_LSP_MODE"] = run(get("lsp-mode"))
        extra["TUTOR_TEST_SETUP"] = GUIDE.read_text().split("```elisp\n")[1].split("```")[0]
    if name == "tests-in-another-language":
        extra |= {"LANGUAGE": LOCALE, "TEXTDOMAINDIR": str(translation(folder))}
    code, said = emacs(
        get,
        folder,
        *("-L", str(HERE), *(word for file in TESTS for word in ("-l", str(file)))),
        *("--eval", f"(ert-run-tests-batch-and-exit '(member {name}))"),
        TUTOR_TEST_SERVER="\n".join([sys.executable, "-m", "tutor_lsp"]),
        TUTOR_TEST_SOLUTION=str(SOLUTION),
        **extra,
    )
    assert code == 0, said
    assert "1 expected" in said or "as expected, 0 unexpected" in said, said


def test_package_compiles_without_warnings(get, tmp_path):
    code, said = emacs(
        get,
        tmp_path,
        "--eval",
        "(setq byte-compile-error-on-warn t byte-compile-dest-file-function "
        f'(lambda (file) (expand-file-name (concat (file-name-base file) ".elc") "{tmp_path}")))',
        *("-f", "batch-byte-compile", *map(str, sorted(PACKAGE.glob("*.el")))),
    )
    assert code == 0, said


def test_package_lint_has_nothing_but_the_address_that_is_not_known(get, tmp_path):
    folders = run(get("package-lint")).split()
    code, said = emacs(
        get,
        PACKAGE,
        *(word for folder in folders for word in ("-L", folder)),
        # Nothing is compiled for what package-lint puts in place of a built-in.
        *("--eval", "(setq native-comp-enable-subr-trampolines nil)", "-l", "package-lint"),
        *("--eval", "(setq package-lint-batch-fail-on-warnings t package-archives nil)"),
        *("--eval", '(setq package-lint-main-file "tutor-lsp.el")'),
        *("-f", "package-lint-batch-and-exit", *(path.name for path in PACKAGE.glob("*.el"))),
        HOME=str(tmp_path),
    )
    found = re.findall(r"^\S+\.el:\d+:\d+: .*", said, re.MULTILINE)
    if ";; URL: " in (PACKAGE / "tutor-lsp.el").read_text(encoding="utf-8"):
        assert (code, found) == (0, []), said
    else:
        wanted = "tutor-lsp.el:1:0: error: Package should have a Homepage or URL header."
        assert (code, found) == (1, [wanted]), said


def test_checkdoc_has_nothing_to_say(get, tmp_path):
    files = " ".join(json.dumps(str(path)) for path in sorted(PACKAGE.glob("*.el")))
    code, said = emacs(
        get,
        tmp_path,
        *("-l", "checkdoc", "--eval"),
        f"(dolist (file '({files})) (checkdoc-file file))",
    )
    assert code == 0, said
    assert re.findall(r"^\S+\.el:\d+: .*", said, re.MULTILINE) == []


def test_commands_are_there_before_anything_is_started(get, tmp_path):
    verbs = "start next check attempt hint ask review reveal reset status curriculum sessions"
    verbs += " resume end report cancel doctor open practise restore claim topic show compare"
    verbs += " lesson test output easier undo focus"
    code, said = emacs(
        get,
        tmp_path,
        *("-l", "tutor-lsp", "--eval"),
        f"(dolist (verb '({verbs})) "
        '(unless (commandp (intern (format "tutor-lsp-%s" verb))) (error "no %s" verb)))',
    )
    assert code == 0, said


def test_keys(get, tmp_path):
    """Lists are there without TAB, and parts of titles match."""
    program = get("emacs-30")
    held = pytest.importorskip(
        "terminal", reason="pyte is not installed: make test-editors does so"
    )
    server = " ".join(json.dumps(word) for word in (sys.executable, "-m", "tutor_lsp"))
    settings = f"""(progn (setq tutor-lsp-command '({server}) tutor-lsp--opens-itself-s 1000)
                          (tutor-lsp-global-mode 1))"""
    editor = held.Terminal(
        program,
        ["-Q", "-nw", "-L", PACKAGE, "-l", "tutor-lsp", "--eval", settings],
        tmp_path,
        {
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "TUTOR_LSP_HOME": str(tmp_path / "tutor"),
        },
    )
    try:
        editor.wait("*scratch*")
        editor.keys("\x1bxtutor-lsp-start\r")
        editor.wait("Browse all topics")
        editor.keys("browse\r")
        editor.wait("Languages (default ")
        editor.keys("python\r")
        editor.wait("○ Functions and return values")
        editor.keys("and ret\t")
        editor.wait("○○○ Functions and return values")
        editor.keys("\r")
        editor.wait("def to_minutes")
        editor.keys("\x1bxtutor-lsp-reset\r")
        editor.wait("Reset (default ○ ex-1 to_minutes):")
        editor.wait("all stubs of this exercise")
    finally:
        editor.close("\x07\x1bxkill-emacs\r")
