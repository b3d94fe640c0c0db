"""Common parts of backends with a model, and of those that start a model's own command line."""

import contextlib
import os
import re
import shlex
import shutil
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from tutor_lsp.contracts.validate import MAX_ANSWER_BYTES
from tutor_lsp.core.mend import Mend
from tutor_lsp.core.ports import BackendStatus, ToolStatus
from tutor_lsp.core.stage import BackendAnswer, BackendFailed, StageRequest
from tutor_lsp.core.text.translation import marked
from tutor_lsp.process.run import Outcome, run
from tutor_lsp.process.scratch import scratch_folder
from tutor_lsp.process.spec import ProgramNotFound, Spec

INSTRUCTIONS = (
    "Answer the user's message with one JSON document that fits the given schema, and with "
    "nothing else. Use no tools and run no commands: all you need is in the message.\n"
)
"""Replaces the command line's own system prompt."""
ENVELOPE_BYTES = 16 * MAX_ANSWER_BYTES
"""Largest message around an answer that is read, so that an answer that is too long is mostly
refused as such. Reading it as JSON takes some milliseconds, in which nothing else can be done."""
STREAM_BYTES = 16 * ENVELOPE_BYTES
"""Most events of one call, in bytes; a line over `ENVELOPE_BYTES` is not read, and a longer answer
of Codex is taken from its answer file."""
PROBE_S = 1.8
"""Limit of each call of a probe, so that it answers within 2 s."""
PROBE_KEPT_S = 30.0
"""How long the answer to a probe is reused, in seconds."""
LOGGED_OUT_KEPT_S = 600.0
"""How long a 401 is remembered; a successful call forgets it at once."""
GRACE_S = 1.0
"""Time that a command line has to end after TERM, in seconds."""
NO_ROOM = marked("wait until your plan allows more, or check it")
"""What to do when a plan is used up."""


def prompt_of(request: StageRequest, who: str) -> str:
    """The text of a request's prompt. Raises BackendFailed if there is none."""
    if request.prompt is None:
        raise BackendFailed(f"{who} was called without a prompt")
    return request.prompt.text


def no_answer(who: str, limit_s: float, more: Mapping[str, Any] | None = None) -> BackendFailed:
    """The failure of a model that did not answer in time."""
    details = {"timeout": True, "limitS": limit_s, **(more or {})}
    return BackendFailed(f"{who} gave no answer within {limit_s:g} s", details)


def tokens(usage: Any, *names: str) -> int:
    """The sum of the counts that a provider's usage has under these names; whatever isn't one
    counts as 0."""
    known = usage if isinstance(usage, Mapping) else {}
    counts = (known.get(name) for name in names)
    return sum(count for count in counts if isinstance(count, int) and count > 0)


class LoginMemory:
    """Remembers a refused login for `LOGGED_OUT_KEPT_S`; `proven` holds after a successful call
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


class ModelBackend(ABC):
    """Implements `core.ports.Backend` but for the answers: a state that is looked up at most every
    `PROBE_KEPT_S`, and what calls have shown about the login."""

    name: ClassVar[str]
    is_model = True
    needs_prompt = True

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._login = LoginMemory(clock)
        self._known: tuple[float, BackendStatus] | None = None

    async def probe(self) -> BackendStatus:
        status = await self._status()
        if status.available and self._login.logged_out:
            why, mends = self._refused_login, self._login_mends
            return replace(status, available=False, why=why, mends=mends)
        return status

    async def _status(self) -> BackendStatus:
        if self._known is None or self._clock() - self._known[0] > PROBE_KEPT_S:
            self._known = (self._clock(), await self._look())
        return self._known[1]

    def _usable(self, why: str, version: str | None = None) -> BackendStatus:
        return BackendStatus(self.name, available=True, why=why, version=version)

    def _unusable(self, why: str, *mends: Mend) -> BackendStatus:
        return BackendStatus(self.name, available=False, why=why, mends=mends)

    @property
    @abstractmethod
    def _refused_login(self) -> str:
        """Why it cannot be used after a refused login."""

    @property
    def _login_mends(self) -> tuple[Mend, ...]:
        """What can be done about that by pressing a button."""
        return ()

    @abstractmethod
    async def _look(self) -> BackendStatus:
        """Its state now, login aside; returns within 2 s, never raises."""

    @abstractmethod
    async def answer(self, request: StageRequest) -> BackendAnswer:
        """See `core.ports.Backend`."""


@dataclass(frozen=True, slots=True)
class CommandSettings:
    """`command` is a program, or a command line with arguments."""

    command: str
    model: str | None = None

    def argv(self) -> tuple[str, ...]:
        """The command in parts; a path with spaces that exists is one part."""
        if shutil.which(self.command) is None:
            with contextlib.suppress(ValueError):  # an open quote: not found, and said so
                return tuple(shlex.split(self.command))
        return (self.command,)


class CommandBackend(ModelBackend):
    """A model's own command line. A call works in an empty temporary folder.

    A login says little about whether calls work: a command line may be set up with another provider
    and a key of its own. So it never decides whether the backend serves.
    """

    title: ClassVar[str]
    install: ClassVar[str]
    log_in: ClassVar[str]
    login_line: ClassVar[str] = ""
    """What `log_in` says to run in a terminal."""
    logged_out: ClassVar[re.Pattern[str]]
    no_room: ClassVar[re.Pattern[str]]
    login_words: ClassVar[tuple[str, ...]]
    """What to call it with, so that it says whether it is logged in."""
    login_since: ClassVar[tuple[int, ...]] = ()
    """First version that knows these words; an older one may take them for a question."""

    def __init__(
        self, settings: CommandSettings, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(clock)
        self._settings = settings

    async def login(self) -> ToolStatus | None:
        """The command line's own login status, corrected by calls since the server started; None
        if it is not installed or too old to report it."""
        status = await self._status()
        title = f"{self.name} login"
        if status.available and self._login.logged_out:
            why = marked(f"the last call was refused (401, logged out): {self.log_in}")
            mends = self._login_mends
            return ToolStatus(title, found=True, works=False, remedy=why, mends=mends)
        if status.available and self._login.proven:
            return ToolStatus(title, found=True, works=True)
        if not status.available or numbers(status.version) < self.login_since:
            return None
        outcome = await self._tried(*self.login_words)
        logged_in = None if outcome is None else self._is_logged_in(outcome)
        if logged_in:
            return ToolStatus(title, found=True, works=True)
        if logged_in is False:
            why = f"not logged in: {self.log_in}; not needed where its configuration names a "
            why += "provider with a key of its own"
            mends = self._login_mends
            return ToolStatus(title, found=True, works=False, remedy=why, mends=mends)
        why = "could not be started" if outcome is None else "did not say whether it is logged in"
        if outcome is not None and outcome.timed_out:
            why = "gave no answer within 2 s"
        why = marked(f"{self.name} {' '.join(self.login_words)} {why}; if in doubt, {self.log_in}")
        mends = self._login_mends
        return ToolStatus(title, found=False, works=False, remedy=why, mends=mends)

    async def answer(self, request: StageRequest) -> BackendAnswer:
        prompt = prompt_of(request, self.title)
        async with scratch_folder(self.name) as folder:
            try:
                answer = await self._answer(request, prompt.encode(), folder)
            except ProgramNotFound as error:
                self._known = None
                reason = marked(f"{error.program} was not found")
                raise BackendFailed(reason, {"remedy": self.install}) from error
        self._login.worked()
        return answer

    @abstractmethod
    async def _answer(self, request: StageRequest, prompt: bytes, folder: Path) -> BackendAnswer:
        """The answer, made in that folder. Raises BackendFailed, ProgramNotFound."""

    @abstractmethod
    def _is_logged_in(self, outcome: Outcome) -> bool | None:
        """What the command line said of its login; None if that is unclear."""

    @property
    def _command(self) -> Mend:
        return Mend("setting", setting=f"{self.name}.command")

    @property
    def _login_mends(self) -> tuple[Mend, ...]:
        return (Mend("line", line=self.login_line),) if self.login_line else ()

    @property
    def _refused_login(self) -> str:
        return marked(f"{self.title} is logged out (401): {self.log_in}")

    def _environment(self) -> Mapping[str, str]:
        return os.environ

    async def _ask(self, *words: str) -> Outcome:
        """A quick call, in a process group of its own. Raises ProgramNotFound, OSError."""
        argv = (*self._settings.argv(), *words)
        return await run(Spec(argv, Path("/"), self._environment(), PROBE_S, 256 * 1024))

    async def _tried(self, *words: str) -> Outcome | None:
        with contextlib.suppress(ProgramNotFound, OSError):
            return await self._ask(*words)
        return None

    async def _look(self) -> BackendStatus:
        try:
            outcome = await self._ask("--version")
        except ProgramNotFound as error:
            return self._unusable(f"{error.program} was not found: {self.install}", self._command)
        except OSError as error:
            program = self._settings.argv()[0]
            return self._unusable(
                f"{program} cannot be started ({error.strerror}): {self.install}", self._command
            )
        if outcome.timed_out:
            return self._unusable(f"{self.name} --version gave no answer within 2 s")
        number = re.search(r"\d+\.\d+\.\d+\S*", outcome.stdout.decode("utf-8", "replace"))
        if outcome.returncode != 0 or number is None:
            why = marked(f"{self.name} --version ended with exit code {outcome.returncode}")
            return self._unusable(f"{why}: {self.install}", self._command)
        return self._usable(f"{self.title} {number[0]} is installed", number[0])

    def _failure(
        self, outcome: Outcome, message: str, more: Mapping[str, Any], *, whole: bool = True
    ) -> BackendFailed:
        """Why there is no answer, in `message` or else on stderr; `whole` unless the output broke
        off. `more` are details; its `status`, that of HTTP, is known only to some."""
        tail = outcome.stderr.decode("utf-8", "replace").strip()[-1000:]
        message = message or (tail.splitlines() or [""])[-1]
        said = message or "no message"
        details = {"exitCode": outcome.returncode, "message": message, "stderr": tail, **more}
        if details.get("status") == 401 or self.logged_out.search(f"{message} {tail}"):
            self._login.refused()
            details |= {"status": 401, "remedy": self.log_in}
            return BackendFailed(f"{self.title} is logged out: {self.log_in}", details)
        if details.get("status") == 429 or self.no_room.search(message):
            details |= {"status": 429, "remedy": NO_ROOM}
            return BackendFailed(f"{self.title} has no more room for you: {said}", details)
        if outcome.returncode == 0 and not whole:
            return BackendFailed(f"{self.title} ended before its answer was complete", details)
        reason = marked(f"{self.title} failed (exit code {outcome.returncode}): {said}")
        return BackendFailed(reason, details)


def numbers(version: str | None) -> tuple[int, ...]:
    """Up to three numbers of a version; none if it is unknown."""
    return tuple(int(part) for part in re.findall(r"\d+", version or "")[:3])
