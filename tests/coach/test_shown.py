"""What a learner sees of honest, over-helpful and untrue hints in five languages.

The rules were built on the hints with an even number; the bars hold for those with an odd one, too.
Of all sets a sample runs; all of them with TUTOR_HINTS=all (`make hints`).
"""

import os

import hints
import pytest

from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies
from tutor_lsp.tutor.hinting.coach.showing import Coached

ALL = os.environ.get("TUTOR_HINTS") == "all"
NUDGES, DICTATED, UNTRUE = (hints.read(f"sets/{name}") for name in ("nudges", "dictated", "untrue"))
HELD, WHOLE, FALSE = 0.03, 0.05, 0.1
"""Most of the honest ones that are cut, of the over-helpful ones that are shown whole, and of the
untrue sentences that are shown at all."""
STEP = 9


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shown")
    return hints.Desk(folder, ShadowCopies(folder / "home"))


def chosen(found):
    """A sample in the fastest language, or one of the halves."""
    return found if ALL else [each for each in found if each["language"] == "python"][::STEP]


def is_whole(shown, hint):
    def plain(text):
        return "".join((text or "").split())

    same = isinstance(shown, Coached) and plain(shown.text) == plain(hint["text"])
    return same and plain(shown.code) == plain(hint.get("code"))


def test_the_sets_are_of_five_languages_and_three_to_program_in():
    assert min(len(NUDGES), len(DICTATED)) >= 60
    assert len(UNTRUE) >= 30
    for found in (NUDGES, DICTATED, UNTRUE):
        assert {each["in"] for each in found} == {"en", "de", "fr", "es", "zh"}
        assert {each["language"] for each in found} == {"python", "rust", "c"}


@pytest.mark.first(1)
@pytest.mark.parametrize("half", [0, 1])
async def test_an_honest_hint_is_shown_as_it_is(desk, half):
    asked = chosen(NUDGES[half::2])
    held = [each["id"] for each in asked if not is_whole(await desk.shown(each), each)]
    assert len(held) <= len(asked) * HELD, held


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_a_block_in_the_text_is_the_hints_code(desk):
    block = "for spoon in range(3):\n    print(spoon)"
    hint = next(each for each in NUDGES if "code" in each and each["language"] == "python")
    fenced = f"Spoons are counted so:\n\n```python\n{block}\n```\n\nWhat is counted here?"
    shown = await desk.shown({**hint, "text": fenced, "code": None})
    assert (shown.text, shown.code) == ("Spoons are counted so:\n\nWhat is counted here?", block)
    first = await desk.shown({**hint, "text": fenced, "code": None, "level": 1})
    assert (first.text, first.code) == ("Spoons are counted so:\n\nWhat is counted here?", None)
    solved = fenced.replace(block, "coins = []\nfor coin in COINS:\n    coins += [coin] * "
        "(cents // coin)\n    cents %= coin\nreturn coins")  # fmt: skip
    given = await desk.shown({**hint, "text": solved, "code": None})
    assert given.code is None
    assert "COINS" not in given.text


NUDGE = "Your answer still has the blanks at its ends. Which method takes them away?"
TIDY = {
    "folder": "python-strings-tidy-names",
    "language": "python",
    "unit": "ex-1",
    "mine": "return title.lower()",
}


async def test_what_gives_the_solution_away_is_left_out_and_told_to_the_record(desk):
    leaks = "Write `return title.strip().lower()` and you are done."
    shown = await desk.shown({**TIDY, "text": f"{NUDGE} {leaks}", "level": 2})
    assert shown.text == NUDGE
    ((said, why),) = shown.left_out
    assert said == leaks
    assert "solution" in why or "passes" in why


@pytest.mark.parametrize("level", [1, 2, 3])
async def test_the_solution_word_for_word_is_left_out_and_the_rest_shown(desk, level):
    dashed = {**TIDY, "unit": "ex-2", "mine": 'return title.replace(" ", "-")', "level": level}
    whole = 'words = title.replace("_", " ").split()\nreturn "-".join(words)'
    shown = await desk.shown({**dashed, "text": NUDGE, "code": whole if level > 1 else None})
    assert (shown.text, shown.code) == (NUDGE, None)
    if level > 1:
        code, why = shown.code_left_out
        assert code == whole
        assert "solution" in why
    said = " ".join(f"`{line}`" for line in whole.split("\n"))
    shown = await desk.shown({**dashed, "text": f"{NUDGE} Write {said}."})
    assert shown.text == NUDGE


async def test_no_claim_shows_how_it_is_done(desk):
    dashed = {**TIDY, "unit": "ex-2", "mine": 'return title.replace(" ", "-")', "level": 1}
    way = "'-'.join('a_b c'.replace('_', ' ').split())"
    claims = [{"call": way, "gives": "'a-b-c'"}, {"call": "dashed('a b')", "gives": "'a-b'"}]
    asks = "Which blanks stay in your answer?"
    shown = await desk.shown({**dashed, "text": asks, "claims": claims})
    assert (shown.text, shown.tried) == (asks, "Tried out: `dashed('a b')` gives `'a-b'`.")
    shown = await desk.shown({**dashed, "text": f"{asks} `{way}` gives `'a-b-c'`.", "claims": None})
    assert (shown.text, shown.tried) == (asks, "")


FRESH = hints.read("sets/fresh")
"""Written after the rules, with one that they held back: a name alone was run as code."""


@pytest.mark.long("reads sets of hints; make hints reads all of them")
async def test_hints_that_the_rules_were_not_built_on_are_told_apart(desk):
    asked = chosen(FRESH)
    wrong = [
        each["id"] for each in asked if is_whole(await desk.shown(each), each) is not each["honest"]
    ]
    assert len(wrong) <= len(asked) * HELD, wrong


@pytest.mark.first(1)
@pytest.mark.parametrize("half", [0, 1])
async def test_an_over_helpful_hint_is_not_shown_whole(desk, half):
    asked = chosen(DICTATED[half::2])
    whole = [each["id"] for each in asked if is_whole(await desk.shown(each), each)]
    assert len(whole) <= len(asked) * WHOLE, whole


@pytest.mark.first(1)
@pytest.mark.parametrize("half", [0, 1])
async def test_what_is_untrue_is_not_shown_and_never_as_tried_out(desk, half):
    asked = chosen(UNTRUE[half::2])
    wrong = []
    for each in asked:
        shown = await desk.shown({**each, "text": f"{each['text']} Think about that once more."})
        is_shown = isinstance(shown, Coached) and each["text"] in shown.text
        if each["true"]:
            assert is_shown, each["text"]
        elif is_shown:
            wrong.append(each["text"])
            assert not shown.verified
            assert not shown.tried
    assert len(wrong) <= sum(not each["true"] for each in asked) * FALSE, wrong


UNSEEN = {name: hints.read(f"sets/unseen_{name}") for name in ("honest", "dictated", "untrue")}
"""On exercises that no other set uses; the rules were mended on those with an even number alone."""


@pytest.mark.parametrize("half", [0, 1])
async def test_hints_on_other_exercises_are_told_apart_too(desk, half):
    honest, dictated = chosen(UNSEEN["honest"][half::2]), chosen(UNSEEN["dictated"][half::2])
    held = [each["text"] for each in honest if not is_whole(await desk.shown(each), each)]
    assert len(held) <= len(honest) * HELD, held
    whole = [each["text"] for each in dictated if is_whole(await desk.shown(each), each)]
    assert len(whole) <= len(dictated) * WHOLE, whole


@pytest.mark.parametrize("half", [0, 1])
async def test_no_untrue_claim_on_them_is_told_as_tried_out(desk, half):
    asked = chosen(UNSEEN["untrue"][half::2])
    wrong = []
    for each in asked:
        shown = await desk.shown({**each, "text": f"{each['text']} Think about that once more."})
        if isinstance(shown, Coached) and each["text"] in shown.text:
            assert not shown.verified
            assert not shown.tried
            wrong += [each["text"]] * each.get("runs", True)
    runs = sum(each.get("runs", True) for each in asked)
    assert len(wrong) <= runs * FALSE, wrong


ELSEWHERE = hints.read("sets/unseen_elsewhere")
"""In languages whose words the rules do not know, on mostly other exercises."""
UNREAD = 0.25
"""Most of the dictations among them that are shown whole: those with neither names nor signs."""


async def test_what_is_dictated_by_names_and_signs_alone_is_known_in_any_language(desk):
    asked = ELSEWHERE if ALL else [each for each in ELSEWHERE if each["language"] == "python"][:3]
    whole = [each for each in asked if is_whole(await desk.shown(each), each)]
    honest = [each for each in asked if each["honest"]]
    assert [each for each in whole if each["honest"]] == honest
    assert len(whole) - len(honest) <= max(len(asked) - len(honest), 4) * UNREAD
