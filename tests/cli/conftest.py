"""Homes and exercises for the terminal's tests; no process may be left in one."""

import pytest
from cli_tools import Cli, Exercise, environment, processes_in, until
from started_home import started
from warm_python import warm_python

__all__ = ["warm_python"]


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A tutor home for this test; afterwards no process works in it."""
    folder = tmp_path / "home"
    for name, value in environment(folder).items():
        if name.startswith("TUTOR_LSP_"):
            monkeypatch.setenv(name, value)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.chdir(tmp_path)
    yield folder
    until("every process ended", lambda: not processes_in(folder), 5)


@pytest.fixture
def cli(home, capsys):
    return Cli(home, capsys)


@pytest.fixture
def exercise(home, first_home):
    """The first Python exercise, just started."""
    return Exercise(started(first_home, home))
