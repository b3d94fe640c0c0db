"""Reading an exercise folder as a run would find it, odd entries included."""

import os

import pytest

from tutor_lsp.core.exercise.snapshot import TAKEN, UNSEEN
from tutor_lsp.languages.python.toolchain import PythonToolchain
from tutor_lsp.tutor.exercise.folder.disk import MOST_NEW, read_disk, signs_of

PYTHON = PythonToolchain()
GIVEN = ("src/exercise/a.py", "tests/test_a.py", "LESSON.md")


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "one"
    for file in GIVEN:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text("x = 1\n")
    return folder


def put(root, file, text="new"):
    path = root / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_the_lesson_and_what_no_run_loads_are_not_read(root):
    for file in ("notes.txt", "src/.hidden.py", "src/__pycache__/a.py", ".git/hooks/x.py"):
        put(root, file)
    assert set(read_disk(root, GIVEN, PYTHON).found.texts) == set(GIVEN) - {"LESSON.md"}


def test_bytes_that_are_no_text_are_kept_as_they_are(root):
    (root / GIVEN[0]).write_bytes(b"\xff\r\n")
    text = read_disk(root, GIVEN, PYTHON).found.texts[GIVEN[0]]
    assert text.encode("utf-8", "surrogateescape") == b"\xff\r\n"


def link(root, file):
    (root / file).symlink_to(root / GIVEN[0])


def folder_link(root, file):
    (root / file).symlink_to(root / "tests")


def fifo(root, file):
    os.mkfifo(root / file)


def large(root, file):
    with (root / file).open("wb") as stream:
        stream.truncate(20 * 1024**3)


def binary(root, file):
    (root / file).write_bytes(b"\0")


def unreadable(root, file):
    (root / file).symlink_to("/nowhere")


@pytest.mark.parametrize("make", [link, folder_link, fifo, large, binary, unreadable])
def test_odd_entries_are_told_and_never_waited_for(root, make):
    make(root, "src/odd.py")
    found = read_disk(root, GIVEN, PYTHON).found
    assert set(found.odd) == {"src/odd.py"}
    assert "src/odd.py" not in found.texts


def test_a_link_out_of_the_folder_is_not_read(root, tmp_path):
    secret = put(tmp_path, "secret.py", "secret")
    (root / GIVEN[0]).unlink()
    (root / GIVEN[0]).symlink_to(secret)
    found = read_disk(root, GIVEN, PYTHON).found
    assert "secret" not in found.texts.values()


def test_loops_of_links_and_many_files_end(root):
    (root / "src/loop").symlink_to(root / "src")
    for number in range(MOST_NEW + 5):
        put(root, f"src/m{number:03}.py")
    found = read_disk(root, GIVEN, PYTHON).found
    assert len(found.texts) == 2 + MOST_NEW - 1
    assert len(found.odd) == 1 + 6


@pytest.mark.parametrize(
    "change",
    [
        lambda root: put(root, GIVEN[0], "x = 2\n"),
        lambda root: put(root, "src/exercise/b.py"),
        lambda root: put(root, "tests/conftest.py"),
        lambda root: (root / GIVEN[1]).unlink(),
        lambda root: os.utime(root / GIVEN[0], ns=(5, 5)),
    ],
)
def test_every_change_shows_in_the_signs(root, change):
    before = read_disk(root, GIVEN, PYTHON)
    assert signs_of(root, GIVEN, PYTHON) == before.signs
    change(root)
    assert signs_of(root, GIVEN, PYTHON) != before.signs


def test_what_is_read_is_asked_for_each_file(root):
    put(root, "other.py")

    class Rules(PythonToolchain):
        def new_file(self, file):
            return TAKEN if file == "other.py" else UNSEEN

    found = read_disk(root, GIVEN, Rules()).found
    assert found.texts["other.py"] == "new"
