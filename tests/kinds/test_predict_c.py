"""What a program gives, predicted in C: what the learner sees of it on the way."""

import pytest
from predict_kit import answered, check_answers, predict_course

FILE = "src/answers.c"
WATER, SEAL = 'NOT_IMPLEMENTED("water");', 'NOT_IMPLEMENTED("seal");'
INCLUDE = '#include "answers.h"'
VALUES = ("34", "446")
OPEN = "`water` is not answered yet"
CODE = "`water`: write what it gives as a value, not as code that computes it"
STATES = {
    "nothing": ([], ("todo", OPEN, 14)),
    "blank lines": ([(WATER, f"\n\n{WATER}\n")], ("todo", OPEN, 14)),
    "one right": ([(WATER, "return 34;")], ("todo", "`seal` is not answered yet", 14)),
    "wrong value": (
        [(WATER, "return 35;")], ("failing", "`water` is not `35`: follow the program", 14),
    ),
    "wrong type": (
        [(WATER, 'return "34 mm";')], ("failing", f"line 16 of {FILE} does not build: ", 14),
    ),
    "a call": (
        [(INCLUDE, f'{INCLUDE}\n#include "gauge.h"'),
         (WATER, "return level((int[]){20, 31, 4}, 3);")],
        ("failing", CODE, 15),
    ),
    "a call of what is not declared": ([(WATER, "return level(0, 0);")], ("failing", CODE, 14)),
    "an expression": ([(WATER, "return 30 + 4;")], ("failing", CODE, 14)),
    "a name": ([(WATER, "int rain = 34;\n    return rain;")], ("failing", CODE, 14)),
    "a macro": (
        [(INCLUDE, f"{INCLUDE}\n#define RAIN 34"), (WATER, "return RAIN;")],
        ("failing", CODE, 15),
    ),
    "code beside right answers": (
        [(WATER, "return 34;"),
         (SEAL, "return 446;\n}\n\nint more(int days)\n{\n    return days;")],
        ("failing", f"line 24 of {FILE} is code; nothing but your answers belongs there", 14),
    ),
    "syntax error": (
        [(WATER, "return 34")], ("failing", f"line 16 of {FILE} does not build: ", 14),
    ),
    "answer deleted": (
        [(f"int water(void)\n{{\n    {WATER}\n}}\n", "")],
        ("failing", f"`water` is gone from {FILE}; tutor.reset puts it back", 1),
    ),
    "other name": ([("int water(", "int waters(")], ("failing", f"`water` is gone from {FILE}", 1)),
    "negative": ([(WATER, "return -35;")], ("failing", "`water` is not `-35`", 14)),
    "both wrong": (
        [(WATER, "return 1;"), (SEAL, "return 2;")], ("failing", "`water` is not `1`", 14),
    ),
    "unrelated": ([(WATER, f"/* 35? */\n    {WATER}")], ("todo", OPEN, 14)),
    "right": ([(WATER, "return 34;"), (SEAL, "return 446;")], ("passing", "", 14)),
    "right as the language has it": (
        [(WATER, "return (0x22);"), (SEAL, "return 446L;")], ("passing", "", 14),
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return predict_course(tmp_path_factory.mktemp("course"), "c")


FIRST = ("one right", "wrong value", "a call", "right")


@pytest.mark.first(1)
@pytest.mark.parametrize("name", dict.fromkeys([*FIRST, *STATES]))
def test_the_mark_is_right_and_nothing_tells_a_value(made, root, name):
    pairs, expected = STATES[name]
    check_answers(made, root, answered(made, *pairs), expected, VALUES)


@pytest.mark.long("builds a whole exercise again")
def test_an_empty_file_and_one_without_its_comment(made, root):
    check_answers(made, root, "", ("failing", f"`water` is gone from {FILE}", 1), VALUES)
    text = "int water(void)\n{\n    return 34;\n}\nint seal(void)\n{\n    return 446;\n}\n"
    check_answers(made, root, text, ("passing", "", 1), VALUES)
