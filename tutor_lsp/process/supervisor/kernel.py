"""System calls that the standard library lacks. Linux only; each raises OSError."""

from __future__ import annotations

import ctypes
import os
import signal

NEWNS, NEWUTS, NEWIPC = 0x00020000, 0x04000000, 0x08000000
NEWUSER, NEWPID, NEWNET = 0x10000000, 0x20000000, 0x40000000

RDONLY, NOSUID, NODEV, NOEXEC, BIND = 1, 2, 4, 8, 4096

# clone's number differs between processors; later calls have the same number everywhere.
_CLONE = {"x86_64": 56, "aarch64": 220, "riscv64": 220, "loongarch64": 220}
_MOUNT_SETATTR = 442
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_PRIVATE = 1 << 18
_SET_PDEATHSIG, _SET_DUMPABLE, _CAPBSET_DROP = 1, 4, 24
_SET_CHILD_SUBREAPER, _SET_NO_NEW_PRIVS = 36, 38
_CAPABILITY_VERSION = 0x20080522
_OVER_FILES = 0b11011
"""CHOWN, DAC_OVERRIDE, FOWNER, FSETID: user 0 in a container works on other users' files."""
_TO_MOVE = 1 << 18 | 1 << 21
"""SYS_CHROOT, SYS_ADMIN: needed to enter another namespace and to mount."""

libc = ctypes.CDLL(None, use_errno=True)


class _MountAttributes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "userns")]


def checked(result: int, what: str) -> int:
    """The result of a call, if it is not -1. Raises OSError, with `what` as its file name."""
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)
    return result


def fork_into(flags: int) -> int:
    """Like os.fork, with the child in new namespaces. Only for single-threaded processes."""
    number = _CLONE.get(os.uname().machine)
    if number is None:
        raise OSError(38, f"not written for {os.uname().machine}", "clone")
    word = ctypes.c_long
    zero = word(0)
    pid = libc.syscall(word(number), word(flags | signal.SIGCHLD), zero, zero, zero, zero)
    return checked(pid, "clone")


def leave(flags: int) -> None:
    """Move this process into new namespaces (unshare)."""
    checked(libc.unshare(flags), "unshare")


def move(fd: int) -> None:
    """Enter a descriptor's mount namespace, at its root (setns)."""
    checked(libc.setns(fd, NEWNS), "setns")


def mount(source: str, target: str, kind: str | None, flags: int, data: str = "") -> None:
    """Mount, or bind with `BIND`."""
    encoded = os.fsencode(target)
    text = kind.encode() if kind else None
    checked(libc.mount(os.fsencode(source), encoded, text, flags, data.encode()), target)


def bind(fd: int, target: str) -> None:
    """Bind what a descriptor refers to, even if its path has changed, to a path."""
    mount(f"/proc/self/fd/{fd}", target, None, BIND)


def protect(path: str, *, recursive: bool = False) -> None:
    """Make a mount read-only and private, with `recursive` all mounts below it too."""
    _attributes(path, _MountAttributes(set=RDONLY, propagation=_PRIVATE), recursive)


def release(path: str) -> None:
    """Make a mount writable again after `protect`."""
    _attributes(path, _MountAttributes(clear=RDONLY), recursive=False)


def _attributes(path: str, wanted: _MountAttributes, recursive: bool) -> None:
    result = libc.syscall(
        ctypes.c_long(_MOUNT_SETATTR),
        ctypes.c_int(_AT_FDCWD),
        os.fsencode(path),
        ctypes.c_uint(_AT_RECURSIVE if recursive else 0),
        ctypes.byref(wanted),
        ctypes.c_size_t(ctypes.sizeof(wanted)),
    )
    checked(result, f"mount_setattr {path}")


def _prctl(option: int, value: int) -> None:
    zero = ctypes.c_ulong(0)
    checked(libc.prctl(option, ctypes.c_ulong(value), zero, zero, zero), f"prctl {option}")


def die_with_parent() -> None:
    """Have this process killed when the thread that started it ends."""
    _prctl(_SET_PDEATHSIG, signal.SIGKILL)


def set_dumpable(*, value: bool) -> None:
    """Whether others of the same user may read this process's memory and environment."""
    _prctl(_SET_DUMPABLE, int(value))


def adopt_orphans() -> None:
    """Become the parent of any descendant that loses its own."""
    _prctl(_SET_CHILD_SUBREAPER, 1)


def gain_nothing() -> None:
    """From now on starting a program grants no privileges."""
    _prctl(_SET_NO_NEW_PRIVS, 1)


def bound_capabilities() -> None:
    """Programs started from here gain only `_OVER_FILES`, even as user 0. Keeps our
    own capabilities."""
    for number in range(64):
        if _OVER_FILES >> number & 1:
            continue
        if libc.prctl(_CAPBSET_DROP, ctypes.c_ulong(number), 0, 0, 0) == -1:
            break  # the kernel has no more of them


def drop_capabilities(*, moves: bool = False) -> None:
    """Give up every capability but `_OVER_FILES`.

    A process that `moves` keeps what it needs to prepare more areas; its children get none of
    that, provided `bound_capabilities` was called.
    """
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    held = (ctypes.c_uint32 * 6)()
    checked(libc.capget(header, held), "capget")
    left = held[0] & held[1] & (_OVER_FILES | (_TO_MOVE if moves else 0))
    checked(libc.capset(header, (ctypes.c_uint32 * 6)(left, left)), "capset")
