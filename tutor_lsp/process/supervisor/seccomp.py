"""A system call filter that cuts a process off from the network, for when no namespace does, and
from the machine's own services, which listen on local sockets.

Of local sockets it allows pairs, for streams and packets. A single socket, or even a paired
datagram socket, could send to any address, which no filter can inspect.
"""

from __future__ import annotations

import ctypes
import errno
import os
import socket

from tutor_lsp.process.supervisor.kernel import checked, libc

_SET_SECCOMP, _FILTER = 22, 2
_LOAD, _EQUAL, _AT_LEAST, _AND, _RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT, _SECOND_ARGUMENT = 0, 4, 16, 24
_TYPE = 0xF
"""The bits of the second argument that are the type; the higher ones are options."""
_ALLOW, _FAIL = 0x7FFF0000, 0x00050000
_IO_URING_SETUP = 425
_OTHER_ABI = 0x40000000
_KNOWN = {"x86_64": (0xC000003E, 41, 53, 42), "aarch64": (0xC00000B7, 198, 199, 203)}
"""By processor: its number, and the numbers of `socket`, `socketpair` and `connect` on it."""


class _Step(ctypes.Structure):
    _fields_ = [
        ("code", ctypes.c_uint16),
        ("then", ctypes.c_uint8),
        ("otherwise", ctypes.c_uint8),
        ("value", ctypes.c_uint32),
    ]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_uint16), ("steps", ctypes.POINTER(_Step))]


def no_network() -> None:
    """Take the network from this process, for good; it must have set no_new_privs. Raises
    OSError."""
    machine = os.uname().machine
    if machine not in _KNOWN:
        raise OSError(errno.ENOSYS, f"not written for {machine}", "seccomp")
    architecture, make, make_pair, connect = _KNOWN[machine]
    steps = (
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 0, 15, architecture),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 13, 0, _OTHER_ABI),
        (_EQUAL, 12, 0, _IO_URING_SETUP),
        (_EQUAL, 11, 0, connect),
        (_EQUAL, 3, 0, make_pair),
        (_EQUAL, 0, 8, make),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_EQUAL, 6, 7, socket.AF_NETLINK),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_EQUAL, 0, 5, socket.AF_UNIX),
        (_LOAD, 0, 0, _SECOND_ARGUMENT),
        (_AND, 0, 0, _TYPE),
        (_EQUAL, 1, 0, socket.SOCK_STREAM),
        (_EQUAL, 0, 1, socket.SOCK_SEQPACKET),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _FAIL | errno.EACCES),
    )
    program = _Program(len(steps), (_Step * len(steps))(*(_Step(*step) for step in steps)))
    zero = ctypes.c_ulong(0)
    asked = ctypes.c_ulong(_FILTER)
    checked(libc.prctl(_SET_SECCOMP, asked, ctypes.byref(program), zero, zero), "seccomp")
