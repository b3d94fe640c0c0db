"""What compilers and linters warn of in code that fails: a part of the hint."""

import asyncio
from types import SimpleNamespace

import pytest
from open_kit import open_exercise

from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome, TestReport, TestResult
from tutor_lsp.stages.plain_hint import plain_hint
from tutor_lsp.stages.tutoring import TutoringContext, coach_request, reviewer_request
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies
from tutor_lsp.tutor.hinting.diagnosis.warned import warnings_about
from tutor_lsp.tutor.services.tasks import Tasks

C = ("c", "c-control-flow-typo-catcher")
RUST = ("rust", "rust-result-training-log")
PYTHON = ("python", "python-loops-bike-tour")
STORES = (
    C,
    "ex-2",
    "    if (twice > 9) {",
    "    if (twice = 9) {",
    "twice = 9",
    "-Wparentheses",
    "A single `=` stores a value here instead of comparing.",
)
UNUSED = (
    PYTHON,
    "ex-3",
    "    count = 0\n",
    "    count = 0\n    riden = battery\n",
    "riden",
    "F841",
    "A variable gets a value that nothing reads.",
)
WRONG = [
    pytest.param(*STORES, id="c: = for =="),
    pytest.param(
        C,
        "ex-4",
        "    unsigned sum = 0;",
        "    unsigned sum;",
        "return sum;",
        "-Wmaybe-uninitialized",
        "A variable may be read before it has a value.",
        id="c: no first value",
    ),
    pytest.param(
        C,
        "ex-5",
        "digits >= SHORTEST_CARD && digits <= LONGEST_CARD &&",
        "SHORTEST_CARD <= digits <= LONGEST_CARD &&",
        "<= digits <=",
        "-W",
        "The second comparison is made with the first one's answer, 0 or 1.",
        id="c: a <= b <= c",
    ),
    pytest.param(
        RUST,
        "ex-1",
        "    text.trim().parse()",
        '    text.trim().parse::<u32>();\n    "0".parse()',
        "::<u32>()",
        "unused_must_use",
        "A call may fail, and its answer, which says so, is thrown away.",
        id="rust: an answer thrown away",
        marks=pytest.mark.cargo,
    ),
    pytest.param(
        RUST,
        "ex-1",
        "    text.trim().parse()",
        "    let trimmed = text.trim();\n    text.parse()",
        "let trimmed",
        "unused_variables",
        "A variable gets a value that nothing uses.",
        id="rust: a variable not used",
        marks=pytest.mark.cargo,
    ),
    pytest.param(*UNUSED, id="python: a variable not used"),
    pytest.param(
        PYTHON,
        "ex-3",
        "        battery -= km\n        count += 1",
        "        battery == km\n        count += 1",
        "battery == km",
        "B015",
        "A comparison stands here alone, and nothing uses its answer.",
        id="python: nothing done",
    ),
]


class Desk:
    """An exercise solved but for one unit, which fails, and hidden copies of it."""

    def __init__(self, folder, exercise, unit, right, wrong):
        self.opened = open_exercise(folder / "work" / "one", *exercise)
        self.unit = next(each for each in self.opened.exercise.units if each.id == unit)
        self.trials = ShadowCopies(folder / "home")
        self.services = SimpleNamespace(tasks=Tasks(str))
        self.texts = dict(self.opened.vault.solution)
        text = self.texts[self.unit.file]
        assert text.count(right) == 1
        self.texts[self.unit.file] = text.replace(right, wrong)
        self.report = self.failing(self.unit)

    def failing(self, unit):
        said = {"outcome": TestOutcome.FAILED, "message": "`f(1)` gave 2"}
        failed = TestResult(unit.tests[0], unit.id, unit.stub, **said)
        return TestReport("r", RunOutcome.FAILED, tests=(failed,))

    async def look(self, unit=None, report=None):
        given = (unit or self.unit, self.texts, report or self.report)
        return await warnings_about(self.services, self.trials, self.opened, *given)

    async def found(self):
        assert await self.look() == ()
        await asyncio.gather(*self.services.tasks.tasks)
        return await self.look()

    def context(self, warnings):
        opened = self.opened
        given = (opened.exercise, opened.vault, self.texts, self.report)
        return TutoringContext(*given, warnings=warnings)

    def hint(self, warnings, level):
        packet = coach_request(self.context(warnings), self.unit.id, level).packet
        return plain_hint(packet["tutoring"], ("", "", ""), self.opened.exercise.language)["text"]


@pytest.mark.parametrize(("exercise", "unit", "right", "wrong", "at", "rule", "says"), WRONG)
async def test_a_warning_is_told_with_its_line_in_plain_words(
    tmp_path, exercise, unit, right, wrong, at, rule, says
):
    desk = Desk(tmp_path, exercise, unit, right, wrong)
    warnings = await desk.found()
    assert warnings
    lines = desk.texts[desk.unit.file].split("\n")
    first, second = desk.hint(warnings, 1), desk.hint(warnings, 2)
    head, _, rest = first.partition("There is a warning about line ")
    assert head.startswith("`test_")
    number, _, rest = rest.partition(" (")
    assert at in lines[int(number) - 1]
    assert rest.startswith(rule)
    assert rest.partition("): ")[2].startswith(says)
    assert len(second) > len(first)


async def test_a_warning_about_other_lines_is_not_told(tmp_path):
    desk = Desk(tmp_path, *UNUSED[:4])
    assert len(await desk.found()) == 1
    other = desk.opened.exercise.units[0]
    assert await desk.look(other, desk.failing(other)) == ()
    passing = TestReport("r", RunOutcome.PASSED)
    assert await desk.look(report=passing) == ()


async def test_nothing_is_looked_for_in_what_passes(tmp_path):
    desk = Desk(tmp_path, *UNUSED[:4])
    assert await desk.look(report=TestReport("r", RunOutcome.PASSED)) == ()
    assert not desk.services.tasks.tasks


async def test_what_is_clearer_only_and_what_was_given_is_no_defect(tmp_path):
    wrong = "    count = 0\n    if battery == None: return\n    if True:\n        return True\n"
    desk = Desk(tmp_path, *UNUSED[:3], wrong)
    assert {each.rule for each in await desk.found()} == {"E711"}
    starter = desk.opened.exercise.starter
    starter[desk.unit.file] = desk.texts[desk.unit.file]
    assert await desk.look() == ()


async def test_a_model_that_coaches_is_told(tmp_path):
    desk = Desk(tmp_path, *UNUSED[:4])
    context = desk.context(await desk.found())
    request = coach_request(context, desk.unit.id, 1)
    (told,) = request.packet["tutoring"]["warnings"]
    assert (told["unit_id"], told["rule"]) == (desk.unit.id, "F841")
    assert "F841" in "".join(request.prompt.entries)
    assert reviewer_request(context, 1).packet["tutoring"]["warnings"] is None
