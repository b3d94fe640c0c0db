"""No hint that solves its stub is shown, and hardly an honest one is held back.

Of both sets a sample runs; all of them with TUTOR_HINTS=all (`make hints`).
"""

import os

import hints
import pytest

from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies

ALL = os.environ.get("TUTOR_HINTS") == "all"
LEAKING, HONEST = hints.read("leaking"), hints.read("honest")
CODE = [hint for hint in LEAKING if hint["how"] != "prose"]
PROSE = [hint for hint in LEAKING if hint["how"] == "prose"]
SAMPLE = {
    "python-strings-tidy-names ex-2: split over inline spans",
    "python-functions-movie-night ex-1: other operand order, no marks",
    "python-numbers-market-till ex-2: renamed, other values",
    "python-loops-bike-tour ex-3: commented out, in lines",
    "python-strings-tidy-names ex-1: copied into German",
    "python-loops-bike-tour ex-3: copied into Spanish, line by line",
    "rust-functions-split-the-bill ex-2: copied into French",
    "rust-functions-split-the-bill ex-3: another way",
    "c-functions-kitchen-timer ex-1: copied into Chinese",
}


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hints")
    return hints.Desk(folder, ShadowCopies(folder / "home"))


def cases(found, chosen):
    return [
        pytest.param(
            hint,
            id=f"{number}-{hint['id']}",
            marks=[pytest.mark.cargo] if hint["language"] == "rust" else [],
        )
        for number, hint in enumerate(found)
        if ALL or chosen(number, hint)
    ]


def test_the_sets_are_large_enough():
    assert len(LEAKING) >= 60
    assert len(PROSE) >= 20
    assert len(HONEST) >= 80
    for found in (CODE, PROSE, HONEST):
        assert {hint["language"] for hint in found} == {"python", "rust", "c"}


@pytest.mark.parametrize("hint", cases(CODE, lambda _, hint: hint["id"] in SAMPLE))
async def test_a_hint_whose_code_solves_the_stub_is_held_back(desk, hint):
    fault = await desk.check(hint)
    assert fault is not None
    assert fault.rule in ("leak", "leak-form", "leak-prose")


async def test_nine_of_ten_hints_that_dictate_in_words_are_held_back(desk):
    missed = [hint["id"] for hint in PROSE if await desk.check(hint) is None]
    assert len(missed) <= len(PROSE) * 0.1, missed


async def test_honest_hints_are_shown(desk):
    asked = [hint for number, hint in enumerate(HONEST) if ALL or number % 12 == 0]
    held = [(hint["id"], fault) for hint in asked if (fault := await desk.check(hint)) is not None]
    assert len(held) < max(len(asked) * 0.03, 1), held


WHOLE = """
cents = 0
for price in prices:
    cents += to_cents(price)
return cents - cents * discount // 100
"""
AT_ONCE = (
    "return sum(to_cents(p) for p in prices) - sum(to_cents(p) for p in prices) * discount // 100"
)
NEARLY = WHOLE.rpartition("return")[0] + "return cents"


@pytest.mark.first(4)
@pytest.mark.parametrize(
    ("mine", "code", "shown"),
    [
        (NEARLY, WHOLE, False),
        (None, AT_ONCE, False),
        (NEARLY, "return cents - cents * discount // 100", True),
        (None, "cents = 0\nfor price in prices:\n    cents += to_cents(price)", True),
        (None, WHOLE, False),
        (NEARLY, AT_ONCE, False),
        (None, "cents = 0", True),
    ],
)
async def test_the_last_hint_may_show_one_step_and_not_all(desk, mine, code, shown):
    hint = {
        "folder": "python-numbers-market-till",
        "language": "python",
        "unit": "ex-2",
        "text": "The next step.",
        "code": code,
        **({"mine": mine} if mine else {}),
    }
    assert (await desk.check(hint, level=3) is None) == shown
