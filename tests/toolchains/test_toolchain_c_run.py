"""Real runs on small C exercises: every way in which a test can end, and what builds do."""

import os
import shutil
import subprocess

import pytest
from c_kit import LIMITS, TOOL, files_of, make, needs_cc, run
from toolchain_kit import check_cancelling

from tutor_lsp.core.exercise.report import Location, RunOutcome, TestOutcome
from tutor_lsp.core.ports import RunLimits

pytestmark = [needs_cc, pytest.mark.xdist_group("cc")]


ENDS = """\
#include "ends.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stub.h"

int fine(void) { printf("printed\\n"); return LIMIT; }

int stub(const char *text)
{
    (void)text;
    NOT_IMPLEMENTED("stub");
}

int hang(void)
{
    printf("before");
    for (;;) {
    }
}

int leave(void) { exit(0); }
int give_up(void) { abort(); }
int die(void) { kill(getpid(), SIGKILL); return 1; }
int follow(const int *place) { return *place; }

int past(int at)
{
    int *numbers = malloc(sizeof *numbers);
    numbers[at] = 1;
    free(numbers);
    return 1;
}

int flood(void)
{
    static char many[1 << 20];
    memset(many, 'y', sizeof many);
    for (int i = 0; i < 50; i++)
        fwrite(many, 1, sizeof many, stdout);
    return 1;
}

int forge(const char *name)
{
    for (int fd = 0; fd < 20; fd++)
        dprintf(fd, "word\\tpassed\\t\\t0\\t%s\\t\\nok 1 - %s\\n", name, name);
    printf("fd %s\\n", getenv("TUTOR_FD") ? "known" : "unknown");
    return 0;
}

int hold(void)
{
    if (fork() == 0) {
        sleep(60);
        _exit(0);
    }
    return 1;
}

int escape(void)
{
    if (fork() == 0) {
        setsid();
        if (fork() == 0)
            sleep(60);
        _exit(0);
    }
    return 1;
}

int both(void) { return fork() == 0 ? 2 : 1; }
int huge(void) { return malloc((size_t)1 << 40) == NULL; }
"""


HEADER = """\
#ifndef ENDS_H
#define ENDS_H
#define LIMIT 1
int fine(void);
int stub(const char *text);
int hang(void);
int leave(void);
int give_up(void);
int die(void);
int follow(const int *place);
int past(int at);
int flood(void);
int forge(const char *name);
int hold(void);
int escape(void);
int both(void);
int huge(void);
#endif
"""


CALLS = {
    "fine": "1, fine()",
    "stub": '1, stub("a")',
    "hang": "1, hang()",
    "leave": "1, leave()",
    "give_up": "1, give_up()",
    "die": "1, die()",
    "follow": "1, follow(NULL)",
    "past": "2, past(1)",
    "flood": "2, flood()",
    "forge": '1, forge("test_forge")',
    "hold": "1, hold()",
    "escape": "1, escape()",
    "both": "1, both()",
    "huge": "true, huge()",
}


TESTS = '#include <stdbool.h>\n#include "test.h"\n#include "ends.h"\n\n' + "".join(
    f"void test_{name}(void)\n{{\n    TEST_ASSERT_EQ({call});\n}}\n" for name, call in CALLS.items()
)


WORDS = """\
#include "words.h"\r
\r
int länge(const char *text)\r
{\r
	const char *ß = text; int n = 0;\r
    while (*ß++)\r
        n++;\r
    return n;\r
}\r
"""


WORDS_TESTS = """\
#include "test.h"
#include "words.h"

void test_later(void)
{
    int ä = länge("ä b");
    TEST_ASSERT_EQ(2, ä);
}
"""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    """One exercise that is built once; tests that change it put it back."""
    folder = tmp_path_factory.mktemp("with space") / "ünïcode"
    files = {
        "src/ends.c": ENDS,
        "src/ends.h": HEADER,
        "src/words.c": WORDS,
        "tests/test_ends.c": TESTS,
        "tests/test_words.c": WORDS_TESTS,
    }
    return make(folder, files)


@pytest.mark.long("waits for a limit")
async def test_no_way_of_ending_a_test_takes_the_others_along(workspace):
    report, tests = await run(workspace)
    assert {name: test.outcome.value for name, test in tests.items()} == {
        "test_fine": "passed",
        "test_stub": "failed",
        "test_hang": "timeout",
        "test_leave": "errored",
        "test_give_up": "errored",
        "test_die": "errored",
        "test_follow": "errored",
        "test_past": "errored",
        "test_flood": "failed",
        "test_forge": "failed",
        "test_hold": "passed",
        "test_escape": "passed",
        "test_both": "passed",
        "test_huge": "passed",
        "test_later": "failed",
    }
    assert report.outcome is RunOutcome.FAILED
    assert (report.warnings, report.build_errors, report.command) == (0, (), "make test")
    assert tests["test_fine"].output == "printed\n"
    assert tests["test_stub"].not_implemented
    assert tests["test_stub"].raised_at == Location("src/ends.c", 16)
    assert tests["test_hang"].output == "before"
    assert tests["test_leave"].error == "the run ended inside this test: exit code 0"
    assert "abort" in tests["test_give_up"].error
    assert tests["test_die"].error.endswith("killed by SIGKILL (signal 9)")
    assert "more was printed" in tests["test_flood"].output
    assert len(tests["test_flood"].output) < LIMITS.output_bytes + 20_000
    assert (tests["test_flood"].left, tests["test_flood"].right) == ("2", "1")
    assert "fd unknown" in tests["test_forge"].output
    later = tests["test_later"]
    assert (later.left, later.right, later.location) == (
        "2",
        "4",
        Location("tests/test_words.c", 7),
    )


async def test_sanitizers_name_the_line(workspace):
    if not (await TOOL.probe())[-1].found:
        pytest.skip("this compiler has no sanitizers")
    _, tests = await run(workspace, tests=["test_past", "test_follow"])
    past, follow = tests["test_past"], tests["test_follow"]
    assert past.raised_at == Location("src/ends.c", 34)
    assert "past the end of memory of 4 bytes" in past.error
    assert follow.raised_at == Location("src/ends.c", 29)
    files = files_of(workspace)
    said = TOOL.explain(follow, files, ["follow"]).message
    assert said.startswith("`follow(NULL)` crashed: it used a null pointer")


async def test_only_the_named_tests_run_but_all_are_listed(workspace):
    report, tests = await run(workspace, tests=["test_fine"])
    assert report.outcome is RunOutcome.PASSED
    ran = [name for name, test in tests.items() if test.outcome is not TestOutcome.NOT_RUN]
    assert (ran, len(tests)) == (["test_fine"], 15)
    report, _ = await run(workspace, tests=["test_nothing"])
    assert report.outcome is RunOutcome.NOT_RUN


@pytest.mark.long("waits for a limit")
async def test_the_limit_of_the_whole_run_ends_it(workspace):
    limits = RunLimits(total_s=4, test_s=60)
    report, tests = await run(workspace, tests=["test_hang"], limits=limits)
    assert report.duration_ms < 30_000
    assert tests["test_hang"].outcome is TestOutcome.TIMEOUT


async def test_cancelling_leaves_no_process(workspace, no_process_left):
    limits = RunLimits(test_s=60)
    running = TOOL.run(workspace, tests=["test_hang"], limits=limits)
    await check_cancelling(running, "test_ends", no_process_left)


async def test_a_changed_header_is_built_into_everything_that_includes_it(workspace):
    header = workspace / "src" / "ends.h"
    header.write_text(HEADER.replace("LIMIT 1", "LIMIT 2"))
    report, tests = await run(workspace, tests=["test_fine"])
    header.write_text(HEADER)
    assert (report.outcome, tests["test_fine"].right) == (RunOutcome.FAILED, "2")
    report, _ = await run(workspace, tests=["test_fine"])
    assert report.outcome is RunOutcome.PASSED


async def test_a_restored_file_that_is_older_than_the_build_is_built_again(workspace):
    words = workspace / "src" / "words.c"
    before = words.stat()
    words.write_bytes(WORDS.replace("int n = 0", "int n = -2").encode())
    os.utime(words, ns=(before.st_atime_ns, before.st_mtime_ns - 3600 * 10**9))
    report, tests = await run(workspace, tests=["test_later"])
    words.write_bytes(WORDS.encode())
    assert report.outcome is RunOutcome.PASSED, tests["test_later"]


async def test_build_errors_have_spans_in_code_points(workspace):
    words = workspace / "src" / "words.c"
    words.write_bytes(WORDS.replace("int n = 0", "int unused; int n = nope(ß)").encode())
    report, tests = await run(workspace)
    words.write_bytes(WORDS.encode())
    assert (report.outcome, tests, report.warnings) == (RunOutcome.BUILD_ERROR, {}, 1)
    (error,) = report.build_errors
    assert (error.file, error.line, error.column, error.end_column) == ("src/words.c", 5, 44, 48)
    assert error.code == "implicit-function-declaration"
    assert "`nope`" in error.message
    assert "src/words.c, line 5" in report.reason


async def test_what_a_header_lacks_is_told_at_the_header(workspace):
    header = workspace / "src" / "ends.h"
    header.write_text(HEADER.replace("int huge(void);", "int huge(void)"))
    report, _ = await run(workspace)
    header.write_text(HEADER)
    first = report.build_errors[0]
    assert (first.file, first.line, first.message) == ("src/ends.h", 17, "`;` is missing here")
    assert "src/ends.h, line 17" in report.reason


async def test_a_function_that_is_gone_is_told_at_its_prototype(workspace):
    words = workspace / "src" / "words.c"
    words.write_bytes(WORDS.replace("länge", "laenge").encode())
    report, _ = await run(workspace)
    words.write_bytes(WORDS.encode())
    (error,) = report.build_errors
    assert report.outcome is RunOutcome.BUILD_ERROR
    assert (error.file, error.column) == ("src/words.h", 5)
    assert error.message == "`länge` is declared here, but its definition is missing"


@pytest.mark.long("compiles C for a case beside those that stand for it here")
async def test_the_makefile_does_the_same_by_hand(workspace):
    if shutil.which("make") is None:
        pytest.skip("no make here")

    def by_hand(*words):
        return subprocess.run(["make", *words], cwd=workspace, capture_output=True, text=True)

    listed = by_hand("list").stdout
    assert [f"test_{name}" in listed for name in CALLS] == [True] * len(CALLS)
    passed = by_hand("test", "TEST=test_fine")
    assert (passed.returncode, "ok 1 - test_fine" in passed.stdout) == (0, True)
    assert "not ok 1 - test_leave" in by_hand("test", "TEST=test_leave").stdout
    failed = by_hand("test", "TEST=test_later test_stub test_past")
    assert failed.returncode == 2
    assert "# tests/test_words.c:7: expected 2, found 4\nnot ok 1 - test_later" in failed.stdout
    assert "# src/ends.c:16: stub is not written yet\nnot ok 1 - test_stub" in failed.stdout
    assert "# 0 of 2 passed" in failed.stdout
