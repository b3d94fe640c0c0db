"""Looking at saved files five times a second: cheap while nothing happens, nothing is missed."""

import os
import shutil
import time

import pytest

from tutor_lsp.core.exercise.exercise import Exercise, Proof
from tutor_lsp.languages.python.toolchain import PythonToolchain
from tutor_lsp.tutor.exercise.folder import saved_texts
from tutor_lsp.tutor.exercise.folder.saved_texts import SavedFiles, read_saved

PYTHON = PythonToolchain()
GIVEN = ("src/exercise/a.py", "tests/test_a.py", "LESSON.md")
EXERCISE = Exercise(
    id="e", node="n", title="t", language="python", depth="D1", description="d", units=(),
    files=GIVEN, starter={GIVEN[0]: "x = 1\n"}, proof=Proof(True, True, 0, 0, 0, 0, {}, {}, {}),
)  # fmt: skip
DEADLINE_S = 30


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "one"
    for file in GIVEN:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(f"x = 1  # {file}\n")
    return folder


@pytest.fixture
def quiet(root):
    """Looked at until its files are old enough that their times tell of every change."""
    files = SavedFiles(root, EXERCISE, {}, PYTHON)
    end = time.monotonic() + DEADLINE_S
    while not files._quiet.signs:
        files.look()
        assert time.monotonic() < end
    return files


def same_times(path):
    """Another text of the same length, with the times of before."""
    before = path.stat()
    path.write_text(path.read_text().replace("x", "y"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def replaced(path):
    other = path.with_name("other")
    other.write_text("z = 3\n")
    other.replace(path)


CHANGES = {
    "written": lambda root: (root / GIVEN[0]).write_text("x = 2\n"),
    "its times put back": lambda root: same_times(root / GIVEN[0]),
    "replaced": lambda root: replaced(root / GIVEN[0]),
    "deleted": lambda root: (root / GIVEN[0]).unlink(),
    "lesson": lambda root: (root / "LESSON.md").write_text("# Other\n"),
    "a new source": lambda root: (root / "src/exercise/b.py").write_text("b = 1\n"),
    "a new test": lambda root: (root / "tests/test_b.py").write_text("b = 1\n"),
    "a folder of sources": lambda root: (
        (root / "src/more").mkdir(), (root / "src/more/c.py").write_text("c = 1\n")),
    "a name that tools load": lambda root: (root / "conftest.py").write_text("raise OSError\n"),
    "a folder that is gone": lambda root: shutil.rmtree(root / "src"),
    "a link in its place": lambda root: (
        (root / GIVEN[0]).unlink(), (root / GIVEN[0]).symlink_to(root / GIVEN[1])),
    "a folder that came back": lambda root: (
        shutil.move(root / "src", root.parent / "aside"),
        shutil.copytree(root.parent / "aside", root / "src"),
        (root / GIVEN[0]).write_text("back = 1\n")),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_is_seen_at_the_next_look(root, quiet, change):
    before = quiet.look()
    CHANGES[change](root)
    now = read_saved(root, EXERCISE, {}, PYTHON)
    assert now != before
    assert quiet.look() == now


def test_a_file_that_is_written_after_it_was_made_is_seen(root, quiet):
    new = root / "src" / "exercise" / "later.py"
    new.write_text("")
    quiet.look()
    new.write_text("later = 1\n")
    assert quiet.look().texts["src/exercise/later.py"] == "later = 1\n"


def test_nothing_is_looked_into_while_nothing_happens(quiet, monkeypatch):
    def looked(*_):
        raise AssertionError("a whole look")

    seen = quiet.look()
    monkeypatch.setattr(saved_texts, "signs_of", looked)
    for _ in range(10):
        assert quiet.look() is seen
