"""A program in a terminal that the test holds: keys go in, the screen is read as a person would."""

import contextlib
import fcntl
import os
import pty
import signal
import struct
import termios
import threading
import time

import pyte

ROWS, COLUMNS = 45, 180
LIFE_S = 150
WAIT_S = 40
END_S = 15


class Screen(pyte.Screen):
    """Knows one question more that terminals are asked."""

    def report_device_status(self, mode, **_private):
        super().report_device_status(mode)


class Terminal:
    """One program. Waits poll the screen; all that it started ends with it."""

    def __init__(self, program, arguments, folder, environment, size=(COLUMNS, ROWS)):
        columns, rows = size
        self._screen = Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._lock = threading.Lock()
        self.pid, self._terminal = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execve(program, [str(program), *map(str, arguments)], environment)  # noqa: S606
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, size)
        self._screen.write_process_input = self._answer
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._deadline = threading.Timer(LIFE_S, self._kill)
        self._deadline.daemon = True
        self._deadline.start()

    def _answer(self, data):
        """What a terminal says when it is asked what it is."""
        with contextlib.suppress(OSError):
            os.write(self._terminal, data.encode())

    def _read(self):
        with contextlib.suppress(OSError):
            while data := os.read(self._terminal, 65536):
                with self._lock:
                    self._stream.feed(data)

    def text(self):
        """The screen as text."""
        with self._lock:
            return "\n".join(line.rstrip() for line in self._screen.display)

    def cursor(self):
        """Row and column of the cursor, from 0."""
        with self._lock:
            return self._screen.cursor.y, self._screen.cursor.x

    def wait(self, what, seconds=WAIT_S):
        """Until the screen holds that text (or `what(text)` is true); gives the screen."""
        holds = what if callable(what) else lambda text: what in text
        deadline = time.monotonic() + seconds
        while not holds(text := self.text()):
            assert time.monotonic() < deadline, f"{what} is not on the screen:\n{text}"
            time.sleep(0.02)
        return text

    def keys(self, *keys):
        """Type."""
        for key in keys:
            os.write(self._terminal, key.encode())

    def close(self, *keys):
        """End the program by these keys and wait until it is gone."""
        self._deadline.cancel()
        with contextlib.suppress(OSError):  # it may have ended by itself
            self.keys(*keys)
        deadline = time.monotonic() + END_S
        while os.waitpid(self.pid, os.WNOHANG)[0] == 0:
            if time.monotonic() > deadline:
                self._kill()
            time.sleep(0.02)
        # The reader ends with the terminal. Closed before, its number would be that of the next
        # pipe, and the reader would take what comes there.
        self._reader.join(END_S)
        assert not self._reader.is_alive(), "something still holds the terminal"
        os.close(self._terminal)

    def _kill(self):
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
