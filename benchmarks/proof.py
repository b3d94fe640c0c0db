"""What the proof of a 5-unit exercise costs, beside the product's own run of the same exercise.

The yardstick is one run of the solved exercise with the same limits, in a folder where it was built
before, after a comment was put at the end of every file: of what is proven then nothing was built.
Both are taken in turn, so that noise hits both. Once for the steps that every set-up waits for, and
once with known mistakes that build, domains and mutants. `benchmarks.earlier` compares two commits.
"""

import asyncio
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from benchmarks.earlier import changed
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
WHOLE = 15


def building(mistakes):
    """The known mistakes that are to build."""
    return {unit: tuple(m for m in known if not m.error) for unit, known in mistakes.items()}


async def cost(entry, turns: int, *, whole: bool) -> tuple[list[float], list[float]]:
    """Milliseconds, turn by turn: the single runs, the proofs. Raises SystemExit if one goes
    wrong."""
    toolchain = toolchains()[entry.language]
    await toolchain.probe()
    exercise = Library([BUNDLED]).load(entry)
    index = build_index(exercise.files, planned_units(entry), toolchain)
    files = toolchain.complete(exercise.files)
    candidate = Candidate(entry.language, exercise.files, files, exercise.solution, index.units)
    if whole:
        mistakes = building(exercise.mistakes)
        candidate = replace(candidate, accepts=exercise.accepts, mistakes=mistakes)
    runs: list[float] = []
    proofs: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder) / "work"
        for _ in range(turns + 1):  # the first one warms up
            number = int(time.time())
            # which neighbours of its tests a whole proof looks at depends on their texts
            same = candidate.under("tests") if whole else {}
            made = replace(
                candidate,
                authored=changed(candidate.authored, number) | same,
                files=changed(files, number) | same,
                solution=changed(exercise.solution, number),
            )
            place(work, changed({**files, **exercise.solution}, -number))
            began = time.perf_counter()
            report = await toolchain.run(work, limits=LIMITS)
            between = time.perf_counter()
            result = await prove(made, toolchain, depth=entry.depth, mutants=whole)
            ended = time.perf_counter()
            if report.outcome != "passed" or not result.proof.ok:
                raise SystemExit(f"{entry.id}: {report.outcome}, {result.findings}")
            runs.append((between - began) * 1000)
            proofs.append((ended - between) * 1000)
    return runs[1:], proofs[1:]


def proof(_: Path, turns: int = TURNS) -> list[Figure]:
    """The first exercise with five units of each language."""
    chosen = {}
    for entry in Library([BUNDLED]).entries():
        if len(entry.units) == UNITS:
            chosen.setdefault(entry.language, entry)
    found = []
    for language, entry in sorted(chosen.items()):
        for what, bar in (("first steps", BARS[language]), ("whole proof", WHOLE)):
            runs, proofs = asyncio.run(cost(entry, turns, whole=bar == WHOLE))
            found.append(Figure(f"{what} of {entry.id}", "one run", proofs, runs, bar))
    return found
