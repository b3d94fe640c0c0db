"""From a start of the server to what a learner waits for first."""

import os
import shlex
import time
from pathlib import Path

from benchmarks.requests import did_open, opened
from benchmarks.saving import KINDS
from benchmarks.table import Figure
from benchmarks.wire import BARE, TUTOR, Wire

TIMES = 11
ZERO = {"line": 0, "character": 0}


def start(home: Path) -> list[Figure]:
    """Start to the answer of initialize, and peak memory then, beside a bare pygls server."""
    times: dict[str, list[float]] = {"tutor": [], "bare": []}
    memory: dict[str, list[float]] = {"tutor": [], "bare": []}
    for _ in range(TIMES):
        for name, command in (("bare", BARE), ("tutor", TUTOR)):
            wire = Wire(command, home)
            times[name].append(wire.initialize())
            memory[name].append(wire.peak_mib())
            wire.close()
    return [
        Figure("start to initialize", "bare pygls", times["tutor"], times["bare"], 0.25),
        Figure("peak memory then", "bare pygls", memory["tutor"], memory["bare"], 1.5, "MiB"),
    ]


def attach(home: Path) -> list[Figure]:
    """Start to the first diagnostics of a file that is opened right after the answer of initialize,
    beside the first hover there of a bare server."""
    first, ready = opened(home, "python")
    first.close()
    path = Path(ready["workspace"]) / ready["units"][0]["file"]
    times: dict[str, list[float]] = {"tutor": [], "bare": []}
    for _ in range(TIMES):
        for name, command in (("bare", BARE), ("tutor", TUTOR)):
            wire = Wire(command, home)
            wire.initialize()
            uri = did_open(wire, path, "python")
            if name == "tutor":
                wire.wait(lambda m: m.get("method") == "textDocument/publishDiagnostics")
            else:
                wire.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": ZERO})
            times[name].append((time.perf_counter() - wire.began) * 1000)
            wire.close()
    return [Figure("start to diagnostics", "bare pygls's hover", times["tutor"], times["bare"], 1)]


def opening(home: Path) -> list[Figure]:
    """Start of the server and of a library exercise in it, to sessionReady, in a fresh home each
    time, beside an older tutor-lsp that TUTOR_BEFORE names (its command line). From the start of
    the server, since not every version has loaded all when it answers initialize."""
    before = os.environ.get("TUTOR_BEFORE")
    if before is None:
        print("start of an exercise: skipped, TUTOR_BEFORE names no older tutor-lsp")
        return []
    commands = {"now": TUTOR, "before": shlex.split(before)}
    return [_opening(home / language, language, commands) for language in KINDS]


def _opening(home: Path, language: str, commands: dict[str, list[str]]) -> Figure:
    times: dict[str, list[float]] = {"now": [], "before": []}
    for number in range(TIMES):
        for name, command in commands.items():
            wire = Wire(command, home / f"{name}-{number}")
            wire.initialize()
            wire.command("tutor.start", {"language": language})
            wire.wait(lambda m: m.get("method") == "tutor/sessionReady")
            times[name].append((time.perf_counter() - wire.began) * 1000)
            wire.close()
    return Figure(
        f"start of an exercise, {language}", "TUTOR_BEFORE", times["now"], times["before"], 0.5
    )
