"""A process that stays does the next verbs as they would be done without it."""

import contextlib
import json
import os
import pty
import signal
import sys

import pytest
from cli_tools import until
from resident_kit import alone, gone, without_tracing

from tutor_lsp.process import hand_over

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it is there on Linux alone")


VERBS = {
    "words": ("status",),
    "json": ("status", "--json"),
    "a place": ("open", "lesson"),
    "wrong use": ("open", "nothing"),
    "refused": ("open", "stub", "--unit", "none", "--json"),
    "a wrong option": ("status", "--none"),
}


@pytest.mark.first(3)
@pytest.mark.parametrize("which", VERBS)
def test_it_is_what_a_process_of_its_own_does(staying, which):
    *mine, served = staying(*VERBS[which])
    *theirs, apart = alone(staying, *VERBS[which])
    assert (served, apart) == (True, False)
    assert mine == theirs


def test_a_run_of_the_tests_is_the_same(asking):
    asking.left_by("check")

    def without_times(answer):
        code, out, err, _ = answer
        report = json.loads(out)
        for each in (report, *report["tests"]):
            each["durationMs"] = 0
        return code, {**report, "runId": ""}, err

    done = asking("check", "--json")
    assert done[-1]
    assert done[0] == 3
    assert without_times(done) == without_times(alone(asking, "check", "--json"))


def test_it_knows_more_after_each_verb(staying):
    pid = staying.pid
    assert staying("open")[-1]
    until("another one stays", lambda: staying.pid not in (None, pid))
    gone(pid)
    pid = staying.pid
    assert staying("open")[-1]
    assert staying("status")[-1]
    assert staying.pid == pid


def test_one_that_knows_more_takes_its_place_without_the_rights_of_root(asking):
    """It cannot be looked into any more when it asks for the place."""
    asking.usual["preexec_fn"] = without_tracing
    pid = asking.left_by("status")
    assert asking("open")[-1]
    until("another one stays", lambda: asking.pid not in (None, pid))
    gone(pid)


def test_the_caller_stands_where_it_did(staying):
    staying.folder = staying.workspace
    assert staying("open")[-1]
    ours, theirs = os.pipe()
    os.close(ours)
    assert staying("status", stdout=theirs)[0] == alone(staying, "status", stdout=theirs)[0] == 0
    os.close(theirs)
    full = os.open("/dev/full", os.O_WRONLY)
    *mine, served = staying("status", stdout=full)
    assert served
    assert mine == list(alone(staying, "status", stdout=full)[:-1])
    os.close(full)


def test_a_terminal_shows_the_same(asking):
    def shown(env):
        ours, theirs = pty.openpty()
        ran = asking.start("status", stdin=theirs, stdout=theirs, env=env)
        os.close(theirs)
        text = b""
        with contextlib.suppress(OSError):
            while more := os.read(ours, 4096):
                text += more
        os.close(ours)
        return text, ran.communicate(timeout=60)[1]

    asking.env["TERM"] = "xterm"
    asking.left_by("status")
    mine, err = shown(asking.env)
    assert b"served" in err
    assert b"\x1b[" in mine
    assert mine == shown({**asking.env, "TUTOR_LSP_RESIDENT": "never"})[0]


def test_one_that_does_not_answer_is_done_without(staying):
    pid = staying.pid
    os.kill(pid, signal.SIGSTOP)
    try:
        assert staying("open")[0::3] == (0, False)
    finally:
        os.kill(pid, signal.SIGCONT)


@pytest.mark.parametrize(
    ("given", "served"),
    [
        (["check"], True), (["check", "--json"], True), (["check", "--help"], False),
        (["check", "--home", "x"], False), (["check", "--home=x"], False), (["watch"], False),
        ([], False), (["--version"], False),
    ],
)  # fmt: skip
def test_short_verbs_alone_are_for_it(given, served):
    assert hand_over.serves(given) == served
