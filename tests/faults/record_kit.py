"""Homes whose record is lost, damaged or out of reach, and a terminal that is used on them."""

import ctypes
import io
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing, redirect_stderr, redirect_stdout
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from cli_tools import environment
from learner_kit import Desk
from started_home import moved

from tutor_lsp.cli.main import main
from tutor_lsp.core.session import Event
from tutor_lsp.store.database import open_store
from tutor_lsp.tutor.application.compose import compose
from tutor_lsp.tutor.services.frontend import Abilities

DAY = datetime.now().astimezone().strftime("%Y-%m-%d")
OFFER = f"`tutor-lsp restore --record` brings back the backup of {DAY} (1 session, 1 topic)"
PR_CAPBSET_DROP, DAC_OVERRIDE, DAC_READ_SEARCH = 24, 1, 2
PROGRAM = [sys.executable, "-m", "tutor_lsp"]


def other_day(days):
    return (datetime.now().astimezone() - timedelta(days=days)).strftime("%Y-%m-%d")


def terminal(home, *arguments):
    """A verb in this process: exit code, stdout, stderr."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main([*arguments, "--home", str(home)])
    assert "Traceback" not in err.getvalue()
    return code, out.getvalue(), err.getvalue()


def program(home, *arguments, before=None, wrapper=()):
    """A verb in a process of its own: exit code, stdout, stderr."""
    done = subprocess.run(
        [*wrapper, *PROGRAM, *arguments],
        env=environment(home),
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
        preexec_fn=before,
        cwd="/",
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


SEVERAL = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from tutor_lsp.cli.main import main
for arguments in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(arguments)
    print(json.dumps([code, out.getvalue(), err.getvalue()]))
"""


def programs(home, verbs, *, before=None, wrapper=()):
    """Several verbs one after the other in a process of their own: as `program`, for each."""
    done = subprocess.run(
        [*wrapper, sys.executable, "-c", SEVERAL, json.dumps(verbs)],
        env=environment(home),
        capture_output=True,
        check=True,
        text=True,
        timeout=60,
        preexec_fn=before,
        cwd="/",
    )
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert not any("Traceback" in err for _, _, err in found)
    return found


def sessions(home):
    """Ids of the sessions, none of them missing."""
    code, out, err = terminal(home, "sessions", "--json")
    assert code == 0, err
    return {session["id"] for session in json.loads(out)}


def ask(home, query, *values):
    with closing(sqlite3.connect(home / "tutor.db", isolation_level=None)) as connection:
        return connection.execute(query, values).fetchall()


def settle(home):
    """Take the log into the file, as the last program to close it does."""
    ask(home, "PRAGMA wal_checkpoint(TRUNCATE)")


def overwritten(home, offset, data):
    with (home / "tutor.db").open("r+b") as file:
        file.seek(offset)
        file.write(data)


def truncated(home, size):
    os.truncate(home / "tutor.db", size)


def gone(home):
    (home / "tutor.db").unlink()


empty = partial(truncated, size=0)


def log_only(home):
    """A server was killed with everything in the log, and then the file was emptied."""
    copy = home / "copy"
    copy.mkdir()
    with closing(sqlite3.connect(home / "tutor.db", isolation_level=None)) as connection:
        # Rewriting every page puts all of them into the log.
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("VACUUM")
        shutil.copy(home / "tutor.db-wal", copy / "wal")
    shutil.copy(copy / "wal", home / "tutor.db-wal")
    shutil.rmtree(copy)
    truncated(home, 0)


def replaced_by(home, make):
    (home / "tutor.db").unlink()
    make(home / "tutor.db")


def no_backups(home):
    shutil.rmtree(home / "backups")


def no_exercises(home):
    shutil.rmtree(home / "exercises")


def no_file_may_grow():
    """Every write to a file fails, for root too, as on a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def without_privileges():
    """Permissions hold for root too."""
    if os.geteuid() == 0:
        prctl = ctypes.CDLL(None, use_errno=True).prctl
        for capability in (DAC_OVERRIDE, DAC_READ_SEARCH):
            assert prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0


def readable_only(home):
    """Everybody may read everything below the home, and nobody may write."""
    for folder, _, files in os.walk(home, topdown=False):
        for name in files:
            Path(folder, name).chmod(0o444)
        Path(folder).chmod(0o555)


def namespaces_work():
    tried = subprocess.run(["unshare", "-Urm", "true"], capture_output=True, check=False)
    return tried.returncode == 0


def mounted(how, home):
    """The start of a command line that runs the rest with the home mounted otherwise."""
    steps = {
        "read-only": f"mount --bind {home} {home} && mount -o remount,bind,ro {home}",
        "full": f"rm -rf {home}.copy && cp -a {home} {home}.copy && "
        f"mount -t tmpfs -o size=4m none {home} && cp -a {home}.copy/. {home}/ && "
        f"(head -c 9000000 /dev/zero > {home}/fill; true)",
    }
    return ["unshare", "-Urm", "sh", "-c", f'{steps[how]} 2>/dev/null && exec "$@"', "sh"]


@pytest.fixture(scope="session")
def used(tmp_path_factory):
    """A home with an exercise, one attempt and a backup of today."""
    home = tmp_path_factory.mktemp("used") / "home"
    for verb in (("start", "--language", "python"), ("attempt",), ("claim", "python-strings")):
        code, _, err = terminal(home, *verb)
        assert code in (0, 3), err
    no_backups(home)
    with closing(open_store(home / "tutor.db")) as store:
        store.work(lambda tx: tx.log(Event("a write", {})))
    return home


@pytest.fixture
def home(used, tmp_path):
    """A copy of that home; its session's folder is where it was."""
    copy = tmp_path / "home"
    shutil.copytree(used, copy)
    moved(copy, used)
    settle(copy)
    return copy


def ids_of(home):
    """Ids of the sessions, as the record has them."""
    return [name for (name,) in ask(home, "SELECT id FROM sessions")]


async def tutor_of(home, monkeypatch, answers):
    """A tutor on that home, and the editor that answers its questions so."""
    for name, value in environment(home).items():
        monkeypatch.setenv(name, value)
    desk = Desk(abilities=Abilities(chooses=True), answers=list(answers))
    return desk, compose(desk)
