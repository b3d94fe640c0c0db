"""Backends by name, found by the entry points of the group `tutor_lsp.backends`."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import TypeVar, cast

from tutor_lsp.core.backend import BackendContext, BackendKind
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.ports import Backend, BackendStatus, HasLogin, ToolStatus
from tutor_lsp.languages.added import Loaded, load
from tutor_lsp.languages.others import broken, contained_call

T = TypeVar("T")
GROUP = "tutor_lsp.backends"
PROBE_S = 2.0
"""How long a backend may take to say whether it is available, or logged in, in seconds."""


@cache
def kinds() -> Mapping[str, BackendKind]:
    """Every installed kind of backend by its name, in the order in which they are offered. Blocks
    at the first call: it looks through the installed packages."""
    ordered = sorted(_loaded()[0].values(), key=lambda kind: (kind.place, kind.name))
    return MappingProxyType({kind.name: kind for kind in ordered})


def problems() -> tuple[str, ...]:
    """One sentence for each installed backend that cannot be used."""
    return _loaded()[1]


@cache
def _loaded() -> Loaded[BackendKind]:
    return load(GROUP, _complete, lambda kind: kind.name)


def _complete(kind: object) -> BackendKind:
    """Raises AttributeError for a kind that lacks something."""
    for name in vars(BackendKind):
        if not name.startswith("_"):
            getattr(kind, name)
    return cast("BackendKind", kind)


def models() -> tuple[str, ...]:
    """Names of the backends with a model, in the order in which `auto` takes them."""
    return tuple(kind.name for kind in kinds().values() if kind.is_model and kind.meaning)


def used_freely() -> frozenset[str]:
    """Names of the backends that a learner need not agree to."""
    return frozenset(kind.name for kind in kinds().values() if not kind.asks_first)


def offered() -> tuple[str, ...]:
    """Names of the backends that a learner may choose, sorted: without the one for replays."""
    return tuple(sorted(name for name, kind in kinds().items() if kind.meaning))


class Backends:
    """The backends of one server or command, by name. A backend is built once."""

    def __init__(self, context: BackendContext) -> None:
        self._context = context
        self._built: dict[str, Backend] = {}

    def get(self, name: str) -> Backend:
        """The backend. Raises TutorError: `UNKNOWN_BACKEND`, `BROKEN_PACKAGE`, or that of building
        it."""
        if name not in self._built:
            if name not in kinds():
                known = ["auto", *offered()]
                raise TutorError(
                    "UNKNOWN_BACKEND",
                    f'There is no backend "{name}". Choose one of: {", ".join(known)}.',
                    details={"backend": name, "known": known},
                )
            try:
                self._built[name] = kinds()[name].create(self._context)
            except TutorError:
                raise
            except (Exception, SystemExit) as error:
                reason = f"{type(error).__name__}: {error}"
                raise broken(GROUP, kinds()[name], reason) from error
        return self._built[name]

    async def statuses(self, names: Iterable[str]) -> dict[str, BackendStatus]:
        """The state of these backends, asked at the same time. Unknown ones are left out; those
        that cannot be built are not available, with the reason."""
        asked = [name for name in dict.fromkeys(names) if name in kinds()]
        states = await asyncio.gather(*(self._status(name) for name in asked))
        return dict(zip(asked, states, strict=True))

    async def logins(self) -> list[ToolStatus]:
        """The login state of the backends that need a login and say something about it."""
        found = await asyncio.gather(*(self._login(name) for name in sorted(kinds())))
        return [status for status in found if status is not None]

    async def _status(self, name: str) -> BackendStatus:
        try:
            status: object = await self._asked(name, self.get(name).probe)
        except TutorError as error:
            return BackendStatus(name=name, available=False, why=error.message)
        if isinstance(status, BackendStatus):
            return status
        why = broken(GROUP, kinds()[name], f"its probe returned {status!r}").message
        return BackendStatus(name=name, available=False, why=why)

    async def _login(self, name: str) -> ToolStatus | None:
        try:
            backend: object = self.get(name)
        except TutorError:
            return None  # its state says so
        if not isinstance(backend, HasLogin):
            return None
        try:
            return await self._asked(name, backend.login)
        except TutorError as error:
            return ToolStatus(f"{name} login", found=True, works=False, remedy=error.message)

    async def _asked(self, name: str, work: Callable[[], Awaitable[T]]) -> T:
        # Ours keep to it themselves, and say better what did not answer.
        limit_s = None if name in _loaded()[2] else PROBE_S
        return await contained_call(GROUP, kinds()[name], limit_s, work)
