"""Of one thing everything is said in the singular."""

import re

import pytest

from tutor_lsp.core.exercise.exercise import Proof
from tutor_lsp.stages.backends import authored
from tutor_lsp.tutor.learner.pages.timeline import _told
from tutor_lsp.tutor.starting.confirm_plan import plan_text

UNIT = {"unit_id": "ex-1", "stub": "total", "first_principle": "a sum"}


def reviewed(outcome):
    passed = int(outcome == "passed")
    run = {
        "passed": passed, "total": 1, "outcome": outcome, "build_errors": [], "failures": [],
        "tests": [{"unit_id": "ex-1", "outcome": outcome}],
    }  # fmt: skip
    return authored.review({"run": run, "units": [UNIT]})["summary"]


def planned(**more):
    scaffold = {"exercise_description": "Sums.", "units": [], **more}
    return plan_text(scaffold, "a minute")


def attempted(outcome, passed):
    return _told("attempt", {"outcome": outcome, "passed": passed, "total": 1})[2]


SAID = {
    "a review of a pass": lambda: reviewed("passed"),
    "a review of a failure": lambda: reviewed("failed"),
    "a proof": lambda: Proof(ok=True, tests=1, fail_on_stub=1, pass_on_reference=1).line,
    "a plan": lambda: planned(units=[UNIT]),
    "a plan of sections": lambda: planned(lesson_plan={"section_intents": ["sums"]}),
    "a passed attempt": lambda: attempted("passed", 1),
    "a failed attempt": lambda: attempted("failed", 0),
}


@pytest.mark.parametrize("of", SAID)
def test_one_thing_is_said_in_the_singular(of):
    said = SAID[of]()
    assert re.search(r"\b1 (?:lesson )?\w+|the test", said, re.IGNORECASE)
    assert not re.search(r"\b1 (?:lesson )?(?:tests|units|sections)\b|\b1 pass\b", said)
