"""Running children: limits, streams, groups, cancelling, our own death."""

import asyncio
import gc
import os
import resource
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from processes import gone, marked

from tutor_lsp.process.environment import child_environment
from tutor_lsp.process.run import Capped, LineFeed, run, stream
from tutor_lsp.process.spec import Limits, ProgramNotFound, Spec


def shell(script, tmp_path, **options):
    argv = ("/bin/sh", "-c", script)
    return Spec(argv, tmp_path, child_environment(), **{"limit_s": 10, **options})


def python(code, tmp_path, **options):
    return replace(shell("", tmp_path, **options), argv=(sys.executable, "-c", code))


def spend(seconds):
    """Use processor time."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


class LongestCallback:
    """Processor time of the loop's longest callback: other load on the machine counts little."""

    seconds = 0.0


@pytest.fixture
def longest_callback(monkeypatch):
    longest = LongestCallback()
    run_callback = asyncio.events.Handle._run

    def timed(handle):
        started = time.thread_time()
        run_callback(handle)
        longest.seconds = max(longest.seconds, time.thread_time() - started)

    monkeypatch.setattr(asyncio.events.Handle, "_run", timed)
    gc.disable()  # what it collects is of the whole test run
    yield longest
    gc.enable()


async def until(condition, limit_s=10):
    deadline = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < deadline, "it never came true"
        await asyncio.sleep(0.01)


async def test_both_streams_and_the_code_come_back(tmp_path):
    outcome = await run(shell("pwd; echo wörter >&2; exit 3", tmp_path))
    assert outcome.returncode == 3
    assert outcome.stdout.decode().strip() == str(tmp_path.resolve())
    assert outcome.stderr.decode() == "wörter\n"
    assert not outcome.timed_out
    assert not outcome.truncated


async def test_stdin_is_what_was_given_and_else_empty(tmp_path):
    data = os.urandom(1_000_000)
    outcome = await run(shell("cat", tmp_path, stdin=data, output_bytes=2_000_000))
    assert outcome.stdout == data
    assert (await run(shell("cat; echo end", tmp_path))).stdout == b"end\n"
    unread = await run(shell("exit 0", tmp_path, stdin=data))
    assert unread.returncode == 0


async def test_a_merged_stream_keeps_the_order(tmp_path):
    outcome = await run(shell("echo a; echo b >&2; echo c", tmp_path, merge=True))
    assert (outcome.stdout, outcome.stderr) == (b"a\nb\nc\n", b"")


async def test_the_limit_ends_the_whole_group(tmp_path, no_process_left):
    outcome = await run(shell("sleep 60 & sleep 60", tmp_path, limit_s=0.2))
    assert outcome.timed_out
    assert outcome.returncode == -signal.SIGKILL
    assert outcome.duration_ms < 30_000
    await gone(no_process_left)


async def test_term_comes_first_where_grace_is_given(tmp_path):
    script = "trap 'echo bye; exit 7' TERM; while :; do sleep 0.05; done"
    deaf = "trap '' TERM; while :; do sleep 0.05; done"
    outcome, killed = await asyncio.gather(
        run(shell(script, tmp_path, limit_s=1.5, grace_s=20)),
        run(shell(deaf, tmp_path, limit_s=1.5, grace_s=0.2)),
    )
    assert (outcome.returncode, outcome.stdout, outcome.timed_out) == (7, b"bye\n", True)
    assert (killed.returncode, killed.timed_out) == (-signal.SIGKILL, True)


async def test_a_grandchild_that_holds_the_output_delays_nothing(tmp_path, no_process_left):
    outcome = await run(shell("sleep 60 & echo done", tmp_path))
    assert (outcome.stdout, outcome.timed_out) == (b"done\n", False)
    assert outcome.duration_ms < 30_000
    await gone(no_process_left)


async def test_a_python_without_waitid_ends_children_and_their_groups(
    tmp_path, no_process_left, monkeypatch
):
    monkeypatch.delattr(os, "waitid")  # as on macOS before 3.13
    outcome = await run(shell("sleep 60 & exit 3", tmp_path))
    assert (outcome.returncode, outcome.timed_out) == (3, False)
    outcome = await run(shell("sleep 60 & sleep 60", tmp_path, limit_s=0.2))
    assert (outcome.returncode, outcome.timed_out) == (-signal.SIGKILL, True)
    await gone(no_process_left)


async def test_cancelling_leaves_no_process(tmp_path, no_process_left):
    task = asyncio.create_task(run(shell("sleep 60 & sleep 60", tmp_path, grace_s=0.1)))
    await until(lambda: len([one for one in marked(no_process_left) if "sleep" in one]) >= 2)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await gone(no_process_left)


SERVER = """
import asyncio, sys
from pathlib import Path
from tutor_lsp.process.environment import child_environment
from tutor_lsp.process.run import run
from tutor_lsp.process.spec import Spec
asyncio.run(run(Spec(("/bin/sh", "-c", "sleep 60 & sleep 60"), Path("/"), child_environment(), 60)))
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_nothing_outlives_our_own_death(no_process_left, number):
    server = await asyncio.create_subprocess_exec(sys.executable, "-c", SERVER)
    try:
        await until(lambda: len([one for one in marked(no_process_left) if "sleep 60" in one]) >= 3)
    finally:
        server.send_signal(number)
        await server.wait()
    await gone(no_process_left)


async def test_a_flood_is_dropped_and_bounded_in_time_and_memory(tmp_path):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    script = "head -c 100000000 /dev/zero; printf end"
    outcome = await run(shell(script, tmp_path, output_bytes=1000, tail_bytes=10))
    assert len(outcome.stdout) == 1000
    assert outcome.stdout.endswith(b"\0end")
    assert outcome.truncated
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000  # kB


async def test_an_endless_flood_ends_at_the_limit(tmp_path):
    outcome = await run(shell("yes", tmp_path, output_bytes=100, limit_s=0.5))
    assert outcome.timed_out
    assert len(outcome.stdout) == 100
    assert outcome.duration_ms < 30_000


async def test_the_loop_is_not_kept_busy(tmp_path, longest_callback):
    """What keeps it busy does so in every round; other load only now and then."""

    async def longest():
        longest_callback.seconds = 0.0
        await run(shell("yes", tmp_path, output_bytes=100, limit_s=0.3))
        await run(shell("cat", tmp_path, stdin=bytes(5_000_000), output_bytes=10_000_000))
        await asyncio.gather(*(run(shell("exit 0", tmp_path)) for _ in range(5)))
        return longest_callback.seconds

    rounds = []
    while not rounds or (rounds[-1] >= 0.020 and len(rounds) < 10):
        rounds.append(await longest())
    assert min(rounds) < 0.020, rounds


async def test_a_busy_loop_would_be_seen(longest_callback):
    await asyncio.sleep(0)
    asyncio.get_running_loop().call_soon(spend, 0.020)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert longest_callback.seconds >= 0.020


async def test_lines_are_handed_on_as_they_come_however_long(tmp_path):
    seen = []
    script = "echo a; head -c 3000000 /dev/zero | tr '\\0' x; echo; printf 'b\\r\\n\\nc'"
    outcome = await stream(shell(script, tmp_path), seen.append)
    assert [len(line) for line in seen] == [1, 3_000_000, 1, 1]
    assert outcome.returncode == 0
    assert not outcome.truncated
    seen.clear()
    outcome = await stream(shell(script, tmp_path), seen.append, line_bytes=1000)
    assert seen == [b"a", b"b", b"c"]
    assert outcome.truncated


async def test_what_a_line_callback_raises_ends_the_child(tmp_path, no_process_left):
    def refuse(line):
        raise ValueError(line.decode())

    with pytest.raises(ValueError, match="y"):
        await stream(shell("yes", tmp_path), refuse)
    await gone(no_process_left)


async def test_a_missing_program_is_named(tmp_path):
    with pytest.raises(ProgramNotFound, match="no-such-program"):
        await run(replace(shell("", tmp_path), argv=("no-such-program",)))
    with pytest.raises(FileNotFoundError):
        await run(replace(shell("", tmp_path), cwd=tmp_path / "nowhere"))


def open_descriptors():
    return len(list(Path("/dev/fd").iterdir()))


async def test_no_descriptor_is_left_open(tmp_path):
    await run(shell("exit 0", tmp_path))
    gc.collect()  # earlier tests may have left some to the collector
    before = open_descriptors()
    for script, limit in (("exit 0", 5), ("sleep 60", 0.05), ("yes", 0.1)):
        await run(shell(script, tmp_path, limit_s=limit, stdin=b"x", output_bytes=10))
    with pytest.raises(ProgramNotFound):
        await run(replace(shell("", tmp_path), argv=("no-such-program",)))
    assert open_descriptors() == before


async def test_the_child_inherits_nothing_of_ours(tmp_path, monkeypatch):
    monkeypatch.setenv("RUST_BACKTRACE", "1")
    monkeypatch.setenv("SECRET_TOKEN", "x")
    monkeypatch.setenv("TZ", "UTC")
    read, write = os.pipe()
    os.set_inheritable(write, True)
    code = "import os; print(sorted(os.environ), sorted(map(int, os.listdir('/dev/fd')))[:-1])"
    said = (await run(python(code, tmp_path))).stdout.decode()
    os.close(read)
    os.close(write)
    assert "SECRET_TOKEN" not in said
    assert "RUST_BACKTRACE" not in said
    assert "'TZ'" in said
    assert said.strip().endswith("[0, 1, 2]")


async def test_the_child_has_its_own_session_and_sees_no_child_of_ours(tmp_path):
    code = (
        "import os\n"
        "print(os.getsid(0) == os.getpid() == os.getpgid(0))\n"
        "try: os.wait()\n"
        "except ChildProcessError: print('no children')"
    )
    outcome = await run(python(code, tmp_path))
    assert outcome.stdout.decode().split("\n")[:2] == ["True", "no children"]


async def test_resource_limits_hold(tmp_path):
    limits = Limits(cpu_s=1, file_bytes=8192, memory_bytes=400_000_000)
    code = (
        "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "try: bytearray(10**9)\n"
        "except MemoryError: print('memory')\n"
        "try:\n"
        "    with open('big', 'wb') as f: f.write(bytes(10**6))\n"
        "except OSError: print('file')\n"
    )
    outcome = await run(python(code, tmp_path, limits=limits))
    assert outcome.stdout.split() == [b"memory", b"file"]
    spins = await run(python("while True: pass", tmp_path, limits=limits))
    assert spins.returncode == -signal.SIGXCPU or spins.returncode == -signal.SIGKILL
    assert not spins.timed_out


def test_the_allow_list_takes_languages_and_named_extras():
    source = {"LC_ALL": "C", "LANG": "C", "HOME": "/h", "A": "1", "B": "2", "RUST_BACKTRACE": "1"}
    environment = child_environment({"X": "y"}, also=("A",), source=source)
    assert environment == {
        "LC_ALL": "C",
        "LANG": "C",
        "HOME": "/h",
        "A": "1",
        "X": "y",
        "PATH": os.defpath,
    }


@pytest.mark.parametrize("step", [1, 3, 100])
def test_head_and_tail_are_kept(step):
    data = bytes(range(100))
    kept = Capped(20, tail=5)
    for start in range(0, len(data), step):
        kept.feed(data[start : start + step])
    assert kept.value() == data[:15] + data[-5:]
    assert kept.dropped == 80
    small = Capped(20, tail=5)
    small.feed(data[:18])
    assert (small.value(), small.dropped) == (data[:18], 0)


@pytest.mark.parametrize("step", [1, 2, 5, 100])
def test_lines_are_cut_wherever_they_arrive(step):
    data, seen = b"ab\n\ncdefgh\nij\r\nk", []
    lines = LineFeed(seen.append, limit=5)
    for start in range(0, len(data), step):
        lines.feed(data[start : start + step])
    lines.finish()
    assert seen == [b"ab", b"ij", b"k"]
    assert lines.dropped == 1
