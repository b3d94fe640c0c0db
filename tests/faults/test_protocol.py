"""What a client may send. Every request is answered once, and the next message is served."""

import contextlib
import json
import random

import pytest
from protocol_kit import RawClient, command, framed, request

from tutor_lsp.lsp.framing import MOST_BODY_BYTES, Fault, Framing, Message

PARSE, INVALID, UNKNOWN, PARAMS, EARLY = -32700, -32600, -32601, -32602, -32002
CANCELLED, CANCELLED_HERE, BAD_ARGUMENT = -32800, -32001, -32008
OK = "result"
HERE = {"textDocument": {"uri": "file:///none.py"}}
START = {"line": 0, "character": 0}
SOUND = json.dumps(request(1)).encode()
NOTE = {"jsonrpc": "2.0", "method": "textDocument/didSave", "params": HERE}


def hover(**params):
    return framed(request(1, params={**HERE, "position": START, **params}))


def opened(**item):
    item = {"uri": "file:///none.py", "languageId": "python", "version": 1, "text": "", **item}
    return framed(
        {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": item}}
    )


def asks(method, **params):
    return framed(request(1, method, params))


# what is sent; what comes back, apart from the answer to a sound request that follows at once
FAULTS = {
    # headers
    "name in lower case": (framed(SOUND, "content-length: {}\r\n\r\n"), [(1, OK)]),
    "name in upper case": (framed(SOUND, "CONTENT-LENGTH: {}\r\n\r\n"), [(1, OK)]),
    "no blank after the colon": (framed(SOUND, "Content-Length:{}\r\n\r\n"), [(1, OK)]),
    "blanks and tabs around": (framed(SOUND, "Content-Length: \t {} \t\r\n\r\n"), [(1, OK)]),
    "lower case, no blank": (framed(SOUND, "content-length:{}\r\n\r\n"), [(1, OK)]),
    "type first": (
        framed(SOUND, "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"
               "Content-Length: {}\r\n\r\n"), [(1, OK)]),
    "type last, charset utf8": (
        framed(SOUND, "Content-Length: {}\r\nContent-Type: x; charset=utf8\r\n\r\n"), [(1, OK)]),
    "another charset": (
        framed(SOUND, "Content-Length: {}\r\nContent-Type: x; charset=latin-1\r\n\r\n"),
        [(None, PARSE)]),
    "unknown headers": (framed(SOUND, "A: 1\r\nContent-Length: {}\r\nB-c:\r\n\r\n"), [(1, OK)]),
    "a header that ends like it": (
        framed(SOUND, "X-Content-Length: 3\r\nContent-Length: {}\r\n\r\n"), [(1, OK)]),
    "bare line feeds": (framed(SOUND, "Content-Length: {}\n\n"), [(1, OK)]),
    "blank lines before": (b"\r\n\r\n\r\n" + framed(SOUND), [(1, OK)]),
    "a folded header": (framed(SOUND, "A: 1\r\n 2\r\nContent-Length: {}\r\n\r\n"), [(1, OK)]),
    "the same length twice": (
        framed(SOUND, "Content-Length: {0}\r\nContent-Length: {0}\r\n\r\n"), [(1, OK)]),
    "two lengths": (
        framed(SOUND, "Content-Length: {}\r\nContent-Length: 7\r\n\r\n"), [(None, PARSE)]),
    "no length": (framed(SOUND, "Content-Type: x\r\n\r\n"), [(None, PARSE)]),
    "a negative length": (b"Content-Length: -5\r\n\r\n", [(None, PARSE)]),
    "a length in words": (framed(SOUND, "Content-Length: ten\r\n\r\n"), [(None, PARSE)]),
    "a hexadecimal length": (framed(SOUND, "Content-Length: 0x10\r\n\r\n"), [(None, PARSE)]),
    "an empty length": (framed(SOUND, "Content-Length:\r\n\r\n"), [(None, PARSE)]),
    "a length of 0": (framed(b""), [(None, PARSE)]),
    "a length too small": (framed(SOUND)[:16] + b"9\r\n\r\n" + SOUND, [(None, PARSE)]),
    "a length too large": (
        b"Content-Length: %d\r\n\r\n" % (len(SOUND) + 9) + SOUND, [(None, PARSE)]),
    "prose instead": (b"hello\r\nworld\r\n\r\n", [(None, PARSE)]),
    "prose without an end": (b"hello", []),
    # bodies
    "half a document": (framed(SOUND[:-9]), [(None, PARSE)]),
    "a comma too many": (framed(b'{"jsonrpc": "2.0", "id": 1,}'), [(None, PARSE)]),
    "single quotes": (framed(b"{'jsonrpc': '2.0'}"), [(None, PARSE)]),
    "bytes that are no UTF-8": (framed(b'{"jsonrpc": "\xff\xfe"}'), [(None, PARSE)]),
    "UTF-16": (framed(SOUND.decode().encode("utf-16")), [(None, PARSE)]),
    "no number": (framed(b'{"jsonrpc": "2.0", "id": NaN}'), [(None, PARSE)]),
    "a control character in a text": (framed(b'{"jsonrpc": "2.0\n"}'), [(None, PARSE)]),
    "nested too deeply": (framed(b"[" * 100_000), [(None, PARSE)]),
    "two documents": (framed(SOUND + SOUND), [(None, PARSE)]),
    "white space only": (framed(b"  \r\n "), [(None, PARSE)]),
    "a number of many digits": (framed(b'{"id": ' + b"9" * 5000 + b"}"), [(None, PARSE)]),
    "a key twice": (framed(SOUND[:-1] + b', "jsonrpc": "2.0"}'), [(1, OK)]),
    "escapes for everything": (framed(SOUND.replace(b"hover", b"\\u0068over")), [(1, OK)]),
    # messages
    "a batch": (framed([request(1), request(2)]), [(None, INVALID)]),
    "an empty batch": (framed([]), [(None, INVALID)]),
    "a text": (framed("hello"), [(None, INVALID)]),
    "null": (framed(None), [(None, INVALID)]),
    "an empty object": (framed({}), [(None, INVALID)]),
    "no version": (framed({"id": 1, "method": "textDocument/hover"}), [(1, INVALID)]),
    "version 1.0": (framed(request(1, jsonrpc="1.0")), [(1, INVALID)]),
    "version as a number": (framed(request(1, jsonrpc=2.0)), [(1, INVALID)]),
    "no method": (framed({"jsonrpc": "2.0", "id": 1}), [(1, INVALID)]),
    "nothing but a version": (framed({"jsonrpc": "2.0"}), [(None, INVALID)]),
    "a method that is a number": (framed(request(1, 5)), [(1, INVALID)]),
    "a method that is null": (framed(request(1, None)), [(1, INVALID)]),
    "an unknown method": (framed(request(1, "no/such")), [(1, UNKNOWN)]),
    "an unknown method, bad params": (framed(request(1, "no/such", [1])), [(1, UNKNOWN)]),
    "a method that is not served": (framed(request(1, "textDocument/rename")), [(1, UNKNOWN)]),
    "an unknown $/ request": (framed(request(1, "$/no")), [(1, UNKNOWN)]),
    "an unknown notification": (framed({"jsonrpc": "2.0", "method": "$/no"}), []),
    "an id that is a text": (framed(request("one")), [("one", OK)]),
    "an id of no characters": (framed(request("")), [("", OK)]),
    "a negative id": (framed(request(-1)), [(-1, OK)]),
    "a huge id": (framed(request(10**20)), [(10**20, OK)]),
    "an id of null": (framed(request(None)), [(None, INVALID)]),
    "an id that is a list": (framed(request([1])), [(None, INVALID)]),
    "an id that is an object": (framed(request({"a": 1})), [(None, INVALID)]),
    "an id that is true": (framed(request(True)), [(None, INVALID)]),
    "an id with a fraction": (framed(request(1.5)), [(None, INVALID)]),
    "the same id twice": (framed(request(1)) * 2, [(1, OK), (1, OK)]),
    "unknown keys": (framed(request(1, extra={"a": 1})), [(1, OK)]),
    "an answer to nothing": (framed({"jsonrpc": "2.0", "id": 1, "result": None}), []),
    "an error to nothing": (framed({"jsonrpc": "2.0", "id": 1, "error": 5}), []),
    "a notification as a request": (
        framed({**NOTE, "id": 1}), [(1, INVALID)]),
    "a request as a notification": (
        framed({k: v for k, v in request(1).items() if k != "id"}), []),
    "initialize again": (
        asks("initialize", processId=None, rootUri=None, capabilities={}), [(1, INVALID)]),
    # parameters
    "no params": (framed({"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover"}),
                  [(1, PARAMS)]),
    "params of null": (framed({**request(1), "params": None}), [(1, PARAMS)]),
    "params as a text": (framed(request(1, params="x")), [(1, PARAMS)]),
    "params as a number": (framed(request(1, params=7)), [(1, PARAMS)]),
    "params as a list": (framed(request(1, params=[HERE, START])), [(1, PARAMS)]),
    "a document that is a text": (hover(textDocument="file:///none.py"), [(1, PARAMS)]),
    "a document that is null": (hover(textDocument=None), [(1, PARAMS)]),
    "a document without URI": (hover(textDocument={}), [(1, PARAMS)]),
    "a URI that is a number": (hover(textDocument={"uri": 17}), [(1, PARAMS)]),
    "a URI that is null": (hover(textDocument={"uri": None}), [(1, PARAMS)]),
    "a URI that is a list": (hover(textDocument={"uri": ["file:///a"]}), [(1, PARAMS)]),
    "a URI that is true": (hover(textDocument={"uri": True}), [(1, PARAMS)]),
    "a URI that is an object": (hover(textDocument={"uri": {}}), [(1, PARAMS)]),
    "definition with a URI of 17": (
        asks("textDocument/definition", textDocument={"uri": 17}, position=START), [(1, PARAMS)]),
    "codeLens with a URI of 17": (
        asks("textDocument/codeLens", textDocument={"uri": 17}), [(1, PARAMS)]),
    "documentLink with a URI of 17": (
        asks("textDocument/documentLink", textDocument={"uri": 17}), [(1, PARAMS)]),
    "codeAction with a URI of 17": (
        asks("textDocument/codeAction", textDocument={"uri": 17},
             range={"start": START, "end": START}, context={"diagnostics": []}), [(1, PARAMS)]),
    "codeAction with a context of 3": (
        asks("textDocument/codeAction", **HERE, range={"start": START, "end": START}, context=3),
        [(1, PARAMS)]),
    "diagnostics that are a text": (
        asks("textDocument/codeAction", **HERE, range={"start": START, "end": START},
             context={"diagnostics": "none"}), [(1, PARAMS)]),
    "a range without end": (
        asks("textDocument/codeAction", **HERE, range={"start": START},
             context={"diagnostics": []}), [(1, PARAMS)]),
    "a position that is a number": (hover(position=3), [(1, PARAMS)]),
    "a line in words": (hover(position={"line": "0", "character": 0}), [(1, PARAMS)]),
    "a line that is true": (hover(position={"line": True, "character": 0}), [(1, PARAMS)]),
    "a line with a fraction": (hover(position={"line": 0.5, "character": 0}), [(1, PARAMS)]),
    "a negative line": (hover(position={"line": -1, "character": 0}), [(1, PARAMS)]),
    "a line beyond 32 bits": (hover(position={"line": 2**40, "character": 0}), [(1, PARAMS)]),
    "a line of 0.0": (hover(position={"line": 0.0, "character": 0}), [(1, OK)]),
    "a line beyond the end": (hover(position={"line": 10**6, "character": 9}), [(1, OK)]),
    "a URI of another scheme": (hover(textDocument={"uri": "untitled:1"}), [(1, OK)]),
    "a URI that is none": (hover(textDocument={"uri": "file://[::1"}), [(1, OK)]),
    "a URI with a null byte": (hover(textDocument={"uri": "file:///a%00b"}), [(1, OK)]),
    "a URI of half a character": (hover(textDocument={"uri": "file:///\ud800"}), [(1, OK)]),
    "a URI of 100 kB": (hover(textDocument={"uri": "file:///" + "a" * 10**5}), [(1, OK)]),
    "a command that is a number": (
        asks("workspace/executeCommand", command=5), [(1, PARAMS)]),
    "no command": (asks("workspace/executeCommand", arguments=[]), [(1, PARAMS)]),
    "arguments that are an object": (
        asks("workspace/executeCommand", command="tutor.status", arguments={}), [(1, PARAMS)]),
    "arguments that are a text": (
        asks("workspace/executeCommand", command="tutor.status", arguments="{}"), [(1, PARAMS)]),
    "an unknown command": (framed(command(1, "tutor.nothing")), [(1, -32000)]),
    "an unknown argument": (framed(command(1, "tutor.status", {"a": 1})), [(1, BAD_ARGUMENT)]),
    "a URI of 17 for a command": (
        framed(command(1, "tutor.status", {"uri": 17})), [(1, BAD_ARGUMENT)]),
    "two arguments": (framed(command(1, "tutor.status", {}, {})), [(1, BAD_ARGUMENT)]),
    "an argument that is a list": (framed(command(1, "tutor.status", [])), [(1, BAD_ARGUMENT)]),
    "an argument nested deeply": (
        framed(json.dumps(command(1, "tutor.status", {"session": "@"})).replace(
            '"@"', "[" * 900 + "]" * 900).encode()), [(1, BAD_ARGUMENT)]),
    # notifications and documents
    "didSave without params": (framed({**NOTE, "params": None}), []),
    "didSave with a URI of 17": (framed({**NOTE, "params": {"textDocument": {"uri": 17}}}), []),
    "didOpen with a text of 5": (opened(text=5), []),
    "didOpen with a version in words": (opened(version="one"), []),
    "didOpen of an odd URI": (opened(uri="file:///a%00b"), []),
    "didOpen twice": (opened() * 2, []),
    "didOpen of 5 MB": (opened(text="x" * 5_000_000), []),
    "didOpen of half a character": (opened(text="\ud83e"), []),
    "didChange of what is not open": (
        framed({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
            "textDocument": {"uri": "file:///other.py", "version": 2},
            "contentChanges": [{"text": "x"}]}}), []),
    "didChange without changes": (
        opened() + framed({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
            "textDocument": {"uri": "file:///none.py", "version": 2}, "contentChanges": []}}), []),
    "didClose of what is not open": (
        framed({"jsonrpc": "2.0", "method": "textDocument/didClose", "params": HERE}), []),
    "cancelling nothing": (
        framed({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 99}}), []),
    "cancelling without an id": (
        framed({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {}}), []),
    "cancelling a list": (
        framed({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": []}}), []),
    "cancelled before it began": (
        framed(command(1)) + framed(
            {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 1}}),
        [(1, CANCELLED)]),
    "settings that are a text": (
        framed({"jsonrpc": "2.0", "method": "workspace/didChangeConfiguration",
                "params": {"settings": "all"}}), []),
    "an unknown progress token": (
        framed({"jsonrpc": "2.0", "method": "window/workDoneProgress/cancel",
                "params": {"token": "none"}}), []),
}  # fmt: skip


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with contextlib.closing(RawClient(tmp_path_factory.mktemp("protocol") / "home")) as found:
        yield found


@pytest.mark.parametrize("what", FAULTS)
def test_it_is_answered_and_the_next_message_is_served(client, what):
    sent, answers = FAULTS[what]
    assert client.after(sent, len(answers)) == sorted(answers, key=str)


# answers to a question of the server; it must go on as if the question was dismissed
ANSWERS = {
    "a text": {"result": "Recommended"},
    "a number": {"result": 5},
    "a title of 5": {"result": {"title": 5}},
    "a list": {"result": [{"title": "More"}]},
    "null": {"result": None},
    "no result": {},
    "an error": {"error": {"code": -1, "message": "no"}},
    "an error in words": {"error": "no"},
    "an error of null and no result": {"error": None},
    "an error without a code": {"error": {"message": 5}},
    "result and error": {"result": {"title": "More"}, "error": {"code": 1, "message": "no"}},
}


@pytest.mark.sample("a title of 5", "no result", "an error", "an error in words")
@pytest.mark.parametrize("what", ANSWERS)
def test_an_answer_of_any_form_ends_the_question(client, what):
    client.send(framed(command("asks", "tutor.start")))
    number = client.asked("window/showMessageRequest")
    answer = framed({"jsonrpc": "2.0", "id": number, **ANSWERS[what]})
    client.send(answer * 2)
    if what == "no result":
        assert client.until("asks") == [(number, INVALID), ("asks", CANCELLED_HERE)]
    else:
        assert client.until("asks") == [("asks", CANCELLED_HERE)]


EXIT = framed({"jsonrpc": "2.0", "method": "exit"})
SHUTDOWN = framed({"jsonrpc": "2.0", "id": "end", "method": "shutdown"})
TOO_MUCH = b"Content-Length: %d\r\n\r\n" % (MOST_BODY_BYTES + 1)
# what is sent last; whether the stream is closed then; the exit code; what stderr says
ENDS = {
    "more than can be": (TOO_MUCH, False, 1, "at most"),
    "a length of 30 digits": (b"Content-Length: " + b"9" * 30 + b"\r\n\r\n", False, 1, "at most"),
    "a header without an end": (b"x" * 100_000, False, 1, "header Content-Length is missing"),
    "the end amid a header": (b"Content-Len", True, 1, "in the middle of a message"),
    "the end amid a body": (framed(SOUND)[:-5], True, 1, "in the middle of a message"),
    "exit amid nothing": (EXIT, False, 1, ""),
    "exit without params, lower case": (EXIT.lower(), False, 1, ""),
    "nothing at all": (b"", True, 1, ""),
    "shutdown and exit": (SHUTDOWN + EXIT, False, 0, ""),
    "shutdown and the end": (SHUTDOWN, True, 0, ""),
    "cancelling an object": (
        framed({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": {"a": 1}}})
        + SHUTDOWN + EXIT, False, 0, ""),
}  # fmt: skip


@pytest.mark.sample("the end amid a body", "shutdown and exit")
@pytest.mark.parametrize("what", ENDS)
def test_the_server_ends_and_says_why(tmp_path, what):
    sent, close, code, says = ENDS[what]
    with contextlib.closing(RawClient(tmp_path / "home")) as client:
        found, errors = client.ends(sent, close=close)
    assert found == code
    assert says in errors
    assert "Traceback" not in errors


def test_what_comes_too_early_or_too_late_is_refused(tmp_path):
    with contextlib.closing(RawClient(tmp_path / "home", initialize=False)) as client:
        client.send(framed(request(1)) + framed(command(2)) + opened() + framed(NOTE))
        client.send(framed(request(3, "initialize", {"capabilities": 5})))
        client.send(framed(request(4, "initialize", {"capabilities": {}, "rootUri": 17})))
        assert client.until(4) == [(1, EARLY), (2, EARLY), (3, PARAMS), (4, PARAMS)]
        given = {"processId": None, "rootUri": None, "capabilities": {}}
        client.send(framed(request(5, "initialize", given)))
        assert client.until(5) == [(5, OK)]
        client.send(framed(request(6, "shutdown", {})))
        assert client.until(6) == [(6, OK)]
        client.send(opened() + framed(request(7)) + framed(request(8, "shutdown", {})))
        assert client.until(8) == [(7, INVALID), (8, INVALID)]
        assert client.ends(EXIT) == (0, "")


def test_nothing_is_served_while_a_shutdown_is_on_its_way(tmp_path):
    with contextlib.closing(RawClient(tmp_path / "home")) as client:
        late = [request(1), request(2, "shutdown", {}), command(3, "tutor.status")]
        client.send(SHUTDOWN + b"".join(map(framed, late)))
        answers = [(1, INVALID), (2, INVALID), (3, INVALID), ("end", OK)]
        assert sorted(client.next(4), key=str) == sorted(answers, key=str)
        assert client.ends(EXIT) == (0, "")


def pieces(data, seed):
    """The bytes in pieces of random lengths."""
    dice = random.Random(seed)
    while data:
        length = dice.choice((1, 2, 7, 60, 4000))
        yield data[:length]
        data = data[length:]


@pytest.mark.first(2)
@pytest.mark.parametrize("seed", range(5))
def test_it_does_not_matter_in_which_pieces_bytes_arrive(seed):
    sent = b"".join(data for data, _ in FAULTS.values() if len(data) < 20_000 and data != b"hello")
    whole, parts = list(Framing().feed(sent)), []
    framing = Framing()
    for piece in pieces(sent, seed):
        parts += framing.feed(piece)
    assert parts == whole
    assert sum(isinstance(item, Message) for item in whole) > 80
    assert sum(isinstance(item, Fault) for item in whole) > 20


def spoilt(data, dice):
    """The bytes with some changed, lost or added."""
    found = bytearray(data)
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(found))
        how = dice.choice(("change", "lose", "add"))
        if how == "change":
            found[at] = dice.randrange(256)
        elif how == "lose":
            del found[at : at + dice.randint(1, 8)]
        else:
            found[at:at] = bytes(dice.randrange(256) for _ in range(dice.randint(1, 6)))
    return bytes(found)


@pytest.mark.first(1)
@pytest.mark.parametrize("seed", range(20))
def test_after_spoilt_bytes_messages_are_read_again(seed):
    """As many bytes later as a wrong length can claim, at most; most of the time at once."""
    dice = random.Random(seed)
    at_once = 0
    for _ in range(100):
        framing = Framing()
        list(framing.feed(spoilt(hover(), dice)))
        read = []
        for number in range(60):
            read += framing.feed(framed(request(number)))
        assert Message(request(59)) in read or any(
            isinstance(item, Fault) and item.ends for item in read
        )
        at_once += Message(request(0)) in read
    assert at_once > 85
