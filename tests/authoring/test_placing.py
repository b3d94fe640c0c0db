"""Placing an exercise: complete or not at all, and never over anything."""

import asyncio
import json
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import authoring_kit as kit
import pytest

from tutor_lsp.authoring import workspace
from tutor_lsp.authoring.setup import set_up
from tutor_lsp.authoring.workspace import place
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Exercise
from tutor_lsp.wire import from_wire

NAME = "python-strings-signs"


pytestmark = pytest.mark.xdist_group("placing")


@pytest.fixture(scope="module")
def proven():
    return asyncio.run(set_up(kit.request(), kit.deps(kit.script()), kit.Told()))


def everything(home):
    return sorted(str(path.relative_to(home)) for path in home.rglob("*"))


def test_the_folder_holds_exactly_the_exercise(tmp_path, proven):
    folder = place(tmp_path / "a home", proven)
    assert folder == tmp_path / "a home" / "exercises" / NAME
    found = {
        str(path.relative_to(folder)): path.read_bytes().decode()
        for path in folder.rglob("*")
        if path.is_file()
    }
    record = json.loads(found.pop(".tutor/exercise.json"))
    assert found == dict(proven.files)
    assert from_wire(Exercise, record) == proven.exercise
    assert os.access(folder, os.X_OK)
    assert folder.stat().st_mode & 0o077 == Path(tmp_path / "a home").stat().st_mode & 0o077


def test_exercises_of_all_languages_lie_side_by_side(tmp_path, proven):
    other = replace(proven, exercise=replace(proven.exercise, language="rust"), folder="other")
    assert place(tmp_path, proven).parent == place(tmp_path, other).parent


def test_solution_and_hints_stay_out(tmp_path, proven):
    folder = place(tmp_path, proven)
    texts = [path.read_text("utf-8") for path in folder.rglob("*") if path.is_file()]
    assert not any("return text.upper()" in text for text in texts)
    assert not any("vault" in text or "hints" in text for text in texts)


def test_a_name_that_is_taken_is_left_alone(tmp_path, proven):
    parent = tmp_path / "exercises"
    (parent / NAME).mkdir(parents=True)
    (parent / f"{NAME}-2").write_text("mine", "utf-8")
    (parent / f"{NAME}-3").symlink_to(tmp_path / "nowhere")
    assert place(tmp_path, proven).name == f"{NAME}-4"
    assert list((parent / NAME).iterdir()) == []
    assert (parent / f"{NAME}-2").read_text("utf-8") == "mine"
    assert not (tmp_path / "nowhere").exists()


def test_many_at_once_get_a_folder_each(tmp_path, proven):
    with ThreadPoolExecutor(8) as pool:
        folders = list(pool.map(lambda _: place(tmp_path, proven), range(16)))
    assert len(set(folders)) == 16
    assert {folder.name for folder in folders} == {
        NAME,
        *(f"{NAME}-{number}" for number in range(2, 17)),
    }
    assert all((folder / ".tutor" / "exercise.json").is_file() for folder in folders)


def test_a_name_taken_at_the_last_moment(tmp_path, proven, monkeypatch):
    real = os.path.lexists
    taken = tmp_path / "exercises" / NAME

    def lexists(path):
        there = real(path)
        if Path(path) == taken and not there:
            taken.mkdir()
            (taken / "mine").touch()
        return there

    monkeypatch.setattr(os.path, "lexists", lexists)
    assert place(tmp_path, proven).name == f"{NAME}-2"
    assert everything(taken) == ["mine"]


def _full(*_args, **_kwargs):
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("where", ["fdopen", "fsync", "rename"])
def test_a_failure_leaves_nothing(tmp_path, proven, monkeypatch, where):
    if where == "rename":
        monkeypatch.setattr(Path, "rename", _full)
    else:
        monkeypatch.setattr(workspace.os, where, _full)
    with pytest.raises(TutorError) as caught:
        place(tmp_path, proven)
    assert caught.value.kind == "HOME"
    assert "No space left on device" in caught.value.message
    assert everything(tmp_path) == ["exercises"]


def test_a_home_that_is_a_file_is_told(tmp_path, proven):
    home = tmp_path / "home"
    home.write_text("", "utf-8")
    with pytest.raises(TutorError) as caught:
        place(home, proven)
    assert caught.value.kind == "HOME"
    assert "tutor.home" in caught.value.message


def test_what_a_killed_process_left_is_cleared_in_time(tmp_path, proven):
    parent = tmp_path / "exercises"
    old, new = parent / ".incoming-1-aa", parent / ".incoming-2-bb"
    for folder in (old, new):
        folder.mkdir(parents=True)
    os.utime(old, (1, 1))
    place(tmp_path, proven)
    assert not old.exists()
    assert new.exists()


def test_a_link_in_the_way_is_not_followed(tmp_path):
    target = tmp_path / "target"
    target.mkdir()
    (tmp_path / "link").symlink_to(target)
    with pytest.raises(FileExistsError):
        workspace.write_tree(tmp_path / "link", {"a.txt": "a"})
    assert list(target.iterdir()) == []
