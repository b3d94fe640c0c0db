"""What the first steps of a proof take here, beside what an earlier commit takes for them.

python -m benchmarks.earlier FOLDER [EXERCISE …]

FOLDER is a work tree of that commit, b96a33f for the bars. Without mistakes, domains and mutants,
which came later. Each proves its own texts, by turns and with a comment that is new in every turn,
so that nothing was built before; the interpreter is this one.
"""

import asyncio
import importlib
import json
import subprocess
import sys
import time
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.table import HEAD, Figure, show

TURNS = 5
BAR = 0.5
HERE = Path(__file__).resolve().parent.parent
EXERCISES = (
    "python-bike-tour", "python-league-table", "rust-split-the-bill", "rust-chat-bot",
    "c-high-scores", "c-tiny-display",
)  # fmt: skip
COMMENTS = {".py": "#", ".rs": "//", ".c": "//"}


def first_of(*names: str) -> Any:
    """The first of these modules that there is."""
    for name in names:
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise ImportError(names[0])


def changed(files: Any, turn: int) -> dict[str, str]:
    """The texts with a comment at their ends."""
    signs = {path: COMMENTS.get(Path(path).suffix) for path in files}
    return {p: f"{t}{signs[p]} {turn}\n" if signs[p] else t for p, t in files.items()}


async def one(exercise: str, turn: int) -> float:
    """How many milliseconds the proof takes, by the code of the folder that was chosen."""
    from tutor_lsp.authoring.index import build_index
    from tutor_lsp.authoring.model import Candidate
    from tutor_lsp.authoring.proof.prove import prove
    from tutor_lsp.library.loader import BUNDLED, Library
    from tutor_lsp.stages.backends.library import planned_units

    found = first_of("tutor_lsp.languages.toolchains", "tutor_lsp.toolchains.registry")
    library = Library([BUNDLED])
    entry = next(each for each in library.entries() if each.id == exercise)
    toolchain = found.toolchains()[entry.language]
    await toolchain.probe()
    loaded = library.load(entry)
    index = build_index(loaded.files, planned_units(entry), toolchain)
    files = toolchain.complete(loaded.files)
    made = Candidate(entry.language, loaded.files, files, loaded.solution, index.units)
    made = replace(
        made,
        authored=changed(made.authored, turn),
        files=changed(files, turn),
        solution=changed(made.solution, turn),
    )
    later: dict[str, Any] = {"mutants": False} if "mutants" in (prove.__kwdefaults__ or {}) else {}
    began = time.perf_counter()
    result = await prove(made, toolchain, depth=entry.depth, **later)
    if not result.proof.ok:
        raise SystemExit(f"{exercise}: {result.findings}")
    return (time.perf_counter() - began) * 1000


def work(folder: str) -> None:
    """Answer each name of an exercise on stdin by a time, with the code of a folder."""
    sys.path.insert(0, folder)
    for turn, line in zip(count(int(time.time())), sys.stdin, strict=False):
        print(json.dumps(asyncio.run(one(line.strip(), turn))), flush=True)


class Worker:
    """A process that proves with the code of a folder."""

    def __init__(self, folder: Path) -> None:
        argv = [sys.executable, __file__, "work", str(folder)]
        self._child = subprocess.Popen(
            argv, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, exercise: str) -> float:
        """How many milliseconds a proof of it takes."""
        source, sink = self._child.stdout, self._child.stdin
        if source is None or sink is None:
            raise SystemExit("the worker has no pipes")
        sink.write(f"{exercise}\n")
        sink.flush()
        return float(json.loads(source.readline()))

    def end(self) -> None:
        """Let it end."""
        self._child.communicate()


def main(earlier: str, *exercises: str) -> None:
    """Print a row for each exercise."""
    ours, theirs = Worker(HERE), Worker(Path(earlier).resolve())
    print(HEAD)
    for exercise in exercises or EXERCISES:
        pairs = [(ours.ask(exercise), theirs.ask(exercise)) for _ in range(TURNS + 1)][1:]
        mine, other = zip(*pairs, strict=True)
        show([Figure(f"first steps of {exercise}", "the earlier ones", mine, other, BAR)])
    ours.end()
    theirs.end()


if __name__ == "__main__":
    if sys.argv[1:2] == ["work"]:
        work(sys.argv[2])
    else:
        main(*sys.argv[1:])
