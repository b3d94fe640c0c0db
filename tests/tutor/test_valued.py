"""A condition that was false is told with what the learner's function gave in it."""

import asyncio
from dataclasses import replace
from types import SimpleNamespace

import pytest
from open_kit import open_exercise

from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome, TestReport, TestResult
from tutor_lsp.stages.plain_hint import plain_hint
from tutor_lsp.stages.tutoring import TutoringContext, coach_request
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies
from tutor_lsp.tutor.hinting.diagnosis.found import Found
from tutor_lsp.tutor.hinting.diagnosis.valued import Value, value_in_condition
from tutor_lsp.tutor.services.tasks import Tasks

RUST = (
    ("rust", "rust-functions-split-the-bill", "share"),
    "assert_eq!(share(6_000, 3), 2_000);",
    "let people = 3;\n    assert!((f64::from(share(6_000, people)) - 2_000.0).abs() < 1e-9);",
    "total / people + extra",
    "total / people + 7",
    "(f64::from(share(6_000, people)) - 2_000.0).abs() < 1e-9",
    Value("test_share_splits_an_even_total", "share(6_000, people)", "2007"),
)
C = (
    ("c", "c-control-flow-typo-catcher", "doubled"),
    "TEST_ASSERT_EQ(0, doubled(0));",
    "TEST_ASSERT(doubled(3) * 2 < 13);",
    "return twice;",
    "return twice + 1;",
    "doubled(3) * 2 < 13",
    Value("", "doubled(3)", "7"),
)
PYTHON = (
    ("python", "python-loops-bike-tour", "legs_on_one_charge"),
    "    assert legs_on_one_charge([30, 25, 40], 60) == 2\n",
    "    assert any(legs_on_one_charge([30, 25, 40], 60) == n for n in (2, 4))\n",
    "            break\n",
    "            continue\n",
    "any(legs_on_one_charge([30, 25, 40], 60) == n for n in (2, 4))",
    Value("", "legs_on_one_charge([30, 25, 40], 60)", "2"),
)


class Desk:
    """An exercise with another condition in a test, solved but for the unit that it is about."""

    def __init__(self, folder, exercise, test, condition, right, wrong):
        language, name, stub = exercise
        opened = self.opened = open_exercise(folder / "work" / "one", language, name)
        self.unit = next(each for each in opened.exercise.units if each.stub == stub)
        put(opened.vault.originals, "tests/", test, condition)
        self.texts = dict(opened.vault.solution)
        put(self.texts, self.unit.file, right, wrong)
        self.services = SimpleNamespace(tasks=Tasks(str))
        self.trials = ShadowCopies(folder / "home")

    async def value(self, message, **other):
        said = {"outcome": TestOutcome.FAILED, "expected": "true", "actual": "false", **other}
        test = TestResult(self.unit.tests[0], self.unit.id, self.unit.stub, message=message, **said)
        self.report = TestReport("r", RunOutcome.FAILED, tests=(test,))
        given = (self.services, self.trials, self.opened, self.unit, self.texts, self.report)
        assert await value_in_condition(*given, 0) is None
        await asyncio.gather(*self.services.tasks.tasks)
        return await value_in_condition(*given, 0)


def put(texts, path, old, new):
    file = next(name for name in texts if name.startswith(path) and old in texts[name])
    texts[file] = texts[file].replace(old, new, 1)


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(RUST, id="rust", marks=pytest.mark.cargo),
        pytest.param(C, id="c"),
        pytest.param(PYTHON, id="python"),
    ],
)
async def test_the_value_in_a_condition_is_told(tmp_path, case):
    *given, condition, expected = case
    desk = Desk(tmp_path, *given)
    found = await desk.value(f"`{condition}` was false")
    assert found == expected._replace(test=desk.unit.tests[0])
    opened = desk.opened
    context = TutoringContext(opened.exercise, opened.vault, desk.texts, desk.report)
    packet = coach_request(Found(value=found).put_into(context), desk.unit.id, 1).packet
    text = plain_hint(packet["tutoring"], ("", "", ""), opened.exercise.language)["text"]
    assert f"`{condition}` was false: `{expected.call}` is {expected.value}." in text


async def test_nothing_runs_where_the_sentence_has_the_value_or_names_another(tmp_path):
    desk = Desk(tmp_path, *PYTHON[:-2])
    call = PYTHON[-1].call
    for message, other in [
        (f"`{call}` gave False, expected True", {}),
        ("`any([])` was false", {}),
        (f"`{PYTHON[-2]}` gave 3, expected 2", {"expected": "2", "actual": "3"}),
    ]:
        assert await desk.value(message, **other) is None
        assert not desk.opened.beside


async def test_what_is_not_a_value_is_not_told(tmp_path):
    desk = Desk(tmp_path, *PYTHON[:3], "    count = 0\n", "    raise ValueError\n    count = 0\n")
    assert await desk.value(f"`{PYTHON[-2]}` was false") is None
    desk.opened.session = replace(desk.opened.session, trusted=False)
    assert await desk.value(f"`{PYTHON[-2]}` was false") is None


async def test_the_value_is_of_the_learner_s_code_in_other_units_too(tmp_path):
    desk = Desk(tmp_path, *PYTHON[:3], "    count = 0\n", "    count = len(numbered([]))\n")
    put(desk.texts, desk.unit.file, "    return result\n", "    return ['one', 'too many'] * 50\n")
    found = await desk.value(f"`{PYTHON[-2]}` was false")
    assert found.value == "102"


async def test_a_call_that_stands_there_twice_is_not_told(tmp_path):
    twice = (
        "    stages = [30]\n    assert any([legs_on_one_charge(stages, 60)])\n"
        "    stages = []\n    assert any([legs_on_one_charge(stages, 60)])\n"
    )
    desk = Desk(tmp_path, *PYTHON[:2], twice, *PYTHON[3:5])
    assert await desk.value("`any([legs_on_one_charge(stages, 60)])` was false") is None
