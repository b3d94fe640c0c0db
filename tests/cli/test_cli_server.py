"""The server as a process: streams, signals, ends and exit codes."""

import os
import signal
import socket
import subprocess
import sys

import pytest
from cli_tools import FOREVER, Server, environment, processes_in, until

from tutor_lsp.cli.transport import blocking_again

pytestmark = pytest.mark.first(3)

HEAVY = {"click", "rich", "pydantic", "tree_sitter", "pytest", "fsrs"}
NOISY = """
import functools, os, subprocess
import tutor_lsp.tutor.commands.status as status
orderly = status.status
@functools.wraps(orderly)
async def noisy(app, arguments):
    print("a stray print")
    os.write(1, b"a stray write")
    subprocess.run("echo a stray child; cat", shell=True, check=True)
    return await orderly(app, arguments)
status.status = noisy
from tutor_lsp.cli.main import main
raise SystemExit(main(["--stdio"]))
"""
IMPORTS = """
import sys
import tutor_lsp.cli.conversation
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


@pytest.fixture
def server(home):
    with Server("--stdio", env=environment(home)) as found:
        found.initialize()
        yield found


def test_the_servers_path_imports_nothing_heavy():
    done = subprocess.run([sys.executable, "-c", IMPORTS], capture_output=True, check=True)
    assert not HEAVY & set(done.stdout.decode().split())


def test_nothing_printed_disturbs_the_protocol_or_eats_it(home):
    argv = [sys.executable, "-c", NOISY]
    with Server(env=environment(home), argv=argv) as server:
        server.initialize()
        assert server.command("tutor.status")["result"]["session"] is None
        assert server.command("tutor.sessions")["result"] == []
        server.request("shutdown")
        server.send("exit", request=False)
        assert server.end() == 0
        assert server.stray == b""
        assert server.process.stderr.read().count(b"a stray") == 3


def test_a_client_that_stops_reading_ends_the_server(home):
    reading, writing = os.pipe()
    child = subprocess.Popen(
        [sys.executable, "-m", "tutor_lsp"],
        stdin=subprocess.PIPE,
        stdout=writing,
        stderr=subprocess.PIPE,
        env=environment(home),
    )
    os.close(writing)
    os.close(reading)
    assert child.wait(30) == 1
    child.stdin.close()
    child.stderr.close()


def test_a_refused_command_leaves_no_trace_on_stderr(server):
    assert server.command("tutor.check")["error"]["data"]["kind"] == "NO_SESSION"
    assert "error" in server.command("tutor.check", {"what": 1})
    server.request("shutdown")
    server.send("exit", request=False)
    assert server.end() == 0
    assert server.process.stderr.read() == b""


@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("how", "code"), [("SIGTERM", 0), ("SIGINT", 130), ("EOF", 1), ("exit", 1)]
)
def test_every_end_takes_running_tests_along(how, code, exercise, server):
    exercise.body("to_minutes", FOREVER)
    server.start_check()
    until("the tests run", lambda: processes_in(exercise.workspace))
    if how == "EOF":
        server.process.stdin.close()
    elif how == "exit":
        server.send("exit", request=False)
    else:
        server.process.send_signal(getattr(signal, how))
    assert server.end() == code
    assert not processes_in(exercise.workspace)


def test_tcp_serves_one_client_on_this_machine_only(home):
    child = subprocess.Popen(
        [sys.executable, "-m", "tutor_lsp", "serve", "--tcp", "0"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(home),
    )
    said = child.stderr.readline().decode()
    assert said.startswith("tutor-lsp listens on 127.0.0.1:")
    port = int(said.rpartition(":")[2])
    body = b'{"jsonrpc":"2.0","id":1,"method":"shutdown"}'
    with socket.create_connection(("127.0.0.1", port), 30) as connection:
        connection.sendall(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        assert b'"id": 1' in connection.recv(4096)
        refused = socket.socket()
        assert refused.connect_ex(("127.0.0.1", port)) != 0
        refused.close()
    assert child.wait(30) == 0
    assert child.stdout.read() == b""
    child.stdout.close()
    child.stderr.close()


@pytest.mark.long("starts programs for a case beside those that stand for it here")
def test_a_taken_port_is_said(home):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-m", "tutor_lsp", "--tcp", str(port)],
            env=environment(home),
            capture_output=True,
            check=False,
        )
    assert done.returncode == 1
    assert f"cannot listen on port {port}" in done.stderr.decode()


@pytest.mark.long("starts programs for a case beside those that stand for it here")
def test_input_and_output_may_be_files(home, tmp_path):
    messages = [
        '{"jsonrpc":"2.0","id":1,"method":"initialize",'
        '"params":{"processId":null,"rootUri":null,"capabilities":{}}}',
        '{"jsonrpc":"2.0","id":2,"method":"shutdown"}',
        '{"jsonrpc":"2.0","method":"exit"}',
    ]
    source, target = tmp_path / "in", tmp_path / "out"
    source.write_text("".join(f"Content-Length: {len(m)}\r\n\r\n{m}" for m in messages))
    with source.open("rb") as reading, target.open("wb") as writing:
        code = subprocess.run(
            [sys.executable, "-m", "tutor_lsp"],
            stdin=reading,
            stdout=writing,
            env=environment(home),
            check=False,
        ).returncode
    assert code == 0
    assert "tutor.start" in target.read_text()


def test_a_stream_that_others_share_is_left_as_it_was():
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as file, os.fdopen(writing, "wb"):
        with blocking_again(file):
            os.set_blocking(reading, False)
        assert os.get_blocking(reading)
