"""Reviews of units that ask what a program gives, or for tests: other calls, other mistakes."""

from dataclasses import replace

import pytest
from test_review import LIBRARY, TOOLCHAINS, Quiet, request

from tutor_lsp.authoring.own.new_exercise import new_exercise
from tutor_lsp.authoring.refresher.again import some_of
from tutor_lsp.authoring.refresher.calls import VARIANTS, named_calls, other_values, predicted
from tutor_lsp.authoring.refresher.make import make_review
from tutor_lsp.authoring.refresher.values import Fresh
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.core.exercise.report import Location, RawTest, TestOutcome
from tutor_lsp.core.session import WrongProgram
from tutor_lsp.languages.registry import dialect
from tutor_lsp.library.loader import Library

GRAMMAR, TOOL = dialect("python").grammar, TOOLCHAINS["python"]
COMMENT = '# `TOTAL` is what `total([20, 400])` gives, `WORD` what `word("pear")` gives.\n'
TESTS = """from exercise import answers, shop


def test_total_of_two() -> None:
    assert answers.TOTAL == shop.total([20, 400])


def test_word_of_a_fruit() -> None:
    assert shop.word("pear") == answers.WORD
"""
FRESH = Fresh({"pear": "plum"}, {"20": "17", "400": "390"})


def calls_of(comment, tests=TESTS):
    return named_calls(comment, {"tests/test_a.py": tests}, GRAMMAR, TOOL)


def test_a_call_is_another_one_wherever_it_is_named():
    calls = calls_of(COMMENT)
    (tests,) = calls.tests({"tests/test_a.py": TESTS}, FRESH).values()
    assert tests == TESTS.replace("[20, 400]", "[17, 390]").replace("pear", "plum")
    said = calls.renamed(COMMENT, FRESH)
    assert said == COMMENT.replace("[20, 400]", "[17, 390]").replace("pear", "plum")
    given = {"tests/test_a.py": TESTS}
    assert calls.changed(given, {"tests/test_a.py": tests}, TOOL) == 2
    assert calls.changed(given, given, TOOL) == 0


@pytest.mark.parametrize(
    "comment",
    [
        "# `TOTAL` is what `total` gives for 20 and 400, `WORD` what `word` gives for a pear.\n",
        '# `TOTAL` is what `total([20, 40])` gives, `WORD` what `word("pear")` gives.\n',
        COMMENT.replace('`word("pear")`', "the fruit"),
        COMMENT.replace("[20, 400]", "[20,\n# 400]"),
    ],
)
def test_a_comment_that_names_not_all_calls_gives_no_others(comment):
    assert calls_of(comment) is None


def test_a_value_that_is_told_elsewhere_is_noticed():
    calls = calls_of(COMMENT)
    for text, stale in (
        (COMMENT, False),
        (f"{COMMENT}# Start here: what is added to 400?\n", True),
        (f"{COMMENT}# Start here: what is a pear?\n", True),
        (f"{COMMENT}# Start here: what is added after 20 lines?\n", False),
    ):
        assert calls.stale(calls.renamed(text, FRESH), FRESH) == stale


@pytest.mark.parametrize("variant", range(VARIANTS))
def test_other_numbers_are_as_different_as_the_given_ones(variant):
    tests = TESTS.replace("[20, 400]", "[20, 0, 20, 3, 400, 4]")
    calls = calls_of(COMMENT.replace("[20, 400]", "[20, 0, 20, 3, 400, 4]"), tests)
    fresh = other_values(calls, ["LIMIT = 21"], 5, variant, GRAMMAR)
    assert fresh == other_values(calls, ["LIMIT = 21"], 5, variant, GRAMMAR)
    numbers = {int(old): int(new) for old, new in fresh.numbers.items()}
    assert numbers[0] == 0
    assert all(old != new > 0 for old, new in numbers.items() if old)
    assert len(set(numbers.values())) == 5
    if variant < VARIANTS // 2:
        assert [numbers[old] for old in sorted(numbers)] == sorted(numbers.values())
    assert fresh.words["pear"] != "pear"


def test_an_answer_becomes_what_the_program_gave_if_that_can_be_written_down():
    text, tests = 'TOTAL = 420\n\nWORD = "PEAR"\n', {"tests/test_a.py": TESTS}

    def answered(name, line, left, right):
        place = Location("tests/test_a.py", line)
        raw = RawTest(name, TestOutcome.FAILED, place, left=left, right=right)
        return predicted(tests, text, raw, GRAMMAR, TOOL)

    assert answered("test_total_of_two", 5, "420", "-407") == text.replace("420", "-407")
    assert answered("test_word_of_a_fruit", 9, "'PLUM'", "'PEAR'") == text.replace(
        '"PEAR"', "'PLUM'"
    )
    assert answered("test_total_of_two", 5, "420", "<object at 0x7>") is None
    assert answered("test_total_of_two", 5, "420", None) is None
    assert answered("test_other", 5, "420", "407") is None


@pytest.mark.parametrize(("known", "taken"), [(2, 2), (3, 2), (5, 3), (8, 5)])
def test_each_review_has_some_of_the_mistakes(known, taken):
    mistakes = [WrongProgram(f"{n}", f"{n}", "", "", "") for n in range(known)]
    found = {some_of(mistakes, seed) for seed in range(20)}
    assert {len(each) for each in found} == {taken}
    assert len(found) > 1 or known == taken
    assert all(list(each) == sorted(each, key=mistakes.index) for each in found)


def new(folder, language, kind):
    """The unit of a kind of a new exercise, to be reviewed."""
    made = folder / f"{language}-weather-notes"
    new_exercise(made, language, kinds=[kind])
    library = Library([made])
    (entry,) = library.entries()
    return request(entry, "ex-4", library=library)


async def test_a_prediction_whose_comment_names_no_call_gives_no_review(tmp_path):
    with pytest.raises(TutorError) as caught:
        await make_review(new(tmp_path, "c", UnitKind.PREDICT), TOOLCHAINS["c"], Quiet())
    assert caught.value.kind == "NO_REVIEW"


@pytest.mark.long("proves exercises; a learner's review stands for it here")
async def test_answers_that_the_lesson_or_a_hint_tells_are_not_asked_for(tmp_path):
    wanted = new(tmp_path, "python", UnitKind.PREDICT)
    made = await make_review(wanted, TOOL, Quiet())
    hints = wanted.vault.hints["ex-4"]
    assert made.vault.hints == {"ex-1": hints}
    (unit,) = made.exercise.units
    word = made.vault.solution[unit.file].rpartition('= "')[2].partition('"')[0]
    told = {"ex-4": (*hints[:2], f"In the end there is {word}.")}
    vault = replace(wanted.vault, hints=told)
    other = await make_review(replace(wanted, vault=vault), TOOL, Quiet())
    assert other.vault.solution == made.vault.solution
    assert other.vault.hints == {}
    lesson = wanted.files["LESSON.md"].replace("Do the same", f"Here it is not {word}. Do the same")
    files = {**wanted.files, "LESSON.md": lesson}
    last = await make_review(replace(wanted, files=files), TOOL, Quiet())
    assert word in last.files["LESSON.md"]
    assert word not in last.vault.solution[unit.file]


@pytest.mark.long("proves exercises; a learner's review stands for it here")
@pytest.mark.parametrize(
    ("exercise", "unit"),
    [
        ("c-ferry-board", "ex-4"),
        ("python-tool-shed", "ex-4"),
        pytest.param("rust-coaster-gate", "ex-4", marks=pytest.mark.cargo),
    ],
)
async def test_tests_are_asked_for_alone_and_run_on_their_programs(exercise, unit):
    entry = LIBRARY.by_id(exercise)
    wanted = request(entry, unit)
    made = await make_review(wanted, TOOLCHAINS[entry.language], Quiet())
    (only,) = made.exercise.units
    assert made.exercise.proof.fail_on_stub == made.exercise.proof.pass_on_reference == 2
    assert [file for file in made.files if file in wanted.files and file.startswith("tests/")] == [
        only.file
    ]
    programs = wanted.vault.programs[unit]
    assert made.vault.programs["ex-1"].right == programs.right
    assert set(made.vault.programs["ex-1"].wrong) < set(programs.wrong)
    first, *others = programs.wrong
    broken = replace(programs, right=(programs.right[0], first.text), wrong=tuple(others))
    vault = replace(wanted.vault, programs={unit: broken})
    with pytest.raises(TutorError, match="refuses a right program"):
        await make_review(replace(wanted, vault=vault), TOOLCHAINS[entry.language], Quiet())


@pytest.mark.long("makes a review in C for a rare case")
async def test_tests_without_their_programs_give_no_review():
    entry = LIBRARY.by_id("c-ferry-board")
    wanted = request(entry, "ex-3")
    vault = replace(wanted.vault, programs={})
    with pytest.raises(TutorError, match="no programs on which") as caught:
        await make_review(replace(wanted, vault=vault), TOOLCHAINS["c"], Quiet())
    assert caught.value.kind == "NO_REVIEW"
