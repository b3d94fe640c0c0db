"""A topic that is due, of which a unit asks for tests and another what a program gives."""

import re
from pathlib import Path

import pytest
from learner_kit import learner
from test_short_review import later

from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.languages.common.predict.program import answers_of
from tutor_lsp.languages.common.predict.values import another

NODES = {
    "c": ("c-testing", "minutes_until", "morning", "minutes_left(480, 525)"),
    "python": ("python-testing", "late_fee", "MARKS", "compared([2, 3, 1, 5])"),
    "rust": ("rust-testing", "may_ride", "trains", "fill(&[4, 4, 4])"),
}
LANGUAGES = ["python", "c", pytest.param("rust", marks=pytest.mark.cargo)]


async def reviewed(me, node, number, *wrong):
    """Start the review that is due and pass it, after a check of each text that is `wrong`: the
    unit, all that is in its folder, and the hint after these checks."""
    session = await me.start(node=node)
    assert session["title"].startswith("Review: ")
    assert session["proof"]["ok"]
    assert session["proof"]["tests"] == 2
    (unit,) = session["units"]
    assert unit["state"] == "todo"
    root = Path(session["workspace"])
    texts = {file: (root / file).read_text() for file in session["files"]}
    for text in wrong:
        (root / unit["file"]).write_text(text)
        assert (await me.do("check"))["outcome"] == "failed"
    hint = await me.do("hint")
    await me.solve(session)
    result = await me.do("attempt")
    assert result["report"]["outcome"] == "passed", result["report"]
    assert result["mastery"]["before"] == result["mastery"]["after"] > 0
    record = await me.app.services.db(lambda tx: tx.node(session["language"], node))
    assert record.card.reviews == number
    assert record.card.due > me.app.services.now()
    exercise, vault = await me.app.services.db(lambda tx: tx.exercise(session["sessionId"]))
    await me.do("end")
    return exercise.units[0], vault, texts, hint["text"]


@pytest.mark.long("proves two reviews; test_short_review.py starts one in the fast run")
@pytest.mark.first(1)
@pytest.mark.parametrize("language", LANGUAGES)
async def test_tests_and_predictions_are_reviewed_alone(tmp_path, language):
    node, tested, predicted, call = NODES[language]
    async with learner(tmp_path / "home", backend="library") as me:
        session = await me.start(node=node)
        await me.do("hint", unit="ex-3")
        await me.solve(session)
        before = {file: Path(session["workspace"], file).read_text() for file in session["files"]}
        assert (await me.do("attempt"))["report"]["outcome"] == "passed"
        whole = (await me.app.services.db(lambda tx: tx.exercise(session["sessionId"])))[1]
        await me.do("end")

        later(me, 30)
        unit, vault, texts, _ = await reviewed(me, node, 2)
        assert (unit.kind, unit.stub) == (UnitKind.TEST, tested)
        programs, all_of_it = vault.programs["ex-1"], whole.programs["ex-3"]
        assert programs.right == all_of_it.right
        assert set(programs.wrong) < set(all_of_it.wrong)
        assert len(programs.wrong) >= 2
        assert texts[programs.file] == before[programs.file]
        hidden = [*programs.right, *(each.text for each in programs.wrong)]
        assert [text for text in hidden if text in texts.values()] == []

        later(me, 300)
        asked = whole.solution[session["units"][0]["file"]]
        old = answers_of(language, asked).found[-1]
        other = f"{asked[: old.start]}{another(old.text)}{asked[old.end :]}"
        unit, vault, texts, hint = await reviewed(me, node, 3, asked, other)
        assert (unit.kind, unit.stub) == (UnitKind.PREDICT, predicted)
        assert call in before[unit.file]
        assert call not in "".join(texts.values())
        named = re.findall(rf"`({call.partition('(')[0]}\([^`]*)`", texts[unit.file])
        assert named
        assert [each for each in named if each not in texts[unit.test_file]] == []
        assert "What the program does on the way to" in hint
