"""Requests that wait for something before they are answered."""

import asyncio
import json
from unittest.mock import AsyncMock, MagicMock

import pytest
from fixture import FILE, STARTER, opened
from lsprotocol import types as lsp

from tutor_lsp.lsp.context import Context
from tutor_lsp.lsp.server import create_server

PLACE = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
ACTIONS = {
    "textDocument": {"uri": "file:///a.py"},
    "range": PLACE,
    "context": {"diagnostics": [{"range": PLACE, "message": "unused", "code": "F401"}]},
}
"""Those for what another server says, which the tutor has to look up."""


class Looking:
    """Looks up what another server says until it is let to answer."""

    def __init__(self) -> None:
        self.let = asyncio.Event()

    async def find(self, _codes, _path):
        await self.let.wait()


@pytest.fixture
async def begun():
    """What looks up, the protocol of a server, what it sent, and a way to send it requests."""
    looking, sent = Looking(), []
    server = create_server(lambda _frontend: MagicMock(close=AsyncMock()))
    server.context.practices, protocol = looking, server.protocol
    protocol._send_data = sent.append

    def ask(number, method, params):
        message = {"id": number, "method": method, "params": params}
        protocol.handle_message({"jsonrpc": "2.0", **message})

    ask(1, lsp.INITIALIZE, {"processId": None, "rootUri": None, "capabilities": {}})
    return looking, protocol, sent, ask


async def until(holds):
    for _ in range(100):
        await asyncio.sleep(0)
    assert holds()


async def test_nothing_is_kept_of_a_request_that_waited(begun):
    looking, protocol, sent, ask = begun
    looking.let.set()
    ask(2, lsp.TEXT_DOCUMENT_CODE_ACTION, ACTIONS)
    await until(lambda: len(sent) == 2)
    assert sent[-1].result == []
    await until(lambda: not protocol._request_futures)


async def test_the_end_is_answered_while_requests_wait(begun):
    _, protocol, sent, ask = begun
    for number in (2, 3):
        ask(number, lsp.TEXT_DOCUMENT_CODE_ACTION, ACTIONS)
    ask(4, lsp.SHUTDOWN, None)
    await until(lambda: len(sent) == 4)
    cancelled = lsp.LSPErrorCodes.RequestCancelled.value
    assert [(each.id, each.error.code) for each in sent[1:3]] == [(2, cancelled), (3, cancelled)]
    assert (sent[3].id, sent[3].result) == (4, None)
    await until(lambda: not protocol._request_futures)


DOCUMENT = {"uri": "file:///a.py"}
LINE = STARTER[: STARTER.index("def count")].count("\n")
ON_A_STUB = {"line": LINE, "character": 5}
HOVERS = [
    {"textDocument": DOCUMENT, "position": ON_A_STUB},
    {"textDocument": DOCUMENT, "position": {"line": 0, "character": 0}},
    {"textDocument": DOCUMENT, "position": {"line": 9_999, "character": 9_999}},
    {"textDocument": DOCUMENT, "position": ON_A_STUB, "workDoneToken": {}},
    {"textDocument": DOCUMENT, "position": ON_A_STUB, "workDoneToken": "a"},
    {"textDocument": DOCUMENT, "position": {"line": True, "character": 5}},
    {"textDocument": DOCUMENT, "position": {"line": 5.0, "character": 5}},
    {"textDocument": DOCUMENT, "position": {"line": -1, "character": 5}},
    {"textDocument": DOCUMENT, "position": {"line": 2**40, "character": 5}},
    {"textDocument": DOCUMENT, "position": None},
    {"textDocument": {"uri": 17}, "position": ON_A_STUB},
    {"textDocument": DOCUMENT},
    None,
    [],
]


@pytest.mark.parametrize("params", HOVERS)
@pytest.mark.parametrize("broken", [False, True])
async def test_a_hover_at_once_is_what_its_types_give(begun, monkeypatch, params, broken):
    _, protocol, sent, ask = begun
    view = opened({FILE: STARTER}).view()

    def view_of(*_):
        yield from ()
        if broken:
            raise RuntimeError("a defect")
        return view, FILE

    monkeypatch.setattr(Context, "view_of", view_of)
    ask(2, lsp.TEXT_DOCUMENT_HOVER, params)
    protocol.at_once.clear()
    ask(2, lsp.TEXT_DOCUMENT_HOVER, params)
    first, second = (
        json.loads(json.dumps(each, default=protocol._serialize_message)) for each in sent[1:]
    )
    assert first == second
    assert ("error" in first) == (broken or params not in HOVERS[:5] + HOVERS[6:7])
    if params is HOVERS[0] and not broken:
        assert isinstance(sent[1], dict)
        assert first["result"]["contents"]["value"].startswith("ex-1")
