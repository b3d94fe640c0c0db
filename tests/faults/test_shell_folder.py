"""Verbs follow the shell's folder: which exercise they take is said."""

import shutil

import pytest


@pytest.fixture
def terminal_home(tmp_path):
    """A path that must be quoted to be pasted."""
    return tmp_path / "a home"


@pytest.fixture
def cli(cli, monkeypatch):
    """The terminal stands in the folder of its exercise."""
    monkeypatch.chdir(cli.exercise.source.parent)
    return cli


def changes_folder(said):
    return [line.strip() for line in said.splitlines() if line.strip().startswith("cd ")]


def test_another_exercise_than_that_of_the_folder_is_gone_to_first(cli):
    other = cli("start", "--node", "python-strings")
    (way,) = changes_folder(other.out)
    assert "python-strings" in way
    assert way.startswith("cd '"), "it can be pasted"
    assert other.out.index(way) < other.out.index("tutor-lsp check")
    session = next(
        each["id"] for each in cli("sessions", "--json").json if each["node"] == "python-strings"
    )
    assert changes_folder(cli("resume", session).out) == [way]


def test_the_exercise_of_the_folder_needs_no_way_to_it(cli, monkeypatch, tmp_path):
    assert not changes_folder(cli("resume", cli.exercise.session).out)
    monkeypatch.chdir(tmp_path)  # no exercise: verbs take the one that was opened last
    assert not changes_folder(cli("start", "--node", "python-strings").out)


@pytest.mark.long("runs tests several times; others here stand for it")
def test_next_says_where_it_went(cli):
    cli.exercise.solve()
    (way,) = changes_folder(cli("next").out)
    assert str(cli.exercise.workspace) not in way


@pytest.mark.first(1)
@pytest.mark.parametrize("verb", ["check", "attempt"])
def test_what_ran_is_named_in_the_first_line(cli, verb):
    other = cli("start", "--node", "python-strings", "--json").json
    here = f"Movie night  {cli.exercise.workspace}"
    assert cli(verb).out.splitlines()[0] == here
    there = cli(verb, "--session", other["sessionId"]).out.splitlines()[0]
    assert there == f"{other['title']}  {other['workspace']}"
    assert isinstance(cli(verb, "--json").json, dict), "a program gets the result alone"


def test_a_folder_that_is_gone_is_no_reason_to_stop(cli, monkeypatch, tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    shutil.rmtree(gone)
    assert cli("status", "--session", cli.exercise.session).code == 0


def test_a_question_that_was_not_asked_is_asked_with_ask(cli, monkeypatch):
    async def somebody(*_arguments):
        return True

    monkeypatch.setattr("tutor_lsp.tutor.commands.hint.answers_questions", somebody)
    said = cli("ask").err
    assert 'Ask it: tutor-lsp ask --unit ex-1 "…"' in said
    assert "hint" not in said
