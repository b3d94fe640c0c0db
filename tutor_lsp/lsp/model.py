"""The client's own model (`tutor/model`), for the backend `editor`."""

import asyncio
import uuid
from collections.abc import Mapping
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from tutor_lsp.core.stage import BackendFailed
from tutor_lsp.lsp.capabilities import as_mapping
from tutor_lsp.lsp.client import Client
from tutor_lsp.tutor.services.frontend import AskModel

METHOD = "tutor/model"
MODEL_CHANGED = "tutor/modelChanged"


def client_model(client: Client) -> AskModel | None:
    """A function that asks the client's model, None where the client announced none.

    It gives the answer's text and raises BackendFailed where the client refuses or answers
    something else. When it is cancelled, the client is told.
    """
    if not client.flags.answers_model:
        return None

    async def ask(prompt: str, schema: Mapping[str, Any]) -> str:
        number = uuid.uuid4().hex
        params = {"id": number, "prompt": prompt, "schema": schema}
        waiting = client.server.protocol.send_request_async(METHOD, params, number)
        waiting.add_done_callback(_heard)
        try:
            # Shielded: a late answer must find its future open.
            answer: Any = await asyncio.shield(waiting)
        except asyncio.CancelledError:
            client.server.protocol.notify(lsp.CANCEL_REQUEST, lsp.CancelParams(number))
            raise
        except JsonRpcException as error:
            raise BackendFailed(
                f"your editor said: {error.message}", {"code": error.code}
            ) from error
        text = as_mapping(answer).get("text")
        if not isinstance(text, str):
            raise BackendFailed("your editor gave no text")
        return text

    return ask


def _heard(waiting: "asyncio.Future[Any]") -> None:
    """An error after nobody waits any longer is ignored."""
    if not waiting.cancelled():
        waiting.exception()
