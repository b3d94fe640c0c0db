"""What a server takes while its learner reads: memory with two exercises open, and processor."""

import contextlib
import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.peers import tree_of
from benchmarks.requests import did_open, opened
from benchmarks.table import Figure
from benchmarks.wire import Wire

SERVER_MIB, SPARE_MIB, IDLE_SHARE = 80, 30, 0.2
"""The bars: memory of the server and of each run that waits, and per cent of one processor."""
IDLE_S = 60.0
SETTLED_S = 2.0
"""How long nothing may have run before it counts as idle, in seconds."""
READY_S = 60.0
BUSY_NS = 10_000_000
"""More processor time than that in a quarter of a second is work, in nanoseconds."""
TOOLS: Mapping[str, str] = {"python": "python3", "rust": "cargo"}
"""The languages whose next run waits, and what they need."""


def light(home: Path) -> list[Figure]:
    """Shared memory counts in proportion (PSS): forks of one process share most of theirs."""
    languages = [name for name, tool in TOOLS.items() if shutil.which(tool)]
    if len(languages) < len(TOOLS):
        print(f"light: {', '.join(TOOLS.keys() - set(languages))} skipped, its tools are missing")
    wire, ready = opened(home, languages[0])
    for language in languages:
        if language != languages[0]:
            wire.command("tutor.start", {"language": language})
            ready = wire.wait(lambda m: m.get("method") == "tutor/sessionReady")["params"]
        _work_on(wire, ready, language)
    server = wire.process.pid
    waiting = _settled(wire, server, len(languages))
    with_all = tree_of(server)
    own = [pid for pid in with_all if not any(pid in tree for tree in waiting)]
    what = f"server with {len(languages)} exercises open"
    figures = [
        _of_bar(what, SERVER_MIB, _mib(own, "Pss"), "MiB"),
        _of_bar(f"{what}, resident", SERVER_MIB, _mib(own, "Rss"), "MiB"),
        *(_of_bar(_named(tree), SPARE_MIB, _mib(tree, "Pss"), "MiB") for tree in waiting),
    ]
    before = _spent_ns(with_all)
    _listen(wire, IDLE_S)
    share = (_spent_ns(with_all) - before) / 1e9 / IDLE_S * 100
    wire.close()
    return [*figures, _of_bar("idle for a minute", IDLE_SHARE, share, "%")]


def _of_bar(what: str, most: float, value: float, unit: str) -> Figure:
    return Figure(what, f"{most} {unit}", [value], [most], 1.0, unit)


def _work_on(wire: Wire, ready: Mapping[str, Any], language: str) -> None:
    """Open, change and save the first stub, as a learner does."""
    path = Path(ready["workspace"]) / ready["units"][0]["file"]
    uri = did_open(wire, path, language)
    text = path.read_text(encoding="utf-8") + "\n"
    path.write_text(text, encoding="utf-8")
    document = {"uri": uri, "version": 2}
    wire.send(
        "textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]}
    )
    wire.send("textDocument/didSave", {"textDocument": {"uri": uri}})
    wire.command("tutor.check", {"uri": uri})


def _settled(wire: Wire, server: int, runs: int) -> list[list[int]]:
    """The processes of each run that waits, once all wait and nothing else goes on."""
    end, since, before = time.monotonic() + READY_S, time.monotonic(), 0
    waiting: list[list[int]] = []
    while time.monotonic() < end:
        _listen(wire, 0.25)
        with contextlib.suppress(OSError):  # of a process that ended meanwhile
            waiting, spent = _waiting(server), _spent_ns(tree_of(server))
            if spent - before > BUSY_NS or len(waiting) != runs:
                since = time.monotonic()
            before = spent
        if time.monotonic() - since > SETTLED_S:
            return waiting
    raise SystemExit(f"light: {len(waiting)} of {runs} runs wait after {READY_S:.0f} s")


def _waiting(server: int) -> list[list[int]]:
    """What the server's supervisor has below it: a tree for each run that waits."""
    return [tree_of(run) for supervisor in _children(server) for run in _children(supervisor)]


def _children(pid: int) -> list[int]:
    return [other for other in tree_of(pid)[1:] if int(_stat(other)[1]) == pid]


def _stat(pid: int) -> Sequence[str]:
    return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()


def _spent_ns(pids: Sequence[int]) -> int:
    """Processor time of all threads, finer than the kernel's ticks."""
    threads = (file for pid in pids for file in Path(f"/proc/{pid}/task").glob("*/schedstat"))
    return sum(int(file.read_text(encoding="ascii").split()[0]) for file in threads)


def _mib(pids: Sequence[int], kind: str) -> float:
    rollups = (Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8") for pid in pids)
    return sum(int(text.partition(f"\n{kind}:")[2].split()[0]) for text in rollups) / 1024


def _named(tree: Sequence[int]) -> str:
    words = b" ".join(Path(f"/proc/{pid}/cmdline").read_bytes() for pid in tree)
    return f"what waits for a run of {'rust' if b'rustc' in words else 'python'}"


def _listen(wire: Wire, seconds: float) -> None:
    """Take what the server sends, as a client does that shows it."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        try:
            wire.wait(lambda _: False, left)
        except RuntimeError:
            return
