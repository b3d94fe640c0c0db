"""Holding bundled exercises to the format: each rule finds what breaks it."""

import shutil
from pathlib import Path

import authoring_kit as kit
import pytest

from tutor_lsp.authoring import library_check
from tutor_lsp.authoring.library_check import check_entry
from tutor_lsp.library.loader import BUNDLED, Library, load_curriculum

pytestmark = pytest.mark.first(3)

MOVIE = BUNDLED / "python" / "python-functions-movie-night"


@pytest.fixture
def own(tmp_path):
    folder = tmp_path / "python" / MOVIE.name
    shutil.copytree(MOVIE, folder)
    shutil.rmtree(folder / "accepts")  # which runs code that the quick toolchain does not
    return folder


async def found(folder):
    library = Library([folder])
    checked = await check_entry(library, library.entries()[0], kit.QuickPython(), load_curriculum())
    assert checked.proof.ok == (not checked.findings)
    return {(finding.step, finding.unit) for finding in checked.findings}


def change(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


async def test_a_good_exercise_holds(own):
    assert await found(own) == set()


@pytest.mark.long("makes an exercise; test_older_comments.py reads them")
async def test_stub_comments_of_earlier_versions_hold(own):
    path = own / "src/exercise/movie.py"
    text = (
        path.read_text("utf-8").replace(" - First", " — First").replace("LESSON.md,", "LESSON.md §")
    )
    for first, more in (
        ("test_to_minutes_adds_hours_and_minutes", "test_to_minutes_counts_full_hours"),
        ("test_ends_at_adds_the_length_to_the_start", "test_ends_at_keeps_counting_after_midnight"),
    ):
        assert f"Test: {first}\n" in text
        text = text.replace(f"Test: {first}\n", f"Test: {first},\n        {more}\n")
    path.write_text(text, "utf-8")
    assert await found(own) == set()


SOURCE, TESTS = "src/exercise/movie.py", "tests/test_movie.py"


@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("file", "old", "new", "finding"),
    [
        ("exercise.toml", 'depth = "D1"', 'depth = "D2"', ("shape", None)),
        (SOURCE, '    raise NotImplementedError("plan")', "    ...", ("shape", "ex-4")),
        (SOURCE, 'NotImplementedError("plan")', 'NotImplementedError("x")', ("shape", "ex-4")),
        (SOURCE, "Start here: when are", "Begin: when are", ("references", "ex-3")),
        (SOURCE, "Start here: when are", "Start here: you must know", ("references", "ex-3")),
        (SOURCE, "a comparison is a value", "comparisons", ("references", "ex-3")),
        (SOURCE, ', "Yes or no"', ', "Yes"', ("references", "ex-3")),
        (SOURCE, "ex-3 -", "ex-5 -", ("references", "ex-3")),
        (SOURCE, "at the stop, as", "at the stop – as", ("references", "ex-3")),
        (TESTS, "assert plan(", "assert clock(", ("units", "ex-4")),
        (TESTS, "test_plan_tells", "test_plans_tell", ("references", "ex-4")),
        ("LESSON.md", "## Yes or no", "## Yes, or no", ("references", "ex-3")),
        ("LESSON.md", "# Movie night\n", "## Movie night\n", ("lesson", None)),
        ("LESSON.md", "[ends_at](src/exercise/movie.py)", "", ("references", "ex-2")),
        (
            "LESSON.md",
            "[ends_at](src/exercise/movie.py)",
            "[ends_at](a.py)",
            ("references", "ex-2"),
        ),
        ("LESSON.md", "May this child", "word " * 250 + "May this child", ("lesson", None)),
        ("LESSON.md", "\n\n## Yes", "\n\n\n\n## Yes", ("shape", None)),
        ("hints/ex-1.md", "Think of one hour", "word " * 40 + "hour", ("giveaway", "ex-1")),
        ("hints/ex-1.md", "Think of one hour", "```\nx\n```\n", ("giveaway", "ex-1")),
        ("hints/ex-1.md", "    return weeks * 7", "    x = 1\n" * 8, ("giveaway", "ex-1")),
        (
            "hints/ex-1.md",
            "    return weeks * 7",
            "    return hours * 60 + minutes",
            ("giveaway", "ex-1"),
        ),
    ],
)
async def test_each_rule_finds_what_breaks_it(own, file, old, new, finding):
    change(own / file, old, new)
    assert finding in await found(own)


@pytest.mark.long("proves an exercise for a rule beside those that stand for it here")
async def test_tests_out_of_order_are_found(own):
    text = (own / TESTS).read_text("utf-8")
    head, first, *rest = text.split("\n\n\n")
    (own / TESTS).write_text("\n\n\n".join([head, *(p.strip() for p in rest), first]) + "\n")
    assert ("references", "ex-1") in await found(own)


@pytest.mark.long("proves an exercise for a rule beside those that stand for it here")
async def test_too_many_units_or_tests_are_found(own):
    change(own / "exercise.toml", '    "test_ends_at_keeps_counting_after_midnight",\n', "")
    assert ("shape", "ex-2") in await found(own)


@pytest.mark.long("proves an exercise")
def test_the_command_says_what_does_not_hold(own, monkeypatch, capsys):
    change(own / SOURCE, "Start here: when are", "Begin: when are")
    monkeypatch.setattr(library_check, "BUNDLED", own)
    assert library_check.main(["--check", "--jobs", "1"]) == 1
    said = capsys.readouterr().out
    assert f"[references] {SOURCE}:" in said
    assert "has no record of this content" in said
    assert said.endswith("0 of 1 exercises pass\n")
    assert not (own / "proofs.json").exists()


@pytest.mark.long("proves an exercise")
def test_the_command_writes_the_record(own, monkeypatch, capsys):
    monkeypatch.setattr(library_check, "BUNDLED", own)
    assert library_check.main(["--write"]) == 0
    assert len(library_check.read_records(Path(own))) == 1
    assert library_check.main(["--check"]) == 0
    assert capsys.readouterr().out == "1 of 1 exercises pass\n" * 2


async def test_tests_of_the_bundled_library_have_to_notice_every_wrong_version(own, monkeypatch):
    asked = []

    async def checking(library, entry, *_, strict):
        asked.append((entry.id, strict))

    monkeypatch.setattr(library_check, "check_entry", checking)
    library = Library([own])
    await library_check.check_all(library, library.entries(), {"python": kit.QuickPython()}, 1)
    assert asked == [(entry.id, True) for entry in library.entries()] != []
