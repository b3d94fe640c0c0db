"""Misconceptions that came up twice put a section into the next lesson."""

from pathlib import Path

import pytest

from tutor_lsp.authoring.remedial import Need, with_remedial
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.session import NodeRecord, TagRecord
from tutor_lsp.library.markdown import headings
from tutor_lsp.library.remedial import Remedial

NODE = "python-functions"
TAG = "missing-return"


async def seen(me, count, node=NODE, tag=TAG):
    record = NodeRecord(node, "python", tags={tag: TagRecord(count=count, last_at="9999")})
    await me.app.services.db(lambda tx: tx.put_node(record))


def lesson_of(session):
    return Path(session["lesson"]).read_text("utf-8")


async def test_a_tag_seen_twice_opens_the_next_lesson_and_once_does_not(me):
    await seen(me, 1)
    plain = lesson_of(await me.start(node=NODE))
    assert "Once more" not in plain
    await seen(me, 2)
    session = await me.start(node=NODE)
    text = lesson_of(session)
    sections = [mark.text for mark in headings(text) if mark.level == 2]
    assert sections[0] == "Once more: A function that forgets to answer"
    assert "came up 2 times" in text
    assert "More to build on" not in text
    assert any("stays as you left it" in said for said in me.desk.said)
    for unit in session["units"]:
        heading = unit["lesson"]
        assert text.split("\n")[heading["line"] - 1] == f"## {heading['heading']}"


async def test_the_section_breaks_neither_proof_nor_attempt(me):
    await seen(me, 2)
    session = await me.start(node=NODE)
    assert session["proof"]["ok"]
    await me.solve(session)
    result = await me.do("attempt")
    assert result["report"]["outcome"] == "passed"
    assert (await me.do("restore"))["files"] == []
    Path(session["lesson"]).write_text("scribbled over", "utf-8")
    assert (await me.do("restore"))["files"] == ["LESSON.md"]
    assert "Once more" in lesson_of(session)


async def test_at_four_the_round_gives_more_to_build_on(me):
    await seen(me, 4)
    text = lesson_of(await me.start(node=NODE))
    assert text.count("### More to build on") == 4


async def test_what_a_topic_builds_on_is_taken_up_too_and_a_challenge_has_no_lesson(me):
    await seen(me, 3)
    assert "Once more: A function" in lesson_of(await me.start(node="python-strings"))
    assert "Once more" not in lesson_of(await me.start(node="python-strings", challenge=True))


async def test_two_clean_passes_end_it(me):
    await seen(me, 2)
    for _ in range(2):
        assert "Once more" in lesson_of((await me.pass_exercise(node=NODE))["session"])
        await me.do("end")
    assert "Once more" not in lesson_of(await me.start(node=NODE, backend="library"))


TEXTS = {"a": Remedial("a", "About a", "Do it.\n\n```c\nint x;\n```")}
UNIT = Unit("ex-1", "f", "src/f.c", 1, "p", "First", 5, ("test_f",))
LESSON = "# T\n\nIntro.\n\n## First\n\nText.\n"


@pytest.mark.parametrize(
    ("tags", "sections"),
    [
        ((), ["First"]),
        ((("a", 1),), ["First"]),
        ((("a", 2),), ["Once more: About a", "First"]),
        ((("a", 2), ("b", 3), ("c", 9)), ["Once more: About a", "Once more: B", "First"]),
    ],
)
def test_at_most_two_sections_stand_before_the_first(tags, sections):
    text, units = with_remedial(LESSON, [UNIT], {}, Need(tags), TEXTS)
    marks = [mark for mark in headings(text) if mark.level == 2]
    assert [mark.text for mark in marks] == sections
    assert text.startswith("# T\n\nIntro.\n\n## ")
    assert units[0].lesson_line == marks[-1].line


def test_more_scaffold_is_the_authors_own_nudge_and_analogue():
    hints = {"ex-1": ("Nudge.", "Analogue.", "The answer.")}
    text, _ = with_remedial(LESSON, [UNIT], hints, Need((("a", 4),)), TEXTS)
    assert "### More to build on: `f`\n\nNudge.\n\nAnalogue." in text
    assert "The answer." not in text
    assert with_remedial("no sections\n", [UNIT], hints, Need((("a", 4),)), TEXTS)[0] == (
        "no sections\n"
    )
