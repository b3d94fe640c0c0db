"""Keeping runs in: with bubblewrap where there is one, else with limits and a sweep."""

import asyncio
import contextlib
import io
import os
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from processes import gone
from processes import shown as shown_in

from tutor_lsp.process import leftovers, supervised
from tutor_lsp.process.box import Area, put_written
from tutor_lsp.process.contain import Contain, Containment
from tutor_lsp.process.containment.bubblewrap import boxed
from tutor_lsp.process.containment.hidden import hidden, shown
from tutor_lsp.process.containment.rows import rows
from tutor_lsp.process.environment import child_environment
from tutor_lsp.process.leftovers import MARK, kill_leftovers, server_mark
from tutor_lsp.process.priority import NICE, behind_all_else
from tutor_lsp.process.run import run
from tutor_lsp.process.spec import Spec


def spec(code, folder, **options):
    argv = (sys.executable, "-c", code)
    return Spec(argv, folder, child_environment(), **{"limit_s": 10, **options})


async def at_level(level):
    found = await Contain(level=level).get()
    if found.level != level:
        pytest.skip(f"not here: {found.why}")
    return found


def fake_bwrap(folder, script):
    program = folder / "bwrap"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return program


async def test_a_level_that_fails_falls_back_and_says_why(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert "bubblewrap: bwrap was not found" in (await Contain().get()).why or shutil.which("bwrap")
    fake_bwrap(tmp_path, "echo setting up uid map: Permission denied >&2; exit 1")
    found = await Contain().get()
    assert found.level != "bubblewrap"
    assert "Permission denied" in found.why


OLD_LIBC = """import os
def posix_spawn(*_, **__):
    raise NotImplementedError("setsid unavailable on this platform")
os.posix_spawn = posix_spawn
"""


async def test_a_libc_that_cannot_start_a_session_falls_back_and_says_why(monkeypatch):
    await at_level("namespaces")
    monkeypatch.setattr(supervised, "_MAIN", OLD_LIBC + supervised._MAIN)
    found = await Contain(level="namespaces").get()
    assert found.level != "namespaces"
    assert "setsid unavailable on this platform" in found.why


async def test_the_probe_runs_once_and_can_be_turned_off(tmp_path, monkeypatch):
    fake_bwrap(tmp_path, f"echo run >> {tmp_path}/count; exit 0")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    contain = Contain()
    first, second = await asyncio.gather(contain.get(), contain.get())
    assert first.level == "bubblewrap"
    assert first.isolated
    assert first is second is await contain.get()
    assert (tmp_path / "count").read_text() == "run\n"
    assert (await Contain(enabled=False).get()).level == "off"


ROWS = ["network", "files", "processes", "secrets", "server"]


@pytest.mark.parametrize("level", ["bubblewrap", "namespaces", "landlock", "limits"])
async def test_there_is_a_row_for_each_thing_that_can_be_kept_in(level):
    found = await at_level(level)
    told = found.status()
    assert [row.name for row in told] == [f"containment: {subject}" for subject in ROWS]
    if found.isolated:
        assert all(row.works and level in row.version for row in told)
    assert all(row.works or row.remedy.startswith("Not contained: ") for row in told)


def test_rows_say_only_what_a_kernel_can():
    old = {"landlock": 2, "network": False, "why_not": ""}
    works = {row.name.split()[-1]: row.works for row in rows("landlock", "", old)}
    assert works == {
        "network": False, "files": False, "processes": True, "secrets": True, "server": False,
    }  # fmt: skip
    assert not any(row.works for row in rows("off", "Turned off in the settings", None))


def marked_process(folder, mark):
    """A process that has the mark in its environment, as one that a server has left."""
    environment = {**child_environment(), MARK: mark}
    return subprocess.Popen(["sleep", "60"], env=environment, cwd=folder, start_new_session=True)


async def test_the_next_server_sweeps_what_a_dead_one_left(tmp_path):
    place, server = server_mark(tmp_path).split(":")
    dead = f"{place}:{os.getpid()}-1"
    others = server_mark(tmp_path / "other").split(":")[0]
    marks = [f"{dead}:run", f"{place}:{server}:run", f"{others}:{os.getpid()}-1:run", "odd"]
    started = [marked_process(tmp_path, mark) for mark in marks]
    try:
        await Contain(home=tmp_path, enabled=False).get()
        assert started[0].wait(10) == -signal.SIGKILL
        assert [each.poll() for each in started[1:]] == [None, None, None]
    finally:
        for each in started:
            each.kill()
            each.wait()


async def test_limits_are_set_where_nothing_isolates(tmp_path):
    code = (
        "import resource as r; print(r.getrlimit(r.RLIMIT_FSIZE)[0], r.getrlimit(r.RLIMIT_CPU)[0])"
    )
    held = Containment().apply(spec(code, tmp_path), Area(tmp_path))
    size, seconds = (await run(held)).stdout.split()
    assert int(size) == 256 * 1024 * 1024
    assert int(seconds) >= 11


async def test_what_left_the_group_is_swept_up(tmp_path, no_process_left):
    if not Path("/proc").is_dir():
        pytest.skip("only /proc tells what a process was started with")
    code = "import subprocess; subprocess.Popen(['sleep', '60'], start_new_session=True)"
    contained = Containment(mark="place:server")
    await run(contained.apply(spec(code, tmp_path), Area(tmp_path), token="one"))
    await shown_in("sleep", no_process_left)
    assert kill_leftovers("place:server:other") == 0
    await contained.clear("one")
    await gone(no_process_left)


@pytest.fixture
def process(tmp_path, monkeypatch):
    """The folder of a young process that shows no environment, the only one in /proc."""
    process = tmp_path / "4711"
    process.mkdir()
    (process / "environ").write_bytes(b"")
    (process / "exe").symlink_to("/bin/sleep")
    ticks = 100 * os.sysconf("SC_CLK_TCK")
    (process / "stat").write_text(f"4711 (a ) b) S {'0 ' * 18}{ticks} 0")
    (tmp_path / "uptime").write_text("101.5 90.0\n")
    monkeypatch.setattr(leftovers, "_PROC", tmp_path)
    return process


def test_what_is_still_being_started_is_waited_for(process, monkeypatch):
    """A process in the middle of exec shows no environment: one look at it finds nothing."""
    killed = []

    def kill(pid, number):
        killed.append((pid, number))
        shutil.rmtree(process)

    def exec_ends(_seconds):
        (process / "environ").write_bytes(b"A=b\0TUTOR_RUN=one\0")

    monkeypatch.setattr(leftovers.os, "kill", kill)
    monkeypatch.setattr(leftovers.time, "sleep", exec_ends)
    assert kill_leftovers("one") == 1
    assert killed == [(4711, signal.SIGKILL)]


def test_a_supervisor_is_not_waited_for(process, monkeypatch):
    """It never has an environment, and says whose it is in its arguments."""
    (process / "cmdline").write_bytes(b"python\0TUTOR_RUN=a:b:supervisor\0")
    slept = []
    monkeypatch.setattr(leftovers.time, "sleep", slept.append)
    assert kill_leftovers("one") == 0
    assert slept == []


@pytest.mark.parametrize(
    ("bwrap", "code", "said"),
    [
        (None, 3, "exit code 3"),
        (None, -9, "killed by SIGKILL (signal 9)"),
        (None, 137, "exit code 137"),
        ("bwrap", 137, "killed by SIGKILL (signal 9)"),
        ("bwrap", 0, "exit code 0"),
        (None, -250, "killed by signal 250"),
    ],
)
def test_endings_in_words(bwrap, code, said):
    assert Containment("bubblewrap" if bwrap else "limits").how_it_ended(code) == said


ESCAPES = """
import os, socket, subprocess, sys
def tried(name, action):
    try:
        action()
        print(name, "worked")
    except OSError:
        print(name, "refused")
tried("inside", lambda: open("inside", "w").write("x"))
tried("outside", lambda: open(sys.argv[1] + "/outside", "w").write("x"))
tried("network", lambda: socket.create_connection(("127.0.0.1", int(sys.argv[2])), 1))
subprocess.Popen(["sleep", "60"], start_new_session=True)
print(len([pid for pid in os.listdir("/proc") if pid.isdigit()]) < 6)
"""


@pytest.mark.parametrize("level", ["bubblewrap", "namespaces"])
async def test_files_network_and_processes_are_held(level, tmp_path, no_process_left):
    found = await at_level(level)
    folder = tmp_path / "ünïcode space"
    folder.mkdir()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = str(listening.getsockname()[1])
        one = spec(ESCAPES, folder)
        one = Spec((*one.argv, str(tmp_path), port), folder, one.env, 10)
        outcome = await run(found.apply(one, Area(folder)))
    inside, _, network, alone = outcome.stdout.decode().split("\n")[:4]
    assert (inside, network, alone) == ("inside worked", "network refused", "True"), outcome
    assert not (tmp_path / "outside").exists()
    assert not (folder / "inside").exists()  # it was written to a copy
    await gone(no_process_left)


HONEST = """
import asyncio, multiprocessing, os, pwd, socket, tempfile
ours, theirs = socket.socketpair()
ours.send(b"pair")
socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close()
print(theirs.recv(9).decode())
async def main():
    made = await asyncio.create_subprocess_exec("true")
    print(await made.wait(), await asyncio.to_thread(os.getpid) == os.getpid())
asyncio.run(main())
print(pwd.getpwuid(os.getuid()).pw_name != "")
if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(pool.map(abs, [-1, -2]))
"""


@pytest.mark.parametrize("level", ["bubblewrap", "namespaces", "landlock", "limits"])
async def test_honest_programs_are_not_hindered(level, tmp_path):
    found = await at_level(level)
    outcome = await run(found.apply(spec(HONEST, tmp_path), Area(tmp_path)))
    assert outcome.stdout.split(b"\n") == [b"pair", b"0 True", b"True", b"[1, 2]", b""], outcome


@pytest.mark.parametrize("keeps", [False, True], ids=["alone", "with what was written"])
@pytest.mark.parametrize("level", ["bubblewrap", "namespaces"])
async def test_files_of_the_temporary_folder_are_gathered(level, keeps, tmp_path):
    found = await at_level(level)
    work, scratch = tmp_path / "work", tmp_path / "scratch"
    work.mkdir()
    scratch.mkdir()
    code = f"for n in (1, 2): open({str(scratch)!r} + f'/report.{{n}}', 'w').write(f'said {{n}} ')"
    area = Area(
        work,
        scratch,
        gathered=(scratch / "report.", scratch / "all-report"),
        written=scratch / "written" if keeps else None,
    )
    await run(found.apply(spec(code, work), area))
    assert (scratch / "all-report").read_text() == "said 1 said 2 "


@pytest.mark.parametrize("level", ["namespaces", "landlock", "limits"])
async def test_why_a_start_fails_is_told_whatever_descriptors_it_gets(level, tmp_path):
    found = await at_level(level)
    with contextlib.ExitStack() as held:
        files = [held.enter_context((tmp_path / f"{n}").open("wb")) for n in range(50)]
        numbers = tuple(file.fileno() for file in files)
        with pytest.raises(OSError, match="No such file or directory"):
            await run(found.apply(spec("", tmp_path / "gone", pass_fds=numbers), Area(tmp_path)))
    assert {path.read_bytes() for path in tmp_path.iterdir()} == {b""}


@pytest.mark.parametrize("level", ["bubblewrap", "namespaces", "landlock", "limits"])
async def test_a_run_gets_no_descriptor_but_its_own(level, tmp_path):
    code = "import os; print(sorted(os.listdir('/proc/self/fd')))"
    held = os.open(os.devnull, os.O_RDONLY)
    os.set_inheritable(held, True)  # as some editors start a server
    try:
        found = await at_level(level)
        outcome = await run(found.apply(spec(code, tmp_path), Area(tmp_path)))
    finally:
        os.close(held)
    assert outcome.stdout == b"['0', '1', '2', '3']\n", outcome


WAITS_FOR_NICENESS = """
import os, time
end = time.monotonic() + 5
while (mine := os.getpriority(os.PRIO_PROCESS, 0)) != {nice} and time.monotonic() < end:
    time.sleep(0.01)
print(mine)
"""


@pytest.mark.parametrize("level", ["bubblewrap", "namespaces", "landlock", "limits"])
async def test_what_nobody_waits_for_gives_way_to_all_else(level, tmp_path):
    found = await at_level(level)
    own = os.getpriority(os.PRIO_PROCESS, 0)
    less = min(own + NICE, 19)

    def waits_for(nice):  # it may be set once the program runs
        code = WAITS_FOR_NICENESS.format(nice=nice)
        return run(found.apply(spec(code, tmp_path), Area(tmp_path)))

    with behind_all_else():
        begun = asyncio.create_task(waits_for(less))
    beside, behind = await asyncio.gather(waits_for(own), begun)
    assert (int(beside.stdout), int(behind.stdout)) == (own, less)


def archive(path, members):
    with tarfile.open(path, "w") as made:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            made.addfile(info, io.BytesIO(data))
        link = tarfile.TarInfo("link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        made.addfile(link)


def test_what_a_run_wrote_is_put_into_its_workspace_and_nowhere_else(tmp_path):
    area = Area(tmp_path / "work", written=tmp_path / "written")
    area.workspace.mkdir()
    put_written(area)  # nothing was written
    members = {"./seen.txt": b"x", "data/a": b"y", "../out": b"z", str(tmp_path / "abs"): b"z"}
    archive(area.written, members)
    put_written(area)
    found = {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file()}
    assert found == {"written", "work/seen.txt", "work/data/a"}
    area.written.write_bytes(b"no archive")
    put_written(area)


def test_large_folders_and_builds_are_read_where_they_lie(tmp_path):
    for name in ("src", "target", "data"):
        (tmp_path / name).mkdir()
    (tmp_path / "src" / "lib.rs").write_text("")
    with (tmp_path / "data" / "large").open("wb") as file:
        file.truncate(20 * 1024 * 1024)
    line = boxed("bwrap", ["true"], tmp_path, Area(tmp_path), (), ())
    shared = [line[at + 1] for at, word in enumerate(line) if word == "--ro-bind"]
    assert shared == ["/", str(tmp_path), f"{tmp_path}/data", f"{tmp_path}/target"]
    assert "'/dev/tutor/src'" in line[-3] or "/dev/tutor/src" in line[-3]
    assert line[-1] == "true"


def test_what_programs_need_is_shown_within_what_is_hidden(tmp_path):
    home = tmp_path / "me"
    for name in (".ssh", ".config/mise", ".config/other", "tutor/tools/bin"):
        (home / name).mkdir(parents=True)
    values = {"HOME": str(home), "PATH": f"{home}/tutor/tools/bin:/usr/bin"}
    covered = hidden({**values, "KUBECONFIG": f"{home}/k", "CODEX_HOME": "/"}, home / "tutor")
    real = Path(os.path.realpath(home))
    assert {f"{real}/.ssh", f"{real}/.config", f"{real}/tutor", f"{real}/k", "/run"} <= {*covered}
    assert "/" not in covered
    places = shown("/usr/bin/true", values, covered)
    assert {f"{real}/.config/mise", f"{real}/tutor/tools/bin"} == {
        place for place in places if place.startswith(f"{real}/")
    }
