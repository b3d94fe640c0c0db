"""What a terminal says that no editor says."""

import pytest

from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome, TestReport, TestResult
from tutor_lsp.tutor.interface.results import HintResult
from tutor_lsp.tutor.voice import hints, runs
from tutor_lsp.tutor.voice.command_form import CommandForm
from tutor_lsp.tutor.voice.voice import Voice

TERMINAL = CommandForm("tutor-lsp %s", titles={"tutor.hint": "Hint", "tutor.restore": "Restore"})


@pytest.mark.parametrize(
    ("form", "typed"),
    [
        (TERMINAL, "tutor-lsp hint --unit ex-6"),
        (CommandForm(":TutorLsp %s", titles={"tutor.hint": "Hint"}), ":TutorLsp hint"),
        (CommandForm(), "tutor.hint"),
    ],
)
def test_the_next_hint_of_a_terminal_is_of_the_same_unit(form, typed):
    result = HintResult("ex-6", 1, "Look.", None, verified=False, answers_questions=False)
    last = hints.hint(Voice(form), result).body[-1]
    assert last == f"The next hint is closer to the answer: {typed}"


def result(name, unit, outcome, message=None):
    return TestResult(name, unit, unit and f"stub_{unit[3:]}", outcome, message)


def test_units_stand_in_their_order_and_what_is_missing_names_what_is_typed():
    gone = "this test is missing from the test files; tutor.restore puts it back"
    tests = (
        result("test_c", "ex-10", TestOutcome.PASSED),
        result("test_odd", None, TestOutcome.PASSED),
        result("test_b", "ex-2", TestOutcome.ERRORED, gone),
        result("test_a", "ex-1", TestOutcome.PASSED),
    )
    said = runs.units(Voice(TERMINAL), TestReport("r", RunOutcome.FAILED, tests))
    lines = [line.split()[2].rstrip(":") for line in said.split("\n")]
    assert lines == ["ex-1", "ex-2", "ex-10", "`test_odd`"]
    assert "tutor-lsp restore puts it back" in said
