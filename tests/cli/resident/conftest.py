"""Homes in which a process stays for the next verbs; none is left in one."""

import pytest
from cli_tools import processes_in, until
from resident_kit import Asking
from started_home import started


@pytest.fixture
def make(tmp_path_factory, first_home):
    """Makes a home whose path is short, with an exercise begun; nothing stays in it."""
    made = []

    def one(more=""):
        home = tmp_path_factory.mktemp("r") / "home"
        made.append(Asking(home, started(first_home, home), more))
        return made[-1]

    yield one
    for each in made:
        each.end()
        until("every process ended", lambda home=each.home: not processes_in(home), 10)


@pytest.fixture
def asking(make):
    return make()


@pytest.fixture
def staying(asking):
    """One stays, after `status` was done."""
    asking.left_by("status")
    return asking
