"""What the proof of a 5-unit exercise costs, beside the product's own run of the same exercise.

The yardstick is one run of the solved exercise with the same limits: for Python as it is, for Rust
after a one-line edit, for C from nothing. Both are taken in turn, so that noise hits both.
"""

import asyncio
import shutil
import tempfile
import time
from pathlib import Path

from benchmarks.table import Figure
from tutor_lsp.authoring.index import build_index
from tutor_lsp.authoring.model import Candidate
from tutor_lsp.authoring.proof import LIMITS
from tutor_lsp.authoring.proof.prove import prove
from tutor_lsp.languages.common.proof.placing import place
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.library.loader import BUNDLED, Library
from tutor_lsp.stages.backends.library import planned_units

TURNS = 7
UNITS = 5
BARS = {"python": 8, "c": 8, "rust": 12}


async def cost(entry, turns: int) -> tuple[list[float], list[float]]:
    """Milliseconds, turn by turn: the single runs, the proofs. Raises SystemExit if one goes
    wrong."""
    toolchain = toolchains()[entry.language]
    await toolchain.probe()
    exercise = Library([BUNDLED]).load(entry)
    index = build_index(exercise.files, planned_units(entry), toolchain)
    files = toolchain.complete(exercise.files)
    candidate = Candidate(entry.language, exercise.files, files, exercise.solution, index.units)
    runs: list[float] = []
    proofs: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder) / "work"
        for turn in range(turns + 1):  # the first one warms up
            place(work, yardstick(entry, {**files, **exercise.solution}, turn, work))
            began = time.perf_counter()
            report = await toolchain.run(work, limits=LIMITS)
            between = time.perf_counter()
            result = await prove(candidate, toolchain, depth=entry.depth)
            ended = time.perf_counter()
            if report.outcome != "passed" or not result.proof.ok:
                raise SystemExit(f"{entry.id}: {report.outcome}, {result.findings}")
            runs.append((between - began) * 1000)
            proofs.append((ended - between) * 1000)
    return runs[1:], proofs[1:]


def yardstick(entry, solved: dict[str, str], turn: int, work: Path) -> dict[str, str]:
    """The solved exercise as it is to be run in this turn."""
    if entry.language == "c" and work.exists():
        shutil.rmtree(work)
    if entry.language == "rust":
        path = entry.units[0].file
        return {**solved, path: f"{solved[path]}\n// {turn}\n"}
    return solved


def proof(_: Path, turns: int = TURNS) -> list[Figure]:
    """The first exercise with five units of each language."""
    chosen = {}
    for entry in Library([BUNDLED]).entries():
        if len(entry.units) == UNITS:
            chosen.setdefault(entry.language, entry)
    found = []
    for language, entry in sorted(chosen.items()):
        runs, proofs = asyncio.run(cost(entry, turns))
        found.append(Figure(f"proof of {entry.id}", "one run", proofs, runs, BARS[language]))
    return found
