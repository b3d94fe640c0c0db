"""Records that somebody else wrote: refused with one sentence, or taken in without what runs."""

import asyncio
import json
import os
import re
import socket
from pathlib import Path

import pytest
from foreign_kit import learner_here, planted, refusal_of, watched, within

from tutor_lsp.tutor.learner.record.transfer.export import export
from tutor_lsp.tutor.learner.record.transfer.import_record import import_record

pytestmark = pytest.mark.xdist_group("foreign records")
NODE = "python-functions"
MiB = 1 << 20
WITHIN_S = 5.0


@pytest.fixture(scope="module")
def theirs(tmp_path_factory):
    """The text of somebody else's record, with code that leaves a canary."""
    place = tmp_path_factory.mktemp("theirs")

    async def make():
        async with learner_here(place / "home") as them:
            ready = await them.start(node=NODE)
            planted(Path(ready["workspace"]), place / "canary")
            await export(them.app.services, place / "record.json")

    asyncio.run(make())
    return (place / "record.json").read_text("utf-8"), place / "canary"


def only(table):
    return next(iter(table.values()))


def put(*path_and_value):
    """A change of one value of the record; `"*"` on the way is the one that is there."""
    *path, key, value = path_and_value

    def change(whole):
        for step in path:
            whole = only(whole) if step == "*" else whole[step]
        whole[next(iter(whole)) if key == "*" else key] = value

    return change


def file(name, text="x"):
    return put("files", "*", name, text)


def unit(key, value):
    return put("exercises", "*", "exercise", "units", 0, key, value)


def raw(text):
    return lambda whole: text


def special(make):
    """A path that is no plain file."""
    make.special = True
    return make


@special
def pipe(path):
    os.mkfifo(path)


@special
def unix_socket(path):
    with socket.socket(socket.AF_UNIX) as here:
        here.bind(str(path))


@special
def loop(path):
    path.symlink_to(path.name)


@special
def zeros(path):
    path.symlink_to("/dev/zero")


@special
def terminal(path):
    path.symlink_to("/dev/tty")


@special
def folder(path):
    path.mkdir()


@special
def sparse(path):
    with path.open("wb") as stream:
        stream.truncate(20 << 30)


@special
def broken_link(path):
    path.symlink_to("nowhere")


@special
def endless(path):
    path.symlink_to("/proc/kmsg")


REFUSED = {
    "pipe": (pipe, "is a pipe"),
    "socket": (unix_socket, "is a socket"),
    "link to itself": (loop, "is a link"),
    "/dev/zero": (zeros, "is a device"),
    "/dev/tty": (terminal, "is a device"),
    "folder": (folder, "is a folder"),
    "20 GB of holes": (sparse, r"is larger than 64 MiB \(the setting limits.importBytes\)"),
    "broken link": (broken_link, "does not exist"),
    "kernel's log": (endless, "cannot be read|no JSON|is not text"),
    "nothing": (raw(""), "valid JSON"),
    "zip": (raw(b"PK\x03\x04\xff\xfe"), "is not text"),
    "gzip": (raw(b"\x1f\x8b\x08\x00" + bytes(100)), "is not text"),
    "deep lists": (raw("[" * 3_000_000), "more than 2 million values"),
    "deeper than the stack": (raw("[" * 200_000 + "]" * 200_000), "nested too deep"),
    "just too deep": (raw("[" * 900 + "]" * 900), "nested too deep"),
    "many values": (raw("[" + "[]," * 15_000_000 + "1]"), "more than 2 million values"),
    "a long number": (raw("[" + "9" * 4000 + "]"), "a number of 4000 digits"),
    "a name twice": (raw('{"format": "x", "format": "tutor-lsp-record"}'), "appears twice"),
    "no number": (raw('{"format": NaN}'), "NaN isn't a JSON number"),
    "another file": (raw('{"a": 1}'), "not an exported record"),
    "a file above": (file("../../.bashrc"), "leads out"),
    "an absolute file": (file("/etc/cron.d/x"), "leads out"),
    "a file in between": (file("src/../../x"), "leads out"),
    "a backslash": (file("src\\x.py"), "leads out"),
    "a lone surrogate": (file("src/\ud800.py"), "cannot be shown"),
    "a line end in a name": (file("src/a\nb.py"), "cannot be shown"),
    "an escape in a name": (file("src/\x1b[2J.py"), "cannot be shown"),
    "a name that runs backwards": (file("src/\u202eyp.exe"), "cannot be shown"),
    "a long name": (file("src/" + "a" * 300), "too long"),
    "a long path": (file("src/" + "a/" * 600 + "b"), "too long|too deep"),
    "a deep path": (file("src/" + "a/" * 20 + "b.py"), "too deep"),
    "a device's name": (file("src/nul.py"), "reserve"),
    "names that differ in case": (file("src/exercise/MOVIE.py"), "cannot exist side by side"),
    "a file that is a folder": (file("src/exercise"), "cannot exist side by side"),
    "too many files": (
        lambda whole: only(whole["files"]).update({f"src/f{n}.py": "" for n in range(600)}),
        "limits.exerciseFiles",
    ),
    "too large": (file("src/big.py", "x" * MiB), "limits.fileBytes"),
    "too large in all": (
        lambda whole: only(whole["files"]).update(
            {f"src/f{n}.py": "x" * 200_000 for n in range(90)}
        ),
        "limits.exerciseBytes",
    ),
    "a lone surrogate in a text": (file("src/a.py", "\ud800"), "malformed"),
    "a folder elsewhere": (put("folders", "*", "../../x"), "folder name"),
    "a hidden folder": (put("folders", "*", ".ssh"), "folder name"),
    "a language elsewhere": (put("sessions", 0, "language", "../x"), "language"),
    "a session's id that leads out": (
        lambda whole: renamed(whole, "../../../../tmp/x"), "has the id",
    ),
    "a unit's id that leads out": (unit("id", "../../../../tmp/x"), "a unit is called"),
    "a unit elsewhere": (unit("file", "../../x.py"), "no stub file"),
    "a unit in a hidden folder": (unit("file", ".vscode/x.py"), "no stub file"),
    "no unit": (put("exercises", "*", "exercise", "units", []), "has 0 units"),
    "many units": (
        lambda whole: only(whole["exercises"])["exercise"].update(
            units=only(whole["exercises"])["exercise"]["units"] * 500
        ),
        "has 2000 units",
    ),
    "a number beyond all bounds": (put("sessions", 0, "attemptCount", 10**80), "attemptCount"),
    "a long version": (put("version", "9" * 3000), "is not a number from 1 up"),
    "files that are a number": (put("files", "*", 5), "malformed"),
    "an outcome that is none": (put("sessions", 0, "lastReport", {"outcome": 1}), "malformed"),
    "an event of no time": (put("events", 0, "at", "x" * 3000), "an event has the time"),
    "a text for a number": (put("sessions", 0, "attemptCount", "1"), "malformed"),
    "a list for an object": (put("sessions", []), "that is missing"),
    "an object for a list": (put("events", {}), "malformed"),
    "null for the files": (put("files", None), "malformed"),
    "hints that are none": (put("exercises", "*", "vault", "hints", {"ex-1": []}), "3 hints"),
    "a solution elsewhere": (put("exercises", "*", "vault", "solution", {"/x": ""}), "leads out"),
    "an original elsewhere": (put("exercises", "*", "vault", "originals", {"../x": ""}), "out"),
    "many sessions": (
        lambda whole: whole.update(sessions=whole["sessions"] * 3000), "2000 sessions",
    ),
}  # fmt: skip


def renamed(whole, name):
    whole["sessions"][0]["id"] = name
    for part in ("exercises", "folders", "files"):
        whole[part] = {name: only(whole[part])}


def written(path, text, change):
    if getattr(change, "special", False):
        change(path)
        return
    whole = json.loads(text)
    made = change(whole)
    made = json.dumps(whole) if not isinstance(made, str | bytes) else made
    path.write_bytes(made if isinstance(made, bytes) else made.encode("utf-8", "surrogatepass"))


@pytest.mark.first(28)
@pytest.mark.parametrize("case", REFUSED)
async def test_a_hostile_record_is_refused_with_one_sentence(theirs, tmp_path, case):
    text, canary = theirs
    change, said = REFUSED[case]
    path = tmp_path / "record.json"
    written(path, text, change)
    home = tmp_path / "home"
    async with learner_here(home) as me, asyncio.timeout(60):
        with watched(home) as ran, within(WITHIN_S):
            refused = await refusal_of(import_record(me.app.services, path))
        assert refused is not None
        assert refused.kind == "IMPORT"
        assert re.search(said, refused.message), refused.message
        assert "Nothing was changed" in refused.message
        assert len(refused.message) < 600
        assert "Error(" not in refused.message
        assert not ran
        assert not await me.do("sessions")
    assert not [path for path in home.rglob("*") if not path.name.startswith("tutor.db")]
    assert not canary.exists()


LEFT_OUT = {
    "an editor's tasks": (".vscode/tasks.json", ".vscode/"),
    "a hook": (".git/hooks/post-checkout", ".git/"),
    "direnv": (".envrc", ".envrc"),
    "an interpreter": (".venv/bin/python", ".venv/"),
    "an environment without a dot": ("src/env/pyvenv.cfg", "src/env/"),
    "a build script": ("build.rs", "build.rs"),
    "cargo's settings": (".cargo/config.toml", ".cargo/"),
    "another toolchain": ("rust-toolchain.toml", "rust-toolchain.toml"),
    "pytest's settings": ("pytest.ini", "pytest.ini"),
    "a root conftest": ("conftest.py", "conftest.py"),
    "compiled code": ("src/exercise/movie.cpython-311.pyc", "src/exercise/movie.cpython-311.pyc"),
    "a cache": ("src/exercise/__pycache__/movie.pyc", "src/exercise/__pycache__/"),
    "a shared object": ("tests/libc.so", "tests/libc.so"),
    "a hidden file among the tests": ("tests/.hidden.py", "tests/.hidden.py"),
    "the tutor's lock": (".tutor/lock", ".tutor/"),
    "notes": ("notes.txt", "notes.txt"),
}


@pytest.mark.parametrize("case", LEFT_OUT)
async def test_what_is_no_part_of_an_exercise_is_left_out_and_said(theirs, tmp_path, case):
    text, canary = theirs
    name, said = LEFT_OUT[case]
    path = tmp_path / "record.json"
    written(path, text, file(name))
    home = tmp_path / "home"
    async with learner_here(home) as me:
        with watched(home) as ran:
            taken = await import_record(me.app.services, path)
        root = Path((await me.do("sessions"))[0]["folder"])
        assert f"{root.name}/{said}" in taken["leftOut"]
        here = home / "imported" / root.name
        assert not (here / name).exists()
        assert (here / "tests" / "test_movie.py").exists()
        assert json.loads((here / ".tutor" / "exercise.json").read_text())["node"] == NODE
        assert not ran
    assert not canary.exists()


async def test_build_files_are_written_anew_in_folder_and_vault(theirs, tmp_path):
    text, _ = theirs
    whole = json.loads(text)
    only(whole["files"])["pyproject.toml"] = "[build-system]\nrequires = ['evil']\n"
    vault = only(whole["exercises"])["vault"]
    vault["originals"]["pyproject.toml"] = vault["originals"]["setup.py"] = "evil"
    path = tmp_path / "record.json"
    path.write_text(json.dumps(whole))
    async with learner_here(tmp_path / "home") as me:
        taken = await import_record(me.app.services, path)
        [session] = await me.app.services.db(lambda tx: tx.sessions())
        _, vault = await me.app.services.db(lambda tx: tx.exercise(session.id))
        assert taken["writtenAnew"] == [f"{Path(session.workspace).name}/pyproject.toml"]
        here = Path(session.workspace, "pyproject.toml").read_text()
        assert "evil" not in here
        assert vault.originals["pyproject.toml"] == here
        assert "setup.py" not in vault.originals
        assert not session.trusted


async def test_a_session_without_files_takes_no_other_ones_folder(theirs, tmp_path):
    text, _ = theirs
    whole = json.loads(text)
    whole["files"] = {}
    path = tmp_path / "record.json"
    path.write_text(json.dumps(whole))
    async with learner_here(tmp_path / "home") as me:
        mine = await me.start(node=NODE)
        await import_record(me.app.services, path)
        sessions = await me.app.services.db(lambda tx: tx.sessions())
        assert len({session.workspace for session in sessions}) == 2
        status = await me.do("status", uri=Path(mine["workspace"]).as_uri())
        assert status["session"]["id"] == mine["sessionId"]
