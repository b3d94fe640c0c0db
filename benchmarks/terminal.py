"""What the command line takes, beside a Python that does nothing."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.requests import opened
from benchmarks.table import Figure

TIMES = 11
BAR = 5
NOTHING = (sys.executable, "-c", "pass")
TUTOR = (sys.executable, "-m", "tutor_lsp")


def terminal(home: Path) -> list[Figure]:
    """`tutor-lsp status` in a new home, with an exercise begun after its tests ran, and again with
    nothing changed; and what `check` takes beside its tests."""
    wire, _ = opened(home, "python")
    wire.close()
    new = home.with_name("new")
    found: dict[str, list[float]] = {}
    theirs: list[float] = []
    for round_ in range(TIMES + 1):
        nothing = _took(NOTHING, home)[0]
        shown = {
            "tutor-lsp status, nothing begun": _took((*TUTOR, "status"), new)[0],
            "tutor-lsp status after a check": _took((*TUTOR, "status"), home)[0],
            "tutor-lsp status": _took((*TUTOR, "status"), home)[0],
            "tutor-lsp check less its tests": _beside_its_tests(home),
        }
        if round_:  # the first one fills caches
            theirs.append(nothing)
            for what, value in shown.items():
                found.setdefault(what, []).append(value)
    return [Figure(what, "python -c pass", ours, theirs, BAR) for what, ours in found.items()]


def _beside_its_tests(home: Path) -> float:
    whole, said = _took((*TUTOR, "check", "--json"), home, code=3)
    return whole - json.loads(said)["durationMs"]


def _took(command: Sequence[str], home: Path, *, code: int = 0) -> tuple[float, str]:
    """Milliseconds, and what was printed."""
    env = {**os.environ, "TUTOR_LSP_HOME": str(home)}
    began = time.perf_counter()
    done = subprocess.run(
        command, check=False, capture_output=True, env=env, stdin=subprocess.DEVNULL, text=True
    )
    took = (time.perf_counter() - began) * 1000
    if done.returncode != code:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr}")
    return took, done.stdout
