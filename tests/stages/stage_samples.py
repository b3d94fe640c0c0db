"""A small exercise, its payloads, and requests for every role."""

import copy
from typing import Any

from placeholders import with_body

from tutor_lsp.core.exercise.exercise import Exercise, Proof, Unit
from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome, TestReport, TestResult
from tutor_lsp.core.session import Hint, Vault
from tutor_lsp.core.stage import Role, StageRequest
from tutor_lsp.stages.conversation import Conversation
from tutor_lsp.stages.mistakes import Tried, mistakes_request, tags_request
from tutor_lsp.stages.subject import LearnerState, NodeBrief
from tutor_lsp.stages.tutoring import (
    TutoringContext,
    coach_request,
    reviewer_request,
    solution_request,
)
from tutor_lsp.stages.without import without_request

FILE = "src/exercise/tea.py"
STARTER = '''"""Tea for a party."""

CUPS = 2


def cups(guests: int) -> int:
    """Return how many cups `guests` drink: `CUPS` each.

    ex-1 - First principle: a product counts equal groups
    """
    raise NotImplementedError("cups")


def pots(guests: int) -> int:
    """Return how many pots are needed; a pot holds 5 cups.

    ex-2 - First principle: round up
    """
    raise NotImplementedError("pots")
'''
SOLUTION = with_body(STARTER, "cups", "return guests * CUPS").replace(
    'raise NotImplementedError("pots")',
    "whole = cups(guests) // 5\n    rest = cups(guests) % 5\n    return whole + (rest > 0)",
)
TESTS = """from exercise.tea import cups, pots


def test_cups_of_three() -> None:
    assert cups(3) == 6


def test_pots_of_three() -> None:
    assert pots(3) == 2
"""
LESSON = """# Tea party

Why count?

## Equal groups

Three shelves of four books are `3 * 4` books.

```python
# ## Not a heading
print(3 * 4)
```

[cups](src/exercise/tea.py)

## Rounding up

Boxes are bought whole.
"""

UNITS = [
    {
        "unit_id": "ex-1",
        "stub": "cups",
        "file_path": FILE,
        "first_principle": "a product counts equal groups",
        "lesson_heading": "Equal groups",
        "kind": "body",
        "test_names": ["test_cups_of_three"],
        "practises": None,
    },
    {
        "unit_id": "ex-2",
        "stub": "pots",
        "file_path": FILE,
        "first_principle": "round up",
        "lesson_heading": "Rounding up",
        "kind": "body",
        "test_names": ["test_pots_of_three"],
        "practises": None,
    },
]
SECTION = {"section_id": "s", "is_complete": True, "next_focus": None}
PAYLOADS: dict[Role, dict[str, Any]] = {
    Role.SCAFFOLD: {
        "schema_version": "scaffold_v1",
        "role": "scaffold",
        "scaffold_id": "tea-party",
        "node_id": "python-numbers",
        "depth_target": "D1",
        "exercise_description": "Plan the tea for a party.",
        "lesson_plan": {"section_intents": ["Equal groups", "Rounding up"]},
        "starter_plan": {"file_intents": ["tea.py"]},
        "test_plan": {"case_intents": ["three guests"]},
        "units": UNITS,
    },
    Role.STARTER: {
        "schema_version": "starter_section_v1",
        "role": "starter-expand",
        "type": "file",
        "file_path": FILE,
        "content": STARTER,
        **SECTION,
    },
    Role.TEST: {
        "schema_version": "test_section_v1",
        "role": "test-expand",
        "type": "file",
        "file_path": "tests/test_tea.py",
        "content": TESTS,
        **SECTION,
    },
    Role.LESSON: {
        "schema_version": "lesson_section_v1",
        "role": "lesson-expand",
        "type": "concept",
        "content": LESSON,
        **SECTION,
    },
    Role.SOLUTION: {
        "schema_version": "solution_v2",
        "role": "solution",
        "files": [{"file_path": FILE, "content": SOLUTION}],
        "accepts": None,
    },
    Role.MISTAKES: {
        "schema_version": "mistakes_v1",
        "role": "mistakes",
        "units": [
            {
                "unit_id": "ex-2",
                "mistakes": [
                    {
                        "name": "The last pot is left out",
                        "says": "You count only the pots that are full.",
                        "tag": "rounds-down",
                        "code": "def pots(guests: int) -> int:\n    return cups(guests) // 5\n",
                        "error": None,
                        "hint": "What becomes of the cups that fill no pot?",
                    }
                ],
            }
        ],
    },
    Role.MISTAKE_TAGS: {
        "schema_version": "mistake_tags_v1",
        "role": "mistake-tags",
        "tags": [{"number": 1, "tag": "rounds-down"}],
    },
    Role.WITHOUT: {
        "schema_version": "solution_without_v1",
        "role": "solution-without",
        "files": [{"file_path": FILE, "content": SOLUTION}],
    },
    Role.COACH: {
        "schema_version": "hint_pack_v1",
        "role": "coach",
        "unit_id": "ex-2",
        "level": 2,
        "fix": [{"file_path": FILE, "content": SOLUTION}],
        "text": "Boxes are bought whole, so is tea.",
        "code": "boxes = full + (rest > 0)",
        "tags": ["rounds-down"],
        "claims": None,
    },
    Role.REVIEWER: {
        "schema_version": "review_report_v1",
        "role": "reviewer",
        "verdict": "FAIL",
        "score": 60,
        "summary": "Cups work, pots are not there yet.",
        "findings": [
            {
                "file": FILE,
                "line": 11,
                "end_line": 11,
                "quote": "return guests",
                "claim": "Each guest drinks two cups.",
                "evidence": "cups(3) gave 3",
                "probe": None,
            }
        ],
        "improvement": "Use CUPS.",
        "improvement_at": None,
        "question": None,
        "question_probe": None,
        "tags": [],
        "tag_evidence": None,
        "counter_example": None,
    },
}
FILES = {"LESSON.md": LESSON, FILE: STARTER, "tests/test_tea.py": TESTS}
NODE = NodeBrief(
    "python-numbers",
    "Numbers",
    "Counting with whole numbers",
    ("Functions",),
    ("rounds-down", "off-by-one"),
    ("division",),
)
SETUP_ORDER = (Role.SCAFFOLD, Role.STARTER, Role.TEST, Role.LESSON)


def payload(role: Role) -> dict[str, Any]:
    return copy.deepcopy(PAYLOADS[role])


def conversation(until: Role | None = None, **options) -> Conversation:
    """A set-up in which everything before `until` is accepted (all of it without)."""
    options = {"depth": "D1", "now": lambda: "2026-01-02T03:04:05+00:00"} | options
    made = Conversation("python", options.pop("node", NODE), **options)
    for role in SETUP_ORDER:
        if role is until:
            break
        made.accept(role, 1, payload(role))
    return made


def report(*outcomes: TestOutcome) -> TestReport:
    tests = [
        TestResult(
            name=f"test_{stub}_of_three",
            unit=unit,
            stub=stub,
            outcome=outcome,
            message=None if outcome is TestOutcome.PASSED else f"`{stub}(3)` gave 3, expected 6",
            expected=None if outcome is TestOutcome.PASSED else "6",
            actual=None if outcome is TestOutcome.PASSED else "3",
            file="tests/test_tea.py",
            line=5,
            output="hello\n",
        )
        for (unit, stub), outcome in zip(
            (("ex-1", "cups"), ("ex-2", "pots")), outcomes, strict=True
        )
    ]
    green = all(outcome is TestOutcome.PASSED for outcome in outcomes)
    return TestReport("run-1", RunOutcome.PASSED if green else RunOutcome.FAILED, tuple(tests))


FAILING = report(TestOutcome.PASSED, TestOutcome.FAILED)
GREEN = report(TestOutcome.PASSED, TestOutcome.PASSED)
EXERCISE = Exercise(
    id="tea-party",
    node="python-numbers",
    title="Tea party",
    language="python",
    depth="D1",
    description="Plan the tea for a party.",
    units=tuple(
        Unit(
            id=unit["unit_id"],
            stub=unit["stub"],
            file=FILE,
            line=6,
            first_principle=unit["first_principle"],
            lesson_heading=unit["lesson_heading"],
            lesson_line=5,
            tests=tuple(unit["test_names"]),
        )
        for unit in UNITS
    ),
    files=("LESSON.md", FILE, "tests/test_tea.py"),
    starter={FILE: STARTER},
    proof=Proof(ok=True),
)
LEARNER_TEXT = with_body(STARTER, "cups", "return guests * CUPS").replace(
    'raise NotImplementedError("pots")', "return cups(guests) // 5"
)


def context(**changes) -> TutoringContext:
    values = {
        "exercise": EXERCISE,
        "vault": Vault(
            solution={FILE: SOLUTION},
            hints={"ex-2": ("Think of boxes.", "Boxes are whole.", "Add one if some are left.")},
        ),
        "texts": {FILE: LEARNER_TEXT, "tests/test_tea.py": TESTS, "LESSON.md": LESSON},
        "report": FAILING,
        "hints": (Hint("ex-2", "test_pots_of_three", 1, "Count pots.", None, True, "t", "h"),),
        "contracts": {"ex-2": "def pots(guests: int) -> int"},
        "node": NODE,
        "learner": LearnerState(1, {"rounds-down": 2}),
        "session_id": "session-1",
        "now": lambda: "2026-01-02T03:04:05+00:00",
    }
    return TutoringContext(**{**values, **changes})


def request(role: Role, **changes) -> StageRequest:
    """A request that is in order."""
    if role is Role.COACH:
        return coach_request(context(**changes), "ex-2", 2)
    if role is Role.REVIEWER:
        return reviewer_request(context(**changes), 1)
    if role is Role.SOLUTION:
        return solution_request(conversation(), FILES)
    if role is Role.MISTAKES:
        return mistakes_request(conversation(), {FILE: SOLUTION})
    if role is Role.MISTAKE_TAGS:
        code = PAYLOADS[Role.MISTAKES]["units"][0]["mistakes"][0]["code"]
        tried = Tried(1, "ex-2", code, "test_pots_of_three: failed: 1 against 2")
        return tags_request(conversation(), {FILE: SOLUTION}, [tried])
    if role is Role.WITHOUT:
        asked = {"ex-2": ("conditional-expression",)}
        tests = {"tests/test_tea.py": TESTS}
        return without_request(conversation(), {FILE: SOLUTION}, tests, asked)
    return conversation(role).request(role)
