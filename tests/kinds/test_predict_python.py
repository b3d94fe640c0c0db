"""What a program gives, predicted in Python: what the learner sees of it on the way."""

import pytest
from kinds_kit import DECLARED
from predict_kit import answered, check_answers, predict_course, report_of, told

FILE, GAUGE, TESTS = "src/exercise/answers.py", "src/exercise/gauge.py", "tests/test_answers.py"
WATER, SIGNS = "WATER = ...", "SIGNS = ..."
VALUES = ("34", "#-#.")
OPEN = "`WATER` is not answered yet"
CODE = "`WATER`: write what it gives as a value, not as code that computes it"
STATES = {
    "nothing": ([], ("todo", OPEN, 10)),
    "blank lines": ([(WATER, f"\n\n{WATER}\n")], ("todo", OPEN, 12)),
    "one right": ([(WATER, "WATER = 34")], ("todo", "`SIGNS` is not answered yet", 10)),
    "wrong value": (
        [(WATER, "WATER = 35")], ("failing", "`WATER` is not `35`: follow the program", 10),
    ),
    "wrong type": (
        [(WATER, 'WATER = "34 mm"')], ("failing", '`WATER` is not `"34 mm"`: follow', 10),
    ),
    "a call": (
        [(WATER, "import exercise.gauge\n\nWATER = exercise.gauge.level([20, 31, 4])")],
        ("failing", CODE, 12),
    ),
    "a call of what is not imported": ([(WATER, "WATER = level([20])")], ("failing", CODE, 10)),
    "an expression": ([(WATER, "WATER = 30 + 4")], ("failing", CODE, 10)),
    "a name": ([(WATER, "RAIN = 34\nWATER = RAIN")], ("failing", CODE, 11)),
    "given twice": (
        [(WATER, "from exercise.gauge import level\n\nWATER = level([20, 31, 4])\nWATER = 34")],
        ("failing", CODE, 12),
    ),
    "code beside right answers": (
        [(WATER, "WATER = 34"), (SIGNS, 'SIGNS = "#-#."\n\nprint(WATER)')],
        ("failing", f"line 14 of {FILE} is code; nothing but your answers belongs there", 10),
    ),
    "syntax error": (
        [(WATER, "WATER = (34")], ("failing", f"line 10 of {FILE} does not build: ", 10),
    ),
    "answer deleted": (
        [(f"{WATER}\n", "")],
        ("failing", f"`WATER` is gone from {FILE}; tutor.reset puts it back", 1),
    ),
    "other name": ([("WATER =", "water =")], ("failing", f"`WATER` is gone from {FILE}", 1)),
    "both wrong": (
        [(WATER, "WATER = 1"), (SIGNS, "SIGNS = 2")], ("failing", "`WATER` is not `1`", 10),
    ),
    "a list": ([(WATER, "WATER = [3, 4]")], ("failing", "`WATER` is not `[3, 4]`", 10)),
    "unrelated": ([(WATER, f"LIMIT = 3\n{WATER}")], ("todo", OPEN, 11)),
    "right": ([(WATER, "WATER = 34"), (SIGNS, "SIGNS = '#-#.'")], ("passing", "", 10)),
    "right as the language has it": (
        [(WATER, "WATER: float = 34.0"), (SIGNS, 'SIGNS = (\n    "#-"\n    "#."\n)')],
        ("passing", "", 10),
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return predict_course(tmp_path_factory.mktemp("course"), "python")


FIRST = ("one right", "wrong value", "a call", "right")


@pytest.mark.first(4)
@pytest.mark.parametrize("name", dict.fromkeys([*FIRST, *STATES]))
def test_the_mark_is_right_and_nothing_tells_a_value(made, tmp_path, name):
    pairs, expected = STATES[name]
    check_answers(made, tmp_path, answered(made, *pairs), expected, VALUES)


def test_an_empty_file_and_one_without_its_comment(made, tmp_path):
    check_answers(made, tmp_path, "", ("failing", f"`WATER` is gone from {FILE}", 1), VALUES)
    text = 'WATER = 34\nSIGNS = "#-#."\n'
    check_answers(made, tmp_path, text, ("passing", "", 1), VALUES)


def test_what_the_program_prints_or_raises_is_not_told(made, tmp_path):
    text = answered(made, (WATER, "WATER = 35"))
    for code in ("    print(height)\n    return height", "    raise ValueError(height)"):
        gauge = made.files[GAUGE].replace("    return height", code)
        raw, report, _ = report_of(made, tmp_path, text, {GAUGE: gauge})
        assert told((raw, report), VALUES) == []
        said = {test.message for test in report.tests if test.unit == DECLARED}
        assert "`WATER` is not `35`: follow the program once more" in said


def test_a_message_of_the_test_is_not_told(made, tmp_path):
    text = answered(made, (WATER, "WATER = 35"))
    tests = made.files[TESTS].replace("[20, 31, 4])\n", "[20, 31, 4]), 'it is 34'\n")
    raw, report, _ = report_of(made, tmp_path, text, {TESTS: tests})
    assert told((raw, report), VALUES) == []
