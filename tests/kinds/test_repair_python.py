"""A function in Python that is wrong and to be mended: what the learner sees of it on the way."""

from dataclasses import replace

import pytest
from kinds_kit import check_state, course, look

from tutor_lsp.core.exercise.exercise import UnitKind

GIVEN = """def warmest(days: list[int]) -> int:
    highest = 0
    for celsius in days:
        if celsius > highest:
            highest = celsius
    return highest
"""
RIGHT = GIVEN.replace("highest = 0", "highest = days[0]")
OWN, TEST = "src/exercise/warmest.py", "tests/test_warmest.py"
TODO, WRONG = "`warmest` is not mended yet", "`warmest([-4, -9])` gave 0, expected -4"
GONE = "`warmest` is not there, but the tests need it"
STATES = {
    "as it is given": (GIVEN, "todo", TODO, 9, ()),
    "white space": (GIVEN.replace(" = 0", "  =  0\n\n"), "todo", TODO, 9, ()),
    "half of it": (
        GIVEN.replace("highest = 0", "highest = -10"), "failing",
        "`warmest([-12])` gave -10, expected -12", 9, (),
    ),
    "right": (RIGHT, "passing", "", 9, ()),
    "the function is renamed": (
        RIGHT.replace("warmest", "hottest"), "failing", GONE, 1, (TEST, "ImportError"),
    ),
    "a comment in it": (GIVEN.replace(" = 0", " = 0  # why?"), "failing", WRONG, 9, ()),
    "something else is edited": (f"LIMIT = 3\n\n\n{GIVEN}", "failing", WRONG, 12, ()),
    "a syntax error": (
        GIVEN.replace("in days:", "in days"), "failing",
        f"line 11 of {OWN} does not build: expected ':'", 9, (OWN, "SyntaxError"),
    ),
    "an open bracket": (
        GIVEN.replace("= 0", "= days["), "failing",
        f"line 10 of {OWN} does not build: '[' was never closed", 9, (OWN, "SyntaxError"),
    ),
    "a bad indentation": (
        GIVEN.replace("            highest", "        highest = 1\n          highest"), "failing",
        f"line 13 of {OWN} does not build", 9, (OWN, "IndentationError"),
    ),
    "another name in it": (
        GIVEN.replace("= 0", "= first"), "failing",
        "`warmest([3, 9, 5])` raised NameError: name 'first' is not defined", 9, (),
    ),
    "another exception": (
        RIGHT.replace("days[0]", "days[9]"), "failing",
        "`warmest([3, 9, 5])` raised IndexError: list index out of range", 9, (),
    ),
    "the other way round": (
        RIGHT.replace(" > ", " < "), "failing", "`warmest([3, 9, 5])` gave 3, expected 9", 9, (),
    ),
    "the function is deleted": ("LIMIT = 3\n", "failing", GONE, 1, (TEST, "ImportError")),
    "the file is emptied": ("", "failing", GONE, 1, (TEST, "ImportError")),
    "nothing in it": (
        "def warmest(days):\n    pass\n", "failing", "`warmest([3, 9, 5])` gave None, expected 9",
        9, (),
    ),
    "a placeholder": (
        'def warmest(days):\n    raise NotImplementedError("warmest")\n', "todo", TODO, 9, (),
    ),
    "it never ends": (
        RIGHT.replace("    return", "    while True:\n        pass\n    return"), "failing", "", 9,
        (),
    ),
    "it raises at import": (
        f"{RIGHT}\n\nwarmest([])\n", "failing",
        f"line 10 of {OWN} raised IndexError: list index out of range", 9,
        (OWN, "IndexError"),
    ),
    "it exits at import": (f"{RIGHT}\n\nraise SystemExit\n", "failing", "", 9, (OWN, "SystemExit")),
    "mended in another way": (
        "def warmest(days):\n    return max(days)\n", "passing", "", 9, (),
    ),
    "by an import": (
        "from functools import reduce\n\n\ndef warmest(days):\n    return reduce(max, days)\n",
        "passing", "", 12, (),
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return course(tmp_path_factory.mktemp("course"), "python", UnitKind.REPAIR)


@pytest.mark.first(4)
@pytest.mark.parametrize("name", STATES)
def test_the_mark_is_right_and_no_other_unit_loses_its_result(made, root, name):
    assert made.given.strip() == GIVEN.strip()
    check_state(made, root, STATES[name])


def test_without_its_comment_it_is_as_it_was(made, root):
    given, mended = look(made, root, f"\n{GIVEN}"), look(made, root, RIGHT)
    assert (given.state, given.said, given.line) == ("todo", TODO, 2)
    assert (mended.state, mended.line) == ("passing", 1)


def test_what_is_mended_by_white_space_alone_passes(made, root):
    late = made.written(RIGHT.replace("    return", "        return"))
    starter = {**made.exercise.starter, OWN: late}
    other = replace(made, exercise=replace(made.exercise, starter=starter))
    assert look(other, root, late).state == "todo"
    assert look(other, root, made.written(RIGHT)).state == "passing"
