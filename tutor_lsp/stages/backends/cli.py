"""What backends that start a model's own command line have in common."""

import shlex
import shutil
from collections.abc import Callable

from tutor_lsp.contracts.validate import MAX_ANSWER_BYTES

INSTRUCTIONS = (
    "Answer the user's message with one JSON document that fits the given schema, and with "
    "nothing else. Use no tools and run no commands: all you need is in the message.\n"
)
"""What takes the place of the command line's own system prompt."""
ENVELOPE_BYTES = 16 * MAX_ANSWER_BYTES
"""Largest message around an answer that is read, so that an answer that is too long is mostly
refused as such. Reading it as JSON takes some milliseconds, in which nothing else can be done."""
PROBE_S = 1.8
"""Limit of each call of a probe, so that it answers within 2 s."""
PROBE_KEPT_S = 30.0
"""How long the answer to a probe is taken as it was."""
LOGGED_OUT_KEPT_S = 600.0
"""How long a 401 is remembered; a successful call forgets it at once."""
GRACE_S = 1.0
"""Time that a command line has to end after TERM, in seconds."""


def command_parts(command: str, default: str) -> tuple[str, ...]:
    """The command in parts; a path with spaces that exists is one part."""
    if shutil.which(command) is not None:
        return (command,)
    try:
        return tuple(shlex.split(command)) or (default,)
    except ValueError:  # an open quote: not found, and said so
        return (command,)


class LoginMemory:
    """Remembers a refused login for `LOGGED_OUT_KEPT_S`; `proven` holds after a call that worked
    until one is refused."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._refused_at: float | None = None
        self.proven = False

    def refused(self) -> None:
        """The login was refused just now."""
        self._refused_at = self._clock()
        self.proven = False

    def worked(self) -> None:
        """A call worked: the login holds."""
        self._refused_at = None
        self.proven = True

    @property
    def logged_out(self) -> bool:
        """Whether a refusal is still remembered."""
        at = self._refused_at
        return at is not None and self._clock() - at < LOGGED_OUT_KEPT_S
