"""A library of one's own is used as README says, and what of it cannot be used is said."""

import pytest
from cli_tools import Cli, environment

from tutor_lsp.library.loader import Library

NAME = "python-strings-shop-signs"


@pytest.fixture
def cli(tmp_path, monkeypatch, capsys):
    """A terminal whose setting `libraries` is `own`, which holds a new exercise."""
    home, own = tmp_path / "home", tmp_path / "own"
    for name, value in environment(home, TUTOR_LSP_LIBRARIES=str(own)).items():
        if name.startswith("TUTOR_LSP_"):
            monkeypatch.setenv(name, value)
    monkeypatch.delenv("CI", raising=False)
    own.mkdir()
    monkeypatch.chdir(own)
    found = Cli(home, capsys)
    begun = found("new-exercise", NAME)
    assert begun.code == 0, begun.err
    found.own = own
    return found


@pytest.mark.long("proves an exercise")
def test_the_parent_of_an_exercise_is_a_library(cli):
    ready = cli("start", "--node", "python-strings", "--trust", "--json")
    assert ready.code == 0, ready.err
    assert NAME in ready.json["workspace"]
    assert cli("doctor", "--json").json["problems"] == []


@pytest.mark.parametrize("topic", ["python-strings", "python-decorators"])
def test_a_new_exercise_is_of_its_topic_and_as_deep(cli, topic):
    assert cli("new-exercise", f"{topic}-two-words").code == 0
    listed = cli("curriculum", "--language", "python", "--json").json["nodes"]
    (node,) = (each for each in listed if each["id"] == topic)
    assert node["exercises"][0]["id"] in (NAME, f"{topic}-two-words")
    assert node["exercises"][0]["depth"] == node["depth"]


@pytest.mark.long("proves an exercise")
def test_one_that_is_less_deep_comes_first_as_well(cli):
    toml = cli.own / NAME / "exercise.toml"
    toml.write_text(toml.read_text().replace('depth = "D1"', 'depth = "D3"'))
    ready = cli("start", "--node", "python-strings", "--trust", "--json")
    assert NAME in ready.json["workspace"]
    assert ready.json["depth"] == "D3"


def _emptied(own):
    for path in sorted((own / NAME).rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()


def _broken(own):
    (own / NAME / "exercise.toml").write_text("[[units")


def _moved(own, node, title=None):
    """The exercise on another topic, described where it has a title."""
    (own / NAME).rename(own / f"{node}-signs")
    toml = own / f"{node}-signs" / "exercise.toml"
    text = toml.read_text().replace('"python-strings"', f'"{node}"')
    text = text.replace('slug = "shop-signs"', 'slug = "signs"')
    if title is not None:
        topic = f'[topic]\ntitle = "{title}"\nkeywords = ["awning"]\ntrack = "High street"\n\n'
        text = text.replace("[[units]]", f"{topic}[[units]]", 1)
    toml.write_text(text)


def _of_another_language(own):
    _moved(own, "rust-traits")


UNUSABLE = {
    "has no exercises": _emptied,
    "is not valid TOML": _broken,
    "its topic rust-traits is one of Rust, not of Python": _of_another_language,
}


VERBS = [
    ["status", "check", "hint", "sessions", "curriculum", "next"],
    ["attempt", "ask why", "reveal", "compare", "review", "open", "reset", "restore",
     "claim python-lists", "report", "end", "resume", "doctor"],
]  # fmt: skip


@pytest.mark.first(1)
@pytest.mark.parametrize("verbs", VERBS, ids=["most used", "others"])
def test_every_verb_says_what_cannot_be_used(cli, verbs):
    assert cli("start", "--node", "python-functions").code == 0
    _broken(cli.own)
    told = {}
    for verb in verbs:
        found = cli(*verb.split())
        whole = (found.out + found.err).splitlines()
        # What can be done about it follows in a list of its own.
        sentences = [line for line in whole if NAME in line and not line.startswith("1. Open ")]
        told[verb] = [line.lstrip("!• ") for line in sentences]
    (sentence,) = told[verbs[0]]
    assert "is left out: exercise.toml is not valid TOML" in sentence
    assert told == {verb: [sentence] for verb in verbs}


@pytest.mark.first(3)
@pytest.mark.parametrize("verb", [["doctor"], ["status"], ["start", "--node", "python-strings"]])
@pytest.mark.parametrize("said", UNUSABLE)
def test_what_cannot_be_used_is_said(cli, said, verb):
    UNUSABLE[said](cli.own)
    found = cli(*verb)
    assert (found.out + found.err).count(said) == 1
    assert str(cli.own) in found.out + found.err


@pytest.mark.parametrize("name", ["a" * 300, "no\0name"])
def test_a_place_that_cannot_be_looked_at_is_said(tmp_path, name):
    (said,) = Library([tmp_path / name]).problems
    assert said.startswith(f"The library {tmp_path / name} cannot be read: ")


@pytest.mark.long("proves an exercise")
@pytest.mark.parametrize("start", [["--topic", "awning"], ["--node", "shops"], []])
def test_a_topic_of_ones_own_is_opened_as_any_other(cli, start):
    _moved(cli.own, "shops", "Shops and their signs")
    ready = cli("start", *start, "--language", "python", "--trust", "--json")
    assert ready.code == 0, ready.err
    assert (ready.json["node"], ready.json["title"]) == ("shops", "Weather notes")


def test_a_topic_of_ones_own_is_recommended_and_listed_first(cli):
    _moved(cli.own, "shops", "Shops and their signs")
    known = cli("curriculum", "--language", "python", "--json").json
    assert known["recommended"]["python"][0]["node"] == "shops"
    assert known["tracks"][0]["title"] == "High street"
    assert known["libraries"] == [{"path": str(cli.own), "exercises": 1, "leftOut": []}]
    (node,) = (each for each in known["nodes"] if each["id"] == "shops")
    assert node["openable"] is True
    assert node["exercises"][0]["folder"] == str(cli.own / "shops-signs")


def test_lists_and_doctor_name_each_library_and_what_is_left_out(cli):
    (cli.own / "broken").mkdir()
    (cli.own / "broken" / "exercise.toml").write_text("[[units")
    listed = cli("curriculum", "--language", "python").out
    assert f"{cli.own}" in listed
    assert "“Weather notes”" in listed
    rows = cli("doctor", "--json").json
    (row,) = (each for each in rows["tools"] if each["name"] == f"library {cli.own}")
    assert (row["works"], row["version"]) == (True, "1 exercise, 1 left out")
    (said,) = rows["problems"]
    assert said.startswith(f"Exercise {cli.own / 'broken'} is left out: ")
