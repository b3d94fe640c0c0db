"""A long library is read once: what was read is kept, and read again when it changes."""

import json
import os
import shutil
from pathlib import Path

import pytest

from tutor_lsp.library import shelf
from tutor_lsp.library.loader import BUNDLED, Library
from tutor_lsp.library.shelf import WORTH

SOURCE = BUNDLED / "python" / "python-functions-movie-night"
LONG_AGO = 1_500_000_000


def add(root, number):
    folder = root / "python" / f"python-functions-night-{number}"
    shutil.copytree(SOURCE, folder)
    toml = folder / "exercise.toml"
    text = toml.read_text("utf-8").replace('slug = "movie-night"', f'slug = "night-{number}"')
    toml.write_text(text.replace('id = "python-movie-night"', f'id = "night-{number}"'), "utf-8")
    age(folder)
    return folder


def age(folder):
    for path in (*folder.rglob("*"), folder):
        os.utime(path, (LONG_AGO, LONG_AGO))


@pytest.fixture
def long(tmp_path):
    root = tmp_path / "long"
    for number in range(WORTH):
        add(root, number)
    (tmp_path / "home").mkdir()
    return root


@pytest.fixture
def read(monkeypatch):
    """The names of the folders that were really read."""
    names = []
    real = shelf.read_entry

    def noting(path, language):
        names.append(path.name)
        return real(path, language)

    monkeypatch.setattr(shelf, "read_entry", noting)
    return names


def library(root):
    return Library([root], kept_in=root.parent / "home" / "libraries")


def test_the_second_time_nothing_is_read_and_everything_is_the_same(long, read):
    first = library(long)
    before = first.entries()
    assert len(before) == len(read) == WORTH
    read.clear()
    again = library(long)
    assert again.entries() == before == Library([long]).entries()
    assert again.problems == first.problems
    assert again.find("python-functions") == before
    assert again.find("python-functions", 1) == before[:1]
    assert again.by_id("night-3") == first.by_id("night-3")
    assert len(read) == WORTH, "only the library without a folder for it read them again"


def test_what_changed_is_read_again_and_only_that(long, read):
    library(long).entries()
    read.clear()
    changed = long / "python" / "python-functions-night-4"
    toml = changed / "exercise.toml"
    toml.write_text(toml.read_text("utf-8").replace('title = "', 'title = "New '), "utf-8")
    found = library(long)
    assert found.by_id("night-4") is not None
    assert read == [changed.name]
    assert found.by_id("night-4").title.startswith("New ")


@pytest.mark.parametrize("part", ["LESSON.md", "hints", "solution/src"])
def test_a_part_that_is_gone_is_noticed(long, part):
    assert library(long).problems == ()
    gone = long / "python" / "python-functions-night-7" / part
    gone.rename(long.parent / "aside")
    (problem,) = library(long).problems
    assert problem.endswith(f"it has no {part}.")
    (long.parent / "aside").rename(gone)
    assert library(long).problems == ()


def test_what_is_new_or_gone_is_noticed(long):
    library(long).entries()
    shutil.rmtree(long / "python" / "python-functions-night-0")
    add(long, 99)
    found = library(long)
    assert found.by_id("night-0") is None
    assert found.by_id("night-99") is not None
    assert len(found.listed) == WORTH


def test_a_broken_exercise_stays_reported(long):
    (long / "python" / "python-functions-night-5" / "exercise.toml").write_text("format = 1\n")
    age(long / "python" / "python-functions-night-5")
    first = library(long).problems
    assert len(first) == 1
    assert library(long).problems == first


@pytest.mark.parametrize("kept", [b"", b"{}", b"[]", b'{"version": 1}', b"\xff"])
def test_a_damaged_file_is_made_again(long, kept, read):
    library(long).entries()
    (file,) = (long.parent / "home" / "libraries").iterdir()
    sound = file.read_bytes()
    file.write_bytes(kept)
    assert len(library(long).entries()) == WORTH
    assert file.read_bytes() == sound


def test_another_version_reads_anew(long, read):
    library(long).entries()
    (file,) = (long.parent / "home" / "libraries").iterdir()
    kept = json.loads(file.read_bytes())
    file.write_text(json.dumps({**kept, "version": "0"}))
    read.clear()
    library(long).entries()
    assert len(read) == WORTH


def test_without_a_home_nothing_is_made(long):
    nowhere = long.parent / "nowhere"
    found = Library([long], kept_in=nowhere / ".cache" / "libraries")
    assert len(found.entries()) == WORTH
    assert not nowhere.exists()


def test_what_was_just_written_is_not_trusted_to_stay(long, read):
    fresh = add(long, 50)
    (fresh / "exercise.toml").touch()
    library(long).entries()
    read.clear()
    library(long).entries()
    assert read == [fresh.name]
    assert Path(fresh).is_dir()
