"""Requests in an exercise of 500 lines, and what they take."""

import statistics
import time
from pathlib import Path
from typing import Any

from benchmarks.wire import TUTOR, Wire

CALLS = 200
NOTED = "MORE = 1  # noqa: E501"
"""The last line of the file: the one thing in it that ruff has a hover for."""
ASK_AGAIN_S = 0.005
MOST_S = 60


def until_content(wire: Wire, method: str, params: Any) -> None:
    """Ask as an impatient client does, until there is an answer with content."""
    while not wire.request(method, params):
        if time.perf_counter() - wire.began > MOST_S:
            raise SystemExit(f"{method} gave nothing within {MOST_S} s")
        time.sleep(ASK_AGAIN_S)  # without a pause the asking would slow the server down


def opened(home: Path, language: str, **options: Any) -> tuple[Wire, dict[str, Any]]:
    """A server with a started exercise, and its sessionReady payload; `options` as to
    `Wire.initialize`."""
    wire = Wire(TUTOR, home)
    wire.initialize(**options)
    wire.command("tutor.start", {"language": language})
    ready = wire.wait(lambda m: m.get("method") in {"tutor/sessionReady", "tutor/sessionFailed"})
    if ready["method"] != "tutor/sessionReady":
        raise SystemExit(f"the exercise did not open: {ready['params']}")
    return wire, ready["params"]


def did_open(wire: Wire, path: Path, language: str) -> str:
    """Open a file as it is on the disk; its URI."""
    uri, text = path.as_uri(), path.read_text(encoding="utf-8")
    item = {"uri": uri, "languageId": language, "version": 1, "text": text}
    wire.send("textDocument/didOpen", {"textDocument": item})
    return uri


def exercise_of_500_lines(home: Path) -> tuple[Path, int]:
    """A file of a started exercise, and the line of its first stub."""
    wire, ready = opened(home, "python")
    wire.close()
    unit = ready["units"][0]
    path = Path(ready["workspace"]) / unit["file"]
    text = path.read_text(encoding="utf-8")
    missing = 500 - text.count("\n")
    text += "".join(
        f"\n\ndef more_{n}() -> int:\n    return {n}\n" for n in range(missing // 4 + 1)
    )
    text += f"\n\n{NOTED}\n"
    path.write_text(text, encoding="utf-8")
    return path, text[: text.index(f"def {unit['stub']}(")].count("\n")


def call_ms(wire: Wire, method: str, params: Any) -> float:
    """The median of many calls."""
    times = []
    for _ in range(CALLS):
        began = time.perf_counter()
        answer = wire.request(method, params)
        times.append((time.perf_counter() - began) * 1000)
        if not answer:
            raise SystemExit(f"{method} gave nothing")
    return statistics.median(times)
