"""One client over TCP."""

import select
import socket
import sys


def accept_one(port: int, woken: int) -> int | None:
    """Wait on 127.0.0.1 for the first connection, then stop listening; None if there is something
    in `woken` before. Raises OSError.
    """
    with socket.create_server(("127.0.0.1", port), backlog=1) as listening:
        bound = listening.getsockname()[1]
        print(f"tutor-lsp listens on 127.0.0.1:{bound}", file=sys.stderr, flush=True)
        poll = select.poll()
        for each in (listening.fileno(), woken):
            poll.register(each, select.POLLIN)
        if woken in dict(poll.poll()):
            return None
        connection, _ = listening.accept()
    return connection.detach()
