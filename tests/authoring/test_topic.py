"""Exercises that can be solved without what they are about: the tests are made to ask for it."""

from dataclasses import replace

import authoring_kit as kit
import pytest

from tutor_lsp.authoring.arrival import plan
from tutor_lsp.authoring.repair.repair import MOST, Repairs
from tutor_lsp.authoring.repair.sections import Made
from tutor_lsp.authoring.setup import set_up
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.stage import Role, StageResult
from tutor_lsp.languages.practises import DECLARE, TEST, constructs
from tutor_lsp.stages.backends.scripted import ScriptedBackend
from tutor_lsp.stages.conversation import Conversation

PATH = "src/exercise/signs.py"
HALF = kit.SECOND_HALF.replace(
    "on two lines.\n", "on two lines. Raise\n    ValueError if there is no text.\n"
)
RAISED = """

def test_frame_of_nothing_raises() -> None:
    try:
        frame("")
    except ValueError:
        return
    raise AssertionError("no error")
"""
TESTS = kit.SECOND_TESTS + RAISED
FORCING = TESTS.replace("    except ValueError:\n", "    except ValueError as error:\n"
                        "        assert str(error).startswith(\"no text\")\n")  # fmt: skip
LESSON = kit.LESSON_SECTIONS[1].replace("Now `frame`", 'An error says why: "no text". Now `frame`')


def solved(check):
    text = kit.SOLUTION.replace(kit.SECOND_HALF.split('"""')[1], HALF.split('"""')[1])
    return text.replace(
        "    return EDGE *", f"    if not text:\n        {check}\n    return EDGE *"
    )


WITH, AVOIDING = solved('raise ValueError("no text")'), solved('int("")')
HIDING = WITH.replace("        raise ValueError", "        fail()").replace(
    'fail()("no text")', "fail()"
)
HIDING += '\n\ndef fail() -> None:\n    """Fail."""\n    raise ValueError("no text")\n'


def answer(text, stage="solution-without", version="solution_without_v1"):
    files = text and [{"file_path": PATH, "content": text}]
    return {"stage": stage, "payload": {"schema_version": version, "role": stage, "files": files}}


def script(solution=WITH, *more, names=("raise-statement",), kind=None):
    units = [kit.UNITS[0], {
        **kit.UNITS[1], "practises": list(names), "kind": kind,
        "test_names": [*kit.UNITS[1]["test_names"], "test_frame_of_nothing_raises"],
    }]  # fmt: skip
    files = [{"file_path": PATH, "content": solution}]
    lines = kit.script(
        scaffold_1=kit.scaffold(units),
        starter_2=kit.section("starter", 2, HALF, last=True, path="signs.py"),
        test_2=kit.section("test", 2, TESTS, last=True, path="test_signs.py"),
        lesson_2=kit.section("lesson", 2, LESSON, last=False),
        solution_1=kit._payload("solution", "solution_v1", files=files),
    )
    return [*lines, *more]


REPAIR = {
    "stage": "test-expand",
    "payload": kit.section("test", 2, FORCING, last=True, path="test_signs.py"),
}


class Live(ScriptedBackend):
    """Plays a script as a model would answer, so that what it lacks is no older record's."""

    recorded = False


async def made(lines, journal=None, backend=None):
    noted = []

    async def note(kind, data):
        noted.append((kind, data))

    given = replace(kit.deps(lines, journal=journal), note=note)
    given = given if backend is None else replace(given, backend=backend(lines))
    proven = await set_up(kit.request(), given, kit.Told())
    return proven, kit.asked(given), noted, given.backend.requests


def outcomes(noted):
    return [data["outcome"] for kind, data in noted if kind == "finding-ended"]


async def test_a_test_that_something_else_passes_is_repaired():
    proven, asked, noted, requests = await made(script(WITH, answer(AVOIDING), REPAIR))
    assert asked.count("solution-without 1") == 1
    assert 'startswith("no text")' in proven.files["tests/test_signs.py"]
    assert proven.exercise.proof.repairs == 1
    (topic,) = [data for kind, data in noted if kind == "topic"][:1]
    assert topic["asked"] == {"ex-2": ("raise-statement",)}
    assert topic["avoided"] == [["ex-2", "raise-statement"]]
    assert outcomes(noted) == ["repaired"]
    request = next(each for each in requests if each.role == "solution-without")
    assert "Do without a `raise` in ex-2." in request.prompt.text
    assert 'NotImplementedError("frame")' not in request.prompt.text
    repair = next(each for each in requests if each.repairs)
    assert "or a test beside it, is to fail without one" in repair.packet["next_focus"]
    assert "what tests do and expect" in repair.packet["next_focus"]
    assert "how many tests there are" in repair.packet["next_focus"]


async def test_it_is_asked_while_the_lesson_is_written():
    _, asked, _, _ = await made(script(WITH, answer(None)))
    assert asked.index("solution 1") < asked.index("solution-without 1")
    assert asked.index("solution-without 1") < asked.index("lesson-expand 3")


async def test_what_cannot_be_done_without_is_proven():
    proven, _, noted, _ = await made(script(WITH, answer(None)))
    assert proven.exercise.proof.repairs == 0
    assert [kind for kind, _ in noted] == ["topic"]
    assert not [each for each in proven.advice if "is about" in each.message]


@pytest.mark.long("makes an exercise three times")
@pytest.mark.parametrize(
    "other", [HIDING, WITH, AVOIDING.replace('int("")', "return text")],
    ids=["in a helper", "the same", "tests fail"],
)  # fmt: skip
async def test_an_answer_that_shows_nothing_changes_nothing(other):
    proven, _, noted, _ = await made(script(WITH, answer(other)))
    assert proven.exercise.proof.repairs == 0
    assert noted[0][1]["avoided"] == []


async def test_what_a_solver_did_without_is_repaired_before_there_is_a_lesson():
    again = script(WITH)[-1 - len(kit.LESSON_SECTIONS)]
    lines = script(AVOIDING, REPAIR, {**again, "iteration": 2}, answer(None))
    proven, asked, _, requests = await made(lines)
    assert asked.index("test-expand 2") < asked.index("lesson-expand 1")
    repair = next(each for each in requests if each.repairs)
    assert "wrote `frame` without a `raise`, which ex-2 is about" in repair.packet["next_focus"]
    assert proven.exercise.proof.ok
    assert "raise ValueError" in proven.vault.solution[PATH]


async def test_a_repair_that_does_not_help_leaves_an_exercise_that_tells_the_learner():
    useless = {**REPAIR, "payload": {**REPAIR["payload"], "content": TESTS}}
    proven, _, noted, _ = await made(script(WITH, answer(AVOIDING), useless))
    assert proven.exercise.proof.repairs == 1
    assert outcomes(noted) == ["left"]
    assert proven.exercise.units[1].practises == ("raise-statement",)


async def test_a_repair_that_cannot_be_used_costs_no_exercise():
    outside = {**REPAIR, "payload": {**REPAIR["payload"], "file_path": "../test_signs.py"}}
    proven, _, noted, _ = await made(script(WITH, answer(AVOIDING), outside), backend=Live)
    assert outcomes(noted) == ["left"]
    assert proven.exercise.proof.ok


def repairing(sections):
    """Repairs of an exercise that has so many test sections, their findings, and what was asked."""
    conversation, asked = Conversation("python", topic="signs", prompts=False), []
    texts = [TESTS.replace("frame", f"frame_{number}") for number in range(sections)]
    conversation.sections[Role.TEST] = [
        kit.section("test", number, text, last=False, path="tests/test_signs.py")
        for number, text in enumerate(texts, start=1)
    ]
    findings = [
        ProofFinding("units", f"`test_frame_{number}_of_one_letter` is to fail without one.",
                     "tests/test_signs.py", unit=f"ex-{number}")
        for number in range(sections)
    ]  # fmt: skip

    async def ask(request):
        asked.append(request.iteration)
        section = conversation.sections[request.role][request.iteration - 1]
        return StageResult(request.role, accepted=True, payload=section)

    async def keep(*kept):
        pass

    files = {"tests/test_signs.py": "\n\n".join(texts)}
    made = Made(conversation.sections, files, (), (), kit.QuickPython())
    return Repairs(conversation, ask, keep), findings, made, asked


@pytest.mark.parametrize(("used", "calls"), [(0, [1, 2]), (1, [1]), (2, [])])
async def test_what_an_exercise_can_do_without_leaves_a_repair(used, calls):
    repairs, findings, made, asked = repairing(3)
    repairs.used = used
    assert await repairs.repair(findings, made, lambda *_: None, spare=True) == bool(calls)
    assert asked == calls
    assert repairs.left
    await repairs.repair(findings, made, lambda *_: None)
    assert repairs.used == MOST


async def test_what_was_repaired_before_an_interruption_is_not_repaired_for_it_again():
    repairs, findings, made, asked = repairing(2)
    repairs.again(Role.TEST, 1, made.sections[Role.TEST][0])
    assert await repairs.repair(findings, made, lambda *_: None, spare=True)
    assert asked == [2]
    assert not await repairs.repair(findings[:1], made, lambda *_: None, spare=True)
    assert await repairs.repair(findings[:1], made, lambda *_: None)


@pytest.mark.long("makes three exercises")
async def test_a_record_without_such_answers_holds_as_before():
    for lines in (script(WITH), script(AVOIDING), script(WITH, answer(AVOIDING))):
        proven, _, _, _ = await made(lines)
        assert proven.exercise.proof.repairs == 0


async def test_what_no_test_can_tell_costs_no_call():
    _, asked, noted, _ = await made(script(WITH, answer(AVOIDING), names=["slice", "f-string"]))
    assert "solution-without 1" not in asked
    assert noted == []


@pytest.mark.long("makes an exercise in two set-ups")
async def test_an_interrupted_set_up_does_not_ask_again():
    journal = kit.MemoryJournal()
    lines = [each for each in script(WITH, answer(None)) if each.get("iteration") != 3]
    with pytest.raises(TutorError):
        await made([*lines, {"stage": "lesson-expand", "iteration": 3, "error": "gone"}], journal)
    assert "solution-without 1" in journal.stages()
    left = [each for each in script(WITH) if each["stage"] == "lesson-expand"]
    _, asked, _, _ = await made([*left, answer(AVOIDING)], journal)
    assert asked == ["lesson-expand 3"]


@pytest.mark.long("makes an exercise in two set-ups")
async def test_an_interrupted_set_up_does_not_repair_again_what_did_not_help():
    journal = kit.MemoryJournal()
    useless = {**REPAIR, "payload": {**REPAIR["payload"], "content": TESTS}}
    lines = [each for each in script(AVOIDING, useless) if each.get("iteration") != 3]
    with pytest.raises(TutorError):
        await made([*lines, {"stage": "lesson-expand", "iteration": 3, "error": "gone"}], journal)
    left = [each for each in script(WITH) if each["stage"] == "lesson-expand"]
    proven, asked, _, _ = await made([*left, REPAIR], journal, Live)
    assert asked == ["lesson-expand 3"]
    assert proven.exercise.proof.repairs == 1


FAILING = WITH.replace("return EDGE *", "return EDGE + EDGE *")


def blind_again(solution):
    """The second answer of a solver, who sees the lesson by then."""
    line = next(each for each in script(solution) if each["stage"] == "solution")
    return {**line, "iteration": 2}


@pytest.mark.long("makes two exercises")
async def test_where_nobody_solved_it_before_the_lesson_it_is_asked_at_the_end():
    lines = script(FAILING, blind_again(WITH), answer(AVOIDING), REPAIR)
    proven, asked, noted, _ = await made(lines, backend=Live)
    assert asked.index("solution 2") < asked.index("solution-without 1")
    assert 'startswith("no text")' in proven.files["tests/test_signs.py"]
    assert outcomes(noted) == ["repaired"]
    lines = script(FAILING, blind_again(AVOIDING), REPAIR, {**blind_again(WITH), "iteration": 3})
    proven, asked, noted, _ = await made([*lines, answer(None)], backend=Live)
    assert 'startswith("no text")' in proven.files["tests/test_signs.py"]
    assert "repaired" in outcomes(noted)


# the plan


def test_what_only_a_declaration_has_is_practised_by_one():
    def planned(*units):
        made = [{**kit.UNITS[0], "practises": list(p), "kind": kind} for kind, p in units]
        return kit.scaffold([{**u, "unit_id": f"ex-{n}"} for n, u in enumerate(made, start=1)])

    bare = planned((None, ["trait-impl", "for-loop"]), ("declare", ["struct-definition"]))
    (found,) = plan.bare(bare, "rust")
    assert (found.step, found.unit) == ("units", "ex-1")
    assert "ex-1 is to practise an `impl` of a trait, which is given there" in found.message
    made, said = plan.without_bare(bare, "rust")
    assert [unit["practises"] for unit in made["units"]] == [["for-loop"], ["struct-definition"]]
    assert said == ["`trait-impl` was taken out of ex-1, whose declaration is given."]
    assert plan.bare(made, "rust") == []
    both = planned((None, ["trait-impl"]), ("declare", ["trait-impl"]))
    assert plan.bare(both, "rust") == []
    assert plan.without_bare(both, "rust")[0]["units"][0]["practises"] == []


@pytest.mark.long("makes three exercises")
async def test_a_plan_is_asked_once_to_declare_what_it_is_about():
    good = script(WITH, answer(None))
    wrong = {**good[0], "payload": script(names=["class-definition"])[0]["payload"]}
    proven, asked, noted, _ = await made([wrong, *good])
    assert asked[:3] == ["scaffold 1", "scaffold 1", "starter-expand 1"]
    assert outcomes(noted) == ["repaired"]
    proven, asked, noted, _ = await made([wrong, wrong, *good[1:]])
    assert asked[:3] == ["scaffold 1", "scaffold 1", "starter-expand 1"]
    assert [unit.practises for unit in proven.exercise.units] == [(), ()]
    proven, _, _, _ = await made([wrong, *good[1:]])  # a record with that plan alone
    assert [unit.practises for unit in proven.exercise.units] == [(), ()]
    assert proven.exercise.proof.repairs == 0


@pytest.mark.parametrize("language", ["python", "rust", "c"])
def test_what_asks_for_a_construct_is_known(language):
    assert {each.forced for each in constructs(language).values()} <= {"", DECLARE, TEST}
    assert any(each.forced == DECLARE for each in constructs(language).values())
