"""What the command line takes, beside a Python that does nothing."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.peers import tree_of
from benchmarks.requests import opened
from benchmarks.table import Figure
from tutor_lsp.process.hand_over import Place, end, reached

TIMES = 11
STAYS_S, SETTLED_S = 15.0, 0.5
AT_REST = 3
"""The process that stays, its fork, and what contains a run."""
BAR = 5
NOTHING = (sys.executable, "-c", "pass")
TUTOR = (sys.executable, "-m", "tutor_lsp")


def terminal(home: Path) -> list[Figure]:
    """`tutor-lsp status` in a new home, with an exercise begun after its tests ran, and again with
    nothing changed; and what `check` takes beside its tests. Each in a process of its own, and
    where a process stays that does it."""
    wire, ready = opened(home, "python")
    wire.close()
    new = home.with_name("new")
    folder = Path(ready["workspace"])
    found: dict[str, list[float]] = {}
    theirs: list[float] = []
    _left_behind(home)
    for round_ in range(TIMES + 1):
        nothing = _took(NOTHING, home)[0]
        shown = {"tutor-lsp status, nothing begun": _took((*TUTOR, "status"), new)[0]}
        for stays in (False, True):
            what = ", one stays" if stays else ""
            (folder / f"more-{round_}-{stays}.txt").touch()
            changed = _took((*TUTOR, "status"), home, stays=stays)[0]
            shown[f"tutor-lsp status after a change{what}"] = changed
            shown[f"tutor-lsp check less its tests{what}"] = _beside_its_tests(home, stays=stays)
        _took((*TUTOR, "status"), home)
        shown["tutor-lsp status"] = _took((*TUTOR, "status"), home)[0]
        if round_:  # the first one fills caches
            theirs.append(nothing)
            for what, value in shown.items():
                found.setdefault(what, []).append(value)
    end(Place(str(home)))
    return [Figure(what, "python -c pass", ours, theirs, BAR) for what, ours in found.items()]


def _left_behind(home: Path) -> None:
    """Leave a process behind that knows both verbs."""
    for verb, code in (("check", 3), ("status", 0)):
        _took((*TUTOR, verb), home, code=code, stays=True)
        if not _at_rest(home):  # a thread of the first one took too long to end
            _took((*TUTOR, verb), home, code=code, stays=True)
            _at_rest(home)


def _at_rest(home: Path) -> bool:
    """Wait for the process that stays, and for its fork with what contains a run; whether it is
    there."""
    until = time.monotonic() + STAYS_S
    while time.monotonic() < until:
        found = reached(Place(str(home)))
        if found is not None:
            found[0].close()
            if len(tree_of(found[1])) >= AT_REST:
                time.sleep(SETTLED_S)
                return True
        time.sleep(0.05)
    return False


def _beside_its_tests(home: Path, *, stays: bool) -> float:
    if stays:
        _at_rest(home)  # a learner takes longer
    whole, said = _took((*TUTOR, "check", "--json"), home, code=3, stays=stays)
    return whole - json.loads(said)["durationMs"]


def _took(
    command: Sequence[str], home: Path, *, code: int = 0, stays: bool = False
) -> tuple[float, str]:
    """Milliseconds, and what was printed."""
    wish = "always" if stays else "never"
    env = {**os.environ, "TUTOR_LSP_HOME": str(home), "TUTOR_LSP_RESIDENT": wish}
    began = time.perf_counter()
    done = subprocess.run(
        command, check=False, capture_output=True, env=env, stdin=subprocess.DEVNULL, text=True
    )
    took = (time.perf_counter() - began) * 1000
    if done.returncode != code:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr}")
    return took, done.stdout
