"""What learners' and use cases' tests work with is of use here too."""

import sys
from pathlib import Path

import pytest

for name in ("cli", "e2e", "learner", "stages", "toolchains", "tutor"):
    sys.path.insert(0, str(Path(__file__).parents[1] / name))


@pytest.fixture
def terminal_home(tmp_path):
    """The home of `cli`."""
    return tmp_path / "home"


@pytest.fixture
def cli(terminal_home, tmp_path, monkeypatch, capsys):
    """A terminal in an exercise that was just started, as `exercise`."""
    from cli_tools import Cli, Exercise, environment

    for name, value in environment(terminal_home).items():
        if name.startswith("TUTOR_LSP_"):
            monkeypatch.setenv(name, value)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.chdir(tmp_path)
    found = Cli(terminal_home, capsys)
    started = found("start", "--language", "python", "--json")
    assert started.code == 0, started.err
    found.exercise = Exercise(started.json)
    return found
