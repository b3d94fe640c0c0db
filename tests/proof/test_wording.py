"""What comments and tests say in words: steps, texts that only a test knows, chance."""

import pytest
from proof_kit import put, trial

from tutor_lsp.authoring.proof import cross_references, literals, stable


@pytest.mark.parametrize(
    ("contract", "steps"),
    [
        ("Return the sum. Skip empty lines. Stop at the first zero.", False),
        ("- `a b`: two words,\n    - an empty text: none.", False),
        ("- Multiply by nine,\n    - divide by five.", True),
        ("First multiply by nine, then divide by five, finally add 32.", True),
        ("Multiply by nine.\n    Divide by five.\n    Add 32.", True),
        ("1. The first case\n    2. The second", True),
    ],
)
def test_a_contract_orients_and_does_not_lead_by_the_hand(contract, steps):
    old = '"""Return True if it is colder than `FREEZING`, else False.'
    made = trial("python", put("S", old, f'"""It is cold.\n\n    {contract}'))
    found = [f for f in cross_references.check(made) if "list of steps" in f.message]
    assert bool(found) is steps


def wanted(edit):
    """The words that the tests want and nobody tells."""
    made = trial("python", put("T", 'assert note(-5) == "-5 C is 23 F, frost"', edit))
    found = [*literals.constants(made), *cross_references.of_words(made)]
    return [finding.message for finding in found]


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ('assert note(-5) == "-5 C is 23 F, frost"', None),
        ('assert note(-5) == "drive slowly"', "drive, slowly"),
        ('wanted = "drive slowly"\n    assert note(-5) == wanted', "drive, slowly"),
        ('said = note(-5)\n    assert "slowly" in said', "slowly"),
        ('assert note(-5).endswith("slowly"), "no advice"', "slowly"),
        ('assert note(-5) != "x", "the advice is missing"', None),
        ('city = "Bergen"\n    assert note(city) == "Bergen: frost"', None),
        ('assert note("hello") == "olleh"', None),
        ('assert note("hello") == "uryyb"', None),
        ('assert note("reading") == "rdng"', None),
        ('assert note("hello") == "sorry"', "sorry"),
    ],
)
def test_words_that_only_a_test_knows(edit, words):
    found = wanted(edit)
    assert found == [] if words is None else f'expects the words "{words}"' in found[0]


@pytest.mark.parametrize(
    ("imports", "code", "used"),
    [
        ("from time import sleep as wait", "wait(1)", "time.sleep"),
        ("import random as dice", "dice.randint(1, 2)", "random.randint("),
        ("from datetime import date", "date.today()", "date.today"),
        ("import random", "random.Random(4).random()", None),
        ("import random", 'print("random.random()")', None),
    ],
)
def test_chance_under_another_name(imports, code, used):
    call = f"{imports}\n\n\ndef helped() -> None:\n    {code}\n\n\ndef test_note_warns_of_frost"
    made = trial(
        "python",
        put("T", "def test_note_warns_of_frost", call),
        put("T", "    assert note(-5)", "    helped()\n    assert note(-5)"),
    )
    found = [finding.message for finding in stable.unsure(made)]
    assert found == [] if used is None else f"uses `{used}`" in found[0]
