"""What tests of programs that fork share: exercises, and how such a run compares."""

import re
from dataclasses import replace

import pytest
from c_kit import LIMITS, make

from tutor_lsp.core.exercise.report import TestOutcome
from tutor_lsp.languages.c import tampering
from tutor_lsp.languages.c.run import CRun
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.process.contain import Contain
from tutor_lsp.process.forking import Forking

TOP = """\
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include "one.h"
#include "test.h"

/* `getppid`, with which a program would not fork. */
static int parent(void)
{
    int found = 0;
    FILE *file = fopen("/proc/self/stat", "r");
    if (!file || fscanf(file, "%*d (%*[^)]) %*c %d", &found) != 1)
        abort();
    fclose(file);
    return found;
}

/* How many there are, the guard and whoever forks for tests excepted. */
static int others(void)
{
    int found = 0, above = parent();
    DIR *all = opendir("/proc");
    for (struct dirent *each; (each = readdir(all));) {
        int process = atoi(each->d_name);
        found += process > 1 && process != getpid() && process != above;
    }
    closedir(all);
    return found;
}
"""


@pytest.fixture
async def contained():
    """A toolchain whose programs fork."""
    contain = Contain(level="namespaces")
    found = await contain.get()
    if not found.guarded:
        pytest.skip(f"not here: {found.why}")
    return toolchains(contain=contain)["c"]


@pytest.fixture
def started(monkeypatch):
    """A list with the name of each program that was started to fork."""
    names, init = [], Forking.__init__

    def starting(self, program, *rest):
        names.append(program.name)
        init(self, program, *rest)

    monkeypatch.setattr(Forking, "__init__", starting)
    return names


@pytest.fixture
def any_call(monkeypatch):
    """Programs fork whatever they call."""
    monkeypatch.setattr(tampering, "_NEVER_FORKED", frozenset())
    monkeypatch.setattr(tampering, "_SCHEDULING", "no such")


def one(folder, tests, source="int one(void) { return 1; }\n", main=""):
    """An exercise with these tests, whose `main` begins like that."""
    names = re.findall(r"void (test_\w+)", tests)
    runs = "".join(f"    RUN_TEST({name});\n" for name in names)
    text = f"{TOP}{tests}\nint main(void)\n{{\n{main}{runs}    TEST_SUMMARY();\n}}\n"
    files = {"src/one.h": "int one(void);\n", "src/one.c": f'#include "one.h"\n{source}'}
    return make(folder, {**files, "tests/test_one.c": text})


def plain(report):
    """The results without what differs from one run to the next."""
    found = []
    for test in report.tests:
        error = re.sub(r"\b0x[0-9a-f]+\b|==\d+==", "", test.error or "")
        found.append(replace(test, duration_ms=0.0, error=error, output=test.output[:200]))
    return found


def failed(report):
    """The results of what did not pass."""
    return [test for test in report.tests if test.outcome is not TestOutcome.PASSED]


async def both(tool, folder, monkeypatch, limits=LIMITS):
    """The report of forks, and that of a program for each test."""
    forked = await tool.run(folder, limits=limits)

    async def never(*_):
        return None

    with monkeypatch.context() as patch:
        patch.setattr(CRun, "_forked", never)
        return forked, await tool.run(folder, limits=limits)
