"""What sessions of somebody else's record say, and what their reviews found."""

import json
import os

import pytest
from foreign_kit import learner_here, within
from open_kit import open_exercise

from tutor_lsp.core.session import CounterExample
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.stages.plain_markdown import harmless
from tutor_lsp.tutor.exercise.cases import with_cases
from tutor_lsp.tutor.exercise.folder.coach_file import NAME, add_to_coach_file, write_coach_file
from tutor_lsp.tutor.learner.record.transfer.export import export
from tutor_lsp.tutor.learner.record.transfer.import_record import import_record

pytestmark = pytest.mark.first(3)

NODE = "python-functions"
AT = "2099-01-01T00:00:00+00:00"
EVIL = "[click](command:evil) <img src=x onerror=y>"
CASE = {"unit": "ex-1", "setup": [], "call": "evil()", "expected": "1", "gave": "2"}
HINT = {"unit": "ex-1", "test": "", "level": 1, "text": EVIL + " x" * 100_000, "code": "y" * 99_999,
        "verified": True, "at": AT, "textHash": ""}  # fmt: skip
REVIEW = {"verdict": "FAIL", "score": 1, "summary": EVIL + " x" * 100_000, "question": EVIL,
          "improvement": EVIL, "findings": [{"file": "src/exercise/movie.py", "line": 1,
          "endLine": 1, "quote": "q", "claim": EVIL, "evidence": EVIL}] * 50}  # fmt: skip


async def record_of(place, path, **values):
    """Write the record of somebody with one session that was tried once, with these values."""
    async with learner_here(place) as them:
        await them.solve(await them.start(node=NODE))
        await them.do("attempt")
        await export(them.app.services, path)
    whole = json.loads(path.read_text())
    whole["sessions"][0] |= {"updatedAt": AT, **values}
    whole["sessions"][0]["attempts"][0]["review"] = REVIEW
    path.write_text(json.dumps(whole))


@pytest.mark.first(1)
@pytest.mark.parametrize("known", [True, False])
async def test_a_record_brings_no_cases_and_only_harmless_short_texts(tmp_path, known):
    path, place = tmp_path / "record.json", tmp_path / "home"
    await record_of(place, path, cases=[CASE], hints=[HINT])
    async with learner_here(place if known else tmp_path / "other") as me:
        told = await import_record(me.app.services, path)
        [session] = await me.app.services.db(lambda tx: tx.sessions())
        assert (session.cases, session.trusted) == ((), known)
        assert any("inputs" in name for name in told["leftOut"]) is not known
        review, [hint] = session.attempts[0].review, session.hints
        said = (hint.text, review.summary, review.question, review.improvement,
                review.findings[0].claim, review.findings[0].evidence)  # fmt: skip
        assert not any("](" in text or "<img" in text.replace("\\<", "") for text in said)
        assert max(map(len, (*said, hint.code))) < 20_000
        assert len(review.findings) == 20
        again = await import_record(me.app.services, path)
        assert (again["sessions"], again["events"]) == (0, 0)
        assert await me.app.services.db(lambda tx: tx.sessions()) == [session]


@pytest.mark.long("waits for a limit")
async def test_many_texts_that_take_long_to_read_are_taken_in_at_once(tmp_path):
    path, text = tmp_path / "record.json", "- > **a [b](c) `d\n" * 80
    hints = [{**HINT, "text": f"{number:05}\n\n{text}", "code": None} for number in range(3000)]
    await record_of(tmp_path / "home", path, hints=hints)
    async with learner_here(tmp_path / "other") as me:
        with within(5.0):
            await import_record(me.app.services, path)
        [session] = await me.app.services.db(lambda tx: tx.sessions())
        assert len(session.hints) == 3000
        for hint in session.hints[:3]:
            assert hint.text == harmless(hint.text)
        assert (await import_record(me.app.services, path))["sessions"] == 0
        assert await me.app.services.db(lambda tx: tx.sessions()) == [session]


@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("language", "folder", "call"),
    [
        ("python", "python-functions-movie-night", "-" * 20_000 + "1"),
        ("python", "python-functions-movie-night", "-" * 1500 + "1"),
        ("c", "c-functions-kitchen-timer", "(" * 20_000 + ")" * 20_000),
        ("c", "c-functions-kitchen-timer", "-" * 1500 + "1"),
    ],
)
def test_a_case_that_cannot_be_read_is_left_out(tmp_path, language, folder, call):
    opened = open_exercise(tmp_path / "x", language, folder)
    unit = opened.exercise.units[0]
    case = CounterExample(unit.id, (), f"{unit.stub}({call})", "1", "2")
    with within(3.0):
        with_cases(opened.exercise, opened.vault, [case] * 200, toolchains()[language])


def link(path):
    path.symlink_to(path.parent.parent / "mine.md")


def too_long(path):
    path.write_bytes(b"x" * (5 << 20))


@pytest.mark.parametrize(
    "make", [os.mkfifo, link, lambda p: p.symlink_to("/dev/zero"), too_long],
    ids=["pipe", "link", "device", "too long"],
)  # fmt: skip
def test_a_coach_file_that_is_none_is_neither_waited_for_nor_followed(tmp_path, make):
    (tmp_path / ".tutor").mkdir()
    (tmp_path / "mine.md").write_text("mine")
    make(tmp_path / NAME)
    add_to_coach_file(tmp_path, "## Hint", AT)
    assert "## Hint" in (tmp_path / NAME).read_text()
    assert (tmp_path / NAME).is_file()
    assert not (tmp_path / NAME).is_symlink()
    assert (tmp_path / "mine.md").read_text() == "mine"
    if make is too_long:
        assert [f.stat().st_size for f in (tmp_path / ".tutor").glob("coach-*.md")] == [5 << 20]


def test_a_coach_file_is_not_written_through_a_linked_folder(tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / ".tutor").symlink_to("other")
    with pytest.raises(OSError, match="is a link"):
        add_to_coach_file(tmp_path, "## Hint", AT)
    assert not list((tmp_path / "other").iterdir())


def test_a_coach_file_of_many_entries_is_written_at_once(tmp_path):
    text = "## Hint\n\n" + "x " * 700
    entries = [(f"2026-01-01T00:00:{number % 60:02}", f"{text}{number}") for number in range(3000)]
    with within(2.0):
        write_coach_file(tmp_path, entries)
    assert (tmp_path / NAME).read_text().count("## Hint") == 3000
