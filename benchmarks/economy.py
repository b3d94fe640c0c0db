"""A set-up of 30 calls with a model that answers at once: the tutor's own time, and what is sent.

python -m benchmarks.economy
"""

import asyncio
import json
import statistics
import tempfile
import time
from pathlib import Path

from tutor_lsp.authoring.request import AuthoringDeps, SetupRequest
from tutor_lsp.authoring.setup import set_up
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.ports import BackendStatus
from tutor_lsp.core.session import Event
from tutor_lsp.core.stage import CONTRACTS, BackendAnswer, BackendFailed, Role
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.library.loader import BUNDLED, Library
from tutor_lsp.stages.backends.library import planned_units
from tutor_lsp.stages.economy import economy
from tutor_lsp.stages.runner import Runner
from tutor_lsp.stages.subject import NodeBrief
from tutor_lsp.store.database import open_store
from tutor_lsp.tutor.learner.record.spending import LastPrompt

CALLS = {Role.SCAFFOLD: 1, Role.STARTER: 7, Role.TEST: 9, Role.LESSON: 13}
"""30 calls, within the caps of D2."""
BAR_MS = 100


class Instant:
    """A model that answers at once with texts of a library exercise; it notes when."""

    name = "instant"
    is_model = needs_prompt = True

    def __init__(self, exercise) -> None:
        self.exercise = exercise
        self.came: list[float] = []
        self.went: list[float] = []

    async def probe(self) -> BackendStatus:
        return BackendStatus(self.name, available=True, why="always")

    async def answer(self, request) -> BackendAnswer:
        self.came.append(time.perf_counter())
        if len(self.came) > sum(CALLS.values()):  # what comes now is proof and repair
            raise BackendFailed("enough")
        text = json.dumps(self.payload(request.role, request.iteration), ensure_ascii=False)
        self.went.append(time.perf_counter())
        return BackendAnswer(text)

    def payload(self, role: Role, iteration: int) -> dict:
        entry = self.exercise.entry
        payload = {"schema_version": CONTRACTS[role], "role": role.value}
        if role is Role.SCAFFOLD:
            return payload | {
                "scaffold_id": entry.id,
                "node_id": entry.node,
                "depth_target": "D2",
                "exercise_description": entry.description,
                "lesson_plan": {"section_intents": [unit.lesson_heading for unit in entry.units]},
                "starter_plan": {"file_intents": sorted(self.exercise.src)},
                "test_plan": {"case_intents": [t for unit in entry.units for t in unit.tests]},
                "units": planned_units(entry),
            }
        texts = {
            Role.STARTER: max(self.exercise.src.values(), key=len),
            Role.TEST: max(self.exercise.tests.values(), key=len),
            Role.LESSON: self.exercise.lesson,
        }
        payload |= {
            "section_id": f"section-{iteration}",
            "type": "file",
            "content": texts[role],
            "is_complete": iteration == CALLS[role],
            "next_focus": "what comes next",
        }
        if role is not Role.LESSON:
            payload["file_path"] = f"test_{iteration}.py" if role is Role.TEST else "words.py"
        return payload


async def measure(home: Path) -> tuple[list[float], list[dict]]:
    """Milliseconds of the tutor's own between two answers, and the logged events."""
    store = open_store(home / "tutor.db")
    rows: list[dict] = []

    def log(event: Event) -> None:
        with store.transaction() as tx:
            tx.log(event)
        rows.append({"id": len(rows), "kind": event.kind, "session": None, "data": event.data})

    library = Library([BUNDLED])
    entry = next(entry for entry in library.entries("python") if len(entry.units) >= 4)
    model = Instant(library.load(entry))
    keep = LastPrompt(home, lambda: "now").keep
    deps = AuthoringDeps(
        runner=Runner(log, keep_prompt=keep),
        backend=model,
        toolchain=toolchains()["python"],
        library=library,
        journal=store.journal(),
    )
    request = SetupRequest("python", "D2", NodeBrief(entry.node, entry.title))
    try:
        await set_up(request, deps, type("Silent", (), {"report": lambda *_: None})())
    except TutorError as error:
        if error.reason != "enough":
            raise
    store.close()
    pairs = zip(model.went[:-1], model.came[1 : len(model.went)], strict=True)
    return [(came - went) * 1000 for went, came in pairs], rows


def set_up_calls(home: Path) -> None:
    """The tutor's own time per call of a set-up, and how much of what is sent a cache can reuse."""
    home.mkdir(parents=True, exist_ok=True)
    times, rows = asyncio.run(measure(home))
    found = economy(rows)
    loops = found["loops"]
    print(
        f"own time per call in a set-up of {len(times)} calls: median "
        f"{statistics.median(times):.1f} ms, mean {statistics.mean(times):.1f} ms, most "
        f"{max(times):.1f} ms (bar {BAR_MS})"
    )
    print(
        f"prompts of the loops: {loops['calls']} calls, {loops['bytes']} bytes, "
        f"{loops['share']:.1%} shared; other: {found['other']['calls']} calls, "
        f"{found['other']['bytes']} bytes"
    )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        set_up_calls(Path(folder))
