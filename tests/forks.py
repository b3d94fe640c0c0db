"""A process that has loaded something once and forks for whatever is asked of it. Linux only."""

import array
import atexit
import contextlib
import json
import os
import selectors
import signal
import socket
import subprocess
import threading

MESSAGE = 1024 * 1024
MOST_FILES = 16


class Loaded:
    """Such a process, started with these words and the number of the socket that `serve` takes.
    It ends with this one."""

    def __init__(self, *words, env=None):
        self._lock = threading.Lock()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            for end in (self._control, theirs):
                end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MESSAGE)
            self._process = subprocess.Popen(
                [*words, str(theirs.fileno())], pass_fds=[theirs.fileno()], env=env
            )
        atexit.register(self._end)

    def _end(self):
        self._control.close()
        self._process.wait()

    def fork(self, given, files):
        """The id of a fork that gets what is `given` with these descriptors, and a socket that
        tells its exit code, negative for a signal."""
        status, theirs = socket.socketpair()
        with theirs, self._lock:
            fds = array.array("i", [*files, theirs.fileno()])
            ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, fds)]
            self._control.sendmsg([json.dumps(given).encode()], ancillary)
        pid = int(status.recv(16))
        status.setblocking(False)
        return pid, status


def serve(number):
    """Fork until whoever asks has ended; in each fork what was given to it and its descriptors,
    and None in the end."""
    control = socket.socket(fileno=number)
    os.set_inheritable(number, False)
    waiting = selectors.DefaultSelector()
    waiting.register(control, selectors.EVENT_READ)
    while True:
        for key, _ in waiting.select():
            if key.fileobj is control:
                data, fds, _, _ = socket.recv_fds(control, MESSAGE, MOST_FILES)
                if not data:
                    return None
                pid, status = os.fork(), socket.socket(fileno=fds.pop())
                if pid == 0:
                    for each in (status, waiting, control):  # before a number is another's
                        each.close()
                    return json.loads(data), fds
                for fd in fds:
                    os.close(fd)
                status.sendall(str(pid).encode())
                waiting.register(os.pidfd_open(pid), selectors.EVENT_READ, (pid, status))
            else:
                pid, status = key.data
                with contextlib.suppress(OSError):  # its group, before its id can be another's
                    os.killpg(pid, signal.SIGKILL)
                code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                waiting.unregister(key.fileobj)
                os.close(key.fileobj)
                with status, contextlib.suppress(OSError):
                    status.sendall(str(code).encode())
