"""Whether the server answers while it works."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.wire import TUTOR, Wire

LENS = {"textDocument": {"uri": "file:///nothing.py"}}


def loop(home: Path) -> None:
    """Print the longest that a request waits while a set-up and a run go on."""
    wire = Wire(TUTOR, home)
    wire.initialize()
    idle = _longest(wire, lambda: True)
    start = {"command": "tutor.start", "arguments": [{"language": "python"}]}
    wire.send("workspace/executeCommand", start, request=True)
    setting_up = _longest(
        wire, lambda: any(m.get("method") == "tutor/sessionReady" for m in wire.inbox)
    )
    check = {"command": "tutor.check", "arguments": []}
    number = wire.send("workspace/executeCommand", check, request=True)
    running = _longest(wire, lambda: any(_answers(m, number) for m in wire.inbox))
    wire.close()
    print(f"longest wait of a request: idle {idle:.1f} ms, during a set-up {setting_up:.1f} ms, "
          f"during a run {running:.1f} ms (bar 50)")  # fmt: skip


def _longest(wire: Wire, ended: Callable[[], bool]) -> float:
    waits: list[float] = []
    while not waits or not ended():
        began = time.perf_counter()
        wire.request("textDocument/codeLens", LENS)
        waits.append((time.perf_counter() - began) * 1000)
    return max(waits)


def _answers(message: dict[str, Any], number: int) -> bool:
    return message.get("id") == number and "method" not in message
