"""A function in C that is wrong and to be mended: what the learner sees of it on the way."""

import asyncio

import pytest
from kinds_kit import FINE, TOOLS, check_state, course, look, put, run

from tutor_lsp.core.exercise.exercise import UnitKind

GIVEN = r"""static inline void shorten(const char *place, char *text)
{
    int at = 0;
    while (at < 3 && place[at] != '\0') {
        text[at] = place[at];
        at++;
    }
}
"""
END = "    text[at] = '\\0';\n"
RIGHT = GIVEN.rstrip().rstrip("}") + f"{END}}}\n"
OWN, TEST = "src/shorten.h", "tests/test_shorten.c"
TODO = "`shorten` is not mended yet"
WRONG = 'after `shorten("garden", text)`, `text` is "gar----", expected "gar"'
GONE = "`shorten` is not there, but the tests need it"
STATES = {
    "as it is given": (GIVEN, "todo", TODO, 11, ()),
    "half of it": (
        GIVEN.rstrip().rstrip("}") + END.replace("at]", "3]") + "}\n", "failing",
        'after `shorten("A", text)`, `text` is "A--", expected "A"', 11, (),
    ),
    "right": (RIGHT, "passing", "", 11, ()),
    "the function is renamed": (
        RIGHT.replace("shorten", "cut"), "failing", GONE, 1,
        (TEST, "implicit-function-declaration"),
    ),
    "white space": (GIVEN.replace("    ", "\t"), "todo", TODO, 11, ()),
    "a comment in it": (GIVEN.replace("= 0;", "= 0; // why?"), "failing", WRONG, 11, ()),
    "something else is edited": (f"#define LIMIT 3\n\n{GIVEN}", "failing", WRONG, 13, ()),
    "a syntax error": (
        RIGHT.replace("at++;", "at++"), "failing", f"line 16 of {OWN} does not build", 11,
        (OWN, None),
    ),
    "an open brace": (
        RIGHT.rstrip().rstrip("}"), "failing",
        f"line 12 of {OWN} does not build: `{{` is never closed", 11, (OWN, None),
    ),
    "an unknown name": (
        RIGHT.replace("text[at] = '", "word[at] = '"), "failing",
        f"line 18 of {OWN} does not build: `word` undeclared", 11, (OWN, None),
    ),
    "another type": (
        RIGHT.replace("int at = 0;", "char *at = 3.5;"), "failing",
        f"line 13 of {OWN} does not build", 11, (OWN, None),
    ),
    "a text for a letter": (
        RIGHT.replace("text[at] = '\\0';", 'text[at] = "end";'), "failing",
        f"line 18 of {OWN} does not build: assignment to `char` from `char *`", 11,
        (OWN, "int-conversion"),
    ),
    "one place too far": (
        RIGHT.replace("text[at] = '", "text[at + 1] = '"), "failing",
        'after `shorten("garden", text)`, `text` is "gar-", expected "gar"', 11, (),
    ),
    "another signature": (
        RIGHT.replace("char *text)", "char *text, int room)").replace("at < 3", "at < room"),
        "failing", "`shorten` does not fit its use `shorten(\"garden\", text)`", 11, (TEST, None),
    ),
    "a prototype alone": (
        "static inline void shorten(const char *place, char *text);\n", "failing",
        f"line 11 of {OWN} does not build: `shorten` is declared here, but its definition is",
        11, (OWN, None),
    ),
    "the function is deleted": (
        "#define LIMIT 3\n", "failing", GONE, 1, (TEST, "implicit-function-declaration"),
    ),
    "the file is emptied": ("", "failing", GONE, 1, (TEST, "implicit-function-declaration")),
    "it writes out of bounds": (
        RIGHT.replace("text[at] = '\\0'", "text[at + 9] = '\\0'"), "failing",
        "`shorten(\"garden\", text)` crashed", 11, (),
    ),
    "it ends the program": (
        RIGHT.replace("    int at", "    __builtin_trap();\n    int at"), "failing",
        '`shorten("garden", text)` crashed', 11, (),
    ),
    "it never ends": (
        RIGHT.replace("at++;", ""), "failing",
        '`shorten("garden", text)` did not finish within 4 s', 11, (),
    ),
    "mended in another way": (
        "#include <stdio.h>\n\nstatic inline void shorten(const char *place, char *text)\n{\n"
        '    snprintf(text, 4, "%s", place);\n}\n', "passing", "", 13, (),
    ),
    "by a loop of its own": (
        GIVEN.replace("int at = 0;", "for (int n = 0; n < 4; n++)\n        text[n] = 0;\n"
                      "    int at = 0;"), "passing", "", 11, (),
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return course(tmp_path_factory.mktemp("course"), "c", UnitKind.REPAIR)


@pytest.mark.first(1)
@pytest.mark.parametrize("name", STATES)
def test_the_mark_is_right_and_no_other_unit_loses_its_result(made, root, name):
    assert made.given.strip() == GIVEN.strip()
    check_state(made, root, STATES[name])


@pytest.mark.long("a build more; Python's stands for it in the fast run")
def test_without_its_comment_it_is_as_it_was(made, root):
    given, mended = look(made, root, GIVEN), look(made, root, RIGHT)
    assert (given.state, given.said, given.line, given.others) == ("todo", TODO, 1, FINE)
    assert (mended.state, mended.line) == ("passing", 1)


def test_its_errors_are_not_told_with_those_of_another_file(made, root):
    texts = made.texts(made.written(GIVEN.replace("at++;", "at++")))
    texts["src/weather.c"] = texts["src/weather.c"].replace("celsius * 9", "celsus * 9")
    put(root, texts)
    raw = asyncio.run(run(TOOLS["c"], root, made.exercise))
    assert raw.outcome == "build_error"
    assert {error.file for error in raw.build_errors} == {"src/weather.c"}
