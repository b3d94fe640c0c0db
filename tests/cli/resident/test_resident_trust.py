"""Whom the process that stays serves, and what it takes from its socket."""

import ctypes
import os
import select
import signal
import sys
from pathlib import Path

import pytest
from resident_kit import SOON, gone

from tutor_lsp.process import hand_over
from tutor_lsp.process.containment.hidden import _NAMED
from tutor_lsp.process.hand_over import Place
from tutor_lsp.process.resident import peer
from tutor_lsp.process.resident.peer import standing

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it is there on Linux alone")


DIFFERENT = {
    "a variable": {"env": {"TUTOR_LSP_LAYOUT": "mine"}},
    "the language": {"env": {"LANGUAGE": "de"}},
    "the program": {"env": {"PYTHONHASHSEED": "3"}},
    "who may read its files": {"umask": 0o077},
    "how urgent it is": {"preexec_fn": lambda: os.nice(3)},
    "ignored signals": {"preexec_fn": lambda: signal.signal(signal.SIGUSR1, signal.SIG_IGN)},
}


def in_spaces_of_its_own(flag):
    """Put what this process executes into a new namespace."""
    if ctypes.CDLL(None, use_errno=True).unshare(flag):
        raise OSError(ctypes.get_errno(), "it keeps its namespace")


if os.geteuid() == 0:
    DIFFERENT["its control groups"] = {"preexec_fn": lambda: in_spaces_of_its_own(0x02000000)}
    DIFFERENT["its clocks"] = {"preexec_fn": lambda: in_spaces_of_its_own(0x00000080)}


@pytest.mark.first(3)
@pytest.mark.parametrize("what", DIFFERENT)
def test_nobody_who_stands_elsewhere_is_served(staying, what):
    more = dict(DIFFERENT[what])
    if "env" in more:
        more["env"] = {**staying.env, **more["env"]}
    assert staying("status", **more)[0::3] == (0, False)


def test_a_label_of_the_kernel_counts(monkeypatch):
    own = standing(os.getpid())
    assert own == standing(os.getpid())
    usual = peer._text
    label = lambda path: "labelled" if path.endswith("/attr/current") else usual(path)  # noqa: E731
    monkeypatch.setattr(peer, "_text", label)
    assert standing(os.getpid()) != own


def test_a_socket_that_nobody_serves_is_replaced(staying):
    pid = staying.pid
    os.kill(pid, signal.SIGKILL)
    gone(pid)
    assert Path(staying.place.socket).exists()
    staying.left_by("status")
    assert staying("status")[-1]


def test_its_socket_is_for_the_user_alone(staying):
    assert os.lstat(staying.place.socket).st_mode & 0o777 == 0o600
    assert os.lstat(staying.place.folder).st_mode & 0o777 == 0o700
    Path(staying.place.folder).chmod(0o720)
    assert staying("open")[0::3] == (0, False)
    Path(staying.place.folder).chmod(0o700)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give it away")
def test_a_socket_of_another_user_is_not_asked(make):
    asking = make(SOON)
    pid = asking.left_by("status")
    os.lchown(asking.place.socket, 12345, -1)
    assert asking("open")[0::3] == (0, False)
    gone(pid)


@pytest.mark.parametrize(
    "name", ["TMUX", "KITTY_WINDOW_ID", "KONSOLE_DBUS_SESSION", "INVOCATION_ID"]
)
def test_the_windows_of_a_terminal_share_it(monkeypatch, name):
    before = hand_over.key()
    monkeypatch.setenv(name, "another")
    assert hand_over.key() == before


@pytest.mark.parametrize("name", ["TERM", *_NAMED])
def test_what_was_read_ahead_is_the_same(monkeypatch, name):
    before = hand_over.key()
    monkeypatch.setenv(name, "another")
    assert hand_over.key() != before


def test_it_ends_for_one_that_does_not_read_its_greeting(staying):
    pid = staying.pid
    link, _ = hand_over.reached(staying.place)
    select.select([link], [], [], 10)
    os.kill(pid, signal.SIGSTOP)
    link.send(hand_over.END)
    link.close()
    os.kill(pid, signal.SIGCONT)
    gone(pid)


def test_nonsense_is_not_done(staying):
    pid = staying.pid
    for said in (b"", b"7\0status", b"x\0y", b"1\0status\0utf-8"):
        link, _ = hand_over.reached(staying.place)
        assert len(link.recv(64)) == 32
        link.send(said)
        assert link.recv(64) == b""
        link.close()
    assert staying.pid == pid
    assert staying("status")[-1]


def test_a_path_that_is_too_long_for_a_socket_is_none(tmp_path):
    assert not Place(str(tmp_path / ("long" * 20))).usable
    assert Place("/tmp/home").usable
