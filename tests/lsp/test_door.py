"""What a client is told before the server is loaded, and what is kept for the server."""

import asyncio
import json
from unittest.mock import AsyncMock, MagicMock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor_lsp.lsp import server as lsp_server
from tutor_lsp.lsp.door import Door
from tutor_lsp.lsp.framing import Fault, Framing

INITIALIZE = {"id": 1, "method": "initialize", "params": {"rootUri": None, "capabilities": {}}}
HOVER = {
    "method": "textDocument/hover",
    "params": {"textDocument": {"uri": "file:///a"}, "position": {"line": 0, "character": 0}},
}
EXIT = {"method": "exit"}


def framed(*messages):
    bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
    return b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) for body in bodies)


class Sent:
    """What was sent to the client, in order."""

    def __init__(self):
        self.messages = []

    def __call__(self, data):
        self.messages += [json.loads(body) for body in bodies_of(data)]

    write = __call__

    def close(self):
        pass

    @property
    def outcomes(self):
        """Id and result or error code of each answer."""
        return [
            (found.get("id"), found["error"]["code"] if "error" in found else "answered")
            for found in self.messages
            if "method" not in found
        ]


def bodies_of(data):
    while data:
        head, _, data = data.partition(b"\r\n\r\n")
        length = int(head.split(b"Content-Length:")[1].split(b"\r\n")[0])
        yield data[:length]
        data = data[length:]


def door_after(*messages):
    sent = Sent()
    door = Door(sent)
    door.feed(framed(*messages))
    return door, sent


def test_initialize_is_answered_and_what_follows_is_kept_in_order():
    door, sent = door_after(INITIALIZE, {"method": "initialized"}, {"id": 2, **HOVER})
    assert sent.outcomes == [(1, "answered")]
    assert "hoverProvider" in sent.messages[0]["result"]["capabilities"]
    kept = [item.value["method"] for item in door.kept]
    assert kept == ["initialize", "initialized", "textDocument/hover"]
    assert not door.over


def test_what_comes_before_initialize_is_refused_without_a_server():
    door, sent = door_after({"id": 1, **HOVER}, {"method": "initialized"}, {"id": 2})
    assert sent.outcomes == [(1, -32002), (2, -32600)]
    assert not door.needs_server


def test_a_shutdown_without_an_initialize_needs_no_server():
    door, sent = door_after({"id": 1, "method": "shutdown"}, {**INITIALIZE, "id": 2}, EXIT)
    assert sent.outcomes == [(1, "answered"), (2, -32600)]
    assert door.over
    assert door.end() == 0
    assert not door.needs_server


@pytest.mark.parametrize(
    ("before", "outcomes", "code"),
    [
        ([], [], 1),
        ([INITIALIZE], [(1, "answered")], 1),
        (
            [INITIALIZE, {"id": 2, **HOVER}, {"id": 3, "method": "shutdown"}, {"id": 4, **HOVER}],
            [(1, "answered"), (2, -32803), (3, "answered"), (4, -32600)],
            0,
        ),
    ],
)
def test_an_early_exit_answers_each_request_once(before, outcomes, code):
    door, sent = door_after(*before, EXIT, {"id": 9, **HOVER})
    assert door.over
    assert door.can_end
    assert door.end() == code
    assert sent.outcomes == outcomes


def test_the_end_of_the_stream_is_like_an_exit():
    door, sent = door_after(INITIALIZE, {"id": 2, "method": "shutdown"})
    assert door.end() == 0
    assert sent.outcomes == [(1, "answered"), (2, "answered")]


def test_a_kept_request_can_be_cancelled():
    cancel = {"method": "$/cancelRequest", "params": {"id": 2}}
    door, sent = door_after(INITIALIZE, {"id": 2, **HOVER}, {"id": "2", **HOVER}, cancel, cancel)
    assert sent.outcomes == [(1, "answered"), (2, -32800)]
    ids = [item.value.get("id") for item in door.kept]
    assert ids == [1, "2", None]


@pytest.mark.parametrize("number", [1, 3])
def test_neither_initialize_nor_shutdown_is_cancelled(number):
    cancel = {"method": "$/cancelRequest", "params": {"id": number}}
    door, sent = door_after(INITIALIZE, {"id": 3, "method": "shutdown"}, cancel)
    assert sent.outcomes == [(1, "answered")]
    assert len(door.kept) == 3


def test_an_initialize_that_may_be_refused_is_left_to_the_server():
    door, sent = door_after({**INITIALIZE, "params": {"capabilities": 1}}, {"id": 2, **HOVER}, EXIT)
    assert sent.messages == []
    assert door.needs_server
    assert not door.can_end
    assert len(door.kept) == 3


def test_a_second_initialize_is_refused():
    _, sent = door_after(INITIALIZE, {**INITIALIZE, "id": 2})
    assert sent.outcomes == [(1, "answered"), (2, -32600)]


def test_bytes_that_are_no_message_are_refused_and_ended_with_where_nothing_can_be_read():
    sent = Sent()
    door = Door(sent)
    door.feed(b"Content-Length: 3\r\n\r\n{x}" + framed(INITIALIZE))
    assert sent.outcomes == [(None, -32700), (1, "answered")]
    door.feed(b"Content-Length: %d\r\n\r\n" % 10**17)
    assert door.over
    assert door.end() == 1
    assert sent.outcomes[2:] == [(None, -32700)]


def test_a_server_that_cannot_be_loaded_is_told_of():
    door, sent = door_after(INITIALIZE, {"id": 2, **HOVER})
    door.cannot_serve("It is broken.")
    shown = sent.messages[1]
    assert (shown["method"], shown["params"]["message"]) == ("window/showMessage", "It is broken.")
    door.feed(framed({"id": 3, **HOVER}, {"method": "initialized"}))
    door.feed(framed({"id": 4, "method": "shutdown"}, {"id": 5, **HOVER}, EXIT))
    assert sent.outcomes == [
        (1, "answered"), (2, -32603), (3, -32603), (4, "answered"), (5, -32600),
    ]  # fmt: skip
    assert door.over
    assert door.end() == 0


UNDECIDED = {**INITIALIZE, "params": {"capabilities": 1}}


def test_an_undecided_initialize_is_told_why_nothing_can_be_served():
    door, sent = door_after(UNDECIDED, {"id": 2, **HOVER}, {**INITIALIZE, "id": 3})
    door.cannot_serve("It is broken.")
    door.feed(framed({**INITIALIZE, "id": 4}, {"id": 5, "method": "shutdown"}))
    assert sent.outcomes == [
        (1, -32603), (2, -32002), (3, -32603), (4, -32603), (5, "answered"),
    ]  # fmt: skip
    told = [found["error"]["message"] for found in sent.messages if found.get("id") in (1, 3, 4)]
    assert told == ["It is broken."] * 3
    assert door.end() == 0


def test_an_exit_behind_an_undecided_initialize_is_the_end_where_nothing_can_be_served():
    door, sent = door_after(UNDECIDED, EXIT, {"id": 2, **HOVER})
    door.cannot_serve("It is broken.")
    assert door.over
    assert door.can_end
    assert sent.outcomes == [(1, -32603)]


def test_a_fault_behind_an_undecided_initialize_is_the_end_where_nothing_can_be_served():
    door, sent = door_after(UNDECIDED)
    door.feed(b"Content-Length: %d\r\n\r\n" % 10**17)
    assert not door.over
    door.cannot_serve("It is broken.")
    assert door.over
    assert sent.outcomes == [(1, -32603), (None, -32700)]


class Nobody:
    """An application that is never put together."""

    settings = MagicMock(settled=AsyncMock())
    closed = True
    current = None

    def opened_above(self, _path):
        return None

    tools = AsyncMock()

    async def close(self):
        pass


CONVERTER = lsp_server.strict_converter()


def new_protocol(sent):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lsp_server, "strict_converter", lambda: CONVERTER)
        server = lsp_server.create_server(lambda _: Nobody())
    server.protocol.set_writer(sent)
    return server.protocol


def items_of(data):
    return list(Framing().feed(data))


async def all_answers(protocol, items):
    for item in items:
        protocol.handle_item(item)
    for _ in range(5):
        await asyncio.sleep(0)
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        task.cancel()


MESSAGES = st.sampled_from(
    [
        framed({**INITIALIZE}),
        framed({**INITIALIZE, "id": "one"}),
        framed({**INITIALIZE, "params": {}}),
        framed({"method": "initialize", "params": INITIALIZE["params"]}),
        framed({"method": "initialized", "params": {}}),
        framed({"id": 3, **HOVER}),
        framed({"id": 4, "method": "textDocument/hover", "params": {"position": 1}}),
        framed({"id": 5, "method": "no/such"}),
        framed({"id": 6, "method": "shutdown"}),
        framed({"method": "shutdown"}),
        framed({"id": 7, "method": "shutdown", "params": {"a": 1}}),
        framed({"id": None, **HOVER}),
        framed({"id": 8, "result": None}),
        framed({"id": 9}),
        framed({"method": 17}),
        b"Content-Length: 2\r\n\r\n[]",
        b"Content-Length: 3\r\n\r\n{x}",
        b"nonsense\r\n\r\n",
    ]
)


@given(first=st.lists(MESSAGES, max_size=8), then=st.lists(MESSAGES, max_size=5))
def test_a_client_cannot_tell_when_the_server_took_over(first, then):
    """The same answers as from a server that was there from the start."""

    async def with_door():
        sent = Sent()
        door = Door(sent)
        door.feed(b"".join(first))
        if door.shutdown_seen:  # no server is ever needed
            door.feed(b"".join(then))
            assert not door.needs_server
            return sent.outcomes
        protocol = new_protocol(sent)
        protocol.take_over(door)
        await all_answers(protocol, items_of(b"".join(then)))
        return sent.outcomes

    async def without():
        sent = Sent()
        await all_answers(new_protocol(sent), items_of(b"".join([*first, *then])))
        return sent.outcomes

    assert sorted(map(str, asyncio.run(with_door()))) == sorted(map(str, asyncio.run(without())))


@pytest.mark.parametrize("unreadable", [True, False])
def test_the_server_is_told_whether_more_can_be_read(unreadable):
    sent = Sent()
    door = Door(sent)
    door.feed(framed(UNDECIDED))
    if unreadable:
        door.feed(b"Content-Length: %d\r\n\r\n" % 10**17)

    async def taken_over():
        return new_protocol(sent).take_over(door)

    assert asyncio.run(taken_over()) is not unreadable


def test_pieces_of_a_message_do_not_matter():
    data = framed(INITIALIZE, {"id": 2, **HOVER})
    sent = Sent()
    door = Door(sent)
    for at in range(len(data)):
        door.feed(data[at : at + 1])
    assert sent.outcomes == [(1, "answered")]
    assert len(door.kept) == 2
    assert not any(isinstance(item, Fault) for item in door.kept)
