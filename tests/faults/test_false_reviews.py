"""What a review says that run and code do not bear out is left out; what they do is shown."""

import pytest
from open_kit import open_exercise

from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome, TestReport, TestResult
from tutor_lsp.core.exercise.verdict import FAIL, PASS, sentence
from tutor_lsp.core.session import Finding, Review
from tutor_lsp.tutor.hinting.coach.facts import facts_of
from tutor_lsp.tutor.reviewing.grounds import FOR_AUTHOR, grounded

FILE = "src/exercise/tour.py"
BROKEN = "test_legs_on_one_charge_stops_at_the_first_long_leg"

# What is said of a run in which one of 16 tests does not pass.
FALSE_ON_RED = [
    "All 16 tests pass, you are done.",
    "Everything works now.",
    "The test is wrong, delete the test.",
    f"`{BROKEN}` passes.",
    "12 of 16 tests pass.",
    "Your code is correct.",
    "You can safely remove this test.",
    "All tests are green.",
    "The test expects a wrong value, so change that test.",
    "Nothing is left to do here.",
    "3 tests fail.",
    "`test_legs_of_nothing` fails because of the first line.",
    "Alle Tests bestehen, du bist fertig.",
    "Der Test ist falsch, lösche den Test.",
    "Tous les tests passent.",
    "Todas las pruebas pasan, has terminado.",
    "It does not compile.",
    "Comment out the assertion and go on.",
    "This is not your fault: the test is buggy.",
    "Supprime le test, il est faux.",
    "所有测试都已经通过，你完成了。",
    "测试写错了，可以删掉这个测试。",
    "Dein Code ist schon richtig, der Fehler steckt im Test.",
    "Ton code est déjà correct, il n'y a rien à faire.",
    "Tu código ya está bien, no hay nada que corregir.",
    "Ignoriere diesen Test.",
    "La prueba está equivocada.",
    f"测试 `{BROKEN}` 通过了。",
    f"`{BROKEN}` besteht.",
]
# What is said of code in which there is no such thing, be the run green or red.
FALSE_OF_THE_CODE = [
    "Nice use of `itertools.pairwise`.",
    "Your list comprehension reads well.",
    "You catch the `ValueError` in the right place.",
    "The recursion is elegant.",
    "Great lambda!",
    "You handle `None` well.",
    "Good: your while loop ends by itself, in `ridden`.",
    "Your dictionary makes the lookup fast.",
    "I like how `Counter` does the work.",
    "Your generator keeps memory low.",
    "Well done with the try/except.",
    "You clearly use `functools.reduce` here.",
    "Schön, dass du `itertools.pairwise` verwendest.",
    "Bravo pour l'usage de `functools.reduce`.",
    "Muy bien: usas `Counter` con elegancia.",
    "你很好地使用了 `functools.reduce`。",
]
# Facts that nothing shows.
FALSE_FACTS = [
    "`legs_on_one_charge([5, 5], 80)` returns `17`.",
    "For an empty list it raises `IndexError`.",
    "This line returns `None`.",
    "With 4711 km it gives `-3`.",
    "`sorted(kms)` returns `[9, 8]`.",
    "The loop prints `battery = 99`.",
]
TRUE = [
    "15 of 16 tests pass.",
    f"`{BROKEN}` does not pass yet.",
    "Your loop goes on after the first leg that is too long.",
    "`continue` skips a leg, but the ride is over there.",
    "The numbers start at 1, as they should.",
    "`enumerate` counts for you: a good choice in `numbered`.",
    "You could use a list comprehension here.",
    "Consider `itertools.pairwise` instead of the indexes.",
    "Look at what happens after `if km > battery`.",
    "What should happen when the battery is empty?",
    "One test is not there yet.",
    "Line 41 compares the leg with what is left, which is right.",
    "Your for loop over the stops is easy to follow.",
    "You take the given list as it is and return a new one.",
    "A `while` loop would work too, but it is not needed.",
    "`zip` pairs the stops well.",
    "Try the test with two long legs in a row.",
    "The name `count` says what it is.",
    "Well begun: four of the five functions are there.",
    "`battery -= km` leaves the rest for the next leg.",
]


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    return open_exercise(
        tmp_path_factory.mktemp("work") / "one", "python", "python-loops-bike-tour"
    )


def texts(opened):
    text = opened.vault.solution[FILE]
    assert "            break\n" in text
    return {
        **opened.vault.originals,
        FILE: text.replace("            break\n", "            continue\n"),
    }


def report(opened, *failing):
    tests = tuple(
        TestResult(
            name, unit.id, unit.stub,
            TestOutcome.FAILED if name in failing else TestOutcome.PASSED,
        )
        for unit in opened.exercise.units
        for name in unit.tests
    )  # fmt: skip
    return TestReport("r", RunOutcome.FAILED if failing else RunOutcome.PASSED, tests)


def names(opened):
    return [name for unit in opened.exercise.units for name in unit.tests]


def facts(opened, *, red):
    return facts_of(opened, report(opened, *([broken(opened)] if red else [])), texts(opened))


def broken(opened):
    return next(n for n in names(opened) if n.startswith("test_legs_on_one_charge"))


def put(opened, said):
    return said.replace(BROKEN, broken(opened))


def finding(claim, evidence="The tests show it."):
    return Finding(FILE, 1, 1, "x", claim, evidence)


FALSE = [
    *((said, True) for said in (*FALSE_ON_RED, *FALSE_OF_THE_CODE, *FALSE_FACTS)),
    *((said, False) for said in FALSE_OF_THE_CODE),
]


@pytest.mark.parametrize(("said", "red"), FALSE)
def test_what_is_not_so_is_left_out(opened, said, red):
    held = facts(opened, red=red)
    run = sentence(held.report)
    given = Review(FAIL if red else PASS, 50, put(opened, said), (finding(put(opened, said)),))
    shown, dropped = grounded(given, held)
    assert (shown.summary, shown.findings) == (run, ())
    assert {each.what for each in dropped} - {FOR_AUTHOR} == {"summary", "finding"}


def test_what_is_said_against_a_test_is_a_note_for_its_author(opened):
    held = facts(opened, red=True)
    given = Review(FAIL, 50, "The test is wrong, delete it. All tests pass.", ())
    assert [each.why for each in grounded(given, held)[1] if each.what == FOR_AUTHOR] == [
        "The test is wrong, delete it."
    ]


@pytest.mark.parametrize("said", TRUE)
def test_what_is_so_is_shown(opened, said):
    held = facts(opened, red=True)
    said = put(opened, said)
    given = Review(FAIL, 50, said, (finding(said),), improvement=said, question=said)
    assert grounded(given, held) == (given, ())


# Split so that no part says it alone.
SPLIT = [
    ("The test", "is wrong, delete it"),
    ("Delete", "this test"),
    ("Skip", "the assertion of the last test"),
    ("The last test", "is simply wrong"),
]


@pytest.mark.parametrize("parts", SPLIT)
def test_findings_are_read_together(opened, parts):
    held = facts(opened, red=True)
    given = Review(FAIL, 50, "15 of 16 tests pass.", tuple(finding(part) for part in parts))
    shown, dropped = grounded(given, held)
    assert shown.findings == ()
    assert [each.what for each in dropped] == ["review"]
