"""`demo` as it is shown to people, and that a wrong step is not passed over."""

import re
import signal
import subprocess

import pytest
from cli_tools import PROGRAM, environment, processes_in

from tutor_lsp.cli.demo import client, play
from tutor_lsp.cli.demo.session import DemoSession
from tutor_lsp.cli.demo.solution import Solution


def demo(home, *arguments):
    return subprocess.run(
        [*PROGRAM, "demo", "--home", str(home), *arguments],
        env=environment(home),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.long("plays a session for what other ends of programs stand for here")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_new_folder_that_is_not_to_stay_goes_when_the_play_is_stopped(tmp_path, number):
    environ = {**environment(tmp_path / "home"), "TMPDIR": str(tmp_path)}
    command = [*PROGRAM, "demo", "--remove", "--language", "python"]
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True) as playing:
        told = next((line for line in playing.stdout if "Ready: " in line), "")
        assert told
        assert list(tmp_path.glob("tutor-lsp-demo-*"))
        playing.send_signal(number)
        playing.communicate(timeout=60)
    assert playing.returncode == 128 + number
    assert not list(tmp_path.glob("tutor-lsp-demo-*"))


@pytest.mark.long("starts programs for a case beside those that stand for it here")
def test_a_folder_that_was_named_is_never_removed(tmp_path):
    assert demo(tmp_path, "--remove").returncode == 2


def check_told(text, stub, sentence, others):
    """What the output must show of one language, in this order."""
    wanted = [
        "Tutor: ",
        "Ready: ",
        "LESSON.md",
        f"{'^' * len(stub)} information [todo]",
        f"{'^' * len(stub)} error [test-failed]",
        sentence,
        f"Hover on {stub}",
        f"• Hint for {stub}",
        f"{stub} is written and saved; the others stay",
        *(f"{'^' * len(other)} " for other in others),
        "nothing to show",
        "Passed · ",
        "Mastery of ",
        "Next",
    ]
    at = 0
    for words in wanted:
        found = text.find(words, at)
        assert found >= 0, f"{words!r} is not in {text[at:]}"
        at = found


@pytest.mark.long("plays a whole session")
def test_the_python_session(home):
    done = demo(home, "--language", "python")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    check_told(
        done.stdout,
        "to_minutes",
        "`to_minutes(2, 46)` gave None, expected 166 (3 of 3 tests)",
        ["ends_at", "catches_bus", "plan"],
    )
    (folder,) = (home / "exercises").iterdir()
    assert f"code {folder}\n" in done.stdout
    assert f"nvim {folder}/LESSON.md\n" in done.stdout
    assert re.search(r"Everything went as it should in \d+ s: 1 of 1 languages\.\n$", done.stdout)
    assert "fail" not in done.stdout.replace("test-failed", "").replace("tests fail on", "").lower()
    assert not processes_in(home)


@pytest.mark.long("plays a whole session")
@pytest.mark.cargo
def test_the_rust_session(home):
    done = demo(home, "--language", "rust")
    assert done.returncode == 0, done.stdout + done.stderr
    check_told(done.stdout, "tip", "`tip(5_000, 10)` gave 0, expected 500", ["total", "share"])
    assert not processes_in(home)


def test_a_language_without_its_tool_is_skipped_named_and_counted(home, monkeypatch, capsys):
    monkeypatch.setitem(play.TOOL, "rust", "no-such-cargo")
    assert play.demo(str(home), ["rust"], plain=True) == 0
    said = capsys.readouterr().out
    assert "Rust: skipped, no-such-cargo does not work here" in said
    assert "0 of 1 languages, skipped: 1 (rust)." in said
    monkeypatch.setenv("CI", "true")
    assert play.demo(str(home), ["rust"], plain=True) == 1


@pytest.mark.long("waits for a limit")
def test_a_wrong_step_ends_it_with_what_was_expected_and_seen(home, monkeypatch, capsys):
    """Here: the first unit is not solved, so its diagnostic stays."""
    monkeypatch.setattr(Solution, "with_unit", lambda _self, _file, text, _stub: text)
    solve_one = DemoSession._solve_one

    async def impatient(self):
        monkeypatch.setattr(client, "WAIT_S", 1.0)
        await solve_one(self)

    monkeypatch.setattr(DemoSession, "_solve_one", impatient)
    assert play.demo(str(home), ["python"], plain=True) == 1
    said = capsys.readouterr().out
    assert "This step went wrong.\n  expected: these diagnostics: {'ex-2': 'todo'" in said
    assert "'ex-1': 'test-failed'" in said.partition("seen:")[2]
    assert "went as it should" not in said
    assert not processes_in(home)
