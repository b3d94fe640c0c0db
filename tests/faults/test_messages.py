"""What goes wrong outside of the code: one sentence says what it is and what to do."""

import contextlib
import json
import shutil
from pathlib import Path

import pytest
from protocol_kit import RawClient, framed

pytestmark = pytest.mark.first(3)


def the_tests(root):
    return next((root / "tests").glob("test_*.py"))


def without(name):
    return lambda root: shutil.rmtree(root / name)


def in_tests(*lines):
    def change(root):
        path = the_tests(root)
        path.write_text("\n".join(lines) + "\n" + path.read_text())

    return change


def in_source(*lines):
    def change(root):
        path = next((root / "src").rglob("movie.py"))
        path.write_text(path.read_text() + "\n" + "\n".join(lines) + "\n")

    return change


SKIP = 'pytest.skip("later", allow_module_level=True)'
STUB = "src/exercise/movie.py"
# what happens to the folder; what is asked; the exit code; what stderr says, in part; and what
# it does not say
SAID = {
    "tests skipped": (
        in_tests("import pytest", SKIP), ["check"], 1,
        "tests/test_movie.py, line 2, skips all of them (“later”)", "There are no tests"),
    "tests skipped for no reason": (
        in_tests("import pytest", 'pytest.skip("", allow_module_level=True)'), ["check"], 1,
        "line 2, skips all of them. Take that out", "There are no tests"),
    "tests skipped by the learner's file": (
        in_source("import pytest", SKIP), ["check"], 1, f"{STUB}, line", "There are no tests"),
    "no tests": (
        lambda root: the_tests(root).write_text(""), ["check"], 1, "There are no tests", "skips"),
    "src deleted, attempt": (
        without("src"), ["attempt"], 1, f"{STUB} is gone, so this attempt was not counted",
        "INVALID_CONTEXT"),
    "stub file deleted, attempt": (
        lambda root: (root / STUB).unlink(), ["attempt"], 1, "tutor-lsp reset", "INVALID"),
    "too much in the stub file, attempt": (
        lambda root: (root / STUB).write_text("#" * 5_000_000), ["attempt"], 1,
        f"{STUB} is left out (it is not a readable file of at most 4 MB), so this attempt "
        "was not counted", "is gone"),
    "src deleted, next": (without("src"), ["next"], 1, f"{STUB} is gone", "INVALID"),
    "--from a file that is missing": (
        lambda _root: None, ["start", "--topic", "x", "--from", "no.py:1-3"], 2,
        "there is no file", "Save it"),
    "--from a folder": (
        lambda root: None, ["start", "--topic", "x", "--from", ".:1-3"], 2, "there is no file",
        "Save it"),
    "--from without lines": (
        lambda _root: None, ["start", "--topic", "x", "--from", "no.py"], 2, "FILE:START-END",
        "Traceback"),
}  # fmt: skip


@pytest.mark.first(1)
@pytest.mark.parametrize("what", SAID)
def test_it_is_said_what_is_wrong_and_what_to_do(cli, what):
    happens, verb, code, says, never = SAID[what]
    happens(cli.exercise.workspace)
    found = cli(*verb)
    assert says in found.err
    assert never not in found.out + found.err
    assert found.code == code


def test_what_is_gone_is_not_counted_and_comes_back(cli):
    shutil.rmtree(cli.exercise.workspace / "src")
    cli("attempt")
    assert cli("status", "--json").json["session"]["attempts"] == 0
    assert cli("reset").code == 0
    assert cli("attempt").code == 3
    assert cli("status", "--json").json["session"]["attempts"] == 1


MARKS = {
    "by its path": lambda root: ["--path", str(root)],
    "by a file of it": lambda root: ["--path", str(root / STUB)],
    "by a file that is gone": lambda root: ["--path", str(root / "src" / "gone.py")],
    "by its session": lambda _root: [],
}


@pytest.mark.first(1)
@pytest.mark.parametrize("which", MARKS)
@pytest.mark.parametrize("verb", ["status", "check", "hint"])
def test_an_exercise_goes_on_without_its_mark(cli, which, verb):
    root = cli.exercise.workspace
    shutil.rmtree(root / ".tutor")
    found = cli(verb, *MARKS[which](root), "--json")
    assert found.code in (0, 3), found.err
    assert "nothing is lost" in found.err
    assert (root / ".tutor" / "exercise.json").is_file()
    assert "nothing is lost" not in cli(verb, *MARKS[which](root)).err


@pytest.mark.long("runs tests several times; others here stand for it")
def test_the_shell_stands_in_the_exercise_that_is_meant_without_its_mark(cli, monkeypatch):
    root, session = cli.exercise.workspace, cli.exercise.session
    assert cli("start", "--node", "python-strings", "--json").code == 0
    shutil.rmtree(root / ".tutor")
    monkeypatch.chdir(root / "src")
    assert cli("status", "--json").json["session"]["id"] == session


def test_an_editor_opens_an_exercise_without_its_mark(cli):
    root = cli.exercise.workspace
    shutil.rmtree(root / ".tutor")
    with contextlib.closing(RawClient(cli.home)) as client:
        path = root / STUB
        item = {"uri": path.as_uri(), "languageId": "python", "version": 1}
        params = {"textDocument": {**item, "text": path.read_text()}}
        note = {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": params}
        client.send(framed(note))
        client.noted("textDocument/publishDiagnostics", "todo")
    assert (root / ".tutor" / "exercise.json").is_file()


def test_a_folder_that_nobody_knows_is_no_exercise(cli, tmp_path):
    (tmp_path / "LESSON.md").write_text("# A lesson\n")
    found = cli("status", "--path", str(tmp_path / "LESSON.md"))
    assert found.code == 1
    assert "is not part of an exercise" in found.err


def test_a_question_before_any_run_speaks_of_none(cli):
    said = cli("ask", "why?")
    assert "From the last run" not in said.out
    assert "tutor-lsp check" in said.out


def test_a_question_that_is_too_long_is_refused_in_words(cli):
    said = cli("ask", "why? " * 1000)
    assert said.code == 2
    assert "at most 2000 characters" in said.err
    assert "keys" not in said.err


ASKED = {
    "one argument": ["why is it one too small?"],
    "words": ["why", "is", "it", "one", "too", "small?"],
    "with a unit": ["--unit", "ex-2", "why is it one too small?"],
    "the unit last": ["why is it one too small?", "--unit", "ex-2"],
    "the option": ["--question", "why is it one too small?"],
}


@pytest.mark.first(1)
@pytest.mark.parametrize("how", ASKED)
def test_a_question_is_asked_as_it_is_typed(cli, how):
    said = cli("ask", *ASKED[how])
    assert said.code == 1, "no model is there to answer it"
    assert "Your question" in said.out
    found = json.loads(cli("ask", *ASKED[how], "--json").out)
    assert found["unit"] == ("ex-2" if "--unit" in ASKED[how] else "ex-1")
    assert {"level", "text", "code", "verified"} <= found.keys()


def test_ask_is_told_of(cli):
    assert 'tutor-lsp ask "why' in cli("ask", "--help").out
    assert "ask" in cli("--help").out
    readme = Path(__file__).parents[2] / "README.md"
    assert 'tutor-lsp ask "' in readme.read_text()
