"""The list of what one can do: one recommended row, what is begun, then language by language."""

import itertools
from dataclasses import replace
from pathlib import Path

import pytest
from c_kit import needs_cc
from tutor_kit import solve, stub_file, tutor

from tutor_lsp.core.ports import ToolStatus
from tutor_lsp.languages.registry import languages
from tutor_lsp.tutor.services.frontend import Abilities


@pytest.fixture
async def t(tmp_path):
    async with tutor(tmp_path / "home") as found:
        yield found


def names():
    return {each.id: each.name for each in languages().values()}


def groups(rows):
    return [group for group, _ in itertools.groupby(row["group"] for row in rows)]


@pytest.mark.parametrize("language", ["python", "rust", pytest.param("c", marks=needs_cc)])
@pytest.mark.parametrize("known_from", ["an open file", "the folder"])
async def test_the_first_row_is_recommended_in_the_language_in_use(
    t, tmp_path, language, known_from
):
    suffix = languages()[language].suffixes[0]
    folder = tmp_path / "work"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / f"main{suffix}").write_text("")
    (folder / "README.md").write_text("")
    if known_from == "an open file":
        t.desk.documents = [folder / "README.md", folder / "src" / f"main{suffix}"]
    else:
        t.desk.around = [folder]
    rows = await t.do("choices")
    first, *others = rows
    assert first["group"] == "Recommended"
    assert first["language"] == first["argument"]["language"] == language
    assert first["label"].startswith(f"{names()[language]}: ")
    assert all(row["group"] != "Recommended" for row in others)
    assert len(groups(rows)) == len(set(groups(rows))), "rows of a group are adjacent"
    # The others stand below the name of their language.
    shown = {each for each in groups(rows) if each in names().values()}
    assert shown == set(names().values()) - {names()[language]}, "one topic needs nothing before it"
    for row in others:
        if row["kind"] == "topic":
            assert row["group"] == names()[row["argument"]["language"]]


@needs_cc
async def test_a_folder_is_read_for_its_most_frequent_language(t, tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "build.py").write_text("")
    for name in ("a.c", "b.c", ".hidden/x.rs", ".hidden/y.rs", ".hidden/z.rs", "deep/1/2/3/4.rs"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    t.desk.around = [tmp_path / "nowhere", folder]
    assert (await t.do("choices"))[0]["language"] == "c"


async def test_a_folder_of_all_exercises_says_nothing_but_an_exercise_does(t):
    python = await t.start(language="python")
    await t.start(language="rust")
    workspace = Path(python["workspace"])
    for around in (t.home.parent, t.home, workspace.parent):
        t.desk.document, t.desk.around = None, [around]
        assert (await t.do("choices"))[0]["language"] == "rust"
    t.desk.around = [workspace]
    assert (await t.do("choices"))[0]["language"] == "python"


async def test_the_last_session_tells_the_language_where_no_file_is_open(t):
    ready = await t.start(language="python")
    solve(ready)
    await t.do("attempt")
    first = (await t.do("choices"))[0]
    assert (first["group"], first["kind"], first["language"]) == ("Recommended", "topic", "python")


async def test_what_is_begun_is_continued_and_never_offered_as_new(t):
    """All of it, however much: beyond the newest few, too."""
    nodes = [n for n in t.app.services.curriculum.of("python") if t.app.services.library.find(n.id)]
    begun = [await t.start(node=node.id) for node in nodes[:5]]
    begun.append(await t.start(language="rust"))
    t.desk.documents = [stub_file(begun[0])]
    rows = await t.do("choices")
    sessions = [row for row in rows if row["kind"] == "session"]
    assert {row["argument"]["session"] for row in sessions} == {r["sessionId"] for r in begun}
    assert all(row["label"].startswith("Continue: ") for row in sessions)
    assert {row["language"] for row in sessions} == {"python", "rust"}
    for row in sessions:
        assert names()[row["language"]] in row["detail"].split(" · ")
    assert groups(rows)[:2] == ["Recommended", "Continue"]
    # In the language in use, the one that was used last.
    assert rows[0]["argument"] == {"session": begun[4]["sessionId"]}
    offered = {row["argument"]["node"] for row in rows if row["kind"] == "topic"}
    assert offered
    assert not offered & {each["node"] for each in begun}


@needs_cc
async def test_a_language_that_cannot_run_is_not_recommended_first(t, monkeypatch, tmp_path):
    async def probe():
        return [ToolStatus("cargo", found=False, works=False, remedy="Install it.")]

    monkeypatch.setattr(t.app.services.toolchains["rust"], "probe", probe)
    t.desk.documents = [tmp_path / "main.rs"]
    rows = await t.do("choices")
    assert rows[0]["language"] != "rust"
    shown = [each for each in groups(rows) if each in names().values()]
    assert shown[-1] == "Rust"
    below = [row for row in rows if row["group"] == "Rust"]
    assert all("cannot run here yet" in row["detail"] for row in below)


async def test_buttons_name_the_language_and_reach_everything_that_is_begun(t, tmp_path):
    first = await t.start(language="python")
    await t.do("hint")
    again = await t.start(language="rust")
    pages = []

    async def choose(prompt, choices):
        pages.append(list(choices))
        return "More…" if "More…" in choices else None

    t.desk.choose = choose
    t.desk.abilities = replace(Abilities(), chooses=True)
    t.desk.documents = [tmp_path / "x.py"]
    await t.refused("start")
    assert pages[0][0].startswith("Continue: ")
    every = [button for page in pages for button in page if button != "More…"]
    assert len(every) == len(set(every))
    assert sum(button.startswith("Continue: ") for button in every) == 2
    for title in (first["title"], again["title"]):
        assert any(title in button for button in every)
    topics = [button for button in every if not button.startswith("Continue: ")]
    assert topics
    assert all(button.startswith(tuple(f"{name}: " for name in names().values()))
               for button in topics)  # fmt: skip
    assert all(len(page) <= 5 for page in pages)


async def test_the_first_page_of_buttons_shows_every_language(t):
    await t.do("claim", node="python-functions", known=True)
    pages = []

    async def choose(prompt, choices):
        pages.append(list(choices))

    t.desk.choose = choose
    t.desk.abilities = replace(Abilities(), chooses=True)
    await t.refused("start")
    assert {button.split(":")[0] for button in pages[0]} >= {*names().values()}


async def test_more_topics_of_the_language_in_use_come_before_other_languages(t, tmp_path):
    await t.do("claim", node="python-functions", known=True)
    t.desk.documents = [tmp_path / "x.py"]
    rows = await t.do("choices")
    assert groups(rows) == ["Recommended", "Python", "Rust", "C", "More"]
