"""What a program gives, predicted in Rust: what the learner sees of it on the way."""

import pytest
from predict_kit import answered, check_answers, predict_course

FILE = "src/answers.rs"
WATER, SIGNS = 'todo!("water")', 'todo!("signs")'
VALUES = ("34", "#-#.")
OPEN = "`water` is not answered yet"
CODE = "`water`: write what it gives as a value, not as code that computes it"
STATES = {
    "nothing": ([], ("todo", OPEN, 10)),
    "blank lines": ([(WATER, f"\n\n{WATER}\n")], ("todo", OPEN, 10)),
    "one right": ([(WATER, "34")], ("todo", "`signs` is not answered yet", 10)),
    "wrong value": ([(WATER, "35")], ("failing", "`water` is not `35`: follow the program", 10)),
    "wrong type": (
        [(WATER, '"34 mm"')], ("failing", f"line 11 of {FILE} does not build: mismatched types", 10)
    ),
    "a call": ([(WATER, "crate::gauge::level(&[20, 31, 4])")], ("failing", CODE, 10)),
    "a call of what is not in scope": ([(WATER, "level(&[20, 31, 4])")], ("failing", CODE, 10)),
    "an expression": ([(WATER, "30 + 4")], ("failing", CODE, 10)),
    "a name": (
        [("pub fn water", "const RAIN: u32 = 34;\n\npub fn water"), (WATER, "RAIN")],
        ("failing", CODE, 12),
    ),
    "a block": ([(WATER, "let height = 34;\n    height")], ("failing", CODE, 10)),
    "code beside right answers": (
        [(WATER, "34"), (SIGNS, '"#-#."\n}\n\npub fn more(days: u32) -> u32 {\n    days')],
        ("failing", f"line 18 of {FILE} is code; nothing but your answers belongs there", 10),
    ),
    "syntax error": ([(WATER, "34 +")], ("failing", f"line 12 of {FILE} does not build: ", 10)),
    "answer deleted": (
        [(f"pub fn water() -> u32 {{\n    {WATER}\n}}\n", "")],
        ("failing", f"`water` is gone from {FILE}; tutor.reset puts it back", 1),
    ),
    "other name": (
        [("pub fn water", "pub fn waters")], ("failing", f"`water` is gone from {FILE}", 1),
    ),
    "returned": ([(WATER, "return 35;")], ("failing", "`water` is not `35`", 10)),
    "both wrong": ([(WATER, "1"), (SIGNS, '"2"')], ("failing", "`water` is not `1`", 10)),
    "unrelated": (
        [("pub fn water", "// 35?\npub fn water")], ("todo", OPEN, 11),
    ),
    "right": ([(WATER, "34"), (SIGNS, '"#-#."')], ("passing", "", 10)),
    "right as the language has it": (
        [(WATER, "return 0x22_u32;"), (SIGNS, 'r"#-#."')], ("passing", "", 10),
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return predict_course(tmp_path_factory.mktemp("course"), "rust")


FIRST = ("one right", "wrong value", "a call", "right")


@pytest.mark.first(1)
@pytest.mark.parametrize("name", dict.fromkeys([*FIRST, *STATES]))
def test_the_mark_is_right_and_nothing_tells_a_value(made, root, name):
    pairs, expected = STATES[name]
    check_answers(made, root, answered(made, *pairs), expected, VALUES)


@pytest.mark.long("builds a whole exercise again")
def test_an_empty_file_and_one_without_its_comment(made, root):
    check_answers(made, root, "", ("failing", f"`water` is gone from {FILE}", 1), VALUES)
    text = 'pub fn water() -> u32 {\n    34\n}\npub fn signs() -> &\'static str {\n    "#-#."\n}\n'
    check_answers(made, root, text, ("passing", "", 1), VALUES)
