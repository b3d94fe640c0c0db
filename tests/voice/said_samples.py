"""A result of every command, with a word of its own in every text that it tells."""

from dataclasses import replace

from tutor_lsp.core.exercise.exercise import Proof
from tutor_lsp.core.exercise.report import (
    BuildError,
    RunOutcome,
    TestOutcome,
    TestReport,
    TestResult,
)
from tutor_lsp.core.learner.recommendation import Advice
from tutor_lsp.core.mend import Mend, Remedy
from tutor_lsp.core.ports import ToolStatus
from tutor_lsp.core.session import Answer, CounterExample, Finding, Place, Review
from tutor_lsp.tutor.interface import learner, results
from tutor_lsp.tutor.interface.units import Heading, Lines, StandingInfo, UnitInfo, Way

AT = Place("src/movie.py", 14, 15, "return hours")
MENDS = (
    Mend("page", url="https://rustup.rs"),
    Mend("line", line="codex login"),
    Mend("setting", setting="python.interpreter"),
    Mend("setting", setting="home"),
    Mend("command", command="tutor.restore", argument={"record": True}),
    Mend("file", file="/home/me/tutor/config.toml"),
)
ADVICE = (Advice("python-strings", "Strings", "builds on what you know"),)


def result(name, unit, outcome, message=None, output=""):
    return TestResult(name, unit, f"stub_{unit}", outcome, message, output=output)


REPORT = TestReport(
    "r1",
    RunOutcome.FAILED,
    (
        result("test_a", "ex-1", TestOutcome.PASSED),
        result("test_b", "ex-2", TestOutcome.FAILED, "`b(1)` gave 3, expected 2", "printed-b"),
        result("test_c", "ex-2", TestOutcome.ERRORED, "`c(1)` raised KeyError"),
        result("test_d", "ex-3", TestOutcome.TODO, "not yet"),
    ),
    note="An attempt leaves out src/notes.py.",
)
BROKEN = TestReport(
    "r2",
    RunOutcome.BUILD_ERROR,
    build_errors=(
        BuildError("src/movie.py", 3, 5, 3, 6, None, "a bracket is open"),
        BuildError("src/other.py", 9, 1, 9, 2, None, "an unknown name"),
    ),
)
REVIEW = Review(
    "FAIL",
    40,
    "One test is open: hours are not counted.",
    (Finding("src/movie.py", 14, 14, "return", "It leaves out the minutes", "b(1) gave 3"),),
    improvement="Name the number 60.",
    question="What if the film ends after midnight?",
    improvement_at=AT,
    answer=Answer(AT, (), "plan(1)", "2"),
    counter_example=CounterExample("ex-2", (), "b(7)", "1", "2"),
    dropped_findings=1,
)
STANDING = StandingInfo("begun", False, 3, 1, 4, 1, False, "1 of 3", "1 of 4")
UNITS = (
    UnitInfo("ex-1", "stub_a", "src/movie.py", 3, Lines(9, 9), "return hands back",
             Heading("H1", 4), ("test_a",), "passing", "passes · 1 of 1", False, True, False, 0),
    UnitInfo("ex-2", "stub_b", "src/movie.py", 14, Lines(20, 22), "calls stand for answers",
             Heading("H2", 9), ("test_b", "test_c"), "failing", "not yet · 0 of 2",
             False, False, True, 2),
)  # fmt: skip
SESSION = {
    "id": "0123456789abcdef", "exercise_id": "movie", "node": "python-functions",
    "title": "Movie night", "language": "python", "depth": "D1", "workspace": "/home/me/movie",
    "lesson": "/home/me/movie/LESSON.md", "created_at": "2026-11-23T10:00:00+00:00",
    "updated_at": "2026-11-23T11:00:00+00:00", "ended_at": None, "backend": "library",
    "challenge": False, "attempts": 2, "hint_level_used": 2, "passed": False, "tests": 4,
    "tests_passing": 1, "standing": STANDING, "verdict": "FAIL",
}  # fmt: skip
PROOF = Proof(ok=True, tests=4, fail_on_stub=4, pass_on_reference=4)
READY = learner.Ready(
    "movie", "python-functions", "Movie night", "python", "D1", "/home/me/movie",
    "/home/me/movie/LESSON.md", "j1", "0123456789abcdef", ("src/movie.py",), UNITS, PROOF,
)  # fmt: skip
NODE = learner.NodeInfo(
    "python-strings", "Strings", "texts and their parts", "python", "D2", 1, False, "begun", True,
    ("python-functions",), ("python-functions",), True, True, True, None, False, {}, 15, (), (),
    (learner.BundledExercise("e", "Clean names", "D2", 15),),
)  # fmt: skip
CURRICULUM = learner.CurriculumInfo(
    ("python",),
    (learner.TrackInfo("t", "First steps", "python", ("python-strings",)),),
    (NODE,),
    {"python": ADVICE},
    {"python": 7},
)
ATTEMPT = results.AttemptResult(
    3, REPORT, REVIEW, None, results.MasteryStep("python-functions", 0, 1), ADVICE,
    "You took the last hint: pass it once more on your own and it counts in full "
    '(tutor.start with {"node": "python-functions", "fresh": true}).',
    topic="Functions",
)  # fmt: skip
NO_REVIEW = results.AttemptResult(
    4, REPORT, None, "no network", results.MasteryStep("python-functions", 1, 1), ADVICE
)
PASSED = results.AttemptResult(
    5,
    TestReport("r3", RunOutcome.PASSED, (result("test_a", "ex-1", TestOutcome.PASSED),)),
    Review("PASS", 100, "The test passes. You practised: return."),
    None,
    results.MasteryStep("python-functions", 0, 1),
    ADVICE,
    topic="Functions",
)
WAYS = (
    Way("Show the solution of stub_b and go on", "tutor.reveal",
        {"session": "s1", "unit": "ex-2", "confirm": True}),
    Way("Take an easier exercise first: Strings", "tutor.start",
        {"language": "python", "node": "python-strings"}),
)  # fmt: skip
SAMPLES = {
    "start": (
        "tutor.start",
        results.Started("j1", "python-functions", "python", "D1", title="Functions"),
    ),
    "next": (
        "tutor.next",
        results.NextStarted(
            "j1", "python-strings", "python", "D1", "“Movie night”: done.", title="Strings"
        ),
    ),
    "open": ("tutor.open", results.FilePlace("src/movie.py", 14)),
    "check": ("tutor.check", REPORT),
    "check that does not build": ("tutor.check", BROKEN),
    "attempt": ("tutor.attempt", ATTEMPT),
    "attempt without a review": ("tutor.attempt", NO_REVIEW),
    "attempt that passes": ("tutor.attempt", PASSED),
    "hint": (
        "tutor.hint",
        results.HintResult("ex-2", 1, "Look at the minutes.", None, True, False, stub="stub_ex-2"),
    ),
    "hint of a model": (
        "tutor.hint",
        results.HintResult(
            "ex-2", 1, "What does it make of 2?", None, False, False, stub="stub_ex-2",
            source="model",
        ),
    ),
    "hint of which something was tried out": (
        "tutor.hint",
        results.HintResult(
            "ex-2", 1, "Your code makes 3 of 2.", None, False, False, stub="stub_ex-2",
            source="model", tried_out="Tried out: `stub(2)` gives `3`.",
        ),
    ),
    "hint before the last": (
        "tutor.hint",
        results.HintResult("ex-2", 2, "An hour is 60.", None, False, False, stub="stub_ex-2"),
    ),
    "last hint": (
        "tutor.hint",
        results.HintResult(
            "ex-2", 3, "Write this.", "return hours * 60", False, True, stub="stub_ex-2",
            actions=WAYS,
        ),
    ),
    "ask": (
        "tutor.ask",
        results.AskResult(
            "ex-2", 1, "Because of that.", None, False, True, "Answer · ex-2 stub_ex-2", True,
            stub="stub_ex-2",
        ),
    ),
    "reveal": (
        "tutor.reveal",
        results.Revealed("ex-2", "src/movie.py", "def b():\n    return 2", "stub_ex-2"),
    ),
    "compare": (
        "tutor.compare",
        results.Comparison(
            "ex-2", "src/movie.py", "/me/movie.py", "/ref/movie.py", "-a\n+b", "stub_ex-2"
        ),
    ),
    "review": ("tutor.review", REVIEW),
    "no review": ("tutor.review", None),
    "status": (
        "tutor.status",
        learner.Status(
            learner.OpenSession(**SESSION, proof=PROOF, history=()),
            UNITS,
            (
                learner.JobInfo("j", "Strings", None, "python", "running", None, 40, "tests", None,
                                None),
                learner.JobInfo("k", "Loops", None, "python", "failed", None, 9, "plan",
                                {"message": "It was refused.", "kind": "REFUSED"}, None),
            ),
            learner.BackendInfo("library", "it ships with the tutor", False),
            "/home/me/tutor",
            "0.1.0",
            "focused",
            None,
            0,
            "",
        ),
    ),
    "resume": ("tutor.resume", READY),
    "resume of a challenge": ("tutor.resume", replace(READY, challenge=True)),
    "end": ("tutor.end", learner.Ended("“Movie night”: 1 of 3 units pass.", ADVICE)),
    "curriculum": ("tutor.curriculum", CURRICULUM),
    "claim": ("tutor.claim", NODE),
    "cancel": ("tutor.cancel", results.Cancelled(True)),
    "reset": ("tutor.reset", results.PutBack(("src/movie.py",), ("src/movie.py",))),
    "reset of what was deleted": (
        "tutor.reset",
        results.PutBack(("a.py", "b.py"), ("a.py", "b.py"), ("b.py",)),
    ),
    "undo": ("tutor.reset", results.PutBack(("src/movie.py",), (), undone=True)),
    "undo of an undo": (
        "tutor.reset",
        results.PutBack(("src/movie.py",), ("src/movie.py",), undone=True, redone=True),
    ),
    "restore of a record": (
        "tutor.restore",
        results.RecordRestored("2026-11-22", 2, 1, 0, 1, "/home/me/tutor.db.before"),
    ),
    "report": ("tutor.report", learner.ReportPage("/home/me/report.html")),
    "doctor": (
        "tutor.doctor",
        learner.Diagnosis(
            (ToolStatus("python", True, True, "3.12"),
             ToolStatus("cargo", False, False, None, "Install Rust."),
             ToolStatus("backend codex", False, False, None, "Install it.", optional=True)),
            "/home/me/tutor", 1, 40, ("config.toml is not read.",), "/usr/bin/python3",
            tuple(Remedy("Install Rust.", mend) for mend in MENDS),
        ),
    ),
}  # fmt: skip
