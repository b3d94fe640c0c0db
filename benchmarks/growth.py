"""What years of use cost: a home with many sessions, events and exercises in libraries beside a
fresh one. TUTOR_GROWTH=<folder> keeps the grown home there for the next run.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.grown_home import fill_library, grow, use_library
from benchmarks.table import Figure
from benchmarks.wire import TUTOR, Wire

ROUNDS = 11
BAR = 1.2
STARTED = {"tutor/sessionReady", "tutor/sessionFailed"}
Steps = dict[str, float]


def growth(folder: Path) -> list[Figure]:
    """Every step in the grown home beside the same in the fresh one."""
    kept = os.environ.get("TUTOR_GROWTH")
    root = Path(kept) if kept else folder
    fresh, large = root / "fresh", root / "large"
    if not (root / "done").exists():
        shutil.rmtree(root, ignore_errors=True)
        grow(fresh, sessions=0, events=0)
        fill_library(root / "library")
        use_library(large, root / "library")
        grow(large)
        (root / "done").touch()
    pairs: dict[str, list[tuple[float, float]]] = {}
    for number in range(ROUNDS + 1):
        turns = [fresh, large] if number % 2 else [large, fresh]
        took = {home: one_round(home) for home in turns}
        for what in took[fresh] if number else ():  # the first one fills caches
            pairs.setdefault(what, []).append((took[large][what], took[fresh][what]))
    return [
        Figure(f"{what}, grown home", "a fresh one", *map(list, zip(*each, strict=True)), BAR)
        for what, each in pairs.items()
    ]


def one_round(home: Path) -> Steps:
    """Milliseconds of each step in one home, in fresh processes."""
    steps: Steps = {"tutor-lsp status": _timed(lambda: _status(home))}
    wire = Wire(TUTOR, home)
    steps["server start to initialized"] = wire.initialize()
    for name, argument in (
        ("first list: topics", {"list": "topics", "language": "python"}),
        ("first list after it: start", {"list": "start"}),
    ):
        steps[name] = _timed(lambda argument=argument: wire.command("tutor.choices", argument))
    steps["status in the server"] = _timed(lambda: wire.command("tutor.status"))
    wire.close()
    wire = Wire(TUTOR, home)
    wire.initialize()
    steps["first list: start"] = _timed(lambda: wire.command("tutor.choices", {"list": "start"}))
    wire.close()
    steps |= _start(home)
    steps |= _attach(home)
    return steps


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def _environment(home: Path) -> dict[str, str]:
    clean = {k: v for k, v in os.environ.items() if not k.startswith("TUTOR_LSP_")}
    return clean | {"TUTOR_LSP_HOME": str(home), "TUTOR_LSP_RESIDENT": "never"}


def _status(home: Path) -> None:
    (home / ".cache" / "status.json").unlink(missing_ok=True)  # or it is only said again
    command = [*TUTOR, "status", "--json"]
    subprocess.run(command, env=_environment(home), capture_output=True, check=True, cwd=home)


def _start(home: Path) -> Steps:
    """Start of a bundled exercise to sessionReady; what it made is removed again."""
    wire = Wire(TUTOR, home)
    wire.initialize()
    began = time.perf_counter()
    wire.command("tutor.start", {"node": "python-dicts", "fresh": True})
    ready = wire.wait(lambda m: m.get("method") in STARTED)
    took = (time.perf_counter() - began) * 1000
    if ready["method"] != "tutor/sessionReady":
        raise SystemExit(f"the exercise did not open: {ready['params']}")
    wire.command("tutor.end")
    steps = {"start to sessionReady": took, "shutdown after a write": _timed(wire.close)}
    shutil.rmtree(ready["params"]["workspace"], ignore_errors=True)
    return steps


def _attach(home: Path) -> Steps:
    """A file of an existing exercise opened in a new server, to its first diagnostics."""
    wire = Wire(TUTOR, home)
    wire.initialize()
    path = next(path for path in sorted((home / "exercises").glob("*/src/exercise/*.py"))
                if path.name != "__init__.py")  # fmt: skip
    item = {"uri": path.as_uri(), "languageId": "python", "version": 1,
            "text": path.read_text("utf-8")}  # fmt: skip
    began = time.perf_counter()
    wire.send("textDocument/didOpen", {"textDocument": item})
    wire.wait(lambda m: m.get("method") == "textDocument/publishDiagnostics")
    took = (time.perf_counter() - began) * 1000
    wire.close()
    return {"attach to first diagnostics": took}
