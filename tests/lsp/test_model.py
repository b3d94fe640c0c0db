"""`tutor/model` against a real client: what it is sent, what comes back, how it ends."""

import asyncio
import os

import pytest
from lsprotocol import types as lsp
from preforked import connect
from pygls.exceptions import JsonRpcException
from pytest_lsp import client_capabilities, make_test_lsp_client

SERVER = """
import asyncio
from tutor_lsp.core.stage import BackendFailed
from tutor_lsp.lsp.model import client_model
from tutor_lsp.lsp.server import create_server
from tutor_lsp.tutor.application.deferred_app import DeferredApp

server = create_server(DeferredApp)

@server.feature("test/ask")
async def ask(params):
    model = client_model(server.context.client)
    if model is None:
        return {"offered": False}
    try:
        async with asyncio.timeout(params.limit):
            return {"text": await model("the prompt", {"type": "object"})}
    except BackendFailed as failed:
        return {"failed": failed.reason}
    except TimeoutError:
        return {"timeout": True}

server.start_io()
"""


@pytest.fixture
async def ask():
    """A function that lets a server ask a client with that handler for its model."""
    client = make_test_lsp_client()
    await connect(client, env=dict(os.environ), code=SERVER)

    async def run(handler, *, offered=True, limit=20.0, later=None):
        client.feature("tutor/model")(handler)
        await client.initialize_session(
            lsp.InitializeParams(
                capabilities=client_capabilities("neovim@v0.11"),
                initialization_options={"model": offered},
            )
        )
        if later is not None:
            client.protocol.notify("tutor/modelChanged", {"available": later})
        answer = await client.protocol.send_request_async("test/ask", {"limit": limit})
        return answer._asdict()

    async with asyncio.timeout(30):
        yield run
        await client.shutdown_session()
        await client.stop()


async def test_prompt_and_schema_go_out_and_the_text_comes_back(ask):
    seen = []

    def answer(params):
        seen.append(params)
        return {"text": "{}"}

    assert await ask(answer) == {"text": "{}"}
    assert seen[0].prompt == "the prompt"
    assert seen[0].schema.type == "object"
    assert seen[0].id


async def test_a_client_that_offers_none_is_not_asked(ask):
    def never(_params):
        raise AssertionError("it was asked")

    assert await ask(never, offered=False) == {"offered": False}


async def test_a_client_that_has_one_later_is_asked_from_then_on(ask):
    assert await ask(lambda _params: {"text": "{}"}, offered=False, later=True) == {"text": "{}"}


async def test_a_client_that_has_none_any_more_is_not_asked(ask):
    assert await ask(lambda _params: {"text": "{}"}, later=False) == {"offered": False}


async def test_a_refusal_is_told_in_the_clients_words(ask):
    def refuse(_params):
        raise JsonRpcException("no quota left", -32000)

    assert await ask(refuse) == {"failed": "your editor said: no quota left"}


async def test_an_answer_without_text_is_a_failure(ask):
    assert await ask(lambda _params: {"content": 1}) == {"failed": "your editor gave no text"}


async def test_giving_up_cancels_the_clients_request(ask):
    cancelled = asyncio.Event()

    async def hang(_params):
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise

    assert await ask(hang, limit=0.2) == {"timeout": True}
    await asyncio.wait_for(cancelled.wait(), 10)
