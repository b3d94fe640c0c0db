"""A unit that asks to mend a program, from its start to its reference."""

import pytest
from begun_kit import OwnLearner, begun_with, taken_up

from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.tutor.hinting.coach.checks import leak
from tutor_lsp.tutor.hinting.coach.mended import mended
from tutor_lsp.tutor.ide.actions import actions
from tutor_lsp.tutor.ide.diagnostics import Severity, diagnostics
from tutor_lsp.tutor.ide.hover import hover
from tutor_lsp.tutor.ide.lenses import lenses

pytestmark = pytest.mark.xdist_group("repair")
FILE = "src/exercise/warmest.py"
MENDED = ("highest = 0", "highest = days[0]")


class Learner(OwnLearner):
    """With a library of one's own whose exercise is begun."""

    file = FILE

    def change(self, old, new):
        assert old in self.path.read_text()
        self.path.write_text(self.path.read_text().replace(old, new))

    @property
    def marks(self):
        return diagnostics(self.opened.view())[FILE]

    async def check(self):
        """The results of the unit's tests."""
        report = await self.do("check")
        assert report["buildErrors"] == []
        return [test for test in report["tests"] if test["unit"] == "ex-4"]


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    return begun_with(tmp_path_factory.mktemp("begun"), UnitKind.REPAIR, Learner)


@pytest.fixture
async def learner(begun, tmp_path):
    async with taken_up(begun, tmp_path / "home", Learner) as made:
        yield made


async def test_what_is_given_is_to_do_whatever_of_it_fails(learner):
    unit = await learner.unit()
    assert (unit["kind"], unit["state"], unit["line"]) == ("repair", "todo", 10)
    ended = {test["outcome"]: test["message"] for test in await learner.check()}
    assert ended == {"passed": None, "todo": "`warmest` is not mended yet"}
    (mark,) = learner.marks
    assert (mark.code, mark.severity, mark.span.line) == ("todo", Severity.HINT, 10)
    assert mark.message == "ex-4: a search begins with what is there. Not mended yet."
    assert mark.related == ()
    view = learner.opened.view()
    assert {line for line, _ in lenses(view, FILE)} == {10}
    assert "`warmest` is not mended yet" in hover(view, FILE, 10, 6).markdown
    cue = view.units[3].cue_line
    assert "tutor.reset" in [each.command for each in actions(view, FILE, cue, cue)]
    shown = await learner.do("check")
    assert "○ ex-4 `warmest`: not mended yet" in shown["say"]["markdown"]


async def test_an_edit_makes_it_fail_with_one_sentence(learner):
    learner.change("= 0", "= -10")
    await learner.check()
    (mark,) = learner.marks
    assert (mark.code, mark.span.line) == ("test-failed", 10)
    assert mark.message == "`warmest([-12])` gave -10, expected -12 (1 of 2 tests)"
    learner.change("in days:", "in days")
    await learner.check()
    (mark,) = learner.marks
    assert mark.code == "test-errored"
    assert mark.message == f"line 12 of {FILE} does not build: expected ':' (2 of 2 tests)"
    (related,) = mark.related
    assert (related.file, related.line) == (FILE, 12)
    states = [each["state"] for each in (await learner.do("status"))["units"]]
    assert states == ["todo", "todo", "todo", "failing"]


async def test_a_reset_brings_back_what_was_broken(learner):
    learner.change(*MENDED)
    mine = learner.path.read_text()
    await learner.check()
    assert (await learner.unit())["state"] == "passing"
    assert learner.marks == []
    assert (await learner.do("reset", unit="ex-4"))["files"] == [FILE]
    assert learner.path.read_text() == learner.given
    await learner.check()
    assert (await learner.unit())["state"] == "todo"
    await learner.do("reset", undo=True)
    assert learner.path.read_text() == mine
    learner.path.unlink()
    await learner.do("check")
    assert (await learner.do("restore"))["files"] == [FILE]
    assert learner.path.read_text() == learner.given


async def test_hints_follow_one_another(learner):
    await learner.check()
    said = [await learner.do("hint", unit="ex-4") for _ in range(3)]
    assert [hint["level"] for hint in said] == [1, 2, 3]
    assert said[0]["text"].startswith(
        "`test_warmest_finds_a_day_below_freezing`: `warmest` is not mended yet. It expects -4; "
        "your code gives 0. The failing test shows what came back for days of frost"
    )
    assert "begin with a day of the list" in said[2]["text"]


async def test_a_hint_begins_with_what_the_build_says(learner):
    learner.change("in days:", "in days")
    await learner.check()
    first = await learner.do("hint", unit="ex-4")
    assert first["text"].startswith(f"{FILE} line 12 does not build yet: ")
    assert "is waiting for that" in first["text"]
    assert "what came back for days of frost" in first["text"]
    second, third = [await learner.do("hint", unit="ex-4") for _ in range(2)]
    assert "The compiler's own words: expected ':'" in second["text"]
    mends = "end with `:`"
    assert [mends in hint["text"] for hint in (first, second, third)] == [False, False, True]


async def test_it_is_compared_and_revealed_as_a_whole_file(learner):
    assert (await learner.refused("compare", unit="ex-4")).kind == "REFUSED"
    shown = await learner.do("reveal", unit="ex-4", confirm=True)
    assert (shown["file"], "highest = days[0]" in shown["solution"]) == (FILE, True)
    learner.change(*MENDED)
    learner.change("highest", "best")
    await learner.check()
    compared = await learner.do("compare", unit="ex-4")
    assert "+    highest = days[0]" in compared["diff"]


async def test_an_attempt_counts_it_like_any_other(learner):
    for file, text in learner.opened.vault.solution.items():
        (learner.root / file).write_text(text)
    attempted = await learner.do("attempt")
    assert attempted["report"]["outcome"] == "passed"
    assert attempted["review"]["verdict"] == "PASS"


WHOLE = "def warmest(days):\n    return max(days)\n"
GIVEN_AWAY = {
    "the step": (2, "highest = days[0]", "leak-form"),
    "the step in a diff": (2, "-    highest = 0\n+    highest = days[0]", "leak-form"),
    "the step among its own lines": (2, "highest = days[0]\nfor celsius in days:", "leak-form"),
    "the whole function": (2, WHOLE, "leak"),
    "a line that is there": (2, "highest = 0", None),
    "a line of another purpose": (2, "cheapest = prices[0]", None),
    "the step at the end": (3, "highest = days[0]", None),
    "the whole function at the end": (3, f"{WHOLE}\n\nprint(warmest([1]))\n", "leak"),
}


@pytest.mark.first(3)
@pytest.mark.parametrize("name", GIVEN_AWAY)
async def test_a_hint_does_not_mend_the_program(learner, name):
    level, code, rule = GIVEN_AWAY[name]
    opened, unit = learner.opened, learner.opened.exercise.unit("ex-4")
    trials, texts = learner.app.exercises.shadow_copies, learner.opened.texts()
    fault = await leak(trials, opened, unit, level, "Look at this.", code, texts)
    assert (fault.rule if fault else None) == rule


PLACED = {
    "rust": (
        "impl It {\n    fn a(&self) -> u8 {\n        1\n    }\n}\n",
        "fn a(&self) -> u8 {\n    2\n}", "",
        "impl It {\n    fn a(&self) -> u8 {\n        2\n    }\n}\n",
    ),
    "c": (
        "int a(void)\n{\n    int b = 1;\n    return b;\n}\n", "int b = 2;", "",
        "int a(void)\n{\n    int b = 2;\n    return b;\n}\n",
    ),
    "python": (
        "def a():\n    b = 1\n    return b\n", "c = 2",
        "def a():\n    b = 1\n    c = 2\n    return b\n",
        "def a():\n    b = 1\n    c = 2\n    return b\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", PLACED)
def test_a_piece_is_put_where_a_learner_would(language):
    mine, piece, reference, expected = PLACED[language]
    assert expected in list(mended(mine, piece, reference, toolchains()[language]))


def test_a_piece_that_is_there_is_not_put_anywhere():
    mine = "def a():\n    b = 1\n"
    assert list(mended(mine, "b  = 1", mine, toolchains()["python"])) == []
