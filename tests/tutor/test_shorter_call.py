"""Where nothing is known, a hint shows the shortest call that does something else."""

import pytest

from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome, TestReport, TestResult
from tutor_lsp.core.exercise.signatures import By, Input, Signatures
from tutor_lsp.tutor.hinting.diagnosis.diagnose import ComesTo
from tutor_lsp.tutor.hinting.diagnosis.unsure import shorter_fact

UNIT = Unit("ex-1", "clip", "src/exercise/clip.py", 1, "", "", 1, ("test_one", "test_two"))
INPUTS = (
    Input((), "clip('abcdef', 3)"),
    Input((), "clip('', 3)"),
    Input(("text = ''",), "clip(text)"),
    Input((), "clip([])", ("text",)),
    Input((), "c(1)"),
)
RIGHT = ("= 'abc'", "= ''", "= 1", "= [] | text [1 | 2]", "! ValueError")


def fact(signature, *messages):
    known = Signatures(By.PROBES, INPUTS, RIGHT)
    names = ("test_one", "test_two")
    tests = tuple(
        TestResult(name, "ex-1", "clip", TestOutcome.FAILED, message=message)
        for name, message in zip(names, messages, strict=False)
    )
    report = TestReport("r", RunOutcome.FAILED, tests=tests)
    return shorter_fact(ComesTo(known, signature), UNIT, report)


LONG = "`clip('abcdef', 3)` gave None, expected 'abc'"


def test_it_is_told_in_the_words_of_other_facts():
    assert fact(("= None", "= None", *RIGHT[2:]), LONG) == "`clip('', 3)` gave None, expected ''"
    assert fact((RIGHT[0], "= None", *RIGHT[2:]), "it was false").startswith("`clip('', 3)` gave")


@pytest.mark.parametrize(
    ("signature", "messages"),
    [
        (("= None", *RIGHT[1:]), [LONG]),  # what the test says already
        (("= None", "= None", *RIGHT[2:]), ["`clip('', 3)` gave None, expected ''"]),
        (("= None", "= None", *RIGHT[2:]), [LONG, "`clip('', 3)` gave None, expected ''"]),
        (("= None", "= None", *RIGHT[2:]), ["`clip('', 1)` gave 2, expected 1"]),  # no shorter
        ((*RIGHT[:2], "= 2", *RIGHT[3:]), [LONG]),  # a name does not say its value
        ((*RIGHT[:3], "= [] | text [3]", RIGHT[4]), [LONG]),  # only what it leaves behind
        ((*RIGHT[:4], "= 3"), [LONG]),  # it should have ended otherwise
        (("= None", "= None > 'x'", *RIGHT[2:]), [LONG]),  # it printed
        (("= None", "= None"), [LONG]),
        (RIGHT, [LONG]),
    ],
)
def test_it_is_told_only_where_it_says_more_than_the_test(signature, messages):
    assert fact(signature, *messages) == ""


def test_what_is_said_already_makes_way_for_the_next():
    longer, second = "`clip('abcdefg', 3)` gave None, expected 'abc'", "`clip('', 3)` gave None"
    assert fact(("= None", "= None", *RIGHT[2:]), longer, second) == LONG


def test_what_a_name_holds_afterwards_is_no_part_of_the_value():
    signature = (*RIGHT[:3], "= [2] | text [1 | 2]", RIGHT[4])
    assert fact(signature, LONG) == "`clip([])` gave [2], expected []"
