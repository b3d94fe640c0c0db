"""Whether a process stands where this one does: what is done for it here must be no more, and no
less, than it could do itself.

A run that is contained, a container that shares the home, or a shell with limits of its own is
none of ours. Not compared are control groups: many a terminal has one for each of its windows.
"""

import os
import socket
from collections.abc import Callable

from tutor_lsp.process.hand_over import credentials

_SPACES = ("mnt", "user", "pid", "net", "ipc", "uts")
_NEWER_SPACES = ("cgroup", "time")
"""Those that not every kernel has."""
_SAME = (
    "Umask", "Uid", "Gid", "Groups", "NoNewPrivs", "Seccomp", "CapInh", "CapPrm", "CapEff",
    "CapAmb", "SigBlk", "SigIgn", "Cpus_allowed",
)  # fmt: skip
"""What has to be equal in /proc/<id>/status."""
_NICE = 16
"""Where /proc/<id>/stat has it, behind the name."""


def standing(pid: int) -> tuple[object, ...] | None:
    """What a process may do and how it does it; None if that cannot be told."""
    here = f"/proc/{pid}"
    try:
        spaces = [os.readlink(f"{here}/ns/{each}") for each in _SPACES]
        spaces += [_if_there(os.readlink, f"{here}/ns/{each}") for each in _NEWER_SPACES]
        label = _if_there(_text, f"{here}/attr/current")  # of AppArmor or SELinux
        root = os.stat(f"{here}/root/.")
        lines = dict(line.split(":", 1) for line in _text(f"{here}/status").splitlines())
        nice = _text(f"{here}/stat").rpartition(")")[2].split()[_NICE]
        limits = _text(f"{here}/limits")
    except (OSError, ValueError, IndexError):
        return None
    same = [lines.get(each) for each in _SAME]
    return (spaces, label, root.st_dev, root.st_ino, same, nice, limits)


def is_users(link: socket.socket) -> bool:
    """Whether the other end of a connection is this user's."""
    try:
        return credentials(link)[1] == os.geteuid()
    except OSError:
        return False


def is_ours(link: socket.socket, own: tuple[object, ...] | None) -> bool:
    """Whether the other end of a connection stands so."""
    try:
        pid = credentials(link)[0]
    except OSError:
        return False
    return own is not None and pid > 0 and is_users(link) and standing(pid) == own


def _if_there(read: Callable[[str], str], path: str) -> str:
    try:
        return read(path)
    except OSError:
        return ""


def _text(path: str) -> str:
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return file.read()
