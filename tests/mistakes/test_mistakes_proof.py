"""The proof's step `mistakes`: what is put in place, and what must notice it."""

import pytest
from mistakes_kit import again, checked

from tutor_lsp.authoring.own.new_exercise import new_exercise
from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.library.entry import BrokenExerciseError
from tutor_lsp.library.mistakes import read_mistakes

NOTE = {
    "python": (
        ("Never warns", "You leave the frost out.\nTag: condition-turned-round", '''\
def note(celsius: int) -> str:
    return f"{celsius} C is {to_fahrenheit(celsius)} F"
'''),
        ("By a helper", "You round the half degrees up.", '''\
import math


def warm(celsius: int) -> int:
    return math.ceil(celsius * 1.8 + 32.5)


def note(celsius):
    frost = ", frost" if is_frosty(celsius) else ""
    return f"{celsius} C is {warm(celsius)} F{frost}"
'''),
        ("Half a text", "The text has no end.\nError: SyntaxError", '''\
def note(celsius: int) -> str:
    return f"{celsius
'''),
    ),
    "rust": (
        ("Never warns", "You leave the frost out.\nTag: condition-turned-around", '''\
pub fn note(celsius: i32) -> String {
    format!("{celsius} C is {} F", to_fahrenheit(celsius))
}
'''),
        ("By a helper", "You count one degree too many.", '''\
use std::fmt::Write;

fn warm(celsius: i32) -> i32 {
    to_fahrenheit(celsius) + 1
}

pub fn note(celsius: i32) -> String {
    let mut text = String::new();
    let frost = if is_frosty(celsius) { ", frost" } else { "" };
    write!(text, "{celsius} C is {} F{frost}", warm(celsius)).unwrap();
    text
}
'''),
        ("Gives nothing back", "A semicolon swallows your answer.\nError: E0308", '''\
pub fn note(celsius: i32) -> String {
    format!("{celsius} C");
}
'''),
    ),
    "c": (
        ("Never warns", "You leave the frost out.\nTag: condition-left-out", '''\
int note(char *text, size_t room, int celsius)
{
    int length = snprintf(text, room, "%d C is %d F", celsius, to_fahrenheit(celsius));
    return (size_t)length >= room ? ERR_TOO_SMALL : length;
}
'''),
        ("By a helper", "You count one degree too many.", '''\
#include <string.h>

static int warm(int celsius)
{
    return to_fahrenheit(celsius) + 1;
}

int note(char *text, size_t room, int celsius)
{
    const char *frost = is_frosty(celsius) ? ", frost" : "";
    int length = snprintf(text, room, "%d C is %d F%s", celsius, warm(celsius), frost);
    return (size_t)length >= room ? ERR_TOO_SMALL : (int)strlen(text);
}
'''),
        ("Not begun", "You count in a name that there is not.\nError: undeclared", '''\
int note(char *text, size_t room, int celsius)
{
    return snprintf(text, room, "%d C", celsius) + more;
}
'''),
    ),
}  # fmt: skip


@pytest.mark.first(1)
@pytest.mark.parametrize("language", ["python", pytest.param("rust", marks=pytest.mark.cargo), "c"])
def test_mistakes_that_the_tests_notice_hold(language, tmp_path):
    folder = tmp_path / f"{language}-weather-notes"
    found, proof = checked(folder, language, "ex-3", *NOTE[language])
    assert found == []
    assert proof.mistakes == {"ex-3": 3}


def frosty(code, above="You say so."):
    return ("Says so", above, f"def is_frosty(celsius: int) -> bool:\n    {code}\n")


WRONG = {
    "that is none": (
        frosty("return not celsius >= FREEZING"),
        "“Says so” passes all tests of ex-2: one of them has to notice it.",
    ),
    "that builds": (
        frosty("return True", "You say so.\nError: NameError"),
        "“Says so” builds, though it names NameError.",
    ),
    "of another error": (
        frosty("return (True", "You say so.\nError: NameError"),
        "“Says so” does not build because of NameError, but: SyntaxError: '(' was never closed.",
    ),
    "that does not": (
        frosty("return (True"),
        "“Says so” does not build (SyntaxError: '(' was never closed): one that is to be so names "
        "its error, Error: ….",
    ),
    "of another function": (
        ("Says so", "You say so.", "def is_frost(celsius: int) -> bool:\n    return True\n"),
        "“Says so” does not define `is_frosty`.",
    ),
    "with a helper that is not there": (
        frosty("return is_freezing(celsius)"),
        "“Says so” uses `is_freezing`, which nothing defines.",
    ),
    "with a sentence that tells the solution": (
        frosty("return True", "You do not say `celsius < FREEZING`."),
        "The sentence of “Says so” tells the solution of `is_frosty`.",
    ),
    "of a tag that no topic has": (
        frosty("return True", "You say so.\nTag: condition-turned-rownd"),
        "No topic has the tag condition-turned-rownd, which “Says so” names. "
        "Is condition-turned-round meant?",
    ),
    "that breaks what came before": (
        frosty("return True\n\n\ndef to_fahrenheit(celsius: int) -> int:\n    return 0"),
        "“Says so” fails `test_to_fahrenheit_drops_the_fraction`, a test of an earlier unit.",
    ),
}


@pytest.mark.long("proves an exercise; test_mistakes_run.py finds such mistakes in the fast run")
@pytest.mark.first(1)
@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_is_refused(name, tmp_path):
    mistake, said = WRONG[name]
    found, _ = checked(tmp_path / "python-weather-notes", "python", "ex-2", mistake)
    assert found == [("mistakes", 1, said)]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("You say so.\n", "must begin with a heading"),
        ("## One\n\nYou say so.\n", "“One” in mistakes/ex-2.md has no code in a fence"),
        ("## One\n\n```python\nx\n```\n", "needs a sentence that says what it does"),
        ("## One\n\nSo.\n\n```python\nx\n```\n\nMore.\n", "may only have “### L2” below its code"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(text, why, tmp_path):
    with pytest.raises(BrokenExerciseError, match=why):
        read_mistakes("mistakes/ex-2.md", text)


@pytest.mark.long("proves a whole exercise")
def test_the_unit_s_own_file_is_replaced_where_it_has_one(tmp_path):
    mistake = (
        "No place", "You forget the place.",
        "class Reading:\n    def __init__(self, celsius, place):\n        self.celsius = celsius\n",
    )  # fmt: skip
    folder = tmp_path / "python-weather-notes"
    found, proof = checked(folder, "python", "ex-4", mistake, kinds=[UnitKind.DECLARE])
    assert (found, proof.mistakes) == ([], {"ex-4": 1})


@pytest.mark.long("proves an exercise; test_mutants.py finds what tests let pass")
def test_tests_that_let_a_wrong_version_pass_are_advice_and_in_order(tmp_path):
    """One that is told apart by an input is named with the test that is missing."""
    folder = tmp_path / "python-basics-weather"
    new_exercise(folder, "python")
    tests = folder / "tests/test_weather.py"
    weak = tests.read_text().replace("is_frosty(FREEZING) is False", "is_frosty(9) is False")
    tests.write_text(weak)
    result = again(folder)
    assert (result.ok, result.findings) == (True, ())
    said = {(advice.step, advice.unit, advice.message) for advice in result.advice}
    line = "`celsius <= FREEZING` for `celsius < FREEZING` in line 24 of src/exercise/weather.py"
    known = [text for step, unit, text in said if (step, unit) == ("mistakes", "ex-2")]
    assert any(text.startswith(f"{line} passes all tests of ex-2: `is_frosty(") for text in known)
    assert all(text.endswith(" gives True, the reference False.") for text in known)
    assert result.proof.mutants["tried"] > result.proof.mutants["killed"] > 20
    assert result.proof.mutants.keys() == {"tried", "killed", "equivalent"}
