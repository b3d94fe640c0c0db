"""The state that the server takes over from the door."""

import signal
from collections.abc import Callable

from tutor_lsp.lsp.door import Door

STOPPED = {signal.SIGINT: 130, signal.SIGTERM: 0, signal.SIGHUP: 0}
"""Signals that end the server in order, and the exit code of each."""


class Handover:
    """The client as the door leaves it: its streams, one and the same for a socket, and whether a
    signal came meanwhile, as the exit code that it asks for.
    """

    __slots__ = ("door", "reading", "stopped", "writing")

    def __init__(
        self, door: Door, reading: int, writing: int, stopped: Callable[[], int | None]
    ) -> None:
        self.door = door
        self.reading = reading
        self.writing = writing
        self.stopped = stopped
