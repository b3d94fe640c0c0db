"""Backends by name, each built when it is first asked for.

A backend is one module here with `create(context: BackendContext) -> Backend`, and one line in
`BACKENDS`; nothing is imported before it is asked for.
"""

import asyncio
import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.ports import Backend, BackendStatus


@dataclass(frozen=True, slots=True)
class BackendContext:
    """What backends are built from: settings by their dotted names (`codex.command`, `model`),
    and services by name (`library`: a `library.loader.Library`; `editor.ask`: see `editor.Ask`;
    `scripted.lines`: see `scripted.create`)."""

    settings: Mapping[str, Any] = field(default_factory=dict)
    services: Mapping[str, Any] = field(default_factory=dict)

    def setting(self, name: str) -> str:
        """A setting that the backend cannot do without. Raises TutorError `BAD_SETTINGS`."""
        value = self.settings.get(name)
        if not value:
            raise TutorError("BAD_SETTINGS", f"The setting {name} is missing. Set it to go on.")
        return str(value)


Factory = Callable[[BackendContext], Backend]


def _module(name: str) -> Factory:
    """The `create` of a module of this package, imported when it is called."""

    def build(context: BackendContext) -> Backend:
        backend: Backend = importlib.import_module(f"{__package__}.{name}").create(context)
        return backend

    return build


def _library(context: BackendContext) -> Backend:
    from tutor_lsp.stages.backends.library import LibraryBackend

    return LibraryBackend(context.services["library"])


BACKENDS: Mapping[str, Factory] = MappingProxyType(
    {
        "library": _library,
        "codex": _module("codex"),
        "claude": _module("claude"),
        "openai": _module("openai"),
        "editor": _module("editor"),
        "scripted": _module("scripted"),
    }
)
"""Every backend that ships, by name."""


class Backends:
    """The backends of one server or command, by name. A backend is built once."""

    def __init__(
        self, context: BackendContext, *, extra: Mapping[str, Backend] | None = None
    ) -> None:
        """`extra` are ready backends, for tests and for the client's own model (`editor`)."""
        self._context = context
        self._built: dict[str, Backend] = dict(extra or {})

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that `get` knows, sorted."""
        return tuple(sorted({*BACKENDS, *self._built}))

    def add(self, backend: Backend) -> None:
        """Add a ready backend, or replace one of the same name."""
        self._built[backend.name] = backend

    def get(self, name: str) -> Backend:
        """The backend. Raises TutorError `UNKNOWN_BACKEND` or what building it raises."""
        if name not in self._built:
            if name not in BACKENDS:
                # What tests and replays play is no choice of a learner.
                known = ["auto", *(each for each in self.names if each != "scripted")]
                raise TutorError(
                    "UNKNOWN_BACKEND",
                    f'There is no backend "{name}". Choose one of: {", ".join(known)}.',
                    details={"backend": name, "known": known},
                )
            self._built[name] = BACKENDS[name](self._context)
        return self._built[name]

    async def statuses(self, names: Iterable[str]) -> dict[str, BackendStatus]:
        """The state of these backends, asked at the same time; those that cannot be built are
        not available, with the reason. Raises TutorError `UNKNOWN_BACKEND`."""
        asked = list(dict.fromkeys(names))
        states = await asyncio.gather(*(self._status(name) for name in asked))
        return dict(zip(asked, states, strict=True))

    async def _status(self, name: str) -> BackendStatus:
        try:
            backend = self.get(name)
        except TutorError as error:
            if error.kind == "UNKNOWN_BACKEND":
                raise
            return BackendStatus(name=name, available=False, why=error.message)
        return await backend.probe()
