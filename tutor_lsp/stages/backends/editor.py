"""The client's own model as a backend: the request goes to the editor, which asks its model."""

import asyncio
from collections.abc import Mapping
from typing import Any, Protocol

from tutor_lsp.contracts.locate import load_schema
from tutor_lsp.core.ports import BackendStatus
from tutor_lsp.core.stage import BackendAnswer, BackendFailed, StageRequest
from tutor_lsp.stages.backends.registry import BackendContext

SERVICE = "editor.ask"
"""Name of the service in `BackendContext.services`; absent or None where no client offers one."""


class Ask(Protocol):
    """Asks the client's model (`tutor/model`)."""

    async def __call__(self, prompt: str, schema: Mapping[str, Any]) -> str:
        """The answer's text. Raises BackendFailed where the client refuses or is gone; cancelling
        tells the client."""


class EditorBackend:
    """Implements `core.ports.Backend` with the client's model, if the client offers one."""

    name = "editor"
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
        if request.prompt is None:
            raise BackendFailed("the editor was asked without a prompt")
        schema = await asyncio.to_thread(load_schema, request.contract)
        try:
            async with asyncio.timeout(request.limit_s):
                return BackendAnswer(await self._ask(request.prompt.text, schema))
        except TimeoutError as error:
            raise BackendFailed(
                f"your editor's model gave no answer within {request.limit_s:g} s",
                {"timeout": True, "limitS": request.limit_s},
            ) from error


def create(context: BackendContext) -> EditorBackend:
    """The backend of the service `editor.ask`."""
    return EditorBackend(context.services.get(SERVICE))
