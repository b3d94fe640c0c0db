"""Set-ups whose exercise does not hold at first: what is asked again, and with which words."""

import asyncio

import authoring_kit as kit
import pytest

from tutor_lsp.authoring.repair.repair import MOST
from tutor_lsp.authoring.repair.sections import Made, damaged
from tutor_lsp.authoring.report import STAGES, stage_at
from tutor_lsp.authoring.setup import set_up
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.ports import JournalEntry
from tutor_lsp.core.stage import Role
from tutor_lsp.languages.python.toolchain import PythonToolchain

pytestmark = pytest.mark.first(3)

SOURCE = "src/exercise/signs.py"
GOOD_TESTS = kit.section("test", 2, kit.SECOND_TESTS, last=True, path="test_signs.py")
VACUOUS = kit.section(
    "test",
    2,
    kit.SECOND_TESTS.replace('assert frame("a") == "=\\nA"', 'frame("a")'),
    last=True,
    path="test_signs.py",
)


BEFORE = [
    "scaffold 1", "starter-expand 1", "starter-expand 2", "test-expand 1", "test-expand 2",
    "solution 1",
]  # fmt: skip
LESSONS = ["lesson-expand 1", "lesson-expand 2", "lesson-expand 3"]


def line(payload, iteration=None):
    return {"stage": payload["role"], "iteration": iteration, "payload": payload}


def solution(text):
    files = [{"file_path": SOURCE, "content": text}]
    return line(kit._payload("solution", "solution_v1", files=files))


async def made(lines, **options):
    given = kit.deps(lines, **options)
    return await set_up(kit.request(), given, options.pop("told", None) or kit.Told()), given


async def test_a_vacuous_test_is_asked_again_with_what_was_found():
    lines = [*kit.script(test_2=VACUOUS), line(GOOD_TESTS, 2)]
    told, given = kit.Told(), kit.deps(lines)
    proven = await set_up(kit.request(), given, told)
    assert proven.exercise.proof.ok
    assert proven.exercise.proof.repairs == 1
    # nothing that is still to come is passed over, and the proof is a stage of its own
    stages = [stage_at(percent) for percent, _ in told.steps]
    assert stages[told.texts.index("repairing test section 2 (1 of 3)")] == "test-expand"
    assert list(dict.fromkeys(stages)) == [*STAGES[:4], STAGES[-1]]
    # before the lesson, and the solution stays
    assert kit.asked(given) == [*BEFORE, "test-expand 2", *LESSONS]
    asked = given.backend.requests[len(BEFORE)]
    for said in ("This is a repair", "test-2 of test_signs.py", "[stubs]", "frame", '`""`'):
        assert said in asked.prompt.tail
    assert asked.packet["next_focus"] in asked.prompt.tail


@pytest.mark.long("makes an exercise for a case beside those that stand for it here")
async def test_a_repair_adds_to_the_prompts_and_changes_nothing_before():
    lines = [*kit.script(test_2=VACUOUS), line(VACUOUS, 2), line(GOOD_TESTS, 2)]
    _, given = await made(lines)
    at = len(BEFORE)
    first, second = (request.prompt for request in given.backend.requests[at : at + 2])
    assert second.head == first.head
    assert second.entries[: len(first.entries)] == first.entries
    assert len(second.entries) == len(first.entries) + 1


@pytest.mark.long("makes an exercise for a case beside those that stand for it here")
async def test_a_broken_starter_is_repaired_before_anybody_is_asked_to_solve_it():
    broken = kit.section("starter", 2, kit.SECOND_HALF + "x = (\n", last=True, path="signs.py")
    good = kit.section("starter", 2, kit.SECOND_HALF, last=True, path="signs.py")
    proven, given = await made([*kit.script(starter_2=broken), line(good, 2)])
    assert proven.exercise.proof.repairs == 1
    assert kit.asked(given)[2:6] == [
        "starter-expand 2", "starter-expand 2", "test-expand 1", "test-expand 2",
    ]  # fmt: skip


@pytest.mark.long("repairs twice; test_prove.py finds such a contract, others here are repaired")
async def test_a_contract_that_says_too_little_is_repaired_and_solved_blind_again():
    """Only the tests say what the line is made of; starter and lesson say it afterwards."""
    first = kit.FIRST_HALF.replace('EDGE = "="\n\n\n', "")
    silent = kit.SECOND_HALF.replace("a line of `EDGE`", "a line")
    told = kit.SECOND_HALF.replace("a line of `EDGE`", 'a line of "="')
    blind, informed = (
        kit.SOLUTION.replace('EDGE = "="\n\n\n', "").replace("EDGE *", f'"{edge}" *')
        for edge in "-="
    )
    lines = [
        *kit.script(
            starter_1=kit.section("starter", 1, first, last=False, path="signs.py"),
            starter_2=kit.section("starter", 2, silent, last=True, path="signs.py"),
            solution_1=None,
        ),
        *[solution(blind), solution(blind), solution(informed), solution(informed)],
        line(kit.section("starter", 2, told, last=True, path="signs.py"), 2),
        line(kit.section("lesson", 2, kit.LESSON_SECTIONS[1], last=False), 2),
    ]
    proven, given = await made(lines)
    assert kit.asked(given)[-9:] == [
        "solution 1", *LESSONS,
        "solution 2", "solution 3", "starter-expand 2", "lesson-expand 2", "solution 4",
    ]  # fmt: skip
    assert proven.exercise.proof.repairs == 2
    assert proven.vault.solution == {SOURCE: informed}
    solving = [each for each in given.backend.requests if each.role is Role.SOLUTION]
    seen = [{file["file_path"] for file in each.packet["files"]} for each in solving]
    assert ["LESSON.md" in files for files in seen] == [False, True, True, True]
    asked = given.backend.requests[-3].prompt.tail
    assert "say too little about `frame`" in asked


@pytest.mark.long("makes an exercise for a case beside those that stand for it here")
async def test_a_contradiction_goes_to_the_tests():
    wrong = kit.section(
        "test", 2, kit.SECOND_TESTS.replace("=\\nA", "=\\nB"), last=True, path="test_signs.py"
    )
    lines = [*kit.script(test_2=wrong), *[solution(kit.SOLUTION)] * 2, line(GOOD_TESTS, 2)]
    proven, given = await made(lines)
    assert proven.exercise.proof.repairs == 1
    assert kit.asked(given)[-3:] == ["solution 2", "solution 3", "test-expand 2"]
    informed = given.backend.requests[-2]
    assert "# What became of an earlier solution" in informed.prompt.text
    assert "test_frame_of_one_letter" in informed.prompt.text


@pytest.mark.long("makes an exercise; test_trail.py tells what code mends")
@pytest.mark.first(1)
@pytest.mark.parametrize("wrong", ["Test: test_frame_is_wide", "Test: test_shout_is_in_capitals"])
async def test_what_code_can_mend_costs_no_call(wrong):
    half = kit.SECOND_HALF.replace("Test: test_frame_is_as_wide_as_the_text", wrong)
    lesson = kit.LESSON_SECTIONS[1].replace("\n\n[frame](src/exercise/signs.py)", "")
    proven, given = await made(
        kit.script(
            starter_2=kit.section("starter", 2, half, last=True, path="signs.py"),
            lesson_2=kit.section("lesson", 2, lesson, last=False),
        )
    )
    assert proven.exercise.proof.ok
    assert proven.exercise.proof.repairs == 0
    assert kit.asked(given) == [*BEFORE, *LESSONS]
    assert "Test: test_frame_is_as_wide_as_the_text" in proven.files[SOURCE]


@pytest.mark.long("makes and proves an exercise several times")
async def test_after_three_calls_it_is_over():
    lines = [*kit.script(test_2=VACUOUS), *[line(VACUOUS, 2)] * 9]
    told = kit.Told()
    given = kit.deps(lines)
    with pytest.raises(TutorError) as caught:
        await set_up(kit.request(), given, told)
    error = caught.value
    assert (error.kind, error.details["step"]) == ("PROOF_FAILED", "stubs")
    assert error.details["proof"]["repairs"] == MOST == 3
    assert kit.asked(given)[-3:] == ["test-expand 2"] * 3
    assert "3 repair calls did not help" in error.message
    assert "repairing test section 2 (3 of 3)" in told.texts


@pytest.mark.long("makes an exercise for a case beside those that stand for it here")
async def test_an_answer_that_is_no_section_ends_it():
    lines = [*kit.script(test_2=VACUOUS), {"stage": "test-expand", "text": "Sorry!"}]
    with pytest.raises(TutorError) as caught:
        await made(lines)
    assert caught.value.kind == "PROOF_FAILED"
    assert caught.value.details["proof"]["repairs"] == 1


@pytest.mark.long("makes an exercise for a case beside those that stand for it here")
async def test_no_answer_leaves_it_to_be_gone_on_with():
    journal = kit.MemoryJournal()
    gone = {"stage": "test-expand", "error": "offline"}
    with pytest.raises(TutorError) as caught:
        await made([*kit.script(test_2=VACUOUS), gone], journal=journal)
    assert (caught.value.kind, caught.value.stage) == ("EXECUTION_FAILED", "test-expand")
    assert journal.closed == []
    lines = [*kit.script()[len(BEFORE) :], line(GOOD_TESTS, 2)]
    proven, given = await made(lines, journal=journal)
    assert proven.exercise.proof.repairs == 1
    assert kit.asked(given) == ["test-expand 2", *LESSONS]  # neither loops nor solution again


@pytest.mark.long("makes an exercise; test_arrival.py replays one without repairs, too")
async def test_a_record_without_repairs_is_refused_for_what_it_lacks():
    with pytest.raises(TutorError) as caught:
        await made(kit.script(test_2=VACUOUS))
    error = caught.value
    assert (error.kind, error.stage) == ("PROOF_FAILED", "proof")
    assert "test_frame_of_one_letter" in error.message
    assert "repair call" not in error.message
    assert {finding["step"] for finding in error.details["findings"]} == {"stubs"}


@pytest.mark.long("makes and proves an exercise several times")
async def test_what_was_repaired_before_it_stopped_is_not_asked_again():
    journal = kit.MemoryJournal()
    gone = {"stage": "test-expand", "error": "offline"}
    with pytest.raises(TutorError):
        await made([*kit.script(test_2=VACUOUS), line(VACUOUS, 2), gone], journal=journal)
    assert journal.stages() == [*BEFORE, "test-expand 2"]
    lines = [*kit.script()[len(BEFORE) :], line(GOOD_TESTS, 2)]
    proven, given = await made(lines, journal=journal)
    assert kit.asked(given) == ["test-expand 2", *LESSONS]
    assert proven.exercise.proof.repairs == 2
    assert proven.resumed == len(BEFORE) + 1
    proven, given = await made([], journal=journal)  # it stopped once more before it was placed
    assert kit.asked(given) == []
    assert proven.exercise.proof.repairs == 2


@pytest.mark.long("makes and proves an exercise several times")
async def test_a_repair_of_an_older_record_stands_where_it_was_made():
    """They came when all was written, and were counted together with the solver's calls."""
    journal = kit.MemoryJournal()
    documents = [one for one in kit.script(test_2=VACUOUS) if one["stage"] != "solution"]
    for one in documents:
        journal.append(kit.KEY, JournalEntry(Role(one["stage"]), one["iteration"], one["payload"]))
    journal.append(kit.KEY, JournalEntry(Role.SOLUTION, 101, solution(kit.SOLUTION)["payload"]))
    journal.append(kit.KEY, JournalEntry(Role.TEST, 202, GOOD_TESTS))
    proven, given = await made([solution(kit.SOLUTION)], journal=journal)
    assert kit.asked(given) == ["solution 2"]
    assert proven.exercise.proof.repairs == 1


@pytest.mark.long("makes an exercise for a case beside those that stand for it here")
async def test_only_content_is_taken_from_a_repair():
    other = kit.section("test", 9, kit.SECOND_TESTS, last=False, path="test_other.py", focus="x")
    proven, _ = await made([*kit.script(test_2=VACUOUS), line(other, 2)])
    assert "tests/test_other.py" not in proven.files
    assert proven.exercise.proof.ok


# which section


PAYLOADS = [one["payload"] for one in kit.script()]
SECTIONS = {
    role: [p for p in PAYLOADS if p["role"] == role.value]
    for role in (Role.STARTER, Role.TEST, Role.LESSON)
}
LESSON = (
    "# Signs\n\n## New text from old\n\nNow `shout`.\n\n"
    "## Repeating text\n\nNow `frame`.\n\n## Together\n"
)
TESTS = "tests/test_signs.py"


def where(*findings):
    files = {SOURCE: kit.FIRST_HALF + "\n\n" + kit.SECOND_HALF, "LESSON.md": LESSON}
    units = [type("U", (), {"id": u["unit_id"], "stub": u["stub"]}) for u in kit.UNITS]
    found = damaged(findings, Made(SECTIONS, files, units, kit.UNITS, PythonToolchain()))
    return [(damage.role, damage.index) for damage in found]


@pytest.mark.parametrize(
    ("finding", "places"),
    [
        (ProofFinding("builds", "x", SOURCE, 40, "ex-2"), [(Role.STARTER, 1)]),
        (ProofFinding("builds", "x", SOURCE, 9, "ex-1"), [(Role.STARTER, 0)]),
        (ProofFinding("builds", "x", SOURCE, 6), [(Role.STARTER, 0)]),
        (ProofFinding("stubs", "`test_frame_of_one_letter`", TESTS, 9), [(Role.TEST, 1)]),
        (ProofFinding("stubs", "`test_shout_keeps_digits`", TESTS, 9), [(Role.TEST, 0)]),
        (ProofFinding("lesson", "x", "LESSON.md", 3), [(Role.LESSON, 0)]),
        (ProofFinding("lesson", "x", "LESSON.md", 9), [(Role.LESSON, 1)]),
        (ProofFinding("references", "x", "LESSON.md", 11), [(Role.LESSON, 2)]),
        (
            ProofFinding("reference", "too little", SOURCE, 40, "ex-2"),
            [(Role.STARTER, 1), (Role.LESSON, 1)],
        ),
        (ProofFinding("stable", "x"), [(Role.TEST, 1)]),
        (ProofFinding("shape", "x"), [(Role.STARTER, 1)]),
    ],
)  # fmt: skip
def test_the_section_that_a_finding_is_about(finding, places):
    assert where(finding) == places


def test_early_steps_come_first_and_findings_share_a_section():
    late = ProofFinding("lesson", "x", "LESSON.md", 9)
    early = ProofFinding("stubs", "`test_frame_of_one_letter`", "tests/test_signs.py", 9)
    again = ProofFinding("stubs", "`test_frame_is_as_wide_as_the_text`", "tests/test_signs.py", 3)
    assert where(late, early, again) == [(Role.TEST, 1), (Role.LESSON, 1)]


# cancelling


@pytest.mark.long("makes an exercise twice; test_set_up.py goes on with one that was cancelled")
@pytest.mark.parametrize(
    "at",
    [
        "plan", "starter 1/", "test 2/", "lesson 3/", "solving", "checking it: all parts",
        "checking it: it builds", "checking it: the tests ask", "checking it: somebody",
        "checking it: each test", "repairing",
    ],
)  # fmt: skip
async def test_a_cancel_in_any_step_leaves_nothing_and_goes_on_later(at, tmp_path):
    lines = kit.script(test_2=VACUOUS)
    lines.insert(len(BEFORE), line(GOOD_TESTS, 2))
    journal, cancelled = kit.MemoryJournal(), []

    class Cancelling(kit.Told):
        def report(self, percent, message):
            super().report(percent, message)
            if message.startswith(at) and not cancelled:
                cancelled.append(message)
                asyncio.current_task().cancel()

    given = kit.deps(lines, journal=journal, scratch=tmp_path)
    with pytest.raises(asyncio.CancelledError):
        await asyncio.create_task(set_up(kit.request(), given, Cancelling()))
    assert cancelled
    assert list(tmp_path.iterdir()) == []
    assert journal.closed == []
    before = len(journal.open.get(kit.KEY, ()))
    again = kit.deps(lines[before:], journal=journal, scratch=tmp_path)
    proven = await set_up(kit.request(), again, kit.Told())
    assert (proven.exercise.proof.repairs, proven.resumed) == (1, before)
    assert list(tmp_path.iterdir()) == []
