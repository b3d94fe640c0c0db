"""What the command line takes, beside a Python that does nothing."""

import os
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.requests import opened
from benchmarks.table import Figure

TIMES = 11
NOTHING = (sys.executable, "-c", "pass")
STATUS = (sys.executable, "-m", "tutor_lsp", "status")


def terminal(home: Path) -> list[Figure]:
    """`tutor-lsp status` with an exercise begun."""
    wire, _ = opened(home, "python")
    wire.close()
    ours, theirs = [], []
    for _ in range(TIMES):
        theirs.append(_took(NOTHING, home))
        ours.append(_took(STATUS, home))
    return [Figure("tutor-lsp status", "python -c pass", ours, theirs, 5)]


def _took(command: tuple[str, ...], home: Path) -> float:
    env = {**os.environ, "TUTOR_LSP_HOME": str(home)}
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=env, stdin=subprocess.DEVNULL)
    return (time.perf_counter() - began) * 1000
