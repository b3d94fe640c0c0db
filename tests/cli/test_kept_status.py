"""`status` says again what it said while nothing is different that it was made of."""

import json
import os
import pty
import sqlite3
import subprocess
import sys
import time

import pytest
from cli_tools import environment, until
from started_home import started

from tutor_lsp.cli.quick import kept

SHOWN = """
import atexit, sys
from tutor_lsp.cli.main import main
atexit.register(lambda: print("anew" if "asyncio" in sys.modules else "again", file=sys.stderr))
sys.exit(main())
"""
ANEW = "import sys; from tutor_lsp.cli.main import main; sys.exit(main(sys.argv[1:]))"
CHANGE = "INSERT INTO state VALUES (hex(randomblob(8)), '')"
NONE_ACTIVE = "DELETE FROM state WHERE name = 'active-session'"


def at_rest(home):
    """Wait until none of its files was written within a tick."""

    def since():
        found = [path.lstat() for path in home.rglob("*")]
        return time.time() - max(max(each.st_mtime, each.st_ctime) for each in found)

    until("its files are at rest", lambda: since() > 2 * kept.TICK_S)


class Status:
    """Asks in a process of its own, as a shell does."""

    def __init__(self, home, ready):
        self.home, self.folder = home, home.parent
        self.workspace = home.joinpath(ready["workspace"])
        self.source = self.workspace / ready["units"][0]["file"]
        self.env = environment(home)

    def run(self, code, *options):
        return subprocess.run(
            [sys.executable, "-c", code, "status", *options],
            capture_output=True, check=False, timeout=60, env=self.env, cwd=self.folder,
        )  # fmt: skip

    def __call__(self, *options):
        ran = self.run(SHOWN, *options)
        assert ran.returncode == 0
        return ran.stderr.decode().strip(), ran.stdout.decode()

    def settled(self, *options):
        """Ask until the answer is kept; its words."""
        at_rest(self.home)
        said = [self(*options), self(*options)]
        if said[1][0] == "anew":  # the first one changed something, such as its tests' results
            said.append(self(*options))
        assert said[-1][0] == "again"
        assert said[-1][1] == said[-2][1]
        return said[-1][1]


@pytest.fixture
def status(home, first_home):
    return Status(home, started(first_home, home))


@pytest.fixture
def settled(status):
    status.settled()
    return status


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def record(home, statement):
    with sqlite3.connect(home / "tutor.db") as base:
        base.execute(statement)
    base.close()


CHANGES = {
    "a stub": lambda s: write(s.source, s.source.read_text() + "\nX = 1\n"),
    "a file beside it": lambda s: write(s.source.with_name("more.py"), ""),
    "the lesson": lambda s: write(s.workspace / "LESSON.md", "# Other\n"),
    "a file that is gone": lambda s: s.source.unlink(),
    "the record": lambda s: record(s.home, NONE_ACTIVE),
    "the settings": lambda s: write(s.home / "config.toml", "plain = true\n"),
    "the coach's words": lambda s: write(s.workspace / ".tutor" / "coach.md", "x"),
    "a variable": lambda s: s.env.update(TUTOR_LSP_LAYOUT="simple"),
    "the language": lambda s: s.env.update(LANGUAGE="de"),
    "where the shell is": lambda s: setattr(s, "folder", s.workspace),
    "an exercise around it": lambda s: write(s.folder / "LESSON.md", "# x\n"),
    "the folder": lambda s: s.workspace.rename(s.workspace.with_name("other")),
}  # fmt: skip


@pytest.mark.sample("a stub", "the record", "a variable")
@pytest.mark.parametrize("change", CHANGES)
def test_it_is_made_anew_after_a_change(settled, change):
    CHANGES[change](settled)
    ran = settled.run(SHOWN)
    fresh = settled.run(ANEW)
    assert ran.stderr.decode().rstrip().endswith("anew")
    assert (ran.returncode, ran.stdout) == (fresh.returncode, fresh.stdout)


@pytest.mark.long("starts several processes for a rare case; the others here stand for it")
def test_a_new_program_may_be_a_model(status, tmp_path):
    (tmp_path / "bin").mkdir()
    status.env["PATH"] = f"{tmp_path / 'bin'}{os.pathsep}{status.env['PATH']}"
    status.settled()
    write(tmp_path / "bin" / "codex", "#!/bin/sh\nexit 1\n")
    assert status()[0] == "anew"


def test_each_form_has_its_own_answer(settled):
    words = settled()[1]
    said = settled.settled("--json")
    assert json.loads(said)["session"]["title"] == "Movie night"
    assert settled() == ("anew", words)


def test_it_holds_for_a_minute_at_most(settled):
    path = settled.home / ".cache" / "status.json"
    said = json.loads(path.read_text())
    for at in (said["at"] - kept.KEPT_S, said["at"] + kept.KEPT_S):
        path.write_text(json.dumps({**said, "at": at}))
        assert settled()[0] == "anew"


@pytest.mark.long("starts several processes for a rare case; the others here stand for it")
def test_what_is_damaged_is_made_anew(settled):
    words = settled()[1]
    path = settled.home / ".cache" / "status.json"
    for text in ("", "[]", '{"asked": 1}', path.read_text()[:-9]):
        path.write_text(text)
        assert settled() == ("anew", words)


def test_a_file_that_was_written_just_now_is_not_trusted(settled):
    """Its next change may leave its time as it is."""
    later = time.time() + 5
    os.utime(settled.source, (later, later))
    assert [settled()[0] for _ in range(3)] == ["anew"] * 3


@pytest.mark.long("starts several processes for a rare case; the others here stand for it")
def test_it_holds_beside_a_program_that_has_the_record_open(status):
    base = sqlite3.connect(status.home / "tutor.db", isolation_level=None)
    base.execute(CHANGE)
    try:
        status.settled()
        base.execute(CHANGE)
        assert status()[0] == "anew"
    finally:
        base.close()


@pytest.mark.long("starts several processes for a rare case; the others here stand for it")
def test_nothing_is_kept_where_no_exercise_is_open(settled):
    record(settled.home, NONE_ACTIVE)
    at_rest(settled.home)
    assert [settled()[0] for _ in range(2)] == ["anew"] * 2


@pytest.mark.long("starts several processes for a rare case; the others here stand for it")
def test_what_starts_a_program_is_not_kept(settled):
    """Another program may have looked at anything."""
    starting = SHOWN.replace("sys.exit(main())", """
import os, tutor_lsp.tutor.learner.onward as onward
def status(*given, usual=onward.reviews_due):
    pid = os.fork()
    if not pid:
        os._exit(0)
    os.waitpid(pid, 0)
    return usual(*given)
onward.reviews_due = status
sys.exit(main())""")  # fmt: skip
    (settled.home / ".cache" / "status.json").unlink()
    assert settled.run(starting).returncode == 0
    assert [settled()[0] for _ in range(2)] == ["anew", "again"]


@pytest.mark.long("starts several processes for a rare case; the others here stand for it")
def test_a_warning_is_said_each_time(settled):
    write(settled.home / "config.toml", "no_such_setting = 1\n")
    at_rest(settled.home)
    said = [settled()[0] for _ in range(2)]
    assert all("no_such_setting" in each and each.endswith("anew") for each in said)


def test_a_terminal_shows_the_same_again(settled):
    def shown():
        ours, theirs = pty.openpty()
        ran = subprocess.Popen(
            [sys.executable, "-m", "tutor_lsp", "status"],
            stdin=theirs, stdout=theirs, stderr=theirs,
            env={**settled.env, "TERM": "xterm"}, cwd=settled.folder,
        )  # fmt: skip
        os.close(theirs)
        text = b""
        while True:
            try:
                more = os.read(ours, 4096)
            except OSError:
                break
            if not more:
                break
            text += more
        os.close(ours)
        assert ran.wait(30) == 0
        return text

    first = [shown(), shown()]
    path = settled.home / ".cache" / "status.json"
    asked = json.loads(path.read_text())["said"]
    assert "\x1b[" in asked
    assert first[0] == first[1] == shown()
