"""A run that is cancelled, as one of an older text is, takes everything that it started with it."""

import asyncio
import os
import signal
from pathlib import Path

import pytest
from c_kit import needs_cc
from processes import shown
from toolchain_kit import LIMITS, make

from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.process.contain import Contain

EXITING = 0x4
"""The flag of a process that has begun to end (PF_EXITING)."""
NAP = "3607"
"""Seconds that a test sleeps, by which it is found."""
PYTHON = {
    "src/exercise/naps.py": "import subprocess\n\n"
    f"def nap():\n    return subprocess.call(['sleep', '{NAP}'])\n",
    "tests/test_naps.py": "from exercise.naps import nap\ndef test_nap(): assert nap() == 0\n",
}
RUST = {
    "src/lib.rs": "pub fn nap() -> bool {\n"
    f'    std::process::Command::new("sleep").arg("{NAP}").status().is_ok()\n}}\n',
    "tests/naps.rs": "#[test]\nfn test_nap() { assert!(exercise::nap()); }\n",
}
C = {
    "src/naps.h": "int nap(void);\n",
    "src/naps.c": f'#include <stdlib.h>\n#include "naps.h"\n'
    f'int nap(void) {{ return system("sleep {NAP}"); }}\n',
    "tests/test_naps.c": '#include "naps.h"\n#include "test.h"\n'
    "void test_nap(void) { TEST_ASSERT_EQ(0, nap()); }\n"
    "int main(void) { RUN_TEST(test_nap); return TEST_SUMMARY(); }\n",
}
LONG_BUILD = {
    **RUST,
    "src/lib.rs": RUST["src/lib.rs"]
    + "const fn slow(n: u64) -> u64 { let (mut i, mut a) = (0, 0); while i < n { i += 1; a ^= i }"
    " a }\npub const SLOW: u64 = slow(1 << 40);\n",
}
"""Its compiler works for hours."""


def processes(mark):
    """The numbers of all processes that have the mark in their environment."""
    found = set()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if int(entry.name) != os.getpid() and mark in (entry / "environ").read_text("latin-1"):
                found.add(int(entry.name))
        except OSError:
            continue
    return found


def goes_on(pid):
    """Whether a process has neither ended nor been killed: a moment may pass between both."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False
    pending = [int(line.split()[1], 16) for line in status.splitlines() if "Pnd:" in line]
    killed = any(mask >> (signal.SIGKILL - 1) & 1 for mask in pending)
    return not (state[0] in "ZX" or int(state[6]) & EXITING or killed)


SLEEPS, BUILDS = f"sleep {NAP}", "rustc"
RUNS = [
    pytest.param("python", PYTHON, SLEEPS, id="python"),
    pytest.param("rust", RUST, SLEEPS, id="rust", marks=pytest.mark.cargo),
    pytest.param("rust", LONG_BUILD, BUILDS, id="build", marks=pytest.mark.cargo),
    pytest.param("c", C, SLEEPS, id="c", marks=needs_cc),
]


async def check_all_ends(tool, workspace, begun, mark):
    """Cancel a run once something in it has `begun`: when that is done, nothing of it goes on."""
    running = asyncio.create_task(tool.run(workspace, limits=LIMITS))
    try:
        await shown(begun, mark)
        started = processes(mark)
        assert any(map(goes_on, started))
    finally:
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
    assert {pid for pid in started if goes_on(pid)} == set()


@pytest.mark.sample("python-open", "python-contained", "rust-contained", "c-contained")
@pytest.mark.parametrize("contained", [False, True], ids=["open", "contained"])
@pytest.mark.parametrize(("language", "files", "begun"), RUNS)
async def test_nothing_of_a_cancelled_run_goes_on(
    tmp_path, no_process_left, contained, language, files, begun
):
    tool = toolchains(contain=Contain(enabled=contained))[language]
    await check_all_ends(tool, make(tmp_path, language, files), begun, no_process_left)


async def test_nothing_of_one_that_was_made_ready_goes_on(tmp_path, no_process_left):
    tool = toolchains(contain=Contain())["python"]
    workspace = make(tmp_path, "python", PYTHON)
    await tool.keep_ready(workspace, LIMITS)
    await check_all_ends(tool, workspace, SLEEPS, no_process_left)
