"""A unit that asks what a program gives, from its start to its reference."""

import time
from dataclasses import replace
from unittest.mock import AsyncMock

import pytest
from begun_kit import OwnLearner, begun_with, taken_up
from tutor_kit import until

from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.core.exercise.report import TestOutcome, TestResult
from tutor_lsp.tutor.application.compose import compose
from tutor_lsp.tutor.hinting.coach.checks import leak
from tutor_lsp.tutor.hinting.context import tutoring_context
from tutor_lsp.tutor.hinting.probing import Prober
from tutor_lsp.tutor.hinting.trace import trace_for
from tutor_lsp.tutor.ide.diagnostics import Severity, diagnostics
from tutor_lsp.tutor.ide.hover import hover
from tutor_lsp.tutor.ide.lenses import lenses
from tutor_lsp.tutor.running.saving import saved

pytestmark = pytest.mark.xdist_group("predict")
FILE, GAUGE, BODY = "src/exercise/answers.py", "src/exercise/gauge.py", "src/exercise/weather.py"
UNIT = "ex-4"
UNCHECKED = "not checked yet"


class Learner(OwnLearner):
    """With a library of one's own whose exercise is begun."""

    file = FILE

    def answer(self, water="...", signs="..."):
        text = self.given.replace("WATER = ...", f"WATER = {water}")
        self.path.write_text(text.replace("SIGNS = ...", f"SIGNS = {signs}"))

    async def save(self, path=None):
        """A save as an editor tells of it, and the end of its check."""
        queue = self.app.runs.of(self.opened)
        saved(self.app.services, queue, self.opened, path or self.path, time.monotonic())
        await until(lambda: not queue.pending(), "the check did not end")
        return self.item

    @property
    def item(self):
        return self.opened.view().units[3]

    @property
    def mark(self):
        (only,) = diagnostics(self.opened.view())[FILE] or [None]
        return only


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    return begun_with(tmp_path_factory.mktemp("begun"), UnitKind.PREDICT, Learner)


@pytest.fixture
async def learner(begun, tmp_path):
    async with taken_up(begun, tmp_path / "home", Learner) as made:
        yield made


async def test_a_save_runs_everything_else_and_a_check_runs_the_answers_too(learner):
    ran = []
    toolchain = learner.opened.toolchain
    run = toolchain.run

    async def noted(folder, **options):
        ran.append(options.get("tests"))
        return await run(folder, **options)

    toolchain.run = noted
    try:
        learner.answer("35")
        assert (await learner.save()).state == "stale"
        assert ran.pop() == [t for unit in learner.opened.exercise.units[:3] for t in unit.tests]
        assert {each.state for each in learner.opened.view().units[:3]} == {"todo"}
        unit = await learner.unit()
        assert (unit["kind"], unit["state"], unit["words"]) == ("predict", "stale", UNCHECKED)
        assert learner.mark is None
        said = hover(learner.opened.view(), FILE, 10, 2).markdown
        assert f"**{UNIT} … {UNCHECKED}**" in said
        assert "tutor.check" in said
        assert lenses(learner.opened.view(), FILE)[0][1].title == f"{UNIT} … {UNCHECKED}"
        assert ran == []
        report = await learner.do("check")
        assert ran == [None]
    finally:
        del toolchain.run
    assert learner.item.state == "failing"
    (said, _) = [test["message"] for test in report["tests"] if test["unit"] == UNIT]
    assert said == "`WATER` is not `35`: follow the program once more"
    assert (learner.mark.severity, learner.mark.span.line) == (Severity.ERROR, 10)
    learner.answer("34", '"##"')
    await learner.do("check")
    assert learner.mark.span.line == 12, "the mark is not on the answer that is wrong"


async def test_a_save_runs_the_tests_that_a_learner_has_added(learner):
    mine = learner.root / "tests" / "test_mine.py"
    mine.write_text("def test_mine():\n    assert 1 == 2\n")
    learner.answer("35")
    await learner.save()
    ran = {test.name: test.outcome for test in learner.opened.session.last_results.tests}
    assert ran["test_mine"] == "failed"
    assert ran["test_water_after_three_days"] == "not_run"


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_a_save_keeps_what_was_checked_as_long_as_the_answers_stay(learner):
    learner.answer("35")
    await learner.do("check")
    body = learner.root / BODY
    body.write_text(body.read_text() + "\n\nLIMIT = 3\n")
    assert (await learner.save(body)).state == "failing"
    learner.answer("34", '"#-#."')
    assert (await learner.save()).state == "stale"
    await learner.do("check")
    assert learner.item.state == "passing"
    body.write_text(body.read_text() + "\nMOST = 4\n")
    assert (await learner.save(body)).state == "passing"
    assert [test.outcome for test in learner.item.results] == ["passed", "passed"]
    learner.path.write_text(learner.given)
    assert (await learner.save()).state == "todo"
    assert learner.mark.message.endswith("Not answered yet.")


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_what_was_checked_is_known_after_a_restart(learner):
    learner.answer("34", '"#-#."')
    await learner.do("check")
    await learner.app.close()
    learner.app = compose(learner.desk, learner.settings)
    await learner.do("open")
    assert learner.item.state == "passing"
    body = learner.root / BODY
    body.write_text(body.read_text() + "\n\nLIMIT = 3\n")
    assert (await learner.save(body)).state == "passing"


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_an_answer_about_a_changed_program_is_none(learner):
    gauge = learner.root / GAUGE
    gauge.write_text(gauge.read_text().replace("return height", "return 35"))
    learner.answer("35", '"#-#."')
    report = await learner.do("check")
    said = {test["message"] for test in report["tests"] if test["unit"] == UNIT}
    assert said == {
        f"{GAUGE} is not as it was given, and the answers are about that; tutor.restore puts it "
        "back"
    }
    await learner.do("restore")
    report = await learner.do("check")
    said = [test["message"] for test in report["tests"] if test["unit"] == UNIT]
    assert said == ["`WATER` is not `35`: follow the program once more", None]


async def test_a_trace_leads_to_the_first_wrong_answer_after_two_guesses(learner):
    for value, traced in (("35", False), ("36", True)):
        learner.answer(value)
        await learner.save()
        await learner.do("check")
        hint = await learner.do("hint", unit=UNIT)
        assert ("on the way to `WATER`, line by line" in hint["text"]) is traced
    steps = hint["text"].partition("```text\n")[2].partition("```")[0].splitlines()
    assert steps[0].split() == ["7", "def", "level(days:", "list[int])", "->", "int:", "days", "=",
                                "[20,", "31,", "4]"]  # fmt: skip
    assert steps[-1].endswith("height -= LOST                      height = ?")
    assert "34" not in hint["text"]
    assert "height = ?" in hover(learner.opened.view(), FILE, 2, 2).markdown


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_a_trace_tells_no_value_that_another_unit_asks_for(learner):
    opened = learner.opened
    for value in ("35", "36"):
        learner.answer(value)
        report = await learner.do("check")
    asking = opened.exercise.unit(UNIT)
    (test,) = [each for each in report["tests"] if each["outcome"] == "failed"]
    results = (TestResult(test["name"], UNIT, asking.stub, TestOutcome.FAILED),)
    last = replace(opened.session.last_results, tests=results)
    trials = learner.app.exercises.shadow_copies
    assert "days = [20, 31, 4]" in await trace_for(trials, opened, asking, last, opened.texts())
    file = "src/exercise/more.py"
    more = replace(asking, id="ex-5", stub="FULL", file=file)
    units = (*opened.exercise.units, more)
    opened.exercise = replace(opened.exercise, units=units)
    opened.vault = replace(
        opened.vault, solution={**opened.vault.solution, file: "FULL = [20, 31, 4]\n"}
    )
    assert "[20, 31, 4]" not in await trace_for(trials, opened, asking, last, opened.texts())


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_guesses_that_were_only_saved_do_not_count(learner):
    for value in ("35", "36", "37"):
        learner.answer(value)
        await learner.save()
    assert len(learner.opened.session.progress[UNIT].failing_texts) == 0
    await learner.do("check")
    for _ in range(3):
        await learner.save()
        hint = await learner.do("hint", unit=UNIT)
    assert len(learner.opened.session.progress[UNIT].failing_texts) == 1
    assert "line by line:" not in hint["text"]


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_a_last_hint_gets_the_newest_trace_as_well(learner, monkeypatch):
    learner.answer("35")
    await learner.do("check")
    for _ in range(3):
        hint = await learner.do("hint", unit=UNIT)
    assert (hint["level"], "line by line:" in hint["text"]) == (3, False)
    learner.answer("36")
    await learner.do("check")
    hint = await learner.do("hint", unit=UNIT)
    assert (hint["level"], "line by line:" in hint["text"]) == (3, True)
    assert (await learner.do("hint", unit=UNIT))["text"] == hint["text"]
    for number in range(2):
        other = AsyncMock(return_value=f"Another way, number {number}")
        monkeypatch.setattr("tutor_lsp.tutor.hinting.hint.trace_for", other)
        later = (await learner.do("hint", unit=UNIT))["text"]
        assert later == hint["text"].partition("What the program")[0] + other.return_value


TOLD = {
    "as code": (2, "Look at this.", "WATER = 34", True),
    "in words": (1, "The barrel stands at 34 in the end: height is 34.", None, True),
    "text that is distinct": (1, "Is it `#-#.` perhaps?", None, True),
    "of another unit": (1, "Here SIGNS is #-#.", None, True),
    "another number": (1, "What is `height` on day 3, if it was 15 on day 1?", None, False),
    "a line": (2, "Look at line 34 again.", None, False),
    "code of the program": (2, "Look at this.", "height -= LOST", False),
}  # fmt: skip


async def test_a_hint_tells_no_value_that_is_still_to_be_predicted(learner):
    opened, trials = learner.opened, learner.app.exercises.shadow_copies
    for name, (level, text, code, told) in TOLD.items():
        unit = opened.exercise.unit("ex-1" if name == "of another unit" else UNIT)
        fault = await leak(trials, opened, unit, level, text, code, opened.texts())
        assert (fault.rule if fault else None) == ("leak-value" if told else None), name


async def test_a_model_is_not_told_values_that_are_still_to_be_predicted(learner):
    services = learner.app.services
    context = await tutoring_context(services, learner.opened, report=None)
    assert FILE not in context.vault.solution
    assert BODY in context.vault.solution
    learner.answer("34", '"#-#."')
    await learner.do("check")
    context = await tutoring_context(services, learner.opened, report=None)
    assert FILE in context.vault.solution


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_reset_reveal_and_compare_are_of_the_whole_file(learner):
    learner.answer("35")
    mine = learner.path.read_text()
    assert (await learner.do("reset", unit=UNIT))["files"] == [FILE]
    assert learner.path.read_text() == learner.given
    await learner.do("reset", undo=True)
    assert learner.path.read_text() == mine
    assert (await learner.refused("compare", unit=UNIT)).kind == "REFUSED"
    shown = await learner.do("reveal", unit=UNIT, confirm=True)
    assert "WATER = 34" in shown["solution"]
    learner.answer("34", "'#-#.'")
    await learner.do("check")
    assert '+SIGNS = "#-#."' in (await learner.do("compare", unit=UNIT))["diff"]


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_an_attempt_counts_the_answers(learner):
    for file, text in learner.opened.vault.solution.items():
        (learner.root / file).write_text(text)
    attempted = await learner.do("attempt")
    assert attempted["report"]["outcome"] == "passed"
    assert attempted["review"]["verdict"] == "PASS"


async def test_nothing_is_run_for_a_model_before_the_values_are_predicted(learner):
    prober = Prober(learner.app.exercises.shadow_copies, learner.opened, learner.opened.texts())
    told = [("to_fahrenheit(0)", "32"), ("to_fahrenheit(0)", "7")]
    for reference in (False, True):
        assert await prober.give(told, reference=reference) == [None, None]
    learner.answer("34", '"#-#."')
    await learner.do("check")
    assert await prober.give(told, reference=True) == [True, False]
