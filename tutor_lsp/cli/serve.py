"""The language server's process: it answers at once, and loads the server in the background."""

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType

from tutor_lsp.cli.handover import STOPPED, Handover
from tutor_lsp.cli.serve_options import ServeOptions
from tutor_lsp.cli.streams import Outlet, attend, claim_stdio
from tutor_lsp.lsp.door import Door


def serve(options: ServeOptions) -> int:
    """Serve one client until it says `exit`, goes away, or a signal comes.

    All jobs and their processes are ended before this returns. The exit code is 0 after a
    `shutdown` or SIGTERM, 130 after SIGINT, else 1, as the protocol demands of an `exit` without
    `shutdown`.
    """
    # Collecting garbage while hundreds of classes are made costs a tenth of the start.
    gc.disable()
    if options.tcp is None and sys.stdin is not None and sys.stdin.isatty():
        print(
            "tutor-lsp is a language server: an editor starts it and talks to it.\n"
            "To learn in this terminal: tutor-lsp start. All verbs: tutor-lsp --help.",
            file=sys.stderr,
        )
    if options.home is not None:
        os.environ["TUTOR_LSP_HOME"] = _absolute(options.home)
    if options.tcp is not None:
        return _over_tcp(_Front(), options.tcp)
    try:
        # Before anything else is opened, which would get the number of a stream that is closed.
        streams = claim_stdio()
    except OSError:
        print(
            "tutor-lsp serve talks over stdin and stdout: start it with both of them open.",
            file=sys.stderr,
        )
        return 1
    return _Front().serve(*streams)


def _absolute(folder: str) -> str:
    # pathlib takes longer to load than all that is done before the first answer.
    return os.path.abspath(os.path.expanduser(folder))  # noqa: PTH100, PTH111


def _over_tcp(front: "_Front", port: int) -> int:
    from tutor_lsp.cli.tcp import accept_one

    try:
        connection = accept_one(port, front.woken)
    except OSError as error:
        print(f"tutor-lsp cannot listen on port {port}: {error.strerror}.", file=sys.stderr)
        return 1
    if connection is None:
        return front.stopped or 0
    return front.serve(connection, connection)


class _Front:
    """The one client at the door, and the loading of what will serve it.

    `woken` can be read from once a signal came or the server is there; `stopped` is the exit code
    that a signal asks for.
    """

    def __init__(self) -> None:
        self.woken, self._wake = os.pipe()
        self.stopped: int | None = None
        self._loading: threading.Thread | None = None
        self._converse: Callable[[Handover], int] | None = None
        self._failure: BaseException | None = None
        for number in STOPPED:
            signal.signal(number, self._stop)

    def serve(self, reading: int, writing: int) -> int:
        """Be the door, then the server. Returns the exit code."""
        door = Door(Outlet(writing, self.woken, lambda: self.stopped is not None).write)
        try:
            code = self._at_the_door(door, reading, writing)
        except OSError:
            code = 1 if self.stopped is None else self.stopped
        if code is None and self._converse is not None:
            return self._converse(Handover(door, reading, writing, lambda: self.stopped))
        if door.shutdown_seen:
            code = 0
        if self._loading is not None and self._loading.is_alive():
            # Waiting for its imports would take longer than all that was done here.
            sys.stderr.flush()
            os._exit(code or 0)
        return code or 0

    def _at_the_door(self, door: Door, reading: int, writing: int) -> int | None:
        """The exit code; None once the server is there. Raises OSError if the client left."""
        left = False

        def take(data: bytes) -> bool:
            nonlocal left
            left = not data
            door.feed(data)
            if door.needs_server:
                self._begin_to_load()
            return not (left or door.over or self._has_news())

        while True:
            if not attend(None if left else reading, writing, self.woken, take):
                return 1
            if self.stopped is not None:
                door.end()
                return self.stopped
            if self._failure is not None:
                _tell(self._failure, door)
                self._failure = None
            if (left or door.over) and door.can_end:
                _tell_end(door)
                return door.end()
            if self._converse is not None:
                return None

    def _has_news(self) -> bool:
        """Whether there is news, even if a waiting `Outlet` already took its sign from `woken`."""
        return any(each is not None for each in (self.stopped, self._converse, self._failure))

    def _stop(self, number: int, _frame: FrameType | None) -> None:
        if self.stopped is None:
            self.stopped = STOPPED[signal.Signals(number)]
            os.write(self._wake, b"s")

    def _begin_to_load(self) -> None:
        if self._loading is None:
            self._loading = threading.Thread(target=self._load, daemon=True)
            self._loading.start()

    def _load(self) -> None:
        try:
            from tutor_lsp.cli.loading import load

            self._converse = load()
        except BaseException as error:  # noqa: BLE001 - whatever it is, the client is told
            self._failure = error
        os.write(self._wake, b"l")


def _tell_end(door: Door) -> None:
    """Log an end that no client intends."""
    said = None
    if door.unreadable is not None:
        said = f"the rest of the client's stream cannot be read: {door.unreadable}"
    elif not door.over and door.framing.amid:
        said = "the client's stream ended in the middle of a message"
    if said is not None:
        print(f"tutor-lsp: {said}", file=sys.stderr)


def _tell(failure: BaseException, door: Door) -> None:
    """Report that nothing can be served; the log has the details."""
    sys.__excepthook__(type(failure), failure, failure.__traceback__)
    door.cannot_serve(
        f"The tutor cannot start: {type(failure).__name__}: {failure}. Install tutor-lsp again, "
        "then restart the language server; its log has the details."
    )
