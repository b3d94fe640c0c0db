"""The ten steps together: what holds, who solves it, and what is left behind."""

import asyncio
import dataclasses
from typing import ClassVar

import pytest
from corpus import LANGUAGES
from proof_kit import TOOLCHAINS, QuickPython, candidate, needing, put

from tutor_lsp.authoring.proof import STEPS
from tutor_lsp.authoring.proof.prove import prove
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.stage import Role

ONE, TWO, THREE = "ex-1", "ex-2", "ex-3"


async def found(made, **options):
    result = await prove(made, QuickPython(), **options)
    assert result.proof.ok == (not result.findings)
    return [(finding.step, finding.unit) for finding in result.findings]


@pytest.mark.sample("python")
@pytest.mark.parametrize("language", needing(LANGUAGES, str, str))
async def test_a_good_exercise_holds_in_every_language(language, tmp_path):
    made = candidate(language)
    result = await prove(made, TOOLCHAINS[language], depth="D1", scratch=tmp_path)
    assert result.findings == ()
    proof = result.proof
    tests = [test for unit in made.units for test in unit.tests]
    assert (proof.ok, proof.builds, proof.tests) == (True, True, len(tests))
    assert proof.fail_on_stub == proof.pass_on_reference == len(tests)
    assert proof.stable_runs == 3
    assert proof.unit_map == {unit.id: unit.tests for unit in made.units}
    assert proof.needs == {THREE: (ONE, TWO)}
    assert proof.lesson_blocks == {"run": 3, "ok": 3}
    assert proof.at
    assert result.solution == made.solution
    assert list(tmp_path.iterdir()) == []


async def test_what_one_program_holds_is_run_as_one():
    toolchain = QuickPython()
    await prove(candidate(), toolchain)
    # the stubs, the reference, all else, and wrong versions in a program of their own
    assert len(toolchain.runs) == 4


async def test_what_a_merged_run_finds_is_looked_at_again_one_by_one():
    toolchain = QuickPython()
    vacuous = put("T", 'assert note(-5) == "-5 C is 23 F, frost"', "note(-5)")
    result = await prove(candidate("python", vacuous), toolchain)
    assert {finding.step for finding in result.findings} == {"stubs"}
    # shuffled, one stub each, neutral values, two more wrong versions of what one of them passes
    assert len(toolchain.runs) == 5 + 2 + 3 + 3 + 2


async def test_every_step_is_told_in_order():
    told = []
    await prove(candidate(), QuickPython(), told=told.append)
    assert told == sorted(told, key=STEPS.index)
    assert {"shape", "builds", "stubs", "reference", "units"} <= set(told)


async def test_what_was_found_before_counts():
    known = ProofFinding("references", "No such heading.", unit=ONE)
    result = await prove(candidate(), QuickPython(), known=[known])
    assert result.findings == (known,)
    assert not result.proof.ok


async def test_findings_come_in_the_order_of_the_steps():
    known = ProofFinding("giveaway", "Given away.")
    contradiction = put("T", "5 C is 41 F", "5 C is 42 F")
    assert [step for step, _ in await found(candidate("python", contradiction), known=[known])] == [
        "reference",
        "giveaway",
    ]


async def test_nothing_is_executed_without_stubs_or_tests():
    toolchain = QuickPython()
    empty = candidate("python", put("S", "raise NotImplementedError", "return "))
    result = await prove(type(empty)(empty.language, {"LESSON.md": "# A\n"}, {}, {}, ()), toolchain)
    assert toolchain.runs == []
    assert result.findings[0].step == "shape"


async def test_a_missing_toolchain_is_told_as_such(tmp_path):
    class Missing(QuickPython):
        async def run(self, workspace, *, tests=None, limits=None):
            raise TutorError("TOOLCHAIN_MISSING", "Install it.")

    with pytest.raises(TutorError) as caught:
        await prove(candidate(), Missing(), scratch=tmp_path)
    assert caught.value.kind == "TOOLCHAIN_MISSING"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("after", [0, 1, 2])
async def test_a_cancelled_proof_ends_its_runs_and_leaves_nothing(tmp_path, after):
    class Endless(QuickPython):
        open, reached = 0, asyncio.Event()

        async def run(self, workspace, *, tests=None, limits=None):
            if len(self.runs) < after:
                return await super().run(workspace, tests=tests, limits=limits)
            self.open += 1
            self.reached.set()
            try:
                await asyncio.Event().wait()
            finally:
                self.open -= 1

    toolchain = Endless()
    toolchain.reached = asyncio.Event()
    task = asyncio.create_task(prove(candidate(), toolchain, scratch=tmp_path))
    async with asyncio.timeout(10):
        await toolchain.reached.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert toolchain.open == 0
    assert list(tmp_path.iterdir()) == []


class Solver:
    """Gives its solutions in turn and remembers how it was asked; `alone` is one of before."""

    def __init__(self, *solutions, alone=None):
        self.solutions = list(solutions)
        self.alone = alone
        self.asked = []

    accepts: ClassVar = {}

    def known(self):
        return self.alone

    async def blind(self, report=None):
        self.asked.append("blind" if report is None else "blind again")
        return self.solutions.pop(0)

    async def informed(self, report):
        self.asked.append(("informed", sum(t.outcome == "passed" for t in report.tests)))
        return self.solutions.pop(0)


GOOD = candidate().solution
PATH = next(iter(GOOD))
WRONG = {PATH: GOOD[PATH].replace(", frost", ", ice")}
BROKEN = {PATH: GOOD[PATH] + "def (:\n"}
OPEN = candidate(solved=False)


async def test_a_blind_solution_that_passes_is_the_reference():
    solver = Solver(GOOD)
    result = await prove(OPEN, QuickPython(), solver=solver)
    assert result.findings == ()
    assert result.solution == GOOD
    assert solver.asked == ["blind"]


@pytest.mark.parametrize(("alone", "asked"), [(GOOD, []), (WRONG, ["blind"])])
async def test_one_of_before_is_asked_for_again_only_if_it_does_not_pass(alone, asked):
    solver = Solver(GOOD, alone=alone)
    result = await prove(OPEN, QuickPython(), solver=solver)
    assert (result.findings, result.solution, solver.asked) == ((), GOOD, asked)


@pytest.mark.parametrize(
    "edit",
    [
        put("S", "Start here: which", "Hm: which"),
        put("T", 'assert note(-5) == "-5 C is 23 F, frost"', "assert True"),
        put("L", "[is_frosty](src/exercise/weather.py)", "[a](b.py)"),
        put("L", "print(", "print(1 / 0,"),
    ],
)
async def test_nobody_is_asked_while_something_else_is_wrong(edit):
    solver = Solver()
    result = await prove(candidate("python", edit, solved=False), QuickPython(), solver=solver)
    assert result.findings
    assert solver.asked == []


VAGUE = put("*", "test_note_warns_of_frost", "test_note_works")


@pytest.mark.parametrize("solver", [Solver(GOOD), None])
async def test_a_sign_counts_unless_somebody_passed(solver):
    exercise = candidate("python", VAGUE, solved=solver is None)
    result = await prove(exercise, QuickPython(), solver=solver)
    said = "`test_note_works` does not say in words what it asserts."
    found, overruled = ([f.message for f in each] for each in (result.findings, result.overruled))
    assert (found, overruled) == (([], [said]) if solver else ([said], []))


async def test_without_the_lesson_who_does_not_pass_tells_nothing():
    there = (Role.STARTER, Role.TEST)
    solver = Solver(WRONG)
    exercise = candidate("python", solved=False)
    result = await prove(exercise, QuickPython(), solver=solver, there=there)
    assert (result.findings, result.holds, solver.asked) == ((), False, ["blind"])
    odd = candidate("python", VAGUE, solved=False)
    result = await prove(odd, QuickPython(), solver=Solver(WRONG), there=there)
    assert ["in words" in finding.message for finding in result.findings] == [True]


async def test_what_only_an_informed_solver_passes_was_said_too_little():
    tests = put("T", "-5 C is 23 F, frost", "-5 C is 23 F, ice of 0.75")
    exercise = candidate("python", tests, put("S", ", frost", ", what fits"), solved=False)
    told = {PATH: GOOD[PATH].replace('", frost"', '", ice of 0.75"')}
    solver = Solver(GOOD, told)
    result = await prove(exercise, QuickPython(), solver=solver)
    assert solver.asked == ["blind", ("informed", 5)]
    assert result.solution == told
    finding = next(finding for finding in result.findings if finding.step == "reference")
    assert (finding.unit, finding.file) == (THREE, PATH)
    assert "too little about `note`" in finding.message
    assert result.proof.pass_on_reference == 6


async def test_what_nobody_passes_contradicts_itself():
    exercise = candidate("python", put("T", "5 C is 41 F", "5 C is 42 F"), solved=False)
    result = await prove(exercise, QuickPython(), solver=Solver(GOOD, GOOD))
    (finding,) = [finding for finding in result.findings if finding.step == "reference"]
    assert (finding.unit, finding.file) == (THREE, "tests/test_weather.py")
    assert "cannot be passed" in finding.message


async def test_a_solution_that_does_not_build_says_nothing_on_the_exercise():
    solver = Solver(BROKEN, GOOD)
    result = await prove(OPEN, QuickPython(), solver=solver)
    assert result.findings == ()
    assert solver.asked == ["blind", "blind again"]


async def test_without_any_reference_the_tests_are_looked_at_alone():
    assert await found(OPEN) == [("reference", None)]
    result = await prove(OPEN, QuickPython())
    assert result.findings[0].message.startswith("There is no reference solution")
    assert result.proof.pass_on_reference == result.proof.stable_runs == 0


async def test_without_a_reference_vacuous_tests_are_found_too():
    vacuous = put("T", 'assert note(-5) == "-5 C is 23 F, frost"', "note(-5)")
    assert ("stubs", THREE) in await found(candidate("python", vacuous, solved=False))


async def test_without_a_reference_a_definition_of_a_stub_gives_it_away():
    given = put("L", "CAPACITY = 8\n", "def is_frosty(it):\n    return it < 0\n\n\nCAPACITY = 8\n")
    assert ("giveaway", TWO) in await found(candidate("python", given, solved=False))


@pytest.mark.parametrize(("construct", "told"), [("lambda", 1), ("conditional-expression", 0)])
async def test_a_construct_that_a_blind_solution_does_without_is_told(construct, told):
    *others, last = OPEN.units
    units = (*others, dataclasses.replace(last, practises=(construct,)))
    exercise = dataclasses.replace(OPEN, units=units)
    result = await prove(exercise, QuickPython(), solver=Solver(GOOD), mutants=False)
    assert result.proof.ok
    advice = [each.message for each in result.advice if each.unit == THREE]
    assert len(advice) == told
    assert not told or "wrote `note` without a `lambda`, which ex-3 is about" in advice[0]


async def test_a_contract_may_say_the_formula_and_a_lesson_what_anybody_knows():
    made = candidate(
        "python",
        put("S", "nine fifths of `celsius`,\n    rounded down,", "celsius times 9, divided by 5,"),
        put("S", "True if it is colder than `FREEZING`, else False", "whether celsius < FREEZING"),
        put("L", "counts nine fifths, and there", "is times 9, divided by 5, plus 32. There"),
    )
    assert await found(made) == []
