"""What comes back of a lost record is trusted only if its folder still has what was given."""

import json
import shutil
from contextlib import closing
from dataclasses import replace

import pytest
from record_kit import ask, gone, sessions, terminal

from tutor_lsp.core.exercise.exercise import Exercise
from tutor_lsp.core.session import Event
from tutor_lsp.store.database import open_store
from tutor_lsp.tutor.exercise.folder.made_here import is_noted, note
from tutor_lsp.tutor.exercise.folder.marker import MARKER
from tutor_lsp.wire import from_wire


def workspace_of(home):
    (folder,) = [path for path in (home / "exercises").iterdir() if not path.name.startswith(".")]
    return folder


def written(home):
    """The learner wrote something into the stub file of the only exercise."""
    stub = workspace_of(home) / "src" / "exercise" / "movie.py"
    stub.write_text(stub.read_text().replace("raise NotImplementedError", "return 7", 1))


def given_test(home):
    return next((workspace_of(home) / "tests").glob("test_*.py"))


# what happened to the folder besides; whether its code still counts as made here, and as what a
# backup has of it
FOLDERS = {
    "nothing": (lambda home: None, True, True),
    "a text of the learner's": (written, True, True),
    "another test": (
        lambda home: given_test(home).write_text("def test_it(): pass\n"),
        False,
        False,
    ),
    "a copy with another test": (
        lambda home: (
            copied(home),
            given_test(home).write_text("def test_it(): pass\n"),
        ),
        False,
        False,
    ),
    "a test that is gone": (lambda home: given_test(home).unlink(), False, False),
    "a copy in its place": (lambda home: copied(home), False, True),
    "another record": (
        lambda home: (marker := workspace_of(home) / ".tutor" / "exercise.json").write_text(
            marker.read_text().replace("Movie night", "Movie nights")
        ),
        False,
        False,
    ),
}


@pytest.mark.sample("nothing")
@pytest.mark.parametrize("what", FOLDERS)
def test_what_was_made_here_stays_trusted_without_a_backup(tmp_path, what):
    happens, trusted, _ = FOLDERS[what]
    home = tmp_path / "home"
    assert terminal(home, "start", "--language", "python")[0] == 0
    happens(home)
    no_backups_of_the_record(home)
    gone(home)
    assert terminal(home, "restore", "--record")[0] == 0
    code, _, err = terminal(home, "check")
    assert (code, "came from elsewhere" in err) == ((3, False) if trusted else (1, True))


@pytest.mark.parametrize("parent", ["python", "imported"])
def test_a_lost_exercise_is_found_wherever_this_or_an_earlier_version_put_it(tmp_path, parent):
    home = tmp_path / "home"
    assert terminal(home, "start", "--language", "python")[0] == 0
    (home / "exercises").rename(home / parent)
    no_backups_of_the_record(home)
    gone(home)
    assert terminal(home, "restore", "--record")[0] == 0
    found = json.loads(terminal(home, "sessions", "--json")[1])
    (folder,) = (home / parent).iterdir()
    assert [session["workspace"] for session in found] == [str(folder)]


@pytest.mark.sample(
    "nothing-False", "another test-False", "another test-True", "a copy in its place-True"
)
@pytest.mark.parametrize("looked", [False, True])
@pytest.mark.parametrize("what", FOLDERS)
def test_what_a_backup_brings_back_is_trusted_as_its_folder_is(tmp_path, what, looked):
    """What was refused while the record was gone stays refused."""
    happens, made_here, as_given = FOLDERS[what]
    home = begun(tmp_path)
    (before,) = sessions(home)
    happens(home)
    gone(home)
    if looked:
        assert is_refused(home, "--path", str(workspace_of(home))) != made_here
    code, out, err = terminal(home, "restore", "--record", "--json")
    assert (code, json.loads(out)["sessions"]) == (0, 1), err
    assert sessions(home) == {before}
    trusted = made_here if looked else as_given
    assert is_refused(home) != trusted


@pytest.mark.first(1)
@pytest.mark.parametrize("attempted", [False, True])
def test_what_was_refused_stays_refused_whatever_was_done_with_it_since(tmp_path, attempted):
    home = begun(tmp_path)
    gone(home)
    assert terminal(home, "check", "--path", str(workspace_of(home)))[0] == 3
    with closing(open_store(home / "tutor.db")) as store:
        (session,) = store.work(lambda tx: tx.sessions())
        session = replace(session, trusted=False, attempt_count=int(attempted))
        store.work(lambda tx: tx.put_session(session))
    assert terminal(home, "restore", "--record")[0] == 0
    bodies = [json.loads(body) for (body,) in ask(home, "SELECT body FROM sessions")]
    assert [body["trusted"] for body in bodies] == [False] * (1 + attempted)


def test_a_session_that_was_refused_here_stays_refused(tmp_path):
    """The record holds the session still, but not its topic: both are merged."""
    home = begun(tmp_path)
    marker = workspace_of(home) / ".tutor" / "exercise.json"
    text = marker.read_text()
    marker.write_text(text.replace("Movie night", "Movie nights"))
    assert is_refused(home)
    marker.write_text(text)
    assert is_refused(home)
    ask(home, "DELETE FROM nodes")
    assert terminal(home, "restore", "--record")[0] == 0
    assert is_refused(home)


def test_an_exercise_comes_back_into_another_folder_as_refused(tmp_path):
    """The session is still there, the record of its exercise comes from the backup."""
    home = begun(tmp_path)
    ask(home, "DELETE FROM exercises")
    ask(home, "DELETE FROM nodes")
    given_test(home).write_text("def test_it(): pass\n")
    assert terminal(home, "restore", "--record")[0] == 0
    assert is_refused(home)


@pytest.mark.first(1)
@pytest.mark.parametrize("place", ["/nowhere", "", "/dev/zero", "x" * 5000])
def test_a_folder_that_cannot_be_read_does_not_stop_the_rest(tmp_path, place):
    home = begun(tmp_path)
    with closing(open_store(home / "tutor.db")) as store:
        (session,) = store.work(lambda tx: tx.sessions())
        odd = replace(session, id="odd", workspace=place)
        kept = store.work(lambda tx: tx.exercise(session.id))
        store.work(lambda tx: (tx.put_session(odd), tx.put_exercise("odd", *kept)))
        no_backups_of_the_record(home)
    with closing(open_store(home / "tutor.db")) as store:
        store.work(lambda tx: tx.log(Event("a write", {})))
    gone(home)
    code, _, err = terminal(home, "restore", "--record")
    assert code == 0, err
    bodies = [json.loads(body) for (body,) in ask(home, "SELECT body FROM sessions")]
    assert {body["id"]: body["trusted"] for body in bodies} == {session.id: True, "odd": False}


def begun(tmp_path):
    """A home with an exercise, a topic and a backup of both."""
    home = tmp_path / "home"
    assert terminal(home, "start", "--language", "python")[0] == 0
    assert terminal(home, "claim", "python-strings")[0] == 0
    no_backups_of_the_record(home)
    with closing(open_store(home / "tutor.db")) as store:
        store.work(lambda tx: tx.log(Event("a write", {})))
    return home


def is_refused(home, *arguments):
    code, _, err = terminal(home, "check", *arguments)
    assert code in (0, 1, 3)
    return "came from elsewhere" in err


def copied(home):
    """The folder gives way to a copy of it."""
    place = workspace_of(home)
    place.rename(home / "moved")
    shutil.copytree(home / "moved", place)


def no_backups_of_the_record(home):
    for path in (home / "backups").glob("*.db"):
        path.unlink()


def test_an_exercise_without_a_run_is_not_said_to_fail(tmp_path):
    home = tmp_path / "home"
    assert terminal(home, "start", "--language", "python")[0] == 0
    written(home)
    no_backups_of_the_record(home)
    gone(home)
    assert terminal(home, "restore", "--record")[0] == 0
    out = terminal(home, "sessions")[1]
    assert "not run yet" in out
    assert "0 of" not in out
    assert terminal(home, "check")[0] == 3
    assert "0 of 4 units pass" in terminal(home, "sessions")[1]


@pytest.mark.parametrize(
    ("text", "as_given"),
    [
        ("See [plan](src/exercise/movie.py#L9).", True),  # the tutor lets links follow their lines
        ("See [plan](src/exercise/movie.py#L3).\r\n", True),
        ("See [plan](src/exercise/other.py#L3).", False),
        (None, False),
    ],
)
def test_a_lesson_is_as_given_wherever_its_links_point(tmp_path, text, as_given):
    home = tmp_path / "home"
    assert terminal(home, "start", "--language", "python")[0] == 0
    root = workspace_of(home)
    exercise = from_wire(Exercise, json.loads((root / MARKER).read_text()))
    note(home, root, exercise, {"LESSON.md": "See [plan](src/exercise/movie.py#L3).\n"})
    assert is_noted(home, root, exercise, {} if text is None else {"LESSON.md": text}) is as_given
