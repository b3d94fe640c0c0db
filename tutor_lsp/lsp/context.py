"""The context of the features."""

import asyncio
import contextlib
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from tutor_lsp.lsp.client import Client
from tutor_lsp.lsp.frontend import LspFrontend
from tutor_lsp.lsp.publish import Publisher
from tutor_lsp.tutor.application.app import App
from tutor_lsp.tutor.application.deferred_app import DeferredApp
from tutor_lsp.tutor.application.look_ahead import PracticeSearch
from tutor_lsp.tutor.exercise.follow import follow
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.ide.view import View

OPENING_S = 2.0
"""How long a request waits for its exercise to be opened, in seconds."""

T = TypeVar("T")
Waiting: TypeAlias = Generator[Any, Any, T]
"""A handler that pygls answers at once, unless it yields what to wait for: a coroutine function,
its arguments and None."""


@dataclass(slots=True)
class Context:
    """One client and its tutor. `app` is composed when it is first needed, `heard` says when the
    client last called (`time.monotonic`), `opening` whose exercises are just being opened.
    """

    client: Client
    publisher: Publisher
    frontend: LspFrontend
    app: DeferredApp
    practices: PracticeSearch
    heard: Callable[[], float]
    opening: dict[Path, asyncio.Event] = field(default_factory=dict)
    _follows: bool = False

    def view_of(self, uri: str) -> Waiting[tuple[View, str] | None]:
        """The view of the exercise of an open document, and the file's relative path in it; one
        that is just being opened is waited for.
        """
        document = self.client.documents.of_uri(uri)
        if document is not None and (opening := self.opening.get(document.path)):
            yield self._opened, (opening,), None
        opened = self.app.opened_above(document.real) if document is not None else None
        if document is None or opened is None:
            return None
        file = opened.relative(document.path)
        if file is None:
            return None
        return opened.recent_view(self.client.documents.revision), file

    async def _opened(self, opening: asyncio.Event) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(OPENING_S):
                await opening.wait()

    def show(self, opened: OpenExercise, app: App) -> None:
        """Send what the client does not know of an exercise, and from now on also what other
        editors and terminals store in what is open here.
        """
        self.publisher.publish(opened)
        if not self._follows:
            self._follows = True
            self.client.spawn(follow(app.exercises), "follow others")
