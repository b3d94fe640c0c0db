"""A test program that is loaded once and forks for each test: what it says and withstands."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from c_forked_kit import any_call, both, contained, failed, one, plain, started
from c_kit import LIMITS, make, needs_cc
from test_toolchain_c_run import ENDS, HEADER, TESTS

import tutor_lsp.library
from tutor_lsp.core.exercise.report import RunOutcome
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.process.contain import Contain

__all__ = ["any_call", "contained", "started"]
pytestmark = [needs_cc, pytest.mark.first(3), pytest.mark.xdist_group("cc")]

LIBRARY = Path(tutor_lsp.library.__file__).parent / "c"
LEAVES = {
    "here": 'close(open("left", O_CREAT | O_WRONLY, 0600))',
    "in_a_folder": 'close(open("src/left", O_CREAT | O_WRONLY, 0600))',
    "of_a_file": 'unlink("src/one.h")',
    "in_a_file": 'write(open("src/one.h", O_WRONLY), "/", 1)',
    "for_all": 'close(open("/tmp/left", O_CREAT | O_WRONLY, 0600))',
    "of_its_own": 'mkdir(strcat(strcpy(path, getenv("TMPDIR")), "/left"), 0700)',
    "in_memory": 'close(open("/dev/shm/left", O_CREAT | O_RDWR, 0600))',
    "as_a_queue": "msgget(17, IPC_CREAT | 0600)",
    "running": "if (fork() == 0) { setsid(); if (fork() == 0) pause(); _exit(0); }",
}
LEFT = """
void test_nothing_is_left(void)
{
    char path[4096], text[2] = "";
    TEST_ASSERT_EQ(-1, access("left", F_OK));
    TEST_ASSERT_EQ(-1, access("src/left", F_OK));
    TEST_ASSERT_EQ(-1, access("/tmp/left", F_OK));
    TEST_ASSERT_EQ(-1, access(strcat(strcpy(path, getenv("TMPDIR")), "/left"), F_OK));
    TEST_ASSERT_EQ(-1, access("/dev/shm/left", F_OK));
    TEST_ASSERT_EQ(1, read(open("src/one.h", O_RDONLY), text, 1));
    TEST_ASSERT_STR_EQ("i", text);
    TEST_ASSERT_EQ(-1, msgget(17, 0600));
    TEST_ASSERT_EQ(0, others());
}
"""


@pytest.mark.long("waits for a limit, twice")
async def test_a_fork_says_of_every_end_what_a_program_of_its_own_says(
    contained, tmp_path, monkeypatch, no_process_left
):
    folder = make(tmp_path, {"src/ends.c": ENDS, "src/ends.h": HEADER, "tests/test_ends.c": TESTS})
    limits = replace(LIMITS, test_s=1)
    forked, apart = await both(contained, folder, monkeypatch, limits)
    assert plain(forked) == plain(apart)
    assert len(forked.tests) > 10


def bundled(name):
    """The texts of a bundled exercise, and what its solution puts in their places."""
    folder = LIBRARY / name
    given = {
        path.relative_to(folder).as_posix(): path.read_text()
        for part in ("src", "tests")
        for path in (folder / part).rglob("*.[ch]")
    }
    solution = folder / "solution"
    paths = solution.rglob("*.[ch]")
    return given, {path.relative_to(solution).as_posix(): path.read_text() for path in paths}


@pytest.mark.long("builds each bundled exercise three times")
@pytest.mark.parametrize("name", sorted(path.name for path in LIBRARY.glob("c-*")))
async def test_of_bundled_exercises_forks_say_the_same(
    contained, tmp_path, monkeypatch, started, name
):
    given, solved = bundled(name)
    wrong = {
        path: text.replace(" < ", " <= ").replace(" + ", " - ") for path, text in solved.items()
    }
    for number, texts in enumerate((given, given | solved, given | wrong)):
        started.clear()
        folder = make(tmp_path / str(number), texts)
        forked, apart = await both(contained, folder, monkeypatch)
        assert (forked.outcome, plain(forked)) == (apart.outcome, plain(apart))
        if texts is given and 'kind = "declare"' in (LIBRARY / name / "exercise.toml").read_text():
            continue  # tests of what is not declared yet are not built
        assert forked.tests
        assert started


@pytest.mark.long("builds and runs an exercise for a rare case")
async def test_a_name_that_is_too_long_for_a_message_is_run(contained, tmp_path):
    long = "a" * 2000
    tests = f"void test_{long}(void) {{ TEST_ASSERT_EQ(1, one()); }}\n"
    report = await contained.run(one(tmp_path, tests), limits=LIMITS)
    assert report.outcome is RunOutcome.PASSED


async def test_nothing_that_a_test_leaves_is_there_for_the_next(
    contained, tmp_path, monkeypatch, started
):
    tests = "".join(
        f"void test_leaves_{name}(void)\n{{\n    char path[4096];\n    (void)path;\n"
        f"    {what};\n    TEST_ASSERT(1);\n}}\n{LEFT.replace('is_left', f'is_left_{name}')}"
        for name, what in LEAVES.items()
    )
    forked, apart = await both(contained, one(tmp_path, tests), monkeypatch)
    assert failed(forked) == []
    assert plain(forked) == plain(apart)
    assert len(started) > len(LEAVES)


async def test_tests_that_leave_nothing_share_a_program(contained, tmp_path, started):
    tests = "".join(
        f"void test_{each}(void) {{ TEST_ASSERT_EQ(1, one()); }}\n" for each in range(9)
    )
    report = await contained.run(one(tmp_path, tests), limits=LIMITS)
    assert report.outcome is RunOutcome.PASSED
    assert len(started) <= 2


HARM = {
    "kills": "kill(parent(), SIGKILL)",
    "stops": "kill(parent(), SIGSTOP)",
    "ends_all": "kill(-1, SIGKILL)",
    "crashes": "abort()",
}


@pytest.mark.sample("kills")
@pytest.mark.parametrize("harm", HARM)
async def test_a_test_cannot_take_what_another_one_says(contained, tmp_path, harm, no_process_left):
    tests = (
        "void test_before(void) { TEST_ASSERT_EQ(1, one()); }\n"
        f"void test_harm(void) {{ {HARM[harm]}; TEST_ASSERT_EQ(1, one()); }}\n"
        "void test_after(void) { TEST_ASSERT_EQ(1, one()); }\n"
        "void test_last(void) { TEST_ASSERT_EQ(2, one()); }\n"
    )
    limits = replace(LIMITS, test_s=1)
    report = await contained.run(one(tmp_path, tests), limits=limits)
    ended = {test.name: test.outcome for test in report.tests}
    del ended["test_harm"]
    assert ended == {"test_before": "passed", "test_after": "passed", "test_last": "failed"}


async def test_the_program_that_forks_cannot_be_reached_into(
    contained, tmp_path, started, any_call
):
    tests = """
static int opened(const char *what)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)parent(), what);
    return open(path, O_RDWR) >= 0;
}

void test_memory(void) { TEST_ASSERT_EQ(0, opened("mem")); }
void test_descriptors(void)
{
    char path[64];
    for (int fd = 0; fd < 20; fd++) {
        snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)parent(), fd);
        TEST_ASSERT_EQ(-1, open(path, O_RDONLY));
        TEST_ASSERT_EQ(-1, readlink(path, path, sizeof path));
    }
}
void test_traced(void) { TEST_ASSERT_EQ(-1, ptrace(PTRACE_ATTACH, parent(), NULL, NULL)); }
void test_its_own(void)
{
    TEST_ASSERT_EQ(1, prctl(PR_GET_DUMPABLE));
    TEST_ASSERT_EQ(-1, fcntl(5, F_GETFD) >= 0 && fcntl(6, F_GETFD) >= 0 ? 0 : -1);
    TEST_ASSERT_EQ(0, getenv("TUTOR_SERVE") != NULL);
    TEST_ASSERT_EQ(getpid(), getsid(0));
}
"""
    report = await contained.run(one(tmp_path, tests), limits=LIMITS)
    assert failed(report) == []
    assert started


@pytest.mark.long("fills more than a gigabyte of memory, twice")
async def test_too_much_memory_is_told_alike(contained, tmp_path, monkeypatch):
    tests = """
void test_small(void) { TEST_ASSERT_EQ(1, one()); }
void test_takes_all(void)
{
    memset(malloc(1000 << 20), 1, 1000 << 20);
    memset(malloc(100 << 20), 1, 100 << 20);
    pause();
}
void test_as_small(void) { TEST_ASSERT_EQ(1, one()); }
"""
    limits = replace(LIMITS, test_s=20)
    forked, apart = await both(contained, one(tmp_path, tests), monkeypatch, limits)
    assert plain(forked) == plain(apart)
    assert [test.outcome.value for test in forked.tests] == ["passed", "errored", "passed"]


@pytest.mark.long("compiles C for a case beside those that stand for it here")
async def test_what_main_does_before_the_tests_it_does_for_each(contained, tmp_path, monkeypatch):
    tests = (
        "static int count;\n"
        "void test_counts(void) { TEST_ASSERT_EQ(2, ++count); }\n"
        'void test_prints(void) { printf("more"); TEST_ASSERT_EQ(2, ++count); }\n'
    )
    folder = one(tmp_path, tests, main='    printf("begun %d ", errno);\n    count++;\n')
    forked, apart = await both(contained, folder, monkeypatch)
    assert [re.sub(r"\d+", "", test.output) for test in forked.tests] == ["begun  ", "begun  more"]
    assert plain(forked) == plain(apart)


@pytest.mark.long("builds and runs an exercise for a rare case")
async def test_a_function_with_the_name_of_a_system_call_is_not_taken_for_it(
    contained, tmp_path, started
):
    source = "int one(void) { return 1; }\nint recvmsg(void);\nint recvmsg(void) { return 0; }\n"
    tests = "void test_one(void) { TEST_ASSERT_EQ(1, one()); }\n"
    report = await contained.run(one(tmp_path, tests, source), limits=LIMITS)
    assert report.outcome is RunOutcome.PASSED
    assert not started


async def test_without_a_guard_each_test_has_a_program(tmp_path, started):
    tests = "void test_one(void) { TEST_ASSERT_EQ(1, one()); }\n"
    tool = toolchains(contain=Contain(level="landlock"))["c"]
    report = await tool.run(one(tmp_path, tests), limits=LIMITS)
    assert report.outcome is RunOutcome.PASSED
    assert not started
