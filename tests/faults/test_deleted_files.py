"""Files that a learner deleted: what was in them is kept, and nothing is promised that is not."""

import os
import re
import shutil
from pathlib import Path

import pytest

STUB = "src/exercise/movie.py"
PROMISE = "is kept"


def known_to_an_older_version(cli, monkeypatch):
    """The attempt's event is all that an older version kept."""
    with monkeypatch.context() as patch:
        patch.setattr("tutor_lsp.store.transaction.Transaction.put_stub_texts", lambda *_: None)
        cli("attempt")


def undone_reset(cli, _monkeypatch):
    cli("reset")
    cli("reset", "--undo")


KNOWN_BY = {
    "check": lambda cli, _: cli("check"),
    "attempt": lambda cli, _: cli("attempt"),
    "an older version's attempt": known_to_an_older_version,
    "an undone reset": undone_reset,
}


@pytest.mark.sample("attempt-one unit")
@pytest.mark.parametrize("unit", [(), ("--unit", "ex-2")], ids=["all", "one unit"])
@pytest.mark.parametrize("by", KNOWN_BY)
def test_what_a_deleted_file_held_is_brought_back(cli, monkeypatch, by, unit):
    stub = cli.exercise.workspace / STUB
    cli.exercise.body("to_minutes", "return 3")
    mine = stub.read_text()
    KNOWN_BY[by](cli, monkeypatch)
    stub.unlink()
    hint = cli("hint", *unit)
    assert f"{STUB} is gone" in hint.err
    assert "tutor-lsp reset puts it back, and its undo what you had written" in hint.err
    assert PROMISE in cli("reset", *unit).out
    assert "return 3" not in stub.read_text()
    assert cli("reset", "--undo").code == 0
    assert stub.read_text() == mine


def test_what_is_too_large_to_be_kept_is_not_overwritten(cli):
    stub = cli.exercise.workspace / STUB
    mine = "#" * 5_000_000
    stub.write_text(mine)
    said = cli("reset")
    assert said.code == 1
    assert f"{STUB} is larger than what can be kept" in said.err
    assert stub.read_text() == mine


def test_nothing_is_promised_where_nothing_is_known(cli):
    stub = cli.exercise.workspace / STUB
    given = stub.read_text()
    cli("check")
    stub.unlink()
    said = cli("hint").err
    assert "as it was given" in said
    assert "you" not in said.split("{")[0]
    put_back = cli("reset")
    assert put_back.code == 0
    assert PROMISE not in put_back.out
    assert stub.read_text() == given
    (cli.exercise.workspace / "LESSON.md").unlink()
    assert PROMISE not in cli("restore").out
    (cli.exercise.workspace / "LESSON.md").write_text("mine")
    assert PROMISE in cli("restore").out


def test_a_stub_file_that_is_gone_is_restored_and_what_was_in_it_comes_back(cli):
    stub = cli.exercise.workspace / STUB
    given = stub.read_text()
    cli.exercise.body("to_minutes", "return 3")
    mine = stub.read_text()
    cli("check")
    assert "nothing changed" in cli("restore").out
    assert stub.read_text() == mine, "what is there stays"
    stub.unlink()
    (cli.exercise.workspace / "LESSON.md").write_text("mine")
    said = cli("restore").out
    assert f"Put back as given: LESSON.md, {STUB}." in said
    assert f"{STUB} had been deleted: its last known text is kept" in said
    assert stub.read_text() == given
    assert cli("reset", "--undo").code == 0
    assert stub.read_text() == mine
    assert (cli.exercise.workspace / "LESSON.md").read_text() != "mine"


@pytest.mark.long("runs tests several times; others here stand for it")
def test_a_second_deletion_brings_back_the_newer_text(cli):
    stub = cli.exercise.workspace / STUB
    for body in ("return 3", "return 4"):
        cli("reset")
        cli.exercise.body("to_minutes", body)
        cli("check")
        stub.unlink()
        assert cli("reset").code == 0
        cli("reset", "--undo")
        assert body in stub.read_text()


def gone(folder):
    def change(root):
        for path in (root / folder).rglob("*.*"):
            if path.is_file() and path.name != "__init__.py":
                path.unlink()

    return change


def emptied(folder):
    def change(root):
        for path in (root / folder).rglob("*.*"):
            if path.is_file() and path.suffix != ".h":
                path.write_text("")
                # a while ago: what was emptied just now is waited for
                os.utime(path, ns=(10**18, 10**18))

    return change


# what happens to the folder, what a check says of it, and what puts it back
CHECKS = {
    "stubs gone": (gone("src"), "gone, so no tests were run. tutor-lsp reset puts", "reset"),
    "tests gone": (gone("tests"), "gone, so no tests were run. tutor-lsp restore puts", "restore"),
    "tests emptied": (
        emptied("tests"), "There are no tests in tests/. tutor-lsp restore puts", "restore"),
}  # fmt: skip


@pytest.mark.sample("python-stubs gone")
@pytest.mark.parametrize("what", CHECKS)
@pytest.mark.parametrize("language", ["python", "c", "rust"])
def test_a_check_says_what_is_gone_and_what_puts_it_back(cli, language, what):
    happens, says, verb = CHECKS[what]
    started = cli("start", "--language", language, "--json")
    root = Path(started.json["workspace"])
    happens(root)
    found = cli("check")
    assert (found.code, found.out) == (1, "")
    assert says in found.err
    assert cli(verb).code == 0
    assert cli("check").code == 3


def without_times(text):
    return re.sub(r"\*[-0-9]+ [:0-9]+ UTC\*", "", text)


def test_hints_and_reviews_are_written_anew(cli):
    coach = cli.exercise.workspace / ".tutor" / "coach.md"
    cli("hint")
    cli("attempt")
    cli("hint", "--unit", "ex-2")
    before = coach.read_text()
    shutil.rmtree(coach.parent)
    said = cli("status").err
    assert "rebuilt, and .tutor/coach.md with your hints and reviews." in said
    assert "nothing is lost" not in said
    assert before.count("\n## ") == 3
    assert without_times(coach.read_text()) == without_times(before)
    (coach.parent / "exercise.json").unlink()
    assert "nothing is lost" in cli("status").err


def link_for_folder(folder, elsewhere):
    shutil.rmtree(folder)
    folder.symlink_to(elsewhere)


def file_for_folder(folder, _):
    shutil.rmtree(folder)
    folder.write_text("mine")


def folder_for_marker(folder, _):
    (folder / "exercise.json").unlink()
    (folder / "exercise.json").mkdir()
    (folder / "exercise.json" / "mine.txt").write_text("mine")


@pytest.mark.first(2)
@pytest.mark.parametrize("in_the_way", [link_for_folder, file_for_folder, folder_for_marker])
@pytest.mark.parametrize("verb", ["status", "resume"])
def test_what_is_in_the_way_of_the_tutors_files_stays(cli, tmp_path, in_the_way, verb):
    cli("hint")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "exercise.json").write_text("mine")
    in_the_way(cli.exercise.workspace / ".tutor", tmp_path / "elsewhere")
    found = cli(verb, *([cli.exercise.session] if verb == "resume" else []))
    assert found.code == 0
    assert found.err.count("exercise.json cannot be rebuilt (") == 1
    assert "Move what is in its way" in found.err
    assert [path.name for path in (tmp_path / "elsewhere").iterdir()] == ["exercise.json"]
    assert (tmp_path / "elsewhere" / "exercise.json").read_text() == "mine"


@pytest.mark.long("runs tests several times; others here stand for it")
def test_it_is_said_what_the_record_does_not_hold(cli):
    cli.exercise.solve()
    cli("check")
    cli("compare", "--unit", "ex-1")
    shutil.rmtree(cli.exercise.workspace / ".tutor")
    said = cli("status").err
    assert "nothing is lost" not in said
    assert "tutor-lsp reveal and tutor-lsp compare show again what they had put there" in said


def test_a_folder_in_the_place_of_a_stub_stays(cli):
    stub = cli.exercise.workspace / STUB
    stub.unlink()
    stub.mkdir()
    (stub / "mine.txt").write_text("mine")
    refused = cli("reset")
    assert refused.code == 1
    assert f"folder in the place of {STUB}" in refused.err
    assert (stub / "mine.txt").read_text() == "mine"
