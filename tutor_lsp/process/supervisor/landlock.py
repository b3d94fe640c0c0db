"""Landlock: one process's rights over files, sockets and signals. Linux 5.13 or later."""

from __future__ import annotations

import contextlib
import ctypes
import os
import stat
from collections.abc import Iterator, Sequence

from tutor_lsp.process.supervisor.kernel import checked, libc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tutor_lsp.process.supervisor.plan import Plan

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_VERSION, _PATH_BENEATH = 1, 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REFER, _TRUNCATE = 1 << 13, 1 << 14
_BASE = (1 << 13) - 1  # the rights of the first version
_TCP = 0b11
_SCOPES = 0b11  # abstract sockets, signals
REFERS, TRUNCATES, NETWORK, SIGNALS = 2, 3, 4, 6
"""The versions from which on it restricts moves between folders, truncating, TCP and signals."""

_DEVICES = ("null", "zero", "full", "random", "urandom", "tty", "ptmx")
_DEVICE_FOLDERS = ("/dev/shm", "/dev/pts")  # noqa: S108


class _Ruleset(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("files", "network", "scopes")]


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("rights", ctypes.c_uint64), ("fd", ctypes.c_int32)]


def version() -> int:
    """The kernel's Landlock version, 0 if it has none."""
    number = libc.syscall(
        ctypes.c_long(_CREATE), None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION)
    )
    return max(int(number), 0)


def restrict(plan: Plan, known: int) -> None:
    """Take from this process, for good, all that the plan does not grant. Raises OSError.

    It can then read what is not hidden, write to its area, and signal only what it has started
    itself (the latter only if `known`, the kernel's version, supports it).
    """
    rights = _rights(known)
    wanted = _Ruleset(
        files=rights & ~_EXECUTE,
        network=_TCP if known >= NETWORK else 0,
        scopes=_SCOPES if known >= SIGNALS else 0,
    )
    size = 24 if known >= SIGNALS else 16 if known >= NETWORK else 8
    rules = checked(
        libc.syscall(
            ctypes.c_long(_CREATE),
            ctypes.byref(wanted),
            ctypes.c_size_t(size),
            ctypes.c_uint32(0),
        ),
        "landlock",
    )
    try:
        _allow(rules, "/", _READ_DIR)
        for path in (*_readable(plan["hidden"]), *plan["shown"], plan["workspace"]):
            _allow(rules, path, _READ_FILE | _READ_DIR)
        for path in _written(plan):
            _allow(rules, path, rights & ~_EXECUTE)
        checked(
            libc.syscall(ctypes.c_long(_RESTRICT), ctypes.c_int(rules), ctypes.c_uint32(0)),
            "landlock",
        )
    finally:
        os.close(rules)


def _rights(known: int) -> int:
    refer = _REFER if known >= REFERS else 0
    return _BASE | refer | (_TRUNCATE if known >= TRUNCATES else 0)


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # does not exist
    try:
        if not stat.S_ISDIR(os.fstat(fd).st_mode):
            rights &= _WRITE_FILE | _READ_FILE | _TRUNCATE
        beneath = _Beneath(rights, fd)
        result = libc.syscall(
            ctypes.c_long(_ADD),
            ctypes.c_int(rules),
            ctypes.c_int(_PATH_BENEATH),
            ctypes.byref(beneath),
            ctypes.c_uint32(0),
        )
        checked(result, path)
    finally:
        os.close(fd)


def _written(plan: Plan) -> Iterator[str]:
    if plan["copied"]:
        yield plan["workspace"]
    if plan["scratch"] is not None:
        yield plan["scratch"]
    yield from (*plan["writable"], *plan["outputs"])
    yield from (*(f"/dev/{name}" for name in _DEVICES), *_DEVICE_FOLDERS)


def _readable(hidden: Sequence[str]) -> Iterator[str]:
    """Paths that cover everything except the hidden paths and the machine's devices."""
    closed = {path for path in (*hidden, "/dev") if os.path.lexists(path)}
    parents = {"/"}
    for path in closed:
        while (path := os.path.dirname(path)) != "/":
            parents.add(path)
    for parent in sorted(parents):
        if any(parent == each or parent.startswith(f"{each}/") for each in closed):
            continue
        with contextlib.suppress(OSError), os.scandir(parent) as entries:
            for entry in entries:
                if not entry.is_symlink() and not {entry.path} & (closed | parents):
                    yield entry.path
