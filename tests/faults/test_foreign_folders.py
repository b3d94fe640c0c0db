"""Exercise folders that somebody else made: one sentence, no link followed, nothing run."""

import asyncio
import contextlib
import os
import shutil
import socket

import pytest
from foreign_kit import learner_here, planted, refusal_of, watched, within

from tutor_lsp.core.errors import TutorError
from tutor_lsp.library.loader import BUNDLED
from tutor_lsp.tutor.starting.own_exercises import check_exercise

NAME = "python-functions-movie-night"
WITHIN_S = 5.0


def link(target):
    return lambda path: path.symlink_to(target)


def text(what):
    return lambda path: path.write_bytes(what if isinstance(what, bytes) else what.encode())


def holes(path):
    with path.open("wb") as stream:
        stream.truncate(20 << 30)


def unix_socket(path):
    with socket.socket(socket.AF_UNIX) as here, contextlib.chdir(path.parent):
        here.bind(path.name)  # the path as a whole is too long for a socket


def many(path):
    path.mkdir()
    for number in range(600):
        (path / f"f{number}.py").touch()


def deep(path):
    for _ in range(40):
        path = path / "d"
    path.mkdir(parents=True)
    (path / "x.py").touch()


def device(path):
    os.mknod(path, 0o666 | 0o020000, os.makedev(1, 5))  # /dev/zero


HOSTILE = {
    "a pipe for the lesson": ("LESSON.md", os.mkfifo, "LESSON.md is a pipe"),
    "a pipe for a stub": ("src/exercise/movie.py", os.mkfifo, "is a pipe"),
    "a pipe for a test": ("tests/test_movie.py", os.mkfifo, "is a pipe"),
    "a pipe for a hint": ("hints/ex-1.md", os.mkfifo, "is a pipe"),
    "a pipe for the list of units": ("exercise.toml", os.mkfifo, "is a pipe"),
    "a pipe beside the code": ("src/exercise/more.py", os.mkfifo, "is a pipe"),
    "a socket": ("src/exercise/more.py", unix_socket, "is a socket"),
    "a device": ("src/exercise/more.py", device, "is a device"),
    "20 GB of holes": ("src/exercise/more.py", holes, "is larger than"),
    "20 GB of lesson": ("LESSON.md", holes, "is larger than"),
    "a large list of units": ("exercise.toml", holes, "is larger than"),
    "a broken link": ("src/exercise/more.py", link("nowhere"), "is a link"),
    "a link to itself": ("src/exercise/more.py", link("more.py"), "is a link"),
    "a link to a folder above": ("src/exercise/up", link("../.."), "is a link"),
    "a link to a secret": ("tests/data.txt", link("/etc/passwd"), "is a link"),
    "a link to zeros": ("src/exercise/more.py", link("/dev/zero"), "is a link"),
    "a link for src": ("src", link("/usr/lib"), "src is a link"),
    "a link for the tests": ("tests", link("/"), "tests is a link"),
    "a link for the solution": ("solution", link("/"), "solution is a link"),
    "too many files": ("src/exercise/many", many, "more than 500 files"),
    "a deep folder": ("src/exercise/deep", deep, "is nested too deep"),
    "a name that is not text": (b"src/exercise/\xff.py", text(""), "cannot be shown"),
    "a line end in a name": ("src/exercise/a\nb.py", text(""), "cannot be shown"),
    "a reserved name": ("tests/con.py", text(""), "reserve"),
    "a list of units nested without end": ("exercise.toml", text("a=" + "[" * 99999), "too deep"),
    "a list of units with a dotted name": (
        "exercise.toml", text("a." * 60000 + "a=1"), "more than 100 dots",
    ),
    "a list of units that is none": ("exercise.toml", text(b"\xff\xfe"), "not UTF-8"),
    "a lesson that is not text": ("LESSON.md", text(b"\xff\n"), "not UTF-8"),
}  # fmt: skip


def hostile(tmp_path, case):
    """A library with one exercise in which one file is replaced, and what is said of it."""
    name, make, said = HOSTILE[case]
    folder = tmp_path / "library" / "python" / NAME
    shutil.copytree(BUNDLED / "python" / NAME, folder)
    planted(folder, tmp_path / "canary")
    path = folder / os.fsdecode(name)
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    make(path)
    return folder, said


@pytest.mark.first(14)
@pytest.mark.parametrize("case", HOSTILE)
async def test_check_exercise_refuses_it_and_runs_nothing(tmp_path, case):
    folder, said = hostile(tmp_path, case)
    async with learner_here(tmp_path / "home") as me, asyncio.timeout(30):
        with watched(folder) as ran, within(WITHIN_S):
            result = await check_exercise(me.app.services, folder)
    assert not result["ok"]
    assert len(result["findings"]) == 1
    assert said in result["findings"][0]["message"]
    assert len(result["findings"][0]["message"]) < 300
    assert not ran
    assert not (tmp_path / "canary").exists()


@pytest.mark.first(14)
@pytest.mark.parametrize("case", HOSTILE)
async def test_a_library_with_it_still_serves_and_runs_nothing(tmp_path, case):
    folder, _ = hostile(tmp_path, case)
    libraries = [str(folder.parents[1])]
    async with learner_here(tmp_path / "home", libraries=libraries) as me, asyncio.timeout(30):
        with watched(folder) as ran, within(WITHIN_S):
            refused = await refusal_of(me.start(node="python-functions"))
        if refused is None:  # the exercise is left out, and the bundled one opens
            assert not (tmp_path / "home" / "exercises" / NAME / "conftest.py").exists()
        else:
            assert refused.kind in ("BROKEN_EXERCISE", "UNTRUSTED")
            assert not (tmp_path / "home" / "exercises").exists()
        assert not ran
    assert not (tmp_path / "canary").exists()


COPIED = {
    case: row for case, row in HOSTILE.items()
    if not isinstance(row[0], bytes) and row[0].split("/")[0] in ("LESSON.md", "src", "tests")
}  # fmt: skip


@pytest.fixture(scope="module")
def theirs(tmp_path_factory):
    """An exercise folder of somebody else, as a tutor made it."""
    home = tmp_path_factory.mktemp("theirs")

    async def make():
        async with learner_here(home) as them:
            return (await them.start(node="python-functions"))["workspace"]

    return asyncio.run(make())


@pytest.mark.first(10)
@pytest.mark.parametrize("case", COPIED)
async def test_a_copied_folder_with_it_neither_hangs_nor_runs(theirs, tmp_path, case):
    name, make, _ = COPIED[case]
    folder = tmp_path / "cloned"
    shutil.copytree(theirs, folder)
    planted(folder, tmp_path / "canary")
    path = folder / name
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    make(path)
    async with learner_here(tmp_path / "home") as me, asyncio.timeout(30):
        with watched(folder, tmp_path / "home") as ran:
            for command in ("status", "check", "hint", "attempt", "restore"):
                with within(WITHIN_S):
                    await refusal_of(me.do(command, uri=folder.as_uri()))
        assert not ran
        kept = await me.app.services.db(lambda tx: [tx.exercise(s.id) for s in tx.sessions()])
        assert "root:" not in str(kept)
    assert not (tmp_path / "canary").exists()


MARKERS = {
    "nested without end": "[" * 100_000,
    "a number without end": "9" * 100_000,
    "another shape": "[]",
    "nothing": "",
    "another language": '"language": "python"|"language": "cobol"',
    "a unit that leads out": '"id": "ex-1"|"id": "../../../x"',
    "a file that leads out": '"file": "src/exercise/movie.py"|"file": "../../x.py"',
}


@pytest.mark.parametrize("case", MARKERS)
async def test_a_folder_with_a_strange_record_is_refused(theirs, tmp_path, case):
    folder = tmp_path / "cloned"
    shutil.copytree(theirs, folder)
    marker = folder / ".tutor" / "exercise.json"
    old, _, new = MARKERS[case].partition("|")
    marker.write_text(marker.read_text().replace(old, new, 1) if new else old)
    async with learner_here(tmp_path / "home") as me:
        with pytest.raises(TutorError) as caught:
            await me.do("status", uri=folder.as_uri())
        assert caught.value.kind == "BROKEN_EXERCISE"
        assert len(caught.value.message) < 500
        assert not await me.do("sessions")


async def test_a_linked_record_is_not_followed(theirs, tmp_path):
    folder = tmp_path / "cloned"
    shutil.copytree(theirs, folder)
    shutil.move(folder / ".tutor", tmp_path / "elsewhere")
    (folder / ".tutor").symlink_to(tmp_path / "elsewhere")
    async with learner_here(tmp_path / "home") as me:
        with pytest.raises(TutorError, match="is a link"):
            await me.do("status", uri=folder.as_uri())
