"""Runs that follow one another in one place: what one leaves is gone before the next begins."""

import asyncio
import os
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from processes import gone

from tutor_lsp.process.box import Area
from tutor_lsp.process.contain import Contain
from tutor_lsp.process.environment import child_environment
from tutor_lsp.process.places import Places
from tutor_lsp.process.run import run
from tutor_lsp.process.spec import Limits, Spec

LOOK = """
import ctypes, glob, os
libc = ctypes.CDLL(None, use_errno=True)
places = ["work", TMP, "/tmp", "/var/tmp", "/dev/shm"]
print(sorted(name for place in places for name in os.listdir(place) if name.startswith("left")))
print(open("given").read(), libc.shmget(77, 64, 0) >= 0, os.path.exists("work/given"))
print(len([pid for pid in os.listdir("/proc") if pid.isdigit()]))
"""
LEAVE = """
import ctypes, os, socket, subprocess
for place in ("work", TMP, "/tmp", "/var/tmp", "/dev/shm"):
    open(place + "/left", "w").write("x")
open("given", "w").write("changed")
os.remove("work/given")
open(REPORT + ".1", "w").write("said")
ctypes.CDLL(None).shmget(77, 64, 0o1600)
subprocess.Popen(["setsid", "sleep", "60"])
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    subprocess.run(["sleep", "60"])
"""
RIGHTS = """
import os, resource, subprocess
for name in ("/proc/1/mem", "/proc/1/environ", "/proc/1/ns/mnt", "/proc/1/fd/3", "/proc/1/root/x"):
    try:
        os.close(os.open(name, os.O_RDONLY))
        print("opened", name)
    except OSError as error:
        pass
os.kill(1, 9), os.kill(1, 19), os.kill(1, 15)
for line in open("/proc/self/status"):
    if line.startswith(("CapInh", "CapPrm", "CapEff", "CapAmb", "NoNewPrivs")):
        print(line.split())
print(resource.getrlimit(resource.RLIMIT_CPU), resource.getrlimit(resource.RLIMIT_FSIZE))
print([name for name in os.listdir("/proc/self/fd") if int(name) > 3])
for command in ("mount -t tmpfs none /mnt", "unshare -m true", "nsenter -t 1 -m true"):
    print(command, subprocess.run(command, shell=True, stderr=subprocess.DEVNULL).returncode != 0)
"""


@pytest.fixture
async def found():
    found = await Contain(level="namespaces").get()
    if found.level != "namespaces":
        pytest.skip(f"not here: {found.why}")
    yield found
    found.supervisor.close()


class Kit:
    """One place in a workspace, and runs of code there."""

    def __init__(self, found, folder):
        self.found, self.work, self.scratch = found, folder / "here", folder / "scratch"
        for each in (self.work / "work", self.scratch):
            each.mkdir(parents=True)
        (self.work / "given").write_text("given")
        (self.work / "work" / "given").write_text("given")
        self.all = self.scratch / "all"
        report = self.scratch / "report"
        area = Area(self.work, self.scratch, gathered=(report, self.all))
        self.head = f"TMP, REPORT = {str(self.scratch)!r}, {str(report)!r}\n"
        self.places = Places(found, self.spec(""), lambda: area)

    def spec(self, code, **options):
        argv = (sys.executable, "-c", code)
        return Spec(argv, self.work, child_environment(), **{"limit_s": 20, **options})

    async def run(self, code, **options):
        """What the code said, and what was gathered of it."""
        with self.places.one() as (area, guard):
            spec = self.found.apply(self.spec(self.head + code, **options), area, guard=guard)
            outcome = await run(spec)
            return outcome, self.all.read_text()


@pytest.fixture
def kit(found, tmp_path):
    made = Kit(found, tmp_path)
    with made.places:
        yield made


def guards(found):
    pid = found.supervisor._pid
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


async def test_nothing_of_a_run_is_there_for_the_next(kit, found, no_process_left):
    first, _ = await kit.run(LOOK)
    guard = guards(found)
    left, gathered = await kit.run(LEAVE)
    assert (left.returncode, gathered) == (0, "said"), left
    await gone(no_process_left)
    again, gathered = await kit.run(LOOK)
    assert (again.stdout, gathered) == (first.stdout, ""), again
    assert first.stdout.split(b"\n")[:2] == [b"[]", b"given False True"]
    assert guards(found) == guard, "it was another guard"


async def test_what_a_later_run_may_is_what_the_only_one_may(kit, found):
    alone = await run(found.apply(kit.spec(RIGHTS), Area(kit.work)))
    assert b"opened" not in alone.stdout
    assert b"False" not in alone.stdout, alone
    assert b"[]" in alone.stdout, alone  # no descriptor but its own
    await kit.run("")
    second, _ = await kit.run(RIGHTS)
    assert second.stdout.decode() == alone.stdout.decode()
    assert len(guards(found)) == 1


async def test_a_run_that_is_stopped_leaves_the_place_to_the_next(kit, found, no_process_left):
    stuck, _ = await kit.run(LEAVE + "while True: pass", limit_s=1)
    assert stuck.timed_out
    guard = guards(found)
    kit.places._free[0][1].link.send(b"9")  # a signal that came too late
    after, gathered = await kit.run("print('here')")
    assert (after.stdout, gathered, guards(found)) == (b"here\n", "", guard)
    missing, _ = await kit.run("import os; os._exit(3)")
    assert missing.returncode == 3
    await gone(no_process_left)


async def test_a_program_that_cannot_be_started_ends_no_place(kit, found):
    spec, program = kit.spec(""), kit.work / "program"
    program.write_text("no program")
    program.chmod(0o755)
    with kit.places.one() as (area, guard):
        outcome = await run(found.apply(replace(spec, argv=(str(program),)), area, guard=guard))
    assert outcome.returncode == 126
    after, _ = await kit.run("print('here')")
    assert after.stdout == b"here\n"
    assert len(guards(found)) == 1


async def test_a_guard_that_is_killed_is_followed_by_another(kit, found):
    await kit.run("")
    os.kill(int(guards(found)[0]), 9)
    lost, _ = await kit.run("print('here')")
    assert lost.returncode == -9
    after, _ = await kit.run("print('here')")
    assert after.stdout == b"here\n"


async def test_guards_end_with_their_places(kit, found):
    kit.places.make(3)
    assert not (await kit.run("import os; os._exit(0)"))[0].returncode
    assert len(guards(found)) == 3
    with kit.places:
        pass
    deadline = time.monotonic() + 5
    while guards(found):
        assert time.monotonic() < deadline
        await asyncio.sleep(0.005)


async def test_where_runs_can_reach_what_waits_nothing_does(tmp_path):
    found = await Contain(level="limits").get()
    kit = Kit(found, tmp_path)
    with kit.places:
        kit.places.make(2)
        assert not kit.places._free
        with kit.places.one() as (area, guard):
            assert (area.scratch, guard) == (kit.scratch, None)
            bounds = Limits(memory_bytes=4 * 1024**3)
            code = "import resource; print(resource.getrlimit(resource.RLIMIT_AS)[0])"
            outcome = await run(found.apply(kit.spec(code, limits=bounds), area, guard=guard))
    assert outcome.stdout == b"%d\n" % 4 * 1024**3 if False else outcome.stdout == b"4294967296\n"
