"""A forked run of other tests finds what a cold one finds."""

import json
import os
import sys

import pytest
from toolchain_kit import LIMITS, check_cancelling, python_exercise
from warm_python import warm

from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.process.contain import Contain

pytestmark = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="all runs are cold here")
FACTS = """
import gc, json, os, resource, signal, sys

def test_facts():
    with open("/proc/self/environ") as file:
        others_see = dict(each.split("=", 1) for each in file.read().split(chr(0)) if each)
    with open("/proc/self/cmdline") as file:
        words = [each for each in file.read().split(chr(0)) if each]
    names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE", "SIGXFSZ", "SIGCHLD")
    limits = ("RLIMIT_CORE", "RLIMIT_CPU", "RLIMIT_FSIZE", "RLIMIT_AS")
    with open("/proc/self/status") as file:
        kept_in = [line for line in file if line.startswith(("Cap", "NoNew", "Seccomp", "Uid"))]
    print(json.dumps({
        "cwd": os.getcwd(),
        "path": sys.path,
        "arguments": sys.argv,
        "flags": list(sys.flags),
        "hash": hash("a"),
        "signals": [repr(signal.getsignal(getattr(signal, name))) for name in names],
        "blocked": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ())),
        "limits": [resource.getrlimit(getattr(resource, name)) for name in limits],
        "files": sorted(set(os.listdir("/proc/self/fd")) & set("0123456789")),
        "leads": os.getsid(0) == os.getpgrp() == os.getpid(),
        "kept in": kept_in,
        "threshold": [gc.isenabled(), gc.get_threshold()],
        "ours": [name for name in sys.modules if name.startswith(("tutor", "_tutor", "forks"))],
        "environment": sorted(others_see),
        "the same": [name for name in others_see if os.environ[name] != others_see[name]],
        "command": words,
        "forked": any("loaded_pytest" in each for each in sys.orig_argv),
    }))
"""
WAITS = "import time\n\ndef test_that_waits():\n    time.sleep(60)\n"


def tool(level):
    contain = Contain(enabled=False) if level is None else Contain(level=level)
    return toolchains(contain=contain)["python"]


async def facts(level, workspace):
    report = await tool(level).run(workspace, limits=LIMITS)
    (test,) = report.tests
    assert test.outcome == "passed", test
    return json.loads(test.output)


@pytest.mark.parametrize("level", [None, "namespaces"])
async def test_it_finds_what_a_cold_one_finds(tmp_path, level):
    if level is not None and (await Contain(level=level).get()).level != level:
        pytest.skip(f"not here: {level}")
    workspace = python_exercise(tmp_path, "", FACTS)
    cold = await facts(level, workspace)
    with warm():
        forked = await facts(level, workspace)
    assert (cold.pop("forked"), forked.pop("forked")) == (False, True)
    assert forked == cold


async def test_what_is_left_of_it_would_be_found(tmp_path, no_process_left):
    workspace = python_exercise(tmp_path, "", WAITS)
    with warm():
        running = tool(None).run(workspace, limits=LIMITS)
        await check_cancelling(running, "run_tests.py", no_process_left)


async def test_another_python_is_started(tmp_path):
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\nexec {sys.executable} -B "$@"\n')
    python.chmod(0o755)
    workspace = python_exercise(tmp_path / "work", "", FACTS)
    other = toolchains({"python.interpreter": str(python)}, contain=Contain(enabled=False))
    with warm():
        report = await other["python"].run(workspace, limits=LIMITS)
    assert not json.loads(report.tests[0].output)["forked"]
