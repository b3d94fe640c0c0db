"""The client's own model as a backend: the request goes to the editor, which asks its model."""

import asyncio
from collections.abc import Mapping
from typing import Any, Protocol

from tutor_lsp.contracts.locate import load_schema
from tutor_lsp.core.backend import BackendContext
from tutor_lsp.core.ports import BackendStatus
from tutor_lsp.core.stage import BackendAnswer, BackendFailed, StageRequest
from tutor_lsp.stages.backends.cli import no_answer, prompt_of

SERVICE = "editor.ask"
"""Name of the service in `BackendContext.services`; absent or None if no client offers one."""


class Ask(Protocol):
    """Asks the client's model (`tutor/model`)."""

    async def __call__(self, prompt: str, schema: Mapping[str, Any]) -> str:
        """The answer's text. Raises BackendFailed if the client refuses or is gone; cancelling
        notifies the client."""


class EditorBackend:
    """Implements `core.ports.Backend` with the client's model, if the client offers one."""

    name = "editor"
    is_model = True
    needs_prompt = True

    def __init__(self, ask: Ask | None) -> None:
        self._ask = ask

    async def probe(self) -> BackendStatus:
        if self._ask is None:
            return BackendStatus(self.name, available=False, why="your editor offers no model")
        return BackendStatus(self.name, available=True, why="your editor offers its model")

    async def answer(self, request: StageRequest) -> BackendAnswer:
        if self._ask is None:
            raise BackendFailed("your editor offers no model")
        prompt = prompt_of(request, "the editor")
        schema = await asyncio.to_thread(load_schema, request.contract)
        try:
            async with asyncio.timeout(request.limit_s):
                return BackendAnswer(await self._ask(prompt, schema))
        except TimeoutError as error:
            raise no_answer("your editor's model", request.limit_s) from error


def create(context: BackendContext) -> EditorBackend:
    """The backend of the service `editor.ask`."""
    return EditorBackend(context.services.get(SERVICE))
