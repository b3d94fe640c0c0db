"""What a fork of the process that stays does ends, stops and goes on with its caller."""

import os
import re
import signal
import sys
from pathlib import Path

import pytest
from cli_tools import FOREVER, Exercise, processes_in, until
from resident_kit import children, gone, kill, state_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it is there on Linux alone")


def looping(asking):
    """Let the first function never end."""
    exercise = Exercise({"workspace": asking.workspace, "sessionId": "", "units": [
        {"file": asking.source.relative_to(asking.workspace)}]})  # fmt: skip
    exercise.body("to_minutes", FOREVER)


@pytest.fixture
def running(asking):
    """A check that another process does and that does not end."""
    pid = asking.left_by("check")
    looping(asking)
    began = asking.start("check", process_group=0)
    until("it runs", lambda: processes_in(asking.home))
    (fork,) = children(pid)
    yield asking, began, fork
    kill(began.pid, signal.SIGKILL)
    began.communicate()


@pytest.mark.first(1)
@pytest.mark.parametrize(("number", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_ends_the_run(running, number, code):
    asking, began, fork = running
    began.send_signal(getattr(signal, number))
    out, err = began.communicate(timeout=30)
    assert (began.returncode, out) == (code, b"")
    assert err.startswith(b"Stopped.\n")
    gone(fork)
    until("the run ended", lambda: not processes_in(asking.home))


def test_a_caller_that_is_killed_takes_its_run_along(running):
    asking, began, fork = running
    began.kill()
    gone(fork)
    until("the run ended", lambda: not processes_in(asking.home))
    assert asking("status")[-1]


def test_a_fork_that_is_killed_kills_its_caller_in_the_same_way(running):
    _, began, fork = running
    os.kill(fork, signal.SIGKILL)
    assert began.wait(30) == -signal.SIGKILL


def test_both_end_if_what_stays_is_killed(running):
    asking, began, fork = running
    os.kill(asking.pid, signal.SIGKILL)
    gone(fork)
    assert b"ended unexpectedly" in began.communicate(timeout=30)[1]
    assert began.returncode == 1
    assert asking("status")[0::3] == (0, False)


def test_it_stays_if_a_fork_and_its_caller_end_at_the_same_time(running):
    asking, began, fork = running
    pid = asking.pid
    os.kill(pid, signal.SIGSTOP)
    os.kill(fork, signal.SIGKILL)
    gone(fork)
    kill(began.pid, signal.SIGKILL)
    gone(began.pid)
    os.kill(pid, signal.SIGCONT)
    assert asking("status")[0::3] == (0, True)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may look into what stays")
def test_no_caller_can_make_it_wait(running):
    asking, *_ = running
    found = Path(f"/proc/{asking.pid}")
    links = (found / "fd").iterdir()
    numbers = [each.name for each in links if str(each.readlink()).startswith("socket")]
    assert len(numbers) > 1
    for each in numbers:
        (flags,) = re.findall(r"flags:\s+(\d+)", (found / "fdinfo" / each).read_text())
        assert int(flags, 8) & os.O_NONBLOCK


def test_it_stops_and_goes_on_with_the_caller(running):
    _, began, fork = running
    began.send_signal(signal.SIGTSTP)
    until("both are stopped", lambda: state_of(began.pid) == state_of(fork) == "T")
    began.send_signal(signal.SIGCONT)
    until("both go on", lambda: "T" not in (state_of(began.pid), state_of(fork)))
    began.send_signal(signal.SIGINT)
    assert began.wait(30) == 130


def test_two_are_served_side_by_side(running):
    asking, began, _ = running
    assert asking("open")[0::3] == (0, True)
    assert began.poll() is None


def test_a_fork_is_ready_for_the_next_run(asking):
    pid = asking.left_by("check")

    def one_waits():
        """Once what contains a run has been started in it."""
        return until("one waits", lambda: next((f for f in children(pid) if children(f)), None))

    first = one_waits()
    assert asking("check")[0::3] == (3, True)
    gone(first)
    second = one_waits()
    assert asking("status")[0::3] == (0, True)
    until("another one stays", lambda: asking.pid not in (None, pid))
    gone(second)
    pid = asking.pid
    os.kill(one_waits(), signal.SIGKILL)
    assert asking("check")[0::3] == (3, True)
