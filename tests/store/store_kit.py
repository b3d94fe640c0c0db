"""Records to store, and a store on a fresh path."""

from contextlib import contextmanager
from itertools import count

from tutor_lsp.core.exercise.exercise import Exercise, Proof, Unit
from tutor_lsp.core.exercise.report import (
    BuildError,
    RunOutcome,
    TestOutcome,
    TestReport,
    TestResult,
)
from tutor_lsp.core.session import (
    Attempt,
    Finding,
    Hint,
    MasteryChange,
    NodeRecord,
    Review,
    Session,
    TagRecord,
    UnitProgress,
    Vault,
)
from tutor_lsp.store.database import open_store

REPORT = TestReport(
    "r1",
    RunOutcome.FAILED,
    (
        TestResult("test_a", "ex-1", "a", TestOutcome.FAILED, "no", "2", "3", "tests/t.py", 4),
        TestResult("test_b", None, None, TestOutcome.PASSED, output="é\ud800\0😀", duration_ms=0.5),
    ),
    (BuildError("src/lib.rs", 1, 2, 3, 4, "E0382", "moved"),),
    duration_ms=12.25,
    command="pytest",
)
EXERCISE = Exercise(
    id="e1",
    node="python-strings",
    title="Ünits",
    language="python",
    depth="D1",
    description="d",
    units=(Unit("ex-1", "a", "src/a.py", 3, "p", "h", 5, ("test_a",), "start"),),
    files=("src/a.py",),
    starter={"src/a.py": "def a():\r\n    ...\n"},
    proof=Proof(True, True, 1, 1, 1, 2, {"ex-1": ("test_a",)}, {"ex-1": ()}, {"run": 1, "ok": 1}),
)
VAULT = Vault(
    {"src/a.py": "x"}, {"ex-1": ("one", "two", "three")}, {"tests/t.py": "def test_a(): ..."}
)


def session(name="s1", **fields):
    """A session with something in every field."""
    review = Review("FAIL", 55, "s", (Finding("f", 1, 2, "q", "c", "e"),), None, "why?", ("tag",))
    given = {
        "id": name,
        "exercise_id": "e1",
        "node": "python-strings",
        "title": "Ünits",
        "language": "python",
        "depth": "D1",
        "workspace": f"/home/me/{name}",
        "lesson": f"/home/me/{name}/LESSON.md",
        "created_at": "2025-01-01T00:00:00Z",
        "updated_at": "2025-01-01T00:00:00Z",
        "attempt_count": 1,
        "attempts": (Attempt(1, "t", REPORT, "hash", review),),
        "hints": (Hint("ex-1", "test_a", 2, "text", None, True, "t", "hash"),),
        "progress": {"ex-1": UnitProgress(("h1", "h2"), "test_a", 1, True)},
        "last_report": REPORT,
    }
    return Session(**{**given, **fields})


NODE = NodeRecord(
    "python-strings",
    "python",
    mastery=2,
    claimed=True,
    passed_depths=("D1", "D2"),
    history=(MasteryChange("t", "s1", 0, 2, "passed D2"),),
    tags={"off-by-one": TagRecord(2, 1, "t")},
    updated_at="t",
)


@contextmanager
def opened(path, **options):
    """A store that is closed at the end; its clock counts."""
    ticks = count(1)
    store = open_store(path, **{"clock": lambda: f"t{next(ticks)}", **options})
    try:
        yield store
    finally:
        store.close()
