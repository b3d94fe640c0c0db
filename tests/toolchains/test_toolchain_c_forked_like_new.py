"""A test that forks from a program finds what it would find in a program of its own."""

from dataclasses import replace

import pytest
from c_forked_kit import any_call, both, contained, failed, one, plain, started
from c_kit import LIMITS, needs_cc

from tutor_lsp.core.exercise.report import RunOutcome
from tutor_lsp.languages.c import run
from tutor_lsp.languages.c.compiler import FindCompiler
from tutor_lsp.languages.c.elf import Object, Symbol
from tutor_lsp.languages.c.tampering import may_fork

__all__ = ["any_call", "contained", "started"]
pytestmark = [needs_cc, pytest.mark.first(3), pytest.mark.xdist_group("cc")]

CHANGES = {
    "file_sizes": "limit(RLIMIT_FSIZE, 1 << 20)",
    "files": "limit(RLIMIT_NOFILE, 32)",
    "addresses": "limit(RLIMIT_AS, 1ULL << 50)",
    "niceness": "setpriority(PRIO_PROCESS, parent(), 19)",
    "order": "order(SCHED_BATCH)",
    "processors": "first_processor()",
}
CHANGED = """
int prlimit(int, int, const struct rlimit *, struct rlimit *);
int sched_setaffinity(int, size_t, const void *);
int sched_getaffinity(int, size_t, void *);
#ifndef SCHED_BATCH
#define SCHED_BATCH 3
#endif

static void limit(int which, rlim_t most)
{
    struct rlimit new = {most, most};
    TEST_ASSERT_EQ(0, prlimit(parent(), which, &new, NULL));
}

static void order(int how)
{
    struct sched_param none = {0};
    TEST_ASSERT_EQ(0, sched_setscheduler(parent(), how, &none));
}

static int many(void)
{
    unsigned long mask[128] = {0};
    int found = 0;
    sched_getaffinity(0, sizeof mask, mask);
    for (size_t each = 0; each < 128; each++)
        found += __builtin_popcountl(mask[each]);
    return found;
}

static void first_processor(void)
{
    unsigned long mask[128] = {0};
    sched_getaffinity(0, sizeof mask, mask);
    for (size_t each = 0; each < 128; each++)
        if (mask[each]) {
            unsigned long first[128] = {0};
            first[each] = mask[each] & -mask[each];
            TEST_ASSERT_EQ(0, sched_setaffinity(parent(), sizeof first, first));
            return;
        }
}

static void print_all(void)
{
    struct rlimit now;
    for (int which = 0; which < 16; which++)
        if (getrlimit(which, &now) == 0)
            printf("%d: %llu %llu\\n", which, (long long)now.rlim_cur, (long long)now.rlim_max);
    printf("%d %d %d\\n", getpriority(PRIO_PROCESS, 0), sched_getscheduler(0), many());
}
"""
REFUSED = (
    "mmap mmap64 mq_open shm_open prlimit prlimit64 setrlimit setpriority nice sched_setaffinity "
    "sched_setscheduler __sched_setparam syscall getppid ptrace process_vm_writev unshare mount "
    "chroot dlsym"
)


@pytest.fixture
def in_order(monkeypatch):
    """One test after the other, so that each would meet what the one before it left."""
    monkeypatch.setattr(run, "processors", lambda: 1)


async def test_what_a_test_changes_in_the_program_is_not_there_for_the_next(
    contained, tmp_path, started, any_call, in_order
):
    tests = "void test_at_first(void) { print_all(); TEST_ASSERT(0); }\n" + "".join(
        f"void test_changes_{name}(void) {{ {what}; }}\n"
        f"void test_after_{name}(void) {{ print_all(); TEST_ASSERT(0); }}\n"
        for name, what in CHANGES.items()
    )
    report = await contained.run(one(tmp_path, CHANGED + tests), limits=LIMITS)
    told = {test.name: test for test in report.tests}
    changed = [told[f"test_changes_{name}"].error for name in CHANGES]
    assert changed == [None] * len(CHANGES)
    first = told["test_at_first"].output
    assert len(first) > 100
    assert {told[f"test_after_{name}"].output for name in CHANGES} == {first}
    assert len(started) == 1 + len(CHANGES)


@pytest.mark.long("compiles C for a case beside those that stand for it here")
async def test_the_folders_above_are_as_before(contained, tmp_path, started, in_order):
    tests = """
void test_takes_rights(void) { TEST_ASSERT_EQ(0, chmod("..", 0)); }
void test_has_rights(void)
{
    struct stat above;
    TEST_ASSERT_EQ(0, stat("..", &above));
    TEST_ASSERT(above.st_mode & 0700);
}
"""
    report = await contained.run(one(tmp_path, tests), limits=LIMITS)
    assert failed(report) == []
    assert len(started) == 2


async def test_the_files_of_reports_are_as_before(contained, tmp_path, started, in_order):
    tests = """
static int all(int flags)
{
    char path[4096], *begin = strstr(getenv("ASAN_OPTIONS"), "log_path=") + 10, *name;
    *strchr(begin, '"') = 0;
    name = strrchr(begin, '/') + 1;
    snprintf(path, sizeof path, "%.*sall-%s", (int)(name - begin), begin, name);
    return open(path, flags);
}
void test_one(void) { TEST_ASSERT_EQ(3, write(all(O_WRONLY), "abc", 3)); }
void test_two(void)
{
    char bytes[8];
    TEST_ASSERT_EQ(0, read(all(O_RDONLY), bytes, sizeof bytes));
}
"""
    limits = replace(LIMITS, keeps_files=True)
    report = await contained.run(one(tmp_path, tests), limits=limits)
    assert failed(report) == []
    assert len(started) == 2


@pytest.mark.parametrize("name", REFUSED.split())
def test_with_some_calls_no_program_forks(name):
    plain = Symbol("printf", defined=False, local=False, indirect=False)
    assert may_fork(Object((plain,), (), 8), frozenset())
    called = replace(plain, name=name)
    assert not may_fork(Object((plain, called), (), 8), frozenset())


NOT_NEW = {
    "a_thread": "#include <pthread.h>\n"
    "static volatile int runs = 0;\n"
    "static void *run(void *none) { for (;; poll(NULL, 0, 1)) runs++; return none; }\n"
    "__attribute__((constructor)) static void start(void)\n"
    "{ pthread_t it; pthread_create(&it, NULL, run, NULL); }\n"
    "void test_it(void)\n"
    "{ int now = runs; while (runs == now) poll(NULL, 0, 1); TEST_ASSERT(1); }\n",
    "memory": "int posix_memalign(void **at, size_t by, size_t size)\n"
    "{ (void)at; (void)by; (void)size; return 1; }\n"
    "void test_it(void) { void *at; TEST_ASSERT_EQ(1, posix_memalign(&at, 8, 8)); }\n",
    "shared": "void test_it(void)\n"
    '{ TEST_ASSERT(mmap(NULL, 9, PROT_READ, MAP_SHARED, open("src/one.h", O_RDONLY), 0)); }\n',
    "its_parent": "void test_it(void) { TEST_ASSERT(getppid() > 0); }\n",
}


@pytest.mark.sample("shared")
@pytest.mark.parametrize("what", NOT_NEW)
async def test_what_a_fork_cannot_be_has_a_program_of_its_own(contained, tmp_path, started, what):
    report = await contained.run(one(tmp_path, NOT_NEW[what]), limits=LIMITS)
    assert failed(report) == []
    assert report.outcome is RunOutcome.PASSED
    assert not started


async def test_without_sanitizers_each_test_has_a_program(
    contained, tmp_path, started, monkeypatch
):
    get = FindCompiler.get

    async def plain_compiler(self):
        return replace(await get(self), sanitizes=False, linker=(), direct=())

    monkeypatch.setattr(FindCompiler, "get", plain_compiler)
    tests = "void test_one(void) { TEST_ASSERT_EQ(1, one()); }\n"
    report = await contained.run(one(tmp_path, tests), limits=LIMITS)
    assert report.outcome is RunOutcome.PASSED
    assert not started


async def test_a_program_that_was_stopped_is_noticed_in_time(contained, tmp_path, monkeypatch):
    tests = """
void test_stops(void) { kill(parent(), SIGSTOP); TEST_ASSERT_EQ(1, one()); }
void test_after(void) { TEST_ASSERT_EQ(2, one()); }
"""
    forked, apart = await both(contained, one(tmp_path, tests), monkeypatch)
    assert [test.outcome.value for test in forked.tests] == ["passed", "failed"]
    assert plain(forked) == plain(apart)


@pytest.mark.long("waits for a limit")
async def test_both_tries_of_a_test_share_its_time(contained, tmp_path):
    tests = """
void test_hangs(void)
{
    poll(NULL, 0, 1300);
    kill(parent(), SIGKILL);
    poll(NULL, 0, 1300);
}
"""
    report = await contained.run(one(tmp_path, tests), limits=replace(LIMITS, test_s=2))
    [test] = report.tests
    assert "did not finish within 2 s" in (test.error or "")
    assert test.duration_ms < 1300
