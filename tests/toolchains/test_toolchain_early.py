"""Results that somebody waits for come before the rest of the run has ended."""

import asyncio
from dataclasses import replace

import pytest
from toolchain_kit import LIMITS, TOOLS, make

from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome
from tutor_lsp.core.ports import Early

PYTHON = {
    "src/exercise/words.py": "import time\n\n\ndef one():\n    return 1\n\n\n"
    "def two():\n    time.sleep(60)\n",
    "tests/test_words.py": "from exercise.words import one, two\n\n"
    "def test_one(): assert one() == 1\n\n"
    "def test_wrong(): assert one() == 2\n\n"
    "def test_two(): assert two() == 2\n",
}
RUST = {
    "src/lib.rs": "use std::{thread, time::Duration};\npub fn one() -> i32 { 1 }\n"
    "pub fn two() -> i32 { thread::sleep(Duration::from_secs(60)); 2 }\n",
    "tests/words.rs": "use exercise::{one, two};\n"
    "#[test]\nfn test_two() { assert_eq!(two(), 2); }\n"
    "#[test]\nfn test_one() { assert_eq!(one(), 1); }\n"
    "#[test]\nfn test_wrong() { assert_eq!(one(), 2); }\n",
}
C = {
    "src/words.h": "int one(void);\nint two(void);\n",
    "src/words.c": '#include <unistd.h>\n#include "words.h"\n'
    "int one(void) { return 1; }\nint two(void) { sleep(60); return 2; }\n",
    "tests/test_words.c": '#include "test.h"\n#include "words.h"\n'
    "void test_two(void) { TEST_ASSERT_EQ(2, two()); }\n"
    "void test_one(void) { TEST_ASSERT_EQ(1, one()); }\n"
    "void test_wrong(void) { TEST_ASSERT_EQ(2, one()); }\n"
    "int main(void) { RUN_TEST(test_two); RUN_TEST(test_one); RUN_TEST(test_wrong); return 0; }\n",
}
SOON = replace(LIMITS, test_s=1.5)
"""What never ends is not waited for any longer."""
EXERCISES = {"python": PYTHON, "rust": RUST, "c": C}
SLEEPS = {
    "time.sleep(60)": "return 2",
    "thread::sleep(Duration::from_secs(60));": "",
    "sleep(60);": "",
}
LANGUAGES = pytest.mark.parametrize(
    "language", ["python", "c", pytest.param("rust", marks=pytest.mark.cargo)]
)


def quick(language):
    """The exercise in which nothing sleeps."""
    files = EXERCISES[language]
    for sleeps, ends in SLEEPS.items():
        files = {name: text.replace(sleeps, ends) for name, text in files.items()}
    return files


async def run_with(language, workspace, tests):
    """The report, and what was told before there was one."""
    told = []
    early = Early(frozenset(tests), lambda tests: told.append((running.done(), tests)))
    running = asyncio.ensure_future(TOOLS[language].run(workspace, limits=SOON, early=early))
    return await running, told


@LANGUAGES
async def test_they_are_told_once_while_the_rest_goes_on(tmp_path, language):
    workspace = make(tmp_path, language, EXERCISES[language])
    report, told = await run_with(language, workspace, ["test_one", "test_wrong"])
    assert [(done, [(t.name, t.outcome) for t in tests]) for done, tests in told] == [
        (False, [("test_one", TestOutcome.PASSED), ("test_wrong", TestOutcome.FAILED)])
    ]
    final = {test.name: test for test in report.tests}
    assert final["test_two"].outcome is TestOutcome.TIMEOUT
    assert [final[t.name].left for t in told[0][1]] == [t.left for t in told[0][1]]


@pytest.mark.sample("python")
@LANGUAGES
async def test_nothing_is_told_where_nothing_else_is_left(tmp_path, language):
    workspace = make(tmp_path, language, quick(language))
    report, told = await run_with(language, workspace, ["test_one", "test_wrong", "test_two"])
    assert report.outcome is RunOutcome.FAILED
    assert told == []


async def test_what_reaches_into_the_run_is_told_by_the_report_alone(tmp_path):
    source = "import sys\n\ndef one():\n    return sys.modules\n\n\ndef two():\n    return 2\n"
    tests = (
        "from exercise.words import one, two\n\n"
        "def test_one(): assert one()\n\n"
        "def test_two(): assert two() == 2\n"
    )
    workspace = make(
        tmp_path, "python", {"src/exercise/words.py": source, "tests/test_words.py": tests}
    )
    report, told = await run_with("python", workspace, ["test_one"])
    assert report.outcome is RunOutcome.NOT_RUN
    assert told == []


@pytest.mark.cargo
async def test_errors_of_a_build_are_told_before_it_has_ended(tmp_path):
    workspace = make(tmp_path, "rust", quick("rust"))
    await TOOLS["rust"].run(workspace, limits=LIMITS)  # from now on rustc alone builds
    library = workspace / "src/lib.rs"
    library.write_text(library.read_text().replace("{ 1 }", '{ "one" }'))
    told = []
    early = Early(
        frozenset({"test_one"}),
        lambda _: told.append("tests"),
        lambda errors: told.append((running.done(), tuple(errors))),
    )
    running = asyncio.ensure_future(TOOLS["rust"].run(workspace, limits=LIMITS, early=early))
    report = await running
    assert report.outcome is RunOutcome.BUILD_ERROR
    assert told == [(False, report.build_errors)]
