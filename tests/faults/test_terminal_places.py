"""Where a verb is called and where its output goes: no folder, no HOME, no room, no reader."""

import os
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from cli_tools import PROGRAM, Cli, environment


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    """This process stands in a folder that was deleted."""
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()


@pytest.fixture
def cli(tmp_path, monkeypatch, capsys):
    for name, value in environment(tmp_path / "home").items():
        if name.startswith("TUTOR_LSP_"):
            monkeypatch.setenv(name, value)
    return Cli(tmp_path / "home", capsys)


@pytest.mark.parametrize("verb", ["status", "doctor", "sessions", "curriculum", "report"])
def test_no_folder_is_needed(cli, nowhere, verb):
    found = cli(verb)
    assert found.code == 0, found.err
    assert found.out


NEED_A_FOLDER = (["status", "--path", "x"], ["status", "--home", "x"], ["export", "x.json"])


@pytest.mark.parametrize("verb", NEED_A_FOLDER, ids=" ".join)
def test_a_relative_path_needs_one(cli, nowhere, verb):
    found = cli(*verb)
    assert found.code == 1
    assert found.err.startswith("The folder that you are in was deleted: go to another one")
    assert cli(*verb, "--json").error["kind"] == "NO_FOLDER"


@pytest.mark.parametrize("home", [None, ""], ids=["missing", "empty"])
@pytest.mark.parametrize("known", [True, False], ids=["a user", "no user"])
def test_a_home_is_found_without_home(cli, nowhere, tmp_path, monkeypatch, home, known):
    def user(_number):
        if not known:
            raise KeyError
        return SimpleNamespace(pw_dir=str(tmp_path / "user"))

    monkeypatch.setenv("HOME", "to be put back")
    monkeypatch.delenv("HOME") if home is None else monkeypatch.setenv("HOME", home)
    monkeypatch.setattr("pwd.getpwuid", user)
    if known:
        monkeypatch.delenv("TUTOR_LSP_HOME")
    found = cli("status")
    assert found.code == 0, found.err
    if known:
        assert f"Home: {tmp_path / 'user' / 'tutor-lsp'}" in found.out
    assert os.environ["HOME"] == (str(tmp_path / "user") if known else "/")


SAID = "The output cannot be written (No space left on device)."


@pytest.mark.sample("status")
@pytest.mark.parametrize("verb", [["curriculum", "--json"], ["status"], ["--help"]], ids=" ".join)
def test_there_is_no_room_for_the_output(tmp_path, verb):
    with Path("/dev/full").open("w") as full:
        found = subprocess.run(
            [*PROGRAM, *verb], stdout=full, stderr=subprocess.PIPE, text=True, check=False,
            env=environment(tmp_path / "home"),
        )  # fmt: skip
    assert found.returncode == 1
    assert SAID in found.stderr
    assert "Traceback" not in found.stderr
    assert "Exception" not in found.stderr


@pytest.mark.long("starts programs for a case beside those that stand for it here")
def test_there_is_no_room_for_messages(tmp_path):
    with Path("/dev/full").open("w") as full:
        found = subprocess.run(
            [*PROGRAM, "check"], stdout=subprocess.PIPE, stderr=full, text=True, check=False,
            env=environment(tmp_path / "home"),
        )  # fmt: skip
    assert found.returncode == 1


@pytest.mark.long("starts programs for a case beside those that stand for it here")
def test_nobody_reads_the_json(tmp_path):
    reading, writing = os.pipe()
    os.close(reading)
    found = subprocess.run(
        [*PROGRAM, "curriculum", "--json"], stdout=writing, stderr=subprocess.PIPE, check=False,
        env=environment(tmp_path / "home"),
    )  # fmt: skip
    os.close(writing)
    assert (found.returncode, found.stderr) == (0, b"")
