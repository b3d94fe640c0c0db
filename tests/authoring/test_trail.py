"""The event log of a set-up: what fired, what mended it, what was asked and what came of it."""

from dataclasses import replace

import authoring_kit as kit
import pytest

from tutor_lsp.authoring.arrival.made import assembled
from tutor_lsp.authoring.repair.trail import Trail
from tutor_lsp.authoring.setup import set_up
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.generation import RuleCount, often, rule_counts, rule_of
from tutor_lsp.core.stage import Role
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.stages.conversation import Conversation

pytestmark = pytest.mark.first(3)

GOOD = kit.section("test", 2, kit.SECOND_TESTS, last=True, path="test_signs.py")
VACUOUS = GOOD | {"content": kit.SECOND_TESTS.replace('assert frame("a") == "=\\nA"', 'frame("a")')}


async def events_of(lines):
    """The events of a set-up, and the error that it ended with, if any."""
    noted = []

    async def note(kind, data):
        noted.append({"kind": kind, "data": data})

    try:
        await set_up(kit.request(), replace(kit.deps(lines), note=note), kit.Told())
    except TutorError as error:
        return noted, error
    return noted, None


def kinds(noted):
    return [event["kind"] for event in noted]


async def test_what_holds_at_once_leaves_nothing():
    assert await events_of(kit.script()) == ([], None)


async def test_a_finding_its_repair_and_what_came_of_it_are_told():
    again = {"stage": "test-expand", "payload": GOOD}
    noted, error = await events_of([*kit.script(test_2=VACUOUS), again])
    assert error is None
    found = [event["data"] for event in noted if event["kind"] == "finding"]
    assert {data["step"] for data in found} == {"stubs"}
    assert all(data["node"] == "python-strings" and data["setupId"] for data in found)
    (repair,) = [event["data"] for event in noted if event["kind"] == "repair"]
    assert (repair["role"], repair["section"], repair["accepted"]) == ("test-expand", 2, True)
    assert [step for step, _ in repair["rules"]] == [data["step"] for data in found]
    ended = [event["data"] for event in noted if event["kind"] == "finding-ended"]
    assert [data["outcome"] for data in ended] == ["repaired"] * len(found)
    assert kinds(noted).index("repair") < kinds(noted).index("finding-ended")
    for row in rule_counts(noted):
        assert (row.fired, row.repaired, row.left, row.open) == (row.fired, row.fired, 0, 0)


@pytest.mark.long("makes an exercise; what a repair left is told by the others here")
async def test_what_is_left_when_it_ends_is_told_as_left_and_once():
    again = {"stage": "test-expand", "payload": VACUOUS}
    noted, error = await events_of([*kit.script(test_2=VACUOUS), *[again] * 3])
    assert error.kind == "PROOF_FAILED"
    assert kinds(noted).count("repair") == 3
    fired = [event["data"]["message"] for event in noted if event["kind"] == "finding"]
    assert len(fired) == len(set(fired)) == kinds(noted).count("finding-ended")
    outcomes = {event["data"]["outcome"] for event in noted if "outcome" in event["data"]}
    assert outcomes == {"left"}


async def test_a_repair_without_an_answer_is_told_too():
    gone = {"stage": "test-expand", "error": "offline"}
    noted, error = await events_of([*kit.script(test_2=VACUOUS), gone])
    assert error.kind == "EXECUTION_FAILED"
    (repair,) = [event["data"] for event in noted if event["kind"] == "repair"]
    assert (repair["accepted"], repair["kind"]) == (False, "EXECUTION_FAILED")


async def test_what_code_mends_is_told_once():
    half = kit.SECOND_HALF.replace("Test: test_frame_is_as_wide_as_the_text", "Test: test_frame_is")
    section = kit.section("starter", 2, half, last=True, path="signs.py")
    again = {"stage": "test-expand", "payload": GOOD}
    noted, _ = await events_of([*kit.script(starter_2=section, test_2=VACUOUS), again])
    mends = [event["data"]["files"] for event in noted if event["kind"] == "mend"]
    assert mends == [["src/exercise/signs.py"]]


async def test_what_a_plan_had_wrong_and_what_came_of_it_are_told():
    bad = [{**kit.UNITS[0], "stub": "__init__", "test_names": ["test___init___is_x"]}, kit.UNITS[1]]
    noted, error = await events_of(
        [{"stage": "scaffold", "payload": kit.scaffold(bad)}, *kit.script()]
    )
    assert error is None
    assert kinds(noted) == ["finding", "repair", "finding-ended"]
    found, repair, ended = (event["data"] for event in noted)
    assert "cannot be named `__init__`" in found["message"]
    assert (repair["role"], repair["accepted"]) == ("scaffold", True)
    assert repair["rules"] == [[found["step"], found["rule"]]]
    assert (ended["message"], ended["outcome"]) == (found["message"], "repaired")


async def test_a_plan_that_stays_wrong_leaves_what_it_was():
    bad = kit.scaffold([{**kit.UNITS[0], "stub": "__init__", "test_names": ["test___init___is"]}])
    noted, error = await events_of([{"stage": "scaffold", "payload": bad}] * 4)
    assert error.kind == "PROOF_FAILED"
    assert kinds(noted).count("repair") == 3
    assert [event["data"]["outcome"] for event in noted if "outcome" in event["data"]] == ["left"]


async def test_names_that_code_changes_in_a_plan_are_told():
    units = [{**kit.UNITS[0], "test_names": ["test_is_in_capitals", "test_shout_keeps_digits"]}]
    (mend,), _ = await events_of(kit.script(scaffold_1=kit.scaffold([*units, kit.UNITS[1]])))
    assert mend["data"]["said"] == [
        "The test `test_is_in_capitals` is named `test_shout_is_in_capitals`, after its stub."
    ]


def planned(**changes):
    """A plan whose tests code renames, with other fields of its first unit."""
    names = ["test_is_in_capitals", "test_shout_keeps_digits"]
    units = [{**kit.UNITS[0], "test_names": names, **changes}, kit.UNITS[1]]
    return {"stage": "scaffold", "payload": kit.scaffold(units)}


async def planning_of(lines, journal=None, agree=None):
    """What a set-up notes of its plan; nothing is built on it."""
    noted = []

    async def note(kind, data):
        noted.append((kind, data.get("outcome") or data.get("said")))

    given = replace(kit.deps(lines, journal=journal), note=note, agree=agree)
    with pytest.raises(TutorError):
        await set_up(kit.request(), given, kit.Told())
    return noted


RENAMED = "The test `test_is_in_capitals` is named `test_shout_is_in_capitals`, after its stub."


@pytest.mark.parametrize(("second", "outcome"), [(planned(practises=["class-definition"]), "left"),
                                                 (planned(), "repaired")])  # fmt: skip
async def test_only_a_plan_that_another_call_mended_is_told_as_repaired(second, outcome):
    noted = await planning_of([planned(practises=["class-definition"]), second])
    assert [each for kind, each in noted if kind == "finding-ended"] == [outcome]
    (said,) = [each for kind, each in noted if kind == "mend"]
    assert said[0] == RENAMED
    assert any("`class-definition`" in each for each in said) == (outcome == "left")


async def test_what_code_changes_in_a_plan_is_told_of_the_one_that_stays():
    wrong = planned(stub="__init__", practises=["class-definition"])
    noted = await planning_of([wrong] * 4)
    assert [kind for kind, _ in noted if kind == "mend"] == []
    journal, right = kit.MemoryJournal(), planned()

    async def leave(made, wish):
        raise TutorError("CANCELLED", "not now")

    noted = await planning_of([right], journal, leave)
    assert [each for kind, each in noted if kind == "mend"] == [[RENAMED]]
    assert await planning_of([], journal, leave) == []


async def test_an_import_that_code_replaces_is_told():
    tests = kit.SECOND_TESTS.replace("from exercise.signs", "from signs")
    section = kit.section("test", 2, tests, last=True, path="test_signs.py")
    noted, error = await events_of(kit.script(test_2=section))
    assert error is None
    (mend,) = noted
    assert (mend["kind"], mend["data"]["files"]) == ("mend", ["tests/test_signs.py"])
    assert mend["data"]["said"] == [
        "`from signs import frame, shout` names nothing of the exercise, so it was replaced."
    ]


def test_a_foreign_include_that_code_replaces_is_told_to_the_author():
    made = Conversation("c", topic="weather", prompts=False)
    tool = toolchains()["c"]
    source = '#include "weather.h"\n\nint double_it(int a)\n{\n    return 2 * a;\n}\n'
    test = (
        '#include "test.h"\n#include "unity_fixture.h"\n\n'
        "void test_double_it_of_two(void)\n{\n    TEST_ASSERT_EQ(4, double_it(2));\n}\n"
    )
    made.sections[Role.STARTER].append({"file_path": "weather.c", "content": source})
    made.sections[Role.TEST].append({"file_path": "test_weather.c", "content": test})
    so_far = assembled(made, tool)
    assert '#include "weather.h"' in so_far.candidate.authored["tests/test_weather.c"]
    assert so_far.merged["tests/test_weather.c"] == test
    (said,) = so_far.imports
    assert said.message == (
        '`#include "unity_fixture.h"` names nothing of the exercise, so it was replaced.'
    )
    assert (said.file, said.line) == ("tests/test_weather.c", 2)


async def test_a_rule_that_advises_only_is_overruled_by_an_exercise_that_holds():
    noted = []

    async def note(kind, data):
        noted.append({"kind": kind, "data": data})

    vague = ProofFinding("references", "`test_a` is vague.", "tests/a.py", 3)
    more = ProofFinding("mistakes", "`f(1)` tells a wrong version apart.", unit="ex-1")
    trail = Trail(note, Conversation("python", topic="signs"))
    for line in (3, 9):
        await trail.checked([], [replace(vague, line=line), more])
    was = replace(vague, message="`test_b` is no name.")
    for findings, advice in (([], [was]), ([was], []), ([], [])):
        await trail.checked(findings, advice)
    await trail.ended(proven=True)
    assert rule_counts(noted) == [
        RuleCount("references", "… is no name", 1, 1, 0, 0),
        RuleCount("references", "… is vague", 1, 0, 0, 1),
    ]


@pytest.mark.parametrize(
    ("message", "rule"),
    [
        ("`test_a` does not say what it asserts.", "… does not say what it asserts"),
        ("`a`, `b` and `c` are missing: add them", "… are missing"),
        ("The lesson has 1300 words besides code, at most 1200 at D1.",
         "The lesson has N words besides code, at most N at D1"),
        ("ex-2 needs 2 right programs; see “that”", "N needs N right programs"),
        ("src/lib.rs does not build: expected `;`", "src/lib.rs does not build"),
        ("The stub's comment isn't what the unit's plan says",
         "The stub's comment isn't what the unit's plan says"),
        ("expected 'int', found 'str'", "expected …, found …"),
    ],
)  # fmt: skip
def test_a_rule_is_what_a_finding_says_of_anything(message, rule):
    assert rule_of(message) == rule


def test_rules_are_counted_with_what_is_still_open():
    def event(kind, step, **more):
        return {"kind": kind, "data": {"step": step, "rule": "r", **more}}

    rows = rule_counts([
        event("finding", "units"),
        *[event("finding", "stubs")] * 3,
        event("finding-ended", "stubs", outcome="repaired"),
        event("finding-ended", "stubs", outcome="overruled"),
        event("finding-ended", "units", outcome="left"),
        event("stage-accepted", "units"),
    ])  # fmt: skip
    assert rows == [RuleCount("stubs", "r", 3, 1, 0, 1), RuleCount("units", "r", 1, 0, 1, 0)]
    assert [row.open for row in rows] == [1, 0]


def ended(rule, outcome="repaired", language="python"):
    data = {"step": "stubs", "rule": rule, "outcome": outcome, "language": language}
    return {"kind": "finding-ended", "data": data}


def test_the_next_model_is_told_what_sent_exercises_back():
    events = [
        *[ended("a", "overruled")] * 9,
        *[ended("b", language="rust")] * 9,
        *[ended(rule) for rule in "cddeeeffff"],
        ended("f", "left"),
    ]
    assert often(events, "python") == ("f", "e", "d")
    assert often(events, "c") == ()
    made = Conversation("python", topic="signs", often=often(events, "python"))
    assert "\nWhat sent exercises before this one back: f, e, d.\n" in made.head
    assert "back:" not in Conversation("python", topic="signs").head
