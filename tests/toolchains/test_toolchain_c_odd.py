"""C exercises and compilers that are not as they should be."""

import os
import shutil
import sys

import pytest
from c_kit import LIMITS, TOOL, make, needs_cc, run
from toolchain_kit import check_missing_tool

from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome
from tutor_lsp.languages.c import compiler
from tutor_lsp.languages.c.files import harness
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.process.contain import Contain

pytestmark = [needs_cc, pytest.mark.xdist_group("cc")]


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


@pytest.mark.long("compiles C for a case beside those that stand for it here")
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


@pytest.mark.long("compiles C for a case beside those that stand for it here")
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


async def test_a_missing_main_is_of_the_file_that_has_none(tmp_path):
    head = '#include "test.h"\nint a(void);\n'
    test = "void test_{0}(void) {{ TEST_ASSERT(a()); }}\n"
    main = "int main(void)\n{{\n    RUN_TEST(test_{0});\n    TEST_SUMMARY();\n}}\n"
    files = {"src/a.c": "int a(void) { return 1; }\n"}
    workspace = make(tmp_path, files)
    for name, end in (("a", main), ("b", ""), ("c", main)):
        text = head + (test + end).format(name)
        (workspace / "tests" / f"test_{name}.c").write_text(text)
    report, _ = await run(workspace)
    assert [error.file for error in report.build_errors] == ["tests/test_b.c"]


@pytest.mark.long("runs tests several times; others here stand for it")
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


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (None, "no C compiler was found"),
        ("echo 'cc: it is broken' >&2; exit 1", "it is broken"),
    ],
)
async def test_a_missing_or_broken_compiler_names_the_remedy(tmp_path, monkeypatch, script, said):
    cc, make_status = await check_missing_tool(
        monkeypatch, tmp_path, "c", "cc", script, said, "gcc or clang"
    )
    assert (cc.found, cc.works) == (script is not None, False)
    assert (make_status.found, make_status.works) == (False, True)


@pytest.mark.parametrize(
    ("platform", "apt", "user", "lines"),
    [
        ("darwin", False, 501, ["xcode-select --install"]),
        ("linux", True, 1000, ["sudo apt install gcc"]),
        ("linux", True, 0, ["apt install gcc"]),
        ("linux", False, 1000, []),
    ],
)
def test_what_installs_a_compiler_is_what_this_machine_has(monkeypatch, platform, apt, user, lines):
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}" if apt else None)
    assert [mend.line for mend in compiler.mends()] == lines


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
