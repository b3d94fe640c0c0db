"""Real runs on small C exercises: every way in which a test can end, and what builds do."""

import asyncio
import os
import shutil
import subprocess
import time

import pytest
from c_kit import LIMITS, TOOL, files_of, make, needs_cc, run
from conftest import marked
from toolchain_kit import gone

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.core.report import Location, RunOutcome, TestOutcome
from tutor_lsp.process.contain import Contain
from tutor_lsp.toolchains.c_files import harness
from tutor_lsp.toolchains.registry import toolchains

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
    printf("fd %s\\n", getenv("TUTOR_WORD") ? "known" : "unknown");
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


async def test_the_limit_of_the_whole_run_ends_it(workspace):
    limits = RunLimits(total_s=1, test_s=60)
    report, tests = await run(workspace, tests=["test_hang"], limits=limits)
    assert report.duration_ms < 3000
    assert tests["test_hang"].outcome is TestOutcome.TIMEOUT


async def test_cancelling_leaves_no_process(workspace, no_process_left):
    limits = RunLimits(test_s=60)
    task = asyncio.create_task(TOOL.run(workspace, tests=["test_hang"], limits=limits))
    deadline = time.monotonic() + 20
    while not any("test_ends" in one for one in marked(no_process_left)):
        assert time.monotonic() < deadline
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await gone(no_process_left)


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


async def test_a_value_that_cannot_be_compared_is_told_in_the_test(tmp_path):
    workspace = make(
        tmp_path,
        {
            "src/a.c": "struct a { int x; };\nstruct a make(void) { return (struct a){1}; }\n",
            "tests/test_a.c": '#include "test.h"\n#include "a.h"\n\n'
            "void test_make(void)\n{\n    TEST_ASSERT_EQ(1, make());\n}\n",
        },
    )
    report, _ = await run(workspace)
    assert report.build_errors[0].file == "tests/test_a.c"
    assert report.build_errors[0].line == 6


async def test_a_function_that_is_gone_is_told_at_its_prototype(workspace):
    words = workspace / "src" / "words.c"
    words.write_bytes(WORDS.replace("länge", "laenge").encode())
    report, _ = await run(workspace)
    words.write_bytes(WORDS.encode())
    (error,) = report.build_errors
    assert report.outcome is RunOutcome.BUILD_ERROR
    assert (error.file, error.column) == ("src/words.h", 5)
    assert error.message == "`länge` is declared here, but its definition is missing"


async def test_warnings_are_counted_when_nothing_is_compiled_too(tmp_path):
    files = {"src/a.c": "int f(int a)\n{\n    int b;\n    return 1;\n}\n"}
    workspace = make(tmp_path, {**files, "tests/test_a.c": '#include "test.h"\n#include "a.h"\n'
                                "void test_f(void) { TEST_ASSERT_EQ(1, f(2)); }\n"})  # fmt: skip
    first, _ = await run(workspace)
    again, _ = await run(workspace)
    assert (first.outcome, first.warnings, again.warnings) == (RunOutcome.PASSED, 2, 2)


async def test_an_edited_test_h_is_put_back_and_plain_stubs_work(tmp_path):
    workspace = make(
        tmp_path,
        {
            "src/half.h": "#ifndef HALF_H\n#define HALF_H\nstatic inline int half(int number)\n{\n"
            "    (void)number;\n\n    return 0;\n}\n#endif\n",
            "tests/test_half.c": '#include "test.h"\n#include "half.h"\n'
            "void test_half_of_four(void) { TEST_ASSERT_EQ(2, half(4)); }\n",
        },
    )
    (workspace / "tests" / "test.h").write_text("#define TEST_ASSERT_EQ(a, b) (void)(b)\n")
    report, tests = await run(workspace)
    assert (report.outcome, tests["test_half_of_four"].right) == (RunOutcome.FAILED, "0")
    assert (workspace / "tests" / "test.h").read_text() == harness("test.h")
    header = workspace / "src" / "half.h"
    header.write_text(header.read_text().replace("return 0", "return number / 2"))
    report, _ = await run(workspace)
    assert report.outcome is RunOutcome.PASSED


async def test_a_main_that_forgets_a_test_and_one_that_is_missing(tmp_path):
    workspace = make(tmp_path, {"src/a.c": "int a(void) { return 1; }\n"})
    tests = workspace / "tests" / "test_a.c"
    head = '#include "test.h"\nint a(void);\nvoid test_a(void) { TEST_ASSERT(a()); }\n'
    tests.write_text(head + "int main(void)\n{\n    return a() - 1;\n}\n")
    _, found = await run(workspace)
    assert "RUN_TEST(test_a);" in found["test_a"].error
    tests.write_text(head)
    report, _ = await run(workspace)
    assert report.build_errors[0].message == "There is no `main` that runs the tests"


async def test_a_test_that_removes_what_the_others_need_does_not_end_the_run(tmp_path):
    tests = '#include "test.h"\n#include <stdlib.h>\nint two(void);\n' + "".join(
        f"void test_{number}(void)\n{{\n    TEST_ASSERT_EQ(0, "
        f'system("rm -rf build \\"$TMPDIR\\""));\n    TEST_ASSERT_EQ(2, two());\n}}\n'
        for number in range(6)
    )
    files = {"src/two.c": "int two(void) { return 2; }\n", "tests/test_all.c": tests}
    workspace = make(tmp_path, files)
    for _ in range(2):
        report, found = await run(workspace)
        assert report.outcome is RunOutcome.FAILED
        assert len(found) == 6
        assert {test.outcome.value for test in found.values()} == {"passed", "errored"}


async def test_no_tests_are_not_run_but_the_code_is_built(tmp_path):
    workspace = make(tmp_path, {"src/a.c": "int a(void) { return 1; }\n"})
    report, tests = await run(workspace)
    assert (report.outcome, tests) == (RunOutcome.NOT_RUN, {})
    assert "no tests" in report.reason
    (workspace / "src" / "a.c").write_text("int a(void) { return b; }\n")
    report, _ = await run(workspace)
    assert report.outcome is RunOutcome.BUILD_ERROR


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


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (None, "no C compiler was found"),
        ("echo 'cc: it is broken' >&2; exit 1", "it is broken"),
    ],
)
async def test_a_missing_or_broken_compiler_names_the_remedy(tmp_path, monkeypatch, script, said):
    workspace = make(tmp_path / "exercise", {"src/a.c": "", "tests/test_a.c": ""})
    folder = tmp_path / "bin"
    folder.mkdir()
    if script:
        (folder / "cc").write_text(f"#!/bin/sh\n{script}\n")
        (folder / "cc").chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    tool = toolchains(contain=Contain(enabled=False))["c"]
    with pytest.raises(TutorError) as caught:
        await tool.run(workspace)
    assert caught.value.kind == "TOOLCHAIN_MISSING"
    assert said in caught.value.message
    assert "gcc or clang" in caught.value.message
    cc, make_status = await tool.probe()
    assert (cc.found, cc.works) == (script is not None, False)
    assert (make_status.found, make_status.works) == (False, True)


async def test_without_sanitizers_crashes_are_told_by_their_signal(tmp_path, monkeypatch):
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "cc").write_text(
        '#!/bin/sh\ncase "$*" in *-fsanitize*) exit 1;; esac\n'
        f'exec "{shutil.which("cc") or shutil.which("gcc")}" "$@"\n'
    )
    (folder / "cc").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    tool = toolchains(contain=Contain(enabled=False))["c"]
    workspace = make(
        tmp_path / "exercise",
        {
            "src/a.c": "int follow(const int *place) { return *place; }\n",
            "tests/test_a.c": '#include "test.h"\n#include "a.h"\n'
            "void test_follow(void) { TEST_ASSERT_EQ(1, follow(NULL)); }\n",
        },
    )
    assert [(tool.name, tool.works) for tool in await tool.probe()][-1] == ("sanitizers", True)
    report = await tool.run(workspace, limits=LIMITS)
    (test,) = report.tests
    assert test.outcome is TestOutcome.ERRORED
    assert test.error == (
        "crashed: it used memory that is not its own, or ran out of stack (SIGSEGV)"
    )


async def test_the_probe_names_all_tools():
    cc, make_status, sanitizers = await TOOL.probe()
    assert cc.works
    assert cc.version[0].isdigit()
    assert (make_status.name, sanitizers.name) == ("make", "sanitizers")
