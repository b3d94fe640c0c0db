"""The end of a process that stays for the next verbs."""

import os
import signal
import time
from functools import partial
from pathlib import Path

from tutor_lsp.process.contain import find_ahead
from tutor_lsp.process.hand_over import NEVER, RUNS, Here, of_environment
from tutor_lsp.process.resident.asked import Asked
from tutor_lsp.process.resident.seen import Seen
from tutor_lsp.process.resident.waiting import wait

ENDING_S = 1.0
"""How long a thread that has nothing to do may take to end, in seconds."""


class Staying:
    """What one process knows of it, and each that comes of that."""

    def __init__(self) -> None:
        self._done: set[str] = set()
        self._seen: Seen | None = None

    def branch(self, verb: str, begun: float) -> Asked | None:
        """Leave a process behind, unless the one that stays knows this verb already. Returns in the
        calling process, and with what was asked in each fork of the one that stays. `begun` is a
        time before anything was loaded."""
        if verb in self._done or not _can_fork():
            return None
        for number in (signal.SIGINT, signal.SIGHUP):
            # The end of this process may be that of the terminal's session, until it has its own.
            signal.signal(number, signal.SIG_IGN)
        if os.fork():
            return None
        asked = None
        try:
            self._done.add(verb)
            self._seen = self._seen or Seen(begun)
            place = of_environment()
            runs = bool(self._done & RUNS)
            asked = wait(place, self._seen, partial(find_ahead, Path(place.home)) if runs else None)
        finally:
            if asked is None:
                os._exit(0)
        Here.wish = NEVER
        Here.tell = asked.told
        return asked


STAYING = Staying()


def _can_fork() -> bool:
    """Whether this process has but one thread, once those that are ending have ended."""
    until = time.monotonic() + ENDING_S
    while len(os.listdir("/proc/self/task")) > 1:
        if time.monotonic() > until:
            return False
        time.sleep(0.001)
    return hasattr(os, "pidfd_open")
