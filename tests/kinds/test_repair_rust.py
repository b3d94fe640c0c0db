"""A function in Rust that does not build and is to be mended: what the learner sees on the way."""

import asyncio

import pytest
from kinds_kit import FINE, TOOLS, check_state, course, look, put, run

from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.core.ports import Early

pytestmark = pytest.mark.cargo
FRAMED = """fn framed(text: String) -> String {
    format!("[{text}]")
}

"""
TAKEN = "    let sign = framed(place);\n    let letters = place.len();\n"
GIVEN = f"""{FRAMED}pub fn signpost(place: String) -> String {{
{TAKEN}    format!("{{sign}} {{letters}}")
}}
"""
LENGTH = "    let letters = place.len();\n"
RIGHT = GIVEN.replace(TAKEN, f"{LENGTH}    let sign = framed(place);\n")
OWN, TEST = "src/sign.rs", "tests/sign.rs"
TODO, MOVED = "`signpost` is not mended yet", "does not build: borrow of moved value: `place`"
GONE = "`signpost` is not there, but the tests need it"
STATES = {
    "as it is given": (GIVEN, "todo", TODO, 13, (OWN, "E0382")),
    "half of it": (
        GIVEN.replace("letters = place", "letters = sign"), "failing",
        '`signpost(String::from("hall"))` gave "[hall] 6", expected "[hall] 4"', 13, (),
    ),
    "right": (RIGHT, "passing", "", 13, ()),
    "the function is renamed": (
        RIGHT.replace("signpost", "post"), "failing", GONE, 1, (TEST, "E0432"),
    ),
    "white space": (
        GIVEN.replace("    ", "  ").replace("{\n", "{\n\n"), "todo", TODO, 14, (OWN, "E0382"),
    ),
    "a comment in it": (
        GIVEN.replace("framed(place);", "framed(place); // why?"), "failing",
        f"line 15 of {OWN} {MOVED}", 13, (OWN, "E0382"),
    ),
    "something else is edited": (
        f"pub const LIMIT: u8 = 3;\n\n{GIVEN}", "failing", f"line 17 of {OWN} {MOVED}", 15,
        (OWN, "E0382"),
    ),
    "a reference that nobody takes": (
        GIVEN.replace("framed(place)", "framed(&place)"), "failing",
        f"line 14 of {OWN} does not build: mismatched types", 13, (OWN, "E0308"),
    ),
    "a syntax error": (
        RIGHT.replace("let sign = ", "let sign "), "failing", f"line 15 of {OWN} does not build",
        13, (OWN, None),
    ),
    "an open brace": (
        RIGHT.rstrip().rstrip("}"), "failing",
        f"line 13 of {OWN} does not build: this file contains an unclosed delimiter", 13,
        (OWN, None),
    ),
    "an unknown name": (
        RIGHT.replace("place.len()", "size"), "failing",
        f"line 14 of {OWN} does not build: cannot find value `size` in this scope", 13,
        (OWN, "E0425"),
    ),
    "not public any more": (
        RIGHT.replace("pub fn", "fn"), "failing",
        "`signpost` is private to its file: make it `pub`", 13, (TEST, "E0603"),
    ),
    "another signature": (
        RIGHT.replace("(place: String)", "(place: &str)").replace("framed(place)",
                                                                  "framed(place.into())"),
        "failing", "`signpost` does not fit its use `", 13, (TEST, "E0308"),
    ),
    "the function is deleted": (FRAMED, "failing", GONE, 1, (TEST, "E0432")),
    "the file is emptied": ("", "failing", GONE, 1, (TEST, "E0432")),
    "a placeholder": (
        'pub fn signpost(_place: String) -> String {\n    todo!("signpost")\n}\n', "todo", TODO, 9,
        (),
    ),
    "it panics": (
        RIGHT.replace("place.len()", "place[1..].len() + 1"), "failing",
        "`signpost(String::new())` panicked: start byte index 1 is out of bounds", 13, (),
    ),
    "it never ends": (
        RIGHT.replace(LENGTH, f"{LENGTH}    while letters < 9 {{}}\n"), "failing",
        '`signpost(String::from("hall"))` did not finish within 4 s', 13, (),
    ),
    "an implementation of others": (
        f"impl Copy for String {{}}\n{RIGHT}", "failing", f"line 9 of {OWN} does not build", 14,
        (OWN, "E0117"),
    ),
    "by a copy": (GIVEN.replace("framed(place)", "framed(place.clone())"), "passing", "", 13, ()),
    "by lending": (
        GIVEN.replace("text: String", "text: &str").replace("framed(place)", "framed(&place)"),
        "passing", "", 13, (),
    ),
    "with a warning": (
        RIGHT.replace("    let sign", "    let unused = 3;\n    let sign"), "passing", "", 13, (),
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return course(tmp_path_factory.mktemp("course"), "rust", UnitKind.REPAIR)


@pytest.mark.first(1)
@pytest.mark.parametrize("name", STATES)
def test_the_mark_is_right_and_no_other_unit_loses_its_result(made, root, name):
    assert made.given.strip() == GIVEN.strip()
    check_state(made, root, STATES[name])


@pytest.mark.long("a build more; Python's stands for it in the fast run")
def test_without_its_comment_it_is_as_it_was(made, root):
    given, mended = look(made, root, GIVEN), look(made, root, RIGHT)
    assert (given.state, given.said, given.line, given.others) == ("todo", TODO, 5, FINE)
    assert (mended.state, mended.line) == ("passing", 5)


@pytest.mark.long("a build more")
def test_what_is_given_broken_is_not_told_early_as_wrong(made, root):
    put(root, made.texts(made.written(GIVEN)))
    wrong, heard = [], []
    early = Early(frozenset(made.exercise.units[0].tests), heard.extend, wrong.extend)
    asyncio.run(run(TOOLS["rust"], root, made.exercise, early=early))
    assert wrong == []
