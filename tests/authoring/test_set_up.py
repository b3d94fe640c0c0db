"""Whole set-ups from a script: what they make, how they fail, how they go on."""

import asyncio

import authoring_kit as kit
import pytest

from tutor_lsp.authoring.content import content_hash
from tutor_lsp.authoring.setup import close_record, set_up
from tutor_lsp.authoring.workspace import place
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Proof
from tutor_lsp.core.ports import ToolStatus
from tutor_lsp.core.stage import Role
from tutor_lsp.languages.python.toolchain import PythonToolchain
from tutor_lsp.store.database import open_store

pytestmark = pytest.mark.first(3)

ALL = [f"{line['stage']} {line['iteration']}" for line in kit.script()]


async def made(lines=None, *, told=None, journal=None, given=None, **changes):
    given = given or kit.deps(lines or kit.script(), journal=journal)
    return await set_up(kit.request(**changes), given, told or kit.Told())


async def refused(lines, *, journal=None, given=None, **changes):
    with pytest.raises(TutorError) as caught:
        await made(lines, journal=journal, given=given, **changes)
    return caught.value


async def test_a_generated_exercise_is_made_proven_and_placed(tmp_path):
    told, events = kit.Told(), []
    given = kit.deps(
        kit.script(),
        journal=kit.MemoryJournal(),
        toolchain=PythonToolchain(),
        events=events,
        scratch=tmp_path,
    )
    proven = await made(given=given, told=told)
    exercise = proven.exercise
    assert (exercise.id, exercise.title, exercise.depth) == ("python-strings-signs", "Signs", "D1")
    assert (exercise.backend, exercise.language, exercise.node) == (
        "scripted",
        "python",
        "python-strings",
    )
    assert [(unit.id, unit.stub, len(unit.tests)) for unit in exercise.units] == [
        ("ex-1", "shout", 2),
        ("ex-2", "frame", 2),
    ]
    assert exercise.proof.ok
    assert exercise.proof.fail_on_stub == exercise.proof.pass_on_reference == 4
    assert exercise.starter == {
        "src/exercise/signs.py": proven.files["src/exercise/signs.py"],
    }
    assert proven.files["src/exercise/signs.py"].count("import math") == 1
    assert "## Repeating text\n\n```python" in proven.files["LESSON.md"]
    assert proven.vault.solution == {"src/exercise/signs.py": kit.SOLUTION}
    assert proven.vault.originals == proven.files
    assert proven.folder == "python-strings-signs"
    authored = {path: proven.files[path] for path in proven.files if path.endswith(".md")}
    authored |= {
        path: proven.files[path] for path in ("src/exercise/signs.py", "tests/test_signs.py")
    }
    assert exercise.content_hash == content_hash("python", authored, proven.vault.solution)
    assert kit.asked(given) == ALL
    assert [event.kind for event in events] == ["stage-accepted"] * len(ALL)
    folder = place(tmp_path / "home", proven)
    assert (folder / "LESSON.md").read_text("utf-8") == proven.files["LESSON.md"]
    assert list(tmp_path.iterdir()) == [tmp_path / "home"]


async def test_progress_rises_and_tells_what_is_next():
    told = kit.Told()
    await made(told=told)
    percents = [percent for percent, _ in told.steps]
    assert percents == sorted(percents)
    assert percents[0] >= 0
    assert percents[-1] <= 100
    assert "starter 1/6" in told.texts
    assert "starter 2/6 · next: frame" in told.texts
    assert "lesson 3/12 · 4 tests fail on the stubs as they should" in told.texts
    assert any(text.startswith("checking it") for text in told.texts)
    assert "the plan: shout, frame" in told.texts
    assert told.texts[-2] == "4 tests fail on the stubs as they should"


async def test_the_solver_sees_the_starter_and_no_test():
    given = kit.deps(kit.script())
    proven = await made(given=given)
    asked = next(each for each in given.backend.requests if each.role is Role.SOLUTION)
    seen = {file["file_path"]: file["content"] for file in asked.packet["files"]}
    assert seen.keys() == {"src/exercise/signs.py", "src/exercise/__init__.py"}
    assert all(proven.files[path] == text for path, text in seen.items())
    assert asked.packet["tests"] == []
    assert "assert shout" not in asked.prompt.text


@pytest.mark.long("makes an exercise for a case beside those that stand for it here")
async def test_every_loop_sees_all_that_came_before():
    given = kit.deps(kit.script())
    await made(given=given)
    last = given.backend.requests[-1].packet
    assert [len(last[part]) for part in ("starter", "tests", "lesson")] == [2, 2, 2]
    assert last["scaffold"]["scaffold_id"] == "python-strings-signs"


@pytest.mark.parametrize("name", ["scaffold_1", "starter_2", "test_1", "lesson_3", "solution_1"])
async def test_a_failing_stage_ends_the_set_up(name):
    journal = kit.MemoryJournal()
    failing = {"error": "the model is logged out", "details": {"status": 401}}
    given = kit.deps(kit.script(**{name: failing}), journal=journal)
    error = await refused(None, given=given)
    kind, number = name.split("_")
    role = kind if kind in ("scaffold", "solution") else f"{kind}-expand"
    assert (error.kind, error.stage) == ("EXECUTION_FAILED", role)
    assert error.reason == "the model is logged out"
    assert error.details == {"status": 401}
    assert kit.asked(given)[-1] == f"{role} {number}"  # asked once, and nothing after it
    assert journal.stages() == ALL[: ALL.index(f"{role} {number}")]


@pytest.mark.parametrize(
    ("payload", "kind"),
    [
        ({"x": 1}, "SCHEMA_VALIDATION_FAILED"),
        (
            kit.section("starter", 2, "x = 1\n", last=True, path="../../.bashrc"),
            "POLICY_VIOLATION",
        ),
    ],
)
async def test_a_rejected_answer_ends_the_set_up_and_is_not_journalled(payload, kind):
    journal = kit.MemoryJournal()
    lines = kit.script()
    lines[2] = {"stage": "starter-expand", "iteration": 2, "payload": payload}
    error = await refused(lines, journal=journal)
    assert (error.kind, error.stage) == (kind, "starter-expand")
    assert error.details
    assert journal.stages() == ALL[:2]


async def test_an_answer_of_another_form_is_asked_again_beside_the_iterations():
    journal, events, told = kit.MemoryJournal(), [], kit.Told()
    lines = kit.script()
    for at, text in ((4, "Sorry!"), (2, '{"role": 1}'), (2, "")):
        stage, iteration = lines[at]["stage"], lines[at]["iteration"]
        lines.insert(at, {"stage": stage, "iteration": iteration, "text": text})
    given = kit.deps(lines, journal=journal, events=events)
    given.backend.recorded = False  # as a model, which may answer otherwise
    proven = await made(given=given, told=told)
    assert kit.asked(given) == [*ALL[:2], *[ALL[2]] * 3, ALL[3], *[ALL[4]] * 2, *ALL[5:]]
    assert proven.exercise.proof.repairs == 0
    assert journal.stages()[:8] == ALL[:8]
    again = [event.data["again"] for event in events]
    assert again == [0, 0, 0, 1, 2, 0, 0, 1, 0, 0, 0, 0]
    assert "starter 2/6 · next: frame" in told.texts


async def test_who_waits_reads_one_sentence_of_an_answer_that_stays_another_one():
    lines = kit.script()
    lines[2:3] = [{"stage": "starter-expand", "payload": {"x": 1}}] * 3
    given = kit.deps(lines)
    given.backend.recorded = False
    error = await refused(None, given=given)
    assert error.message == (
        "The exercise could not be made, it stopped at starter-expand 2: the answer had another "
        "form than was asked for. Start it again to repeat the request from here."
    )
    assert len(error.details["errors"]) > 3
    assert error.reason.startswith("the answer is no starter_section_v")


@pytest.mark.long("makes an exercise; one that was cancelled is gone on with here")
async def test_an_interrupted_set_up_is_gone_on_with():
    journal, told = kit.MemoryJournal(), kit.Told()
    await refused(kit.script(lesson_2={"error": "offline"}), journal=journal)
    given = kit.deps(kit.script()[7:], journal=journal)
    proven = await made(given=given, told=told)
    assert kit.asked(given) == ALL[7:]
    assert proven.resumed == 7
    assert "resuming: 7 steps already done" in told.texts
    assert proven.files == (await made()).files


@pytest.mark.long("makes an exercise for a case beside those that stand for it here")
async def test_a_record_in_the_store_survives_the_process(tmp_path):
    store = open_store(tmp_path / "tutor.db")
    await refused(kit.script(lesson_2={"error": "offline"}), journal=store.journal())
    store.close()
    store = open_store(tmp_path / "tutor.db")
    proven = await made(kit.script()[7:], journal=store.journal())
    assert proven.resumed == 7
    await close_record(store.journal(), proven)
    assert store.journal().load(kit.KEY) == []
    store.close()


async def test_a_cancelled_set_up_is_gone_on_with():
    journal = kit.MemoryJournal()
    lines = kit.script()
    lines[4]["delay_s"] = 600
    there = asyncio.Event()

    class Watching(kit.Told):
        def report(self, percent, message):
            if message.startswith("test 2/"):
                there.set()

    given = kit.deps(lines, journal=journal)
    task = asyncio.create_task(made(given=given, told=Watching()))
    async with asyncio.timeout(10):
        await there.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert journal.stages() == ALL[:4]
    again = kit.deps(kit.script()[4:], journal=journal)
    assert (await made(given=again)).resumed == 4
    assert kit.asked(again) == ALL[4:]


@pytest.mark.long("makes an exercise for a case beside those that stand for it here")
async def test_a_set_up_that_stopped_before_its_proof_asks_no_model_again():
    journal = kit.MemoryJournal()
    first = await made(journal=journal)
    given = kit.deps([], journal=journal)
    again = await made(given=given)
    assert given.backend.requests == []
    assert again.files == first.files


@pytest.mark.long("makes an exercise for a case beside those that stand for it here")
async def test_fresh_begins_anew():
    journal = kit.MemoryJournal()
    await refused(kit.script(test_1={"error": "offline"}), journal=journal)
    given = kit.deps(kit.script(), journal=journal)
    assert (await made(given=given, fresh=True)).resumed == 0
    assert kit.asked(given) == ALL
    assert journal.closed == [(kit.KEY, "fresh")]


@pytest.mark.long("makes an exercise for a case beside those that stand for it here")
async def test_a_record_of_two_set_ups_is_not_mixed():
    journal = kit.MemoryJournal()
    await made(journal=journal)
    journal.open[kit.KEY].append(journal.open[kit.KEY][0])
    given = kit.deps(kit.script(), journal=journal)
    assert (await made(given=given)).resumed == 0
    assert journal.closed == [(kit.KEY, "unusable")]


@pytest.mark.long("makes an exercise for a case beside those that stand for it here")
async def test_a_record_of_another_version_is_not_used():
    journal = kit.MemoryJournal()
    journal.append(kit.KEY, kit.JournalEntry("scaffold", 1, {"schema_version": "scaffold_v0"}))
    given = kit.deps(kit.script(), journal=journal)
    assert (await made(given=given)).resumed == 0


async def test_other_subjects_and_depths_have_their_own_record():
    journal = kit.MemoryJournal()
    await refused(kit.script(test_1={"error": "offline"}), journal=journal)
    given = kit.deps(kit.script(), journal=journal)
    await refused(None, given=given, depth="D2")
    assert kit.asked(given)[0] == "scaffold 1"


@pytest.mark.long("makes an exercise; test_arrival.py refuses one that does not hold")
async def test_an_exercise_that_does_not_hold_is_not_made(tmp_path):
    journal = kit.MemoryJournal()
    vacuous = kit.SECOND_TESTS.replace('frame("a") == "=\\nA"', "True")
    section = kit.section("test", 2, vacuous, last=True, path="test_signs.py")
    again = {"stage": "test-expand", "iteration": 2, "payload": section}
    lines = [*kit.script(test_2=section), again, again, again]
    given = kit.deps(lines, journal=journal, scratch=tmp_path)
    error = await refused(None, given=given)
    assert (error.kind, error.stage) == ("PROOF_FAILED", "proof")
    assert error.details["step"] == "stubs"
    found = error.details["findings"]
    assert {finding["unit"] for finding in found} == {"ex-2"}
    assert {finding["step"] for finding in found} == {"stubs"}
    assert (error.details["proof"]["failOnStub"], error.details["proof"]["repairs"]) == (3, 3)
    assert "test_frame_of_one_letter" in error.message
    assert journal.closed == [(kit.KEY, "proof-failed")]
    assert list(tmp_path.iterdir()) == []
    again = kit.deps(kit.script(), journal=journal)
    assert (await made(given=again)).resumed == 0


@pytest.mark.long("makes an exercise for a case beside those that stand for it here")
async def test_cross_references_are_part_of_the_proof():
    section = kit.section("lesson", 1, kit.LESSON_SECTIONS[0].replace("New", "Fresh"), last=True)
    lines = kit.script(lesson_1=section, lesson_2=None, lesson_3=None)
    lines += [{"stage": "lesson-expand", "payload": section}] * 9
    lines += [line | {"iteration": None} for line in kit.script() if line["stage"] != "scaffold"]
    error = await refused(lines)
    assert error.kind == "PROOF_FAILED"
    assert {finding["step"] for finding in error.details["findings"]} == {"references"}


async def test_what_assembly_refuses_begins_anew_the_next_time():
    journal = kit.MemoryJournal()
    foreign = kit.section(
        "test", 1, "import numpy\n" + kit.FIRST_TESTS, last=True, path="test_a.py"
    )
    error = await refused(kit.script(test_1=foreign, test_2=None), journal=journal)
    assert (error.kind, error.details["rule"]) == ("POLICY_VIOLATION", "import-foreign")
    assert journal.closed == [(kit.KEY, "refused")]


@pytest.mark.long("makes an exercise for a case beside those that stand for it here")
async def test_units_may_come_from_the_comments():
    proven = await made(kit.script(scaffold_1=kit.scaffold(units=None)))
    assert [unit.stub for unit in proven.exercise.units] == ["shout", "frame"]


@pytest.mark.long("makes an exercise for a case beside those that stand for it here")
async def test_the_record_stays_open_until_it_is_closed():
    journal = kit.MemoryJournal()
    proven = await made(journal=journal)
    assert journal.stages() == ALL
    await close_record(journal, proven)
    assert journal.closed == [(kit.KEY, "ready")]


@pytest.mark.long("makes an exercise for a case beside those that stand for it here")
async def test_a_free_topic_is_its_own_subject():
    journal = kit.MemoryJournal()
    lines = kit.script(scaffold_1=kit.scaffold(node_id="topic-market-signs"))
    given = kit.deps(lines, journal=journal)
    proven = await made(given=given, node=None, topic=" market   signs ")
    assert proven.record.subject == "topic:market signs"
    assert proven.exercise.node == "topic-market-signs"
    assert proven.folder.startswith("python-topic-market-signs-")


async def test_a_challenge_comes_without_the_lesson():
    proven = await made(challenge=True)
    assert proven.exercise.challenge
    assert "New text from old" not in proven.files["LESSON.md"]
    assert proven.files["LESSON.md"].startswith("# Signs\n")
    assert {unit.lesson_line for unit in proven.exercise.units} == {1}


async def test_no_call_is_made_for_what_cannot_be_proven_here():
    class Missing(kit.QuickPython):
        async def probe(self):
            return (ToolStatus("pytest", found=False, works=False, remedy="Install pytest."),)

    given = kit.deps(kit.script(), toolchain=Missing())
    error = await refused(None, given=given)
    assert error.kind == "TOOLCHAIN_MISSING"
    assert "Install pytest." in error.message
    assert given.backend.requests == []


@pytest.mark.long("makes an exercise for a case beside those that stand for it here")
async def test_a_shipped_proof_is_not_for_what_a_model_made():
    given = kit.deps(kit.script())
    toolchain = given.toolchain
    object.__setattr__(given, "shipped", lambda _: Proof(ok=True))
    await made(given=given)
    # stubs, reference, wrong versions and other surroundings, values; with tests and in the end
    assert len(toolchain.runs) == 8
