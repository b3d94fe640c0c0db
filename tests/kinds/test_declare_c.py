"""A struct, and a function with its signature, that are to be declared in C."""

import asyncio
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
from kinds_kit import (
    DECLARED,
    FINE,
    TOOLS,
    Course,
    check_gone,
    check_state,
    course,
    look,
    marks,
    put,
    run,
    states,
    with_second,
)
from states_c import RIGHT, STRUCT, WARMER

from tutor_lsp.authoring.proof.stubs import check_declared
from tutor_lsp.core.exercise.report import BuildError, RawReport, RunOutcome
from tutor_lsp.languages.registry import languages

OWN, TEST = "src/reading.h", "tests/test_reading.c"
NOT_YET = "`reading` is not declared yet"
STATES = {
    "nothing": ("", "todo", "`reading` is not written yet", 1, (TEST, None)),
    "unrelated": ("#define LIMIT 3\n", "failing", NOT_YET, 1, (TEST, None)),
    "half a head": ("struct\n", "failing", NOT_YET, 1, (TEST, None)),
    "open brace": (
        "struct reading {\n    int celsius;\n", "failing", f"line 12 of {OWN} does not build", 12,
        (OWN, None),
    ),
    "no semicolon": (
        STRUCT.replace("};", "}") + WARMER, "failing", f"line 15 of {OWN} does not build: "
        "the `;` is missing after the `}` of `struct reading`", 12, (OWN, None),
    ),
    "other name": (RIGHT.replace("reading", "measure"), "failing", NOT_YET, 1, (TEST, None)),
    "no values": (
        "struct reading { char none; };\n" + WARMER.replace("celsius", "none"), "failing",
        "the tests use `celsius` of `reading`, which is not declared", 12, (TEST, None),
    ),
    "a value less": (
        RIGHT.replace("    const char *place;\n", ""), "failing",
        "the tests use `place` of `reading`, which is not declared", 12, (TEST, None),
    ),
    "no function": (
        STRUCT, "failing", "the tests use `warmer`, which is not declared", 12,
        (TEST, "implicit-function-declaration"),
    ),
    "wrong signature": (
        STRUCT + WARMER.replace(", struct reading other", "").replace("other", "one"), "failing",
        "`reading` does not fit its use `TEST_ASSERT_STR_EQ(\"hall\", warmer(garden, hall).place)`",
        12, (TEST, None),
    ),
    "wrong type": (
        RIGHT.replace("static inline struct reading", "static inline int").replace(
            "? other : one", "? 1 : 0"
        ),
        "failing", "`reading` does not fit its use `", 12, (TEST, None),
    ),
    "unknown type": (
        RIGHT.replace("int celsius", "degrees celsius"), "failing",
        f"line 13 of {OWN} does not build: unknown type name `degrees`", 12, (OWN, None),
    ),
    "a body that does not fit": (
        RIGHT.replace("? other : one", "? other : 0"), "failing",
        f"line 19 of {OWN} does not build", 12, (OWN, None),
    ),
    "wrong answer": (
        RIGHT.replace(">", "<"), "failing",
        '`warmer(garden, hall).place` is "garden", expected "hall"', 12, (),
    ),
    "right": (RIGHT, "passing", "", 12, ()),
}  # fmt: skip

CALLED = """/*
 * Returns how many of the `count` temperatures are below `limit`: `colder(temperatures, 3, 0)`.
 *
 * ex-4 - First principle: a function has a signature
 * Read: LESSON.md, "Values that belong together"
 * Test: test_colder_counts
 * Start here: what is given, and what comes back?
 */
"""
CALLED_TESTS = """#include "../src/colder.c"
#include "test.h"

void test_colder_counts(void)
{
    const int temperatures[] = {-3, 4, -8};
    TEST_ASSERT_EQ(2, colder(temperatures, 3, 0));
}

int main(void)
{
    RUN_TEST(test_colder_counts);
    TEST_SUMMARY();
}
"""
COLDER = """int colder(const int *temperatures, int count, int limit)
{
    int found = 0;
    for (int at = 0; at < count; at++)
        found += temperatures[at] < limit;
    return found;
}
"""
IN_A_SOURCE = {
    "nothing": ("", "todo", 1),
    "a parameter less": (COLDER.replace(", int limit", "").replace("limit", "0"), "failing", 10),
    "no return type": ("colder(void)\n", "failing", 1),
    "open brace": ("int colder(int count)\n{\n", "failing", 10),
    "a main of its own": (COLDER + "int main(void) { return 0; }\n", "failing", 10),
    "a name that is taken": (COLDER + "int note(void) { return 0; }\n", "failing", 10),
    "a call of nothing": (COLDER.replace("found = 0", "found = other()"), "failing", 10),
    "right": (COLDER, "passing", 10),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return course(tmp_path_factory.mktemp("course"), "c")


@pytest.fixture(scope="module")
def in_a_source(made):
    """The same with a function that is declared in a source, which the tests include."""
    file, tests = "src/colder.c", "tests/test_colder.c"
    unit = replace(
        made.unit, stub="colder", file=file, test_file=tests, tests=("test_colder_counts",)
    )
    others = [each for each in made.exercise.units if each.id != DECLARED]
    files = {k: v for k, v in made.files.items() if k not in (made.unit.file, made.unit.test_file)}
    solution = {k: v for k, v in made.solution.items() if k != made.unit.file}
    starter = {**made.exercise.starter, file: CALLED}
    exercise = replace(made.exercise, units=(*others, unit), starter=starter)
    return Course(exercise, {**files, file: CALLED, tests: CALLED_TESTS}, solution)


@pytest.mark.sample("nothing", "wrong signature")
@pytest.mark.parametrize("name", STATES)
def test_the_mark_is_right_and_no_other_unit_loses_its_result(made, tmp_path, name):
    check_state(made, tmp_path, STATES[name])


@pytest.mark.long("compiles C for a case beside those that stand for it here")
@pytest.mark.first(1)
@pytest.mark.parametrize("name", IN_A_SOURCE)
def test_a_function_with_its_signature_stands_and_falls_alone(in_a_source, tmp_path, name):
    code, state, line = IN_A_SOURCE[name]
    shown = look(in_a_source, tmp_path, in_a_source.written(code))
    assert (shown.state, shown.line, shown.others) == (state, line, FINE), shown.said


@pytest.fixture(scope="module")
def two(made):
    given = CALLED.replace("ex-4", "ex-5")
    return with_second(made, "colder", "src/colder.c", given, "tests/test_colder.c", CALLED_TESTS)


NOTE = "int note(void) { return 0; }\n"
ELSEWHERE = {
    "a name that is taken": (RIGHT, COLDER + NOTE, {"ex_5": "failing"}),
    "by the other": (RIGHT + NOTE, COLDER, {"ex_4": "failing"}),
    "by both": (RIGHT + NOTE, COLDER + NOTE, {"ex_4": "failing", "ex_5": "failing"}),
    "a call of nothing": (
        RIGHT, COLDER.replace("found = 0", "found = other()"), {"ex_5": "failing"},
    ),
    "a main of its own": (RIGHT, COLDER + "int main(void) { return 0; }\n", {"ex_5": "failing"}),
    "the other not begun": ("", COLDER + NOTE, {"ex_4": "todo", "ex_5": "failing"}),
    "the other does not build": (
        "struct\n", COLDER + NOTE, {"ex_4": "failing", "ex_5": "failing"},
    ),
    "both right": (RIGHT, COLDER, {}),
}  # fmt: skip


@pytest.mark.sample("by both")
@pytest.mark.parametrize("name", ELSEWHERE)
def test_an_error_elsewhere_is_of_the_unit_without_which_it_builds(two, tmp_path, name):
    first, second, others = ELSEWHERE[name]
    texts = two.texts(two.written(first))
    texts["src/colder.c"] += f"\n{second}"
    shown, said = marks(two, tmp_path, texts)
    assert shown == states(**others), said


@pytest.mark.long("compiles C for a case beside those that stand for it here")
def test_an_error_that_is_of_none_of_them_stops_the_run(two, tmp_path):
    texts = two.texts(two.written(RIGHT))
    texts["src/colder.c"] += COLDER
    texts["src/weather.c"] += "\nint nowhere(void);\nint extra(void) { return nowhere(); }\n"
    put(tmp_path, texts)
    raw = asyncio.run(run(TOOLS["c"], tmp_path, two.exercise))
    assert (raw.outcome, raw.tests) == ("build_error", ())
    assert "nowhere" in raw.build_errors[0].message


@pytest.mark.long("builds again; Python's stands for it in the fast run")
@pytest.mark.first(1)
@pytest.mark.parametrize("file", [OWN, "src/colder.c"])
def test_a_file_that_is_gone_is_that_unit_s_alone(two, tmp_path, file):
    texts = two.texts(two.written(RIGHT))
    texts["src/colder.c"] += COLDER
    check_gone(two, tmp_path, texts, file)


def test_a_body_that_does_not_build_stops_the_run_as_ever(made, tmp_path):
    texts = made.texts(made.written("struct\n"))
    texts["src/weather.c"] = re.sub(r"celsius \* 9", "celsius * ", texts["src/weather.c"], count=1)
    put(tmp_path, texts)
    raw = asyncio.run(run(TOOLS["c"], tmp_path, made.exercise))
    assert raw.outcome == "build_error"
    assert {error.file for error in raw.build_errors} == {"src/weather.c"}


@pytest.mark.parametrize(
    ("said", "found"),
    [("raeding.h: No such file or directory", 1), ("`reading` undeclared", 0)],
)
def test_a_file_that_is_not_there_is_no_missing_name(made, said, found):
    trial = SimpleNamespace(units=made.exercise.units, dialect=languages()["c"].dialect())
    error = BuildError(TEST, 1, 10, 1, 11, None, said)
    report = RawReport(RunOutcome.FAILED, aside_errors=(error,))
    assert len(list(check_declared(trial, report))) == found
