"""Documents that do not hold: each is found when it comes, before anything is built on it."""

from dataclasses import replace

import authoring_kit as kit
import pytest

from tutor_lsp.authoring.arrival import plan
from tutor_lsp.authoring.arrival.made import assembled
from tutor_lsp.authoring.setup import set_up
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.stage import Role
from tutor_lsp.languages.python.toolchain import PythonToolchain
from tutor_lsp.stages.conversation import Conversation

SIGNS, TESTS = "signs.py", "test_signs.py"
UNTIL = {
    "plan": ["scaffold 1"],
    "starter": ["scaffold 1", "starter-expand 1", "starter-expand 2"],
    "first starter": ["scaffold 1", "starter-expand 1"],
    "tests": [
        "scaffold 1", "starter-expand 1", "starter-expand 2", "test-expand 1", "test-expand 2",
    ],
}  # fmt: skip
UNTIL["solved"] = [*UNTIL["tests"], "solution 1"]
UNTIL["lesson"] = [*UNTIL["solved"], "lesson-expand 1", "lesson-expand 2"]


async def asked_until_refused(toolchain=None, **changes):
    """What was asked up to the first repair, and what that is told; there is no answer to it."""
    given = kit.deps(kit.script(**changes))
    given = given if toolchain is None else replace(given, toolchain=toolchain)
    with pytest.raises(TutorError) as caught:
        await set_up(kit.request(), given, kit.Told())
    assert caught.value.kind == "PROOF_FAILED"
    told = [each.packet["next_focus"] or "" for each in given.backend.requests]
    again = ("This is a repair.", "Make this plan again")
    at = next(at for at, focus in enumerate(told) if focus.startswith(again))
    return kit.asked(given)[: at + 1], told[at]


async def made(lines):
    given = kit.deps(lines)
    return await set_up(kit.request(), given, kit.Told()), kit.asked(given)


def starter(number, old, new):
    half = (kit.FIRST_HALF, kit.SECOND_HALF)[number - 1]
    assert old in half
    text = half.replace(old, new)
    return {f"starter_{number}": kit.section("starter", number, text, last=number > 1, path=SIGNS)}


def checking(old, new):
    assert old in kit.SECOND_TESTS
    text = kit.SECOND_TESTS.replace(old, new)
    return {"test_2": kit.section("test", 2, text, last=True, path=TESTS)}


def lesson(old, new):
    assert old in kit.LESSON_SECTIONS[1]
    text = kit.LESSON_SECTIONS[1].replace(old, new)
    return {"lesson_2": kit.section("lesson", 2, text, last=False)}


def planned(**changes):
    return {"scaffold_1": kit.scaffold([kit.UNITS[0], {**kit.UNITS[1], **changes}])}


def many(count):
    letters = "abcdefghi"[:count]
    stubs = {letter: {"stub": f"shout{letter}"} for letter in letters}
    return [
        {**kit.UNITS[0], **stub, "unit_id": f"ex-{n}", "test_names": [f"test_shout{letter}_up"]}
        for n, (letter, stub) in enumerate(stubs.items(), start=1)
    ]


LAST = '    assert frame("a") == "=\\nA"\n'
DEFECTS = [
    ("plan", planned(stub="__init__"), "cannot be named `__init__`"),
    ("plan", planned(stub="lambda"), "is a word of the language"),
    ("plan", planned(stub="test_frame"), "taken for a test"),
    ("plan", planned(test_names=[f"test_frame_of_{n}_letters" for n in "abcdefghi"]), "9 tests"),
    ("plan", {"scaffold_1": kit.scaffold(many(8))}, "8 units, at most 7"),
    ("first starter", starter(1, 'EDGE = "="', 'EDGE = ("="'), "does not build"),
    ("first starter", starter(1, "Start here: which", "Hm: which"), "lacks the line Start here"),
    ("first starter", starter(1, 'raise NotImplementedError("shout")', "return text.upper()"),
     "has code already"),
    ("starter", starter(2, "math.ceil", "maths.ceil"), "the name `maths` is not defined"),
    ("starter", starter(2, "import math\n", 'import math\n\nPATTERN = "\\d"\n'), "with a warning"),
    ("starter", starter(2, "ex-2 -", "ex-1 -"), "says ex-1, not ex-2"),
    ("starter", starter(2, "def frame(", "def border("), "no stub `frame`"),
    ("starter", starter(2, "Return a line of", "The learner must return a line of"), "orders"),
    ("tests", checking(LAST, "    assert True\n"), "passes although nothing is written"),
    ("tests", checking(LAST, '    {}["a"]\n' + LAST), "not because something is missing"),
    ("tests", checking(LAST, '    assert frame("a") == frame(shout("a")) == shout("b")\n'),
     "tests two stubs"),
    ("tests", checking("from exercise", "from exercise.signs import wide\nfrom exercise"),
     "does not build"),
    ("tests", checking("test_frame_of_one_letter", "test_border_of_one_letter"), "is not named"),
    ("tests", checking(LAST, LAST.replace('"=\\nA"', "EDGED")) and {"test_2": kit.section(
        "test", 2, kit.SECOND_TESTS.replace('"=\\nA"', "EDGED").replace(
            "\n\n\ndef test_frame_is", '\n\nEDGED = "~\\nA"\n\n\ndef test_frame_is'
        ), last=True, path=TESTS)}, "the starter does not define"),
    ("solved", checking(LAST, '    assert frame("a") != "x"\n'), "only returns"),
    ("tests", checking(LAST, "    import time\n    time.sleep(0)\n" + LAST), "may differ"),
    ("starter", starter(2, "import math\n", "import maths\n"), "maths"),
    ("starter", starter(2, 'what is `"-" * 3`?', "1. Take it. 2. Repeat it."), "steps"),
    ("solved", checking(LAST, '    assert shout("a") == "A"\n'), "passes without `frame`"),
    ("solved", starter(1, 'EDGE = "="\n', 'EDGE = "="\n\n\ndef loud(words: str) -> str:\n'
     '    """Return capitals."""\n    return words.upper()\n'), "is `shout` with other names"),
    ("lesson", lesson('print("ab" * 2)\n```', 'print("ab" * 2)\n```\n\n```text\nabba\n```'),
     "does not print what the text"),
    ("lesson", lesson('print("ab" * 2)', 'print("ab" ** 2)'), "does not run to its end"),
    ("lesson", lesson('```python\nprint("ab" * 2)\n```', "It repeats."), "no worked example"),
    ("lesson", lesson("Now `frame`.", "Now it is your turn."), "names no stub"),
    ("lesson", lesson("Now `frame`.", "word " * 260 + "`frame`."), "at most 250"),
    ("lesson", lesson(
        'print("ab" * 2)',
        'EDGE = "-"\n\n\ndef width(t: str) -> int:\n    return len(t)\n\n\n'
        'def shout(t: str) -> str:\n    return t.upper()\n\n\ndef frame(t: str) -> str:\n'
        '    return EDGE * width(t) + "\\n" + shout(t)\n\n\nprint(frame("a"))'),
     "a definition of `frame`"),
]  # fmt: skip


@pytest.mark.sample(
    "cannot be named `__init__`", "has code already", "with a warning", "only returns",
    "does not run to its end",
)  # fmt: skip
@pytest.mark.parametrize(("step", "changes", "words"), DEFECTS, ids=[each[2] for each in DEFECTS])
async def test_a_defect_is_found_at_its_own_step(step, changes, words):
    asked, focus = await asked_until_refused(**changes)
    assert asked[:-1] == UNTIL[step]
    assert words in focus


async def test_a_unit_that_a_value_solves_is_found_before_there_is_a_lesson():
    changes = checking(LAST, '    assert frame("plums") == "=====\\nPLUMS"\n')
    asked, focus = await asked_until_refused(PythonToolchain(), **changes)
    assert asked[:-1] == UNTIL["solved"]
    assert "for every input passes all tests of ex-2" in focus


async def test_a_record_without_repairs_is_told_all_that_it_lacks():
    changes = starter(1, "Start here: which", "Hm: which") | checking(LAST, "    assert True\n")
    changes |= lesson('print("ab" * 2)', 'print("ab" ** 2)')
    given = kit.deps(kit.script(**changes, solution_1=None))
    with pytest.raises(TutorError) as caught:
        await set_up(kit.request(), given, kit.Told())
    steps = {finding["step"] for finding in caught.value.details["findings"]}
    assert steps == {"references", "stubs", "lesson"}
    assert not [each for each in kit.asked(given) if each.startswith("solution")]


# what holds


def feedback(name):
    """The kit's exercise with a test of another name."""
    old = "test_frame_of_one_letter"
    units = [kit.UNITS[0], {**kit.UNITS[1], "test_names": [kit.UNITS[1]["test_names"][0], name]}]
    text = kit.SECOND_TESTS.replace(old, name)
    return {
        "scaffold_1": kit.scaffold(units),
        "test_2": kit.section("test", 2, text, last=True, path=TESTS),
    }


HOLDING = {
    "correct": feedback("test_frame_correct"),
    "first": feedback("test_frame_first"),
    "works": feedback("test_frame_works"),
    "a number": feedback("test_frame_2"),
    "made from parts": checking(LAST, '    word = list("cat")\n    word[0] = "b"\n'
          '    assert frame("".join(word)).endswith("BAT")\n'),
    "spelled by a helper": checking(LAST, '    kinds = {"n": "NUMBER"}\n'
          '    said = "".join(kinds.get(c, c.upper()) for c in "ns")\n'
          '    assert frame("number" + "s") == "=" * len(said) + "\\n" + said\n'),
    "set-up": checking(
        LAST, '    word = "a"\n    assert shout(word) == "A"\n' + LAST.replace('"a"', "word")
    ),
    "line Test": starter(1, "test_shout_is_in_capitals", "test_shout"),
}  # fmt: skip


@pytest.mark.sample("correct", "set-up")
@pytest.mark.parametrize("changes", HOLDING.values(), ids=HOLDING)
async def test_what_somebody_passes_without_the_tests_holds(changes):
    proven, asked = await made(kit.script(**changes))
    assert proven.exercise.proof.repairs == 0
    assert len(asked) == len(kit.script())


async def test_words_that_nobody_knows_count_once_somebody_failed():
    wrong = checking(LAST, '    assert frame("") == "nothing to frame"\n')
    asked, focus = await asked_until_refused(**wrong)
    assert asked == [*UNTIL["solved"], "test-expand 2"]
    assert 'expects the words "nothing"' in focus


# the plan


def test_a_plan_keeps_what_units_that_ask_for_a_body_may_be_about():
    units = [{**unit, "practises": ["class-definition", "yield"]} for unit in kit.UNITS]
    said = kit.script(scaffold_1=kit.scaffold(units))
    made = Conversation("python", topic="signs")
    for each in said[:3]:
        made.accept(Role(each["stage"]), each["iteration"], each["payload"])
    index = assembled(made, PythonToolchain(), (Role.STARTER,)).index
    assert [unit.practises for unit in index.units] == [("yield",)] * len(kit.UNITS)


def test_a_test_is_named_after_its_stub_by_code():
    units = [{**kit.UNITS[0], "test_names": ["test_is_in_capitals", "test_shout_keeps_digits"]}]
    mended = plan.mended(kit.scaffold(units))
    names = ["test_shout_is_in_capitals", "test_shout_keeps_digits"]
    assert mended["units"][0]["test_names"] == names
    assert plan.check(mended, "python") == []


async def test_a_plan_is_made_again_before_anything_is_built_on_it():
    bad = {"stage": "scaffold", "payload": planned(stub="__init__")["scaffold_1"]}
    proven, asked = await made([bad, *kit.script()])
    assert asked[:3] == ["scaffold 1", "scaffold 1", "starter-expand 1"]
    assert proven.exercise.proof.repairs == 1


@pytest.mark.long("makes an exercise in two set-ups")
async def test_a_plan_that_was_made_again_is_not_asked_for_again():
    journal = kit.MemoryJournal()
    bad = {"stage": "scaffold", "payload": planned(stub="__init__")["scaffold_1"]}
    lines = [bad, *kit.script(starter_1={"error": "offline"})]
    with pytest.raises(TutorError):
        await set_up(kit.request(), kit.deps(lines, journal=journal), kit.Told())
    assert journal.stages() == ["scaffold 1", "scaffold 1"]
    given = kit.deps(kit.script()[1:], journal=journal)
    proven = await set_up(kit.request(), given, kit.Told())
    assert kit.asked(given)[0] == "starter-expand 1"
    assert proven.exercise.proof.repairs == 0


# what code mends


@pytest.mark.parametrize(
    "changes",
    [
        checking("import frame, shout", "import shout"),
        checking(LAST, '    assert frame("a") == "=" * math.ceil(0.5) + "\\nA"\n'),
        lesson("```python", "See this: ```python"),
        {
            "starter_2": kit.section("starter", 2, "\n", last=False, path="__init__.py"),
            "starter_3": kit.section("starter", 3, kit.SECOND_HALF, last=True, path=SIGNS),
        },
    ],
    ids=["a name", "a module", "a fence in a line", "an empty file"],
)
@pytest.mark.sample("a name")
async def test_what_code_can_mend_costs_no_call(changes):
    proven, asked = await made(kit.script(**changes))
    assert proven.exercise.proof.repairs == 0
    assert len(asked) == len(kit.script(**changes))
