"""Libraries of one's own: every layout is read, topics come along, changes are taken up."""

import os
import re
import shutil
from pathlib import Path

import pytest

from tutor_lsp.library.loader import BUNDLED, Library, load_curriculum

GUIDE = Path(__file__).parents[2] / "docs" / "authoring.md"
SOURCE = BUNDLED / "python" / "python-functions-movie-night"


def add(folder, node, slug, topic="", id_=None):
    """A copy of a bundled exercise on another topic."""
    place = folder / f"{node}-{slug}"
    shutil.copytree(SOURCE, place)
    toml = place / "exercise.toml"
    text = toml.read_text("utf-8").replace('slug = "movie-night"', f'slug = "{slug}"')
    text = text.replace('id = "python-movie-night"', f'id = "{id_ or f"{node}-{slug}"}"')
    text = text.replace('node = "python-functions"', f'node = "{node}"')
    described = f"[topic]\n{topic}\n[[units]]" if topic else "[[units]]"
    toml.write_text(text.replace("[[units]]", described, 1), "utf-8")
    return place


def library(*roots):
    return Library([*roots, BUNDLED])


def nodes_of(found, title):
    (track,) = (each for each in found.curriculum.tracks if each.title == title)
    return track.nodes


@pytest.mark.parametrize("layout", ["exercises", "languages", "one"])
def test_every_layout_is_found_and_comes_first(tmp_path, layout):
    folder = tmp_path / "python" if layout == "languages" else tmp_path
    one = add(folder, "python-functions", "tea")
    found = library(one if layout == "one" else tmp_path)
    assert found.find("python-functions")[0].id == "python-functions-tea"
    assert (found.problems, found.own[0].exercises) == ((), 1)


def test_a_described_topic_is_one_like_any_other(tmp_path):
    topic = (
        'title = "Tea"\nsummary = "How to brew."\nprerequisites = ["python-functions"]\n'
        'tags = ["too-hot"]\nkeywords = ["kettle"]\nerror_codes = ["TEA1"]\ntrack = "Kitchen"\n'
    )
    add(tmp_path, "tea", "green", topic)
    found = library(tmp_path)
    node = found.curriculum.node("tea")
    assert (node.title, node.summary, node.language, node.depth) == (
        "Tea", "How to brew.", "python", "D1",
    )  # fmt: skip
    assert (node.prerequisites, node.tags) == (("python-functions",), ("too-hot",))
    assert found.curriculum.tracks[0].title == "Kitchen"
    assert found.curriculum.match_topic("kettle", "python")[0][0].id == "tea"
    assert found.curriculum.for_error_code("TEA1", "python") == (node,)
    assert found.problems == ()
    assert Library([BUNDLED]).curriculum is load_curriculum()


def test_a_topic_that_nobody_described_has_its_name_and_the_words_of_its_exercises(tmp_path):
    add(tmp_path, "python-evening-plans", "film")
    found = library(tmp_path)
    assert found.curriculum.node("python-evening-plans").title == "Evening plans"
    assert found.curriculum.match_topic("movie night", "python")[0][0].id == "python-evening-plans"
    assert nodes_of(found, "Your own exercises") == ("python-evening-plans",)


def test_a_file_describes_topics_and_tracks(tmp_path):
    add(tmp_path / "python", "tea", "green")
    add(tmp_path / "python", "coffee", "black", 'title = "Coffee"\ntrack = "python-foundations"')
    (tmp_path / "python" / "curriculum.toml").write_text(
        '[[nodes]]\nid = "tea"\ntitle = "Tea time"\nprerequisites = ["coffee"]\n\n'
        '[[tracks]]\nid = "drinks"\ntitle = "Drinks"\nnodes = ["tea", "milk"]\n'
    )
    found = library(tmp_path)
    node = found.curriculum.node("tea")
    assert (node.title, node.language, node.prerequisites) == ("Tea time", "python", ("coffee",))
    assert nodes_of(found, "Drinks") == ("tea",)
    assert nodes_of(found, "Python foundations")[-1] == "coffee"
    (said,) = found.problems
    assert "“Drinks” names milk" in said


@pytest.mark.parametrize(
    ("topic", "said"),
    [
        ('title = ""', "needs a title"),
        ('title = "Tea"\ndepth = "D7"', "D1, D2 or D3"),
        ('title = "Tea"\nminutes = 0', "1 to 600"),
        ('title = "Tea"\ntags = ["Too hot"]', "Too hot"),
        ('title = "Tea"\nprerequisite = []', "prerequisite"),
        ('title = "Tea"\nprerequisites = ["milk"]', "names milk as a prerequisite"),
        ('title = "Tea"\nprerequisites = ["rust-traits"]', "names rust-traits"),
        ('title = "Tea"\nprerequisites = ["tea"]', "builds on itself"),
    ],
)
def test_what_a_description_lacks_is_told(tmp_path, topic, said):
    add(tmp_path, "tea", "green", topic)
    (sentence,) = library(tmp_path).problems
    assert said in sentence
    assert sentence.endswith(".")


def test_topics_that_build_on_each_other_can_still_be_reached(tmp_path):
    for node, other in (("tea", "milk"), ("milk", "cow"), ("cow", "tea")):
        add(tmp_path, node, "one", f'title = "{node}"\nprerequisites = ["{other}"]')
    found = library(tmp_path)
    assert len(found.problems) == 1
    free = [n for n in ("tea", "milk", "cow") if not found.curriculum.node(n).prerequisites]
    assert len(free) == 1


def test_the_tutors_own_topics_are_not_changed(tmp_path):
    add(tmp_path, "python-lists", "tea", 'title = "My lists"')
    found = library(tmp_path)
    assert found.curriculum.node("python-lists") == load_curriculum().node("python-lists")
    assert "the tutor has a topic of that name" in found.problems[0]
    assert found.own[0].exercises == 1


def test_two_of_one_name_are_told_wherever_they_are(tmp_path):
    first = add(tmp_path / "a", "tea", "green", id_="tea")
    second = add(tmp_path / "b", "tea", "black", id_="tea")
    found = library(tmp_path / "a", tmp_path / "b")
    assert [each.folder for each in found.listed if each.id == "tea"] == [str(first)]
    (said,) = found.problems
    assert str(second) in said
    assert str(first) in said
    assert [each.exercises for each in found.own] == [1, 0]


def test_topics_that_are_described_differently_are_told(tmp_path):
    add(tmp_path, "tea", "green", 'title = "Tea"')
    add(tmp_path, "tea", "white", 'title = "Tea"')
    add(tmp_path, "tea", "yellow", 'title = "Strong tea"')
    (said,) = library(tmp_path).problems
    assert "tea is described twice" in said


def test_a_library_within_another_is_read_once(tmp_path):
    one = add(tmp_path, "tea", "green")
    assert library(tmp_path, one, tmp_path).problems == ()


def test_folders_that_were_meant_are_told_and_others_are_not(tmp_path):
    add(tmp_path, "tea", "green")
    add(tmp_path / "week-1", "tea", "black")
    shutil.copytree(SOURCE, tmp_path / "notes")
    (tmp_path / "notes" / "exercise.toml").unlink()
    (tmp_path / "photos").mkdir()
    found = library(tmp_path)
    assert [each.partition(" is left out")[0] for each in found.problems] == [
        f"Exercise {tmp_path / 'notes'}",
        f"Folder {tmp_path / 'week-1'}",
    ]


def test_an_exercise_in_no_language_of_the_tutor_is_told(tmp_path):
    place = add(tmp_path, "tea", "green")
    toml = place / "exercise.toml"
    toml.write_text(toml.read_text().replace('"python"', '"cobol"'))
    found = library(tmp_path)
    assert '"cobol" is not a language of the tutor' in found.problems[0]
    assert found.by_id("tea-green") is None


def test_changes_are_taken_up(tmp_path):
    found = library(tmp_path)
    assert "has no exercises" in found.problems[0]
    place = add(tmp_path, "tea", "green", 'title = "Tea"')
    assert found.refresh()
    assert (found.problems, found.curriculum.node("tea").title) == ((), "Tea")
    toml = place / "exercise.toml"
    toml.write_text(toml.read_text().replace('"Tea"', '"Pot"'))
    assert found.refresh()
    assert found.curriculum.node("tea").title == "Pot"
    assert not found.refresh()
    shutil.rmtree(place)
    assert found.refresh()
    assert found.curriculum.node("tea") is None


def test_what_did_not_change_is_not_read_again(tmp_path, monkeypatch):
    place = add(tmp_path, "tea", "green")
    for path in (*place.rglob("*"), place):
        os.utime(path, (1_500_000_000, 1_500_000_000))
    found = library(tmp_path)
    assert found.listed
    monkeypatch.setattr("tutor_lsp.library.shelf.read_entry", None)
    assert not found.refresh()


def test_the_documented_descriptions_are_taken(tmp_path):
    blocks = re.findall(r"```toml\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    (topic,) = (each.partition("\n")[2] for each in blocks if each.startswith("[topic]"))
    (file,) = (each for each in blocks if "[[nodes]]" in each)
    add(tmp_path / "one", "labels", "a", topic)
    add(tmp_path / "two", "shop-signs", "b")
    (tmp_path / "two" / "curriculum.toml").write_text(file)
    found = library(tmp_path / "one", tmp_path / "two")
    assert found.problems == ()
    assert found.curriculum.node("labels").minutes == 20
    titles = [track.title for track in found.curriculum.tracks]
    assert titles.count("A shop of your own") == 1
    (track,) = (each for each in found.curriculum.tracks if each.title == "A shop of your own")
    assert track.nodes == ("shop-signs", "python-lists", "labels")
