"""What a caller hands over, and a process that stands where the caller does."""

import contextlib
import io
import os
import socket
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from tutor_lsp.process.hand_over import LIKE

STREAMS = 3
_WORDS = STREAMS * len(LIKE)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a fork is to do. `fds` are the caller's streams and its folder."""

    given: list[str]
    environment: Mapping[str, str]
    streams: list[list[str]]
    fds: list[int]
    link: socket.socket | None = None

    def told(self, code: int) -> None:
        """Tell the caller the exit code, before this process has ended. Where output is left that
        cannot be written it is told by the end of the process, as the code is another one then."""
        with contextlib.suppress(OSError, ValueError):
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
            if self.link is not None:
                self.link.send(str(code).encode())

    @classmethod
    def of(cls, data: bytes, fds: list[int]) -> "Asked":
        """What `hand_over` wrote. Raises ValueError."""
        count, *words = map(os.fsdecode, data.split(b"\0"))
        at = int(count)
        given, like, values = words[:at], words[at : at + _WORDS], words[at + _WORDS :]
        streams = [like[n : n + len(LIKE)] for n in range(0, len(like), len(LIKE))]
        if len(given) != at or len(like) != _WORDS or len(fds) != STREAMS + 1:
            raise ValueError("something is missing")
        environment = {name: value for name, _, value in (each.partition("=") for each in values)}
        return cls(given, environment, streams, fds)

    def become(self) -> None:
        """Have this process stand where the caller does. Raises OSError."""
        os.fchdir(self.fds[STREAMS])
        for at, fd in enumerate(self.fds):
            if at < STREAMS:
                os.dup2(fd, at)
            os.close(fd)
        os.environ.clear()
        os.environ.update(self.environment)
        sys.argv[1:] = self.given
        names = ("stdin", "stdout", "stderr")
        for at, (name, mode, how) in enumerate(zip(names, "rww", self.streams, strict=True)):
            encoding, errors, *buffering = how
            raw = open(at, f"{mode}b", closefd=False)
            stream = io.TextIOWrapper(
                raw, encoding, errors, "\n", *(each == str(True) for each in buffering)
            )
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)
