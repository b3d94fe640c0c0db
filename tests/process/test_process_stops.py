"""Ctrl-Z while a run begins: what is being started may not stop, since whoever starts it waits."""

import os
import select
import signal
import subprocess
import sys
import time

import pytest

SPAWNS = """
import signal, sys
signal.signal(signal.SIGTSTP, lambda *_: None)
from tutor_lsp.process import supervised
supervised.own_python = lambda: ("/bin/true",)
print("ready", flush=True)
sys.stdin.readline()
for _ in range(40):
    one = supervised.Supervisor("namespaces", "test")
    one._started()
    one.close()
print("done", flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="there are supervisors on Linux alone")
def test_a_key_that_stops_does_not_stop_what_is_being_started():
    with subprocess.Popen(
        [sys.executable, "-c", SPAWNS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        process_group=0,
    ) as child:
        assert child.stdout.readline() == "ready\n"
        print(file=child.stdin, flush=True)
        end = time.monotonic() + 20
        while not select.select([child.stdout], [], [], 0.0005)[0] and time.monotonic() < end:
            os.killpg(child.pid, signal.SIGTSTP)
        said = os.read(child.stdout.fileno(), 99) if time.monotonic() < end else b""
        os.killpg(child.pid, signal.SIGKILL)
    assert said[:4] == b"done", "it waits for what it starts"
