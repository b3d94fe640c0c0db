"""What learners' and use cases' tests work with is of use here too."""

import sys
from pathlib import Path

import pytest
from started_home import started
from warm_python import warm_python

__all__ = ["warm_python"]

for name in ("cli", "e2e", "learner", "stages", "toolchains", "tutor"):
    sys.path.insert(0, str(Path(__file__).parents[1] / name))

import record_kit  # noqa: E402 - found with these

# One for all that damage a copy of it.
used = record_kit.used


@pytest.fixture
def terminal_home(tmp_path):
    """The home of `cli`."""
    return tmp_path / "home"


@pytest.fixture
def cli(terminal_home, first_home, tmp_path, monkeypatch, capsys):
    """A terminal in an exercise that was just started, as `exercise`."""
    from cli_tools import Cli, Exercise, environment

    for name, value in environment(terminal_home).items():
        if name.startswith("TUTOR_LSP_"):
            monkeypatch.setenv(name, value)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.chdir(tmp_path)
    found = Cli(terminal_home, capsys)
    found.exercise = Exercise(started(first_home, terminal_home))
    return found
