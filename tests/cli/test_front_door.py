"""The server's process while what serves is loaded: it answers, ends and fails at once."""

import array
import contextlib
import fcntl
import json
import os
import select
import signal
import socket
import subprocess
import sys
import termios
import threading
import time

import pytest
from cli_tools import PROGRAM, Server, environment, until

INITIALIZE = {"processId": None, "rootUri": None, "capabilities": {}}
LIGHT = """
import sys
import tutor_lsp.cli.main
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""
NEVER = """
import sys, time
from pathlib import Path
class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "tutor_lsp.cli.conversation":
            print("loading", file=sys.stderr, flush=True)
            end = time.monotonic() + 60
            while not Path(sys.argv[1]).exists():
                if time.monotonic() > end:
                    raise SystemExit("the gate stayed shut")
                time.sleep(0.01)
            {then}
sys.meta_path.insert(0, Slow())
from tutor_lsp.cli.main import main
raise SystemExit(main(["--stdio"]))
"""
"""A server whose import lasts until there is a file; `then` may let it fail."""


def framed(method, number=None, params=None):
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    body = json.dumps(message if number is None else {**message, "id": number}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


@pytest.fixture
def gate(tmp_path):
    """The file that lets the import go on."""
    return tmp_path / "gate"


@pytest.fixture
def held(home, gate):
    """A server whose import waits for the gate, and then goes on."""
    with slow(home, gate) as server:
        yield server


def slow(home, gate, then="pass"):
    argv = [sys.executable, "-c", NEVER.replace("{then}", then), str(gate)]
    return Server(env=environment(home), argv=argv)


def test_nothing_but_the_small_part_of_the_standard_library_goes_before_the_first_answer():
    done = subprocess.run([sys.executable, "-c", LIGHT], capture_output=True, check=True)
    loaded = set(done.stdout.decode().split())
    heavy = {"asyncio", "dataclasses", "typing", "logging", "pathlib", "socket", "inspect"}
    third = {"pygls", "lsprotocol", "attr", "attrs", "cattrs", "click", "pydantic"}
    assert loaded & (heavy | third) == set()


def test_initialize_is_answered_while_the_server_is_loaded(held, gate):
    assert "hoverProvider" in held.request("initialize", INITIALIZE)["result"]["capabilities"]
    assert held.process.stderr.readline() == b"loading\n"
    held.send("initialized", {}, request=False)
    status = held.send("workspace/executeCommand", {"command": "tutor.status", "arguments": []})
    gone = held.send("workspace/executeCommand", {"command": "tutor.status", "arguments": []})
    held.send("$/cancelRequest", {"id": gone}, request=False)
    assert held.answer(gone)["error"]["code"] == -32800
    gate.touch()
    assert held.answer(status)["result"]["session"] is None
    held.request("shutdown")
    held.send("exit", request=False)
    assert held.end() == 0


@pytest.mark.first(2)
@pytest.mark.parametrize(
    ("how", "code"),
    [("exit", 1), ("EOF", 1), ("SIGTERM", 0), ("SIGINT", 130), ("SIGHUP", 0), ("unread", 1)],
)
def test_an_early_end_does_not_wait_for_what_is_loaded(how, code, held):
    held.request("initialize", INITIALIZE)
    assert held.process.stderr.readline() == b"loading\n"
    waiting = held.send("textDocument/hover", {})
    if how == "EOF":
        held.process.stdin.close()
    elif how == "exit":
        held.send("exit", request=False)
    elif how == "unread":
        held.process.stdin.write(b"Content-Length: %d\r\n\r\n" % 10**17)
        held.process.stdin.flush()
    else:
        held.process.send_signal(getattr(signal, how))
    assert held.process.wait(10) == code
    if not how.startswith("SIG"):
        assert "error" in held.answer(waiting)


def test_all_in_one_packet_is_answered_in_order(home):
    sent = b"".join(
        [
            framed("initialize", 1, INITIALIZE),
            framed("initialized", params={}),
            framed("shutdown", 2),
            framed("exit"),
        ]
    )
    done = subprocess.run(
        PROGRAM, input=sent, capture_output=True, env=environment(home), check=False
    )
    assert done.returncode == 0
    assert done.stdout.index(b'"id": 1') < done.stdout.index(b'"id": 2')


def test_a_failing_import_is_told(home, gate):
    gate.touch()
    with slow(home, gate, "raise ImportError('a library is missing')") as server:
        server.request("initialize", INITIALIZE)
        hover = server.send("textDocument/hover", {})
        assert "a library is missing" in server.answer(hover)["error"]["message"]
        assert server.request("shutdown")["result"] is None
        server.send("exit", request=False)
        assert server.end() == 0
        logged = server.process.stderr.read().decode()
    assert "Traceback" in logged
    assert "a library is missing" in logged


def test_a_failing_import_is_shown_to_the_learner(home, gate):
    gate.touch()
    with slow(home, gate, "raise ImportError('a library is missing')") as server:
        server.request("initialize", INITIALIZE)
        shown = server.notification("window/showMessage")
    assert shown["type"] == 1
    assert "Install tutor-lsp again" in shown["message"]


def test_an_initialize_that_does_not_fit_is_refused_by_the_server(home):
    with Server("--stdio", env=environment(home)) as server:
        refused = server.request("initialize", {"capabilities": {"workspace": 17}})
        assert refused["error"]["code"] == -32602
        server.initialize()
        server.request("shutdown")
        server.send("exit", request=False)
        assert server.end() == 0


def test_tcp_answers_at_once_and_then_serves(home):
    child = subprocess.Popen(
        [*PROGRAM, "--tcp", "0"], stderr=subprocess.PIPE, env=environment(home)
    )
    port = int(child.stderr.readline().decode().rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), 30) as connection:
        stream = connection.makefile("rb")
        connection.sendall(framed("initialize", 1, INITIALIZE) + framed("initialized", params={}))
        assert b'"id": 1' in read_message(stream)
        command = {"command": "tutor.sessions", "arguments": []}
        connection.sendall(framed("workspace/executeCommand", 2, command))
        while b'"id": 2' not in read_message(stream):
            pass
        connection.sendall(framed("shutdown", 3))
        assert b'"id": 3' in read_message(stream)
        connection.sendall(framed("exit"))
    assert child.wait(30) == 0
    child.stderr.close()


def read_message(stream):
    length = 0
    while line := stream.readline().strip():
        if line.startswith(b"Content-Length"):
            length = int(line.split(b":")[1])
    return stream.read(length)


def test_a_signal_ends_one_that_still_waits_for_its_client(home):
    child = subprocess.Popen(
        [*PROGRAM, "--tcp", "0"], stderr=subprocess.PIPE, env=environment(home)
    )
    child.stderr.readline()
    child.send_signal(signal.SIGINT)
    assert child.wait(30) == 130
    child.stderr.close()


def test_a_client_that_stops_reading_while_it_is_loaded_ends_the_server(home, gate):
    reading, writing = os.pipe()
    code = NEVER.replace("{then}", "pass")
    with subprocess.Popen(
        [sys.executable, "-c", code, str(gate)],
        stdin=subprocess.PIPE,
        stdout=writing,
        stderr=subprocess.PIPE,
        env=environment(home),
    ) as child:
        os.close(writing)
        child.stdin.write(framed("initialize", 1, INITIALIZE))
        child.stdin.flush()
        assert child.stderr.readline() == b"loading\n"
        os.close(reading)
        assert child.wait(10) == 1


UNDECIDED = {**INITIALIZE, "processId": "x"}
"""Parameters that only the loaded server can judge."""


@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&-", "<&- 2>&1"])
def test_a_closed_stream_is_said_and_ends_it(closed, home):
    line = f'exec "$@" serve {closed}'
    done = subprocess.run(
        ["sh", "-c", line, "sh", *PROGRAM],
        input=b"",
        capture_output=True,
        env=environment(home),
        timeout=30,
        check=False,
    )
    said = (done.stderr + done.stdout).decode()
    assert done.returncode == 1
    assert said.count("\n") == 1
    assert "stdin and stdout" in said


def test_a_closed_stderr_does_not_keep_it_from_serving(home):
    sent = framed("initialize", 1, INITIALIZE) + framed("shutdown", 2) + framed("exit")
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" serve 2>&-', "sh", *PROGRAM],
        input=sent,
        capture_output=True,
        env=environment(home),
        timeout=30,
        check=False,
    )
    assert (done.returncode, done.stdout.count(b"Content-Length")) == (0, 2)


@pytest.mark.first(2)
@pytest.mark.parametrize(("how", "code"), [("EOF", 1), ("exit", 1), ("shutdown", 0), ("unread", 1)])
@pytest.mark.parametrize("early", [True, False])
def test_an_end_after_a_failing_import_is_an_end(early, how, code, home, gate):
    """Where `initialize` was left to the server, and the client leaves before or after it fails."""
    with slow(home, gate, "raise ImportError('a library is missing')") as server:
        first = server.send("initialize", UNDECIDED)
        assert server.process.stderr.readline() == b"loading\n"
        if not early:
            gate.touch()
            assert "a library is missing" in server.answer(first)["error"]["message"]
        if how == "EOF":
            server.process.stdin.close()
        elif how == "unread":
            server.process.stdin.write(b"Content-Length: %d\r\n\r\n" % 10**17)
            server.process.stdin.flush()
        elif how == "shutdown":
            server.send("shutdown")
            server.send("exit", request=False)
        else:
            server.send("exit", request=False)
        gate.touch()
        assert server.process.wait(10) == code
        if early:
            assert "a library is missing" in server.answer(first)["error"]["message"]


def test_what_cannot_be_read_behind_an_undecided_initialize_ends_it(held, gate):
    first = held.send("initialize", UNDECIDED)
    assert held.process.stderr.readline() == b"loading\n"
    held.process.stdin.write(b"Content-Length: %d\r\n\r\n" % 10**19)
    held.process.stdin.flush()
    gate.touch()
    assert held.process.wait(30) == 1
    assert held.answer(first)["error"]["code"] == -32602


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_signal_ends_one_whose_client_does_not_read(number, code, home):
    reading, writing = os.pipe()
    with subprocess.Popen(
        PROGRAM, stdin=subprocess.PIPE, stdout=writing, env=environment(home)
    ) as child:
        os.close(writing)
        refused = b"".join(framed("textDocument/hover", each) for each in range(3000))
        sending = threading.Thread(target=send_while_it_lives, args=(child.stdin, refused))
        sending.start()
        until("no answer fits the pipe", lambda: is_full(reading))
        child.send_signal(number)
        begun = time.monotonic()
        assert child.wait(10) == code
        assert time.monotonic() - begun < 2
        sending.join()
        with contextlib.suppress(BrokenPipeError):
            child.stdin.close()
    os.close(reading)


def send_while_it_lives(stream, data):
    with contextlib.suppress(BrokenPipeError):
        stream.write(data)
        stream.flush()


def is_full(pipe):
    waiting = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, waiting)
    return waiting[0] > fcntl.fcntl(pipe, fcntl.F_GETPIPE_SZ) - select.PIPE_BUF
