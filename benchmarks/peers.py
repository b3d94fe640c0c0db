"""Start, first hover, memory and latency beside the language servers that a learner of Python would
otherwise run, in the same run and on the same file of 500 lines.

They are looked for in the folder that TUTOR_PEERS names, else beside this Python and on the path;
those that are missing are said. `pip install python-lsp-server jedi-language-server pyright` makes
such a folder.
"""

import os
import random
import shutil
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.requests import NOTED, call_ms, exercise_of_500_lines, until_content
from benchmarks.table import Figure
from benchmarks.wire import BARE, TUTOR, Wire

ROUNDS = 11
CHANGES = 1_000
TYPED = "changes"
PEERS = {
    "pylsp": ["pylsp"],
    "jedi": ["jedi-language-server"],
    "pyright": ["pyright-python-langserver", "--stdio"],
    "ruff": ["ruff", "server"],
}
Times = dict[str, dict[str, list[float]]]


def peers(home: Path) -> list[Figure]:
    """Start, first hover, memory and latency, a round of all servers at a time."""
    path, line = exercise_of_500_lines(home)
    servers = {"tutor": TUTOR, "bare": BARE, **found_peers()}
    found: Times = {name: {} for name in servers}
    for round_ in range(ROUNDS + 1):
        for name in random.sample(list(servers), len(servers)):
            for what, value in measured(servers[name], home, path, line, name).items():
                if round_:  # the first one fills caches
                    found[name].setdefault(what, []).append(value)
    return [*beside_peers(found), *beside_bare(found["tutor"], found["bare"])]


def beside_peers(found: Times) -> Iterator[Figure]:
    """The figures whose yardsticks are here."""
    mine = found["tutor"]
    if "pylsp" in found:
        pylsp = found["pylsp"]
        yield Figure("start to initialize", "pylsp", mine["start"], pylsp["start"], 0.25)
        yield Figure("peak memory then", "pylsp", mine["MiB"], pylsp["MiB"], 0.9, "MiB")
    others = [found[name]["first hover"] for name in PEERS if name in found and name != "ruff"]
    if others:
        best = min(others, key=statistics.median)
        yield Figure("first hover", "the best peer", mine["first hover"], best, 0.5)
    if "ruff" in found:
        yield Figure("hover", "ruff's", mine["hover"], found["ruff"]["hover"], 3)


def beside_bare(mine: dict[str, list[float]], bare: dict[str, list[float]]) -> Iterator[Figure]:
    """The figures whose yardstick is a bare pygls server."""
    for what in ("hover", "code lens", "code action"):
        yield Figure(what, "bare pygls's hover", mine[what], bare["hover"], 1.5)
    yield Figure(f"{CHANGES} changes and a hover", "bare pygls's", mine[TYPED], bare[TYPED], 1)


def found_peers() -> dict[str, list[str]]:
    """Commands of the peers that are on this machine."""
    beside = str(Path(sys.executable).parent)
    folder = os.environ.get("TUTOR_PEERS") or os.pathsep.join([beside, os.environ.get("PATH", "")])
    found = {}
    for name, (program, *rest) in PEERS.items():
        where = shutil.which(program, path=folder)
        if where is None:
            print(f"{name}: skipped, {program} is missing")
        else:
            found[name] = [where, *rest]
    return found


def measured(command: list[str], home: Path, path: Path, line: int, name: str) -> dict[str, float]:
    """Milliseconds and MiB of one server from its start on."""
    wire = Wire(command, home)
    found = {"start": wire.initialize()}
    uri = path.as_uri()
    document = {"uri": uri, "languageId": "python", "version": 1, "text": path.read_text("utf-8")}
    wire.send("textDocument/didOpen", {"textDocument": document})
    if name == "ruff":  # it has a hover for this alone
        line, column = document["text"].count("\n") - 1, NOTED.index("E501")
    else:
        column = 6
    here = {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}}
    until_content(wire, "textDocument/hover", here)
    found["first hover"] = (time.perf_counter() - wire.began) * 1000
    found["MiB"] = sum(peak_mib(pid) for pid in tree_of(wire.process.pid))
    call_ms(wire, "textDocument/hover", here)  # what its start still does ends meanwhile
    found["hover"] = call_ms(wire, "textDocument/hover", here)
    if name == "tutor":
        place = {"start": here["position"], "end": here["position"]}
        asked = {"textDocument": {"uri": uri}, "range": place, "context": {"diagnostics": []}}
        found["code lens"] = call_ms(wire, "textDocument/codeLens", {"textDocument": {"uri": uri}})
        found["code action"] = call_ms(wire, "textDocument/codeAction", asked)
    if name in ("tutor", "bare"):
        found[TYPED] = changes_ms(wire, here, document["text"].count("\n"))
    wire.close()
    return found


def changes_ms(wire: Wire, here: dict[str, Any], line: int) -> float:
    """Typing into the line, one letter at a time, and a hover after it."""
    began = time.perf_counter()
    for number in range(CHANGES):
        place = {"line": line, "character": number}
        document = {**here["textDocument"], "version": number + 2}
        change = {"range": {"start": place, "end": place}, "text": "x"}
        params = {"textDocument": document, "contentChanges": [change]}
        wire.send("textDocument/didChange", params)
    wire.request("textDocument/hover", here)
    return (time.perf_counter() - began) * 1000


def tree_of(pid: int) -> list[int]:
    """A process and all below it, whichever of its threads began them."""
    told = Path(f"/proc/{pid}/task").glob("*/children")
    children = (child for file in told for child in file.read_text(encoding="ascii").split())
    return [pid, *(each for child in children for each in tree_of(int(child)))]


def peak_mib(pid: int) -> float:
    """The highest resident memory of a process so far."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024
