"""Tests that a learner writes in C."""

import re

import pytest
from asked_kit import NOT_YET, asking, check_state, shown
from kinds_kit import FINE

FILE = "tests/test_span.c"
NONE = f"no tests are found in {FILE} yet"
USE = '#include "span.h"\n#include "test.h"\n\n#include <stddef.h>\n#include <stdlib.h>\n\n'
WEEK = "static const int week[] = {3, 9, 1}, cold[] = {-3, -9};\n\n"
GIVEN = "refuses the program that is given, in your"


def whole(code):
    """The code with what it needs above, and a `main` that runs its tests."""
    runs = "".join(f"    RUN_TEST({name});\n" for name in re.findall(r"void (test_\w+)", code))
    return f"{USE}{WEEK}{code}\nint main(void)\n{{\n{runs}    TEST_SUMMARY();\n}}\n"


def one(name, body, mark=""):
    """A test function; `mark` is put into its first line."""
    return f"void {name}(void){mark}\n{{\n    {body}\n}}\n"


MARK = " /* <- */"
ALL = "TEST_ASSERT_EQ(8, span(week, 3)); TEST_ASSERT_EQ(6, span(cold, 2));"
RIGHT = whole(one("test_span", f"{ALL} TEST_ASSERT_EQ(0, span(NULL, 0));", MARK))
STATES = {
    "right": (RIGHT, "passing", ""),
    "catches two": (
        whole(one("test_order", "TEST_ASSERT_EQ(8, span(week, 3));", MARK)), "failing",
        "accepts the right programs, catches 2 of 3: nothing notices what `span(NULL, 0)` gives",
    ),
    "always fails": (
        whole(one("test_never", f"TEST_ASSERT_EQ(7, span(week, 3));{MARK}")), "failing",
        f"{GIVEN} `test_never`: `span(week, 3)` gave 8, expected 7",
    ),
    "syntax error": (
        "void test_x( {  /* <- */\n}\n", "failing", f"line 12 of {FILE} does not build: ",
    ),
    "nothing": ("", "todo", NOT_YET),
    "blank": ("\n   \n\n", "todo", NOT_YET),
    "unrelated": ("#define LIMIT 3\n", "failing", NONE),
    "no test function": (
        USE + "int check(void)\n{\n    return span(NULL, 0);\n}\n", "failing", NONE,
    ),
    "always passes": (
        whole(one("test_all_is_well", "TEST_ASSERT(1);", MARK)), "failing",
        "accepts the right programs, catches 0 of 3: nothing notices what "
        "`span((const int[]){3, 9, 1}, 3)` gives",
    ),
    "catches one": (
        whole(one("test_nothing", "TEST_ASSERT_EQ(0, span(NULL, 0));", MARK)), "failing",
        "accepts the right programs, catches 1 of 3: nothing notices what "
        "`span((const int[]){3, 9, 1}, 3)` gives",
    ),
    "too strict": (
        whole("int own(void);\n\n" + one("test_code", (
            'FILE *code = fopen("src/span.c", "r"); char text[999] = ""; '
            "fread(text, 1, 998, code); fclose(code);\n"
            f'    TEST_ASSERT(strstr(text, "apart") == NULL);{MARK}'
        ))).replace("<stddef.h>\n", "<stddef.h>\n#include <stdio.h>\n#include <string.h>\n"),
        "failing",
        "refuses a right program: your `test_code` asks for more than the contract says",
    ),
    "wrong header": (
        '#include "spam.h" /* <- */\n', "failing", f"line 12 of {FILE} does not build: ",
    ),
    "wrong name": (
        whole(one("test_x", f"TEST_ASSERT_EQ(8, spam(week, 3));{MARK}")), "failing",
        f"line 22 of {FILE} does not build: ",
    ),
    "no main": (
        USE + WEEK + one("test_x", "TEST_ASSERT_EQ(8, span(week, 3));", ""), "failing",
        f"line 1 of {FILE} does not build: There is no `main` that runs the tests",
    ),
    "a test that main does not name": (
        RIGHT.replace(MARK, "") + one("test_other", "TEST_ASSERT(0);", MARK), "failing",
        f"{GIVEN} `test_other`: `main` does not run this test",
    ),
    "a loop that never ends": (
        whole(one("test_loop", "for (;;) {}", MARK)), "failing", f"{GIVEN} `test_loop`: ",
    ),
    "ends the process": (
        whole(one("test_exit", "exit(3);", MARK)), "failing", f"{GIVEN} `test_exit`",
    ),
    "a crash": (
        whole(one("test_abort", "abort();", MARK)), "failing", f"{GIVEN} `test_abort`",
    ),
    "a wrong pointer": (
        whole(one("test_null", f"TEST_ASSERT_EQ(8, span(NULL, 3));{MARK}")), "failing",
        f"{GIVEN} `test_null`",
    ),
    "a name of another unit": (
        whole(one("test_note_warns_of_frost", f"TEST_ASSERT(0);{MARK}")), "failing",
        f"{GIVEN} `test_note_warns_of_frost`",
    ),
    "a name of another source": (
        whole("int to_fahrenheit(int celsius)\n{\n    return celsius;\n}\n\n"
              + one("test_x", "TEST_ASSERT_EQ(8, span(week, 3));", MARK)),
        "failing", "your tests do not build: ",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def it(tmp_path_factory):
    return asking(tmp_path_factory.mktemp("asking"), "c")


@pytest.mark.first(1)
@pytest.mark.parametrize("name", STATES)
def test_each_state_has_its_mark_and_takes_nothing_from_others(it, root, name):
    check_state(it, root, STATES[name])


@pytest.mark.long("builds every program again; Python's stands for it in the fast run")
def test_without_its_comment_it_passes_all_the_same(it, root):
    seen = shown(it, root, RIGHT)
    assert (seen.state, seen.others) == ("passing", FINE)


@pytest.mark.long("builds again; Python's stands for it in the fast run")
def test_a_file_that_is_gone_is_said_to_be(it, tmp_path):
    seen = shown(it, tmp_path, None)
    assert (seen.state, seen.others) == ("failing", FINE)
    assert seen.said == f"{FILE} is gone; tutor.reset or tutor.restore puts it back"
