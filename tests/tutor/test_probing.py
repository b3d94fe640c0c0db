"""Counter-examples and answers count by execution alone, in every language."""

import pytest
from open_kit import open_exercise

from tutor_lsp.core.session import CounterExample
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies
from tutor_lsp.tutor.hinting import probing
from tutor_lsp.tutor.hinting.probing import Prober, Refuted

CASES = {
    "python": {
        "folder": "python-loops-bike-tour",
        "wrong": ("        if km > battery:\n", "        if km > battery or km == 77:\n"),
        "unit": "ex-3",
        "holds": ((), "legs_on_one_charge([77], 80)", "1"),
        "gave": "0",
        "same": ((), "legs_on_one_charge([30, 30], 50)", "1"),
        "reference_differs": ((), "legs_on_one_charge([77], 80)", "7"),
        "reference_stops": ((), "legs_on_one_charge([[30][1]], 80)", "1"),
    },
    "rust": {
        "folder": "rust-functions-split-the-bill",
        "wrong": ("bill * percent / 100", "if percent == 33 { 7 } else { bill * percent / 100 }"),
        "unit": "ex-1",
        "holds": (("let bill = 300;",), "tip(bill, 33)", "99"),
        "gave": "7",
        "same": ((), "tip(300, 10)", "30"),
        "reference_differs": ((), "tip(300, 33)", "98"),
        "reference_stops": ((), "tip(u32::MAX, 33)", "7"),
    },
    "c": {
        "folder": "c-pointers-robot-orders",
        "wrong": ("return *at == '\\0';", "return *at == '\\0' || *at == '#';"),
        "unit": "ex-1",
        "holds": ((), 'at_end("#F")', "false"),
        "gave": "true",
        "same": ((), 'at_end("FF")', "false"),
        "reference_differs": ((), 'at_end("#F")', "true"),
        "reference_stops": (("const char *nowhere = NULL;",), "at_end(nowhere)", "false"),
    },
}
LANGUAGES = [
    pytest.param(language, marks=pytest.mark.cargo if language == "rust" else ())
    for language in CASES
]


def claim(case, which):
    setup, call, expected = case[which]
    return {"unit_id": case["unit"], "setup": list(setup), "call": call, "expected": expected}


@pytest.mark.long("runs each claim several times, as faults/test_counter_examples.py does once")
@pytest.mark.parametrize("language", LANGUAGES)
async def test_only_an_input_on_which_the_two_differ_counts(tmp_path, monkeypatch, language):
    monkeypatch.setattr(probing, "LEARNER_RUNS", 1)
    if language != "c":  # the fastest
        monkeypatch.setattr(probing, "REFERENCE_RUNS", 1)
    case = CASES[language]
    opened = open_exercise(tmp_path / "work" / "one", language, case["folder"])
    texts = dict(opened.vault.originals) | dict(opened.vault.solution)
    file = opened.exercise.units[0].file
    assert case["wrong"][0] in texts[file]
    texts[file] = texts[file].replace(*case["wrong"], 1)
    prober = Prober(ShadowCopies(tmp_path / "home"), opened, texts)

    found, promised = await prober.counter_example(claim(case, "holds"))
    setup, call, expected = case["holds"]
    assert found == CounterExample(case["unit"], setup, call, expected, case["gave"])
    assert promised

    with pytest.raises(Refuted, match="the same as the reference"):
        await prober.counter_example(claim(case, "same"))
    for which in ("reference_differs", "reference_stops"):
        with pytest.raises(Refuted, match="the reference does not do that"):
            await prober.counter_example(claim(case, which))

    setup, call, _ = case["holds"]
    await prober.holds(setup, call, case["gave"])
    with pytest.raises(Refuted, match="the answer is different"):
        await prober.holds(setup, call, case["holds"][2])


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"unit_id": "ex-9"}, "no unit"),
        ({"call": "legs(['a'])"}, "calls no stub"),
        ({"call": "legs_on_one_charge([1], 2"}, "does not parse"),
        ({"expected": "legs_on_one_charge([1], 2)"}, "computed by the code under test"),
        ({"setup": ["import os"]}, "uses os"),
        ({"call": "legs_on_one_charge([len(open('src/exercise/tour.py').read())], 9)"}, "open"),
        ({"call": "legs_on_one_charge(what, 2)"}, "the reference does not do that"),
    ],
)
async def test_what_is_no_claim_about_a_stub_is_refused(tmp_path, change, why):
    case = CASES["python"]
    opened = open_exercise(tmp_path / "work" / "one", "python", case["folder"])
    prober = Prober(ShadowCopies(tmp_path / "home"), opened, dict(opened.vault.originals))
    with pytest.raises(Refuted, match=why):
        await prober.counter_example(claim(case, "holds") | change)


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_code_that_stops_on_an_input_is_told_as_such(tmp_path, monkeypatch):
    monkeypatch.setattr(probing, "LEARNER_RUNS", 1)
    monkeypatch.setattr(probing, "REFERENCE_RUNS", 1)
    case = CASES["python"]
    opened = open_exercise(tmp_path / "work" / "one", "python", case["folder"])
    texts = dict(opened.vault.originals) | dict(opened.vault.solution)
    file = opened.exercise.units[0].file
    stops = "        if km == 77:\n            raise ValueError(km)\n"
    texts[file] = texts[file].replace(case["wrong"][0], stops + case["wrong"][0], 1)
    prober = Prober(ShadowCopies(tmp_path / "home"), opened, texts)
    found, _ = await prober.counter_example(claim(case, "holds"))
    raised = "`legs_on_one_charge([77], 80)` raised ValueError: 77"
    assert found.gave == f"{raised} (src/exercise/tour.py, line 58)"


async def test_what_comes_out_by_chance_is_refuted(tmp_path):
    case = CASES["python"]
    opened = open_exercise(tmp_path / "work" / "one", "python", case["folder"])
    names = "['a', 'b', 'c', 'd', 'e', 'f', 'g']"
    setup = ("legs_on_one_charge([], 1)", f"names = set({names})")
    by_chance = {"unit_id": "ex-3", "setup": setup, "call": "list(names)", "expected": names}
    prober = Prober(ShadowCopies(tmp_path / "home"), opened, dict(opened.vault.originals))
    with pytest.raises(Refuted, match="the reference does not do that"):
        await prober.counter_example(by_chance)


async def test_without_a_reference_nothing_is_compared(tmp_path):
    case = CASES["python"]
    opened = open_exercise(tmp_path / "work" / "one", "python", case["folder"])
    texts = dict(opened.vault.originals)
    opened.vault = type(opened.vault)(originals=opened.vault.originals)
    with pytest.raises(Refuted, match="no reference"):
        await Prober(ShadowCopies(tmp_path / "home"), opened, texts).counter_example(
            claim(case, "holds")
        )


async def test_a_claim_is_tried_for_so_long_and_no_longer(tmp_path, monkeypatch):
    monkeypatch.setattr(probing, "LIMIT_S", 0.01)
    case = CASES["python"]
    opened = open_exercise(tmp_path / "work" / "one", "python", case["folder"])
    prober = Prober(ShadowCopies(tmp_path / "home"), opened, dict(opened.vault.originals))
    with pytest.raises(Refuted, match="could not be tried within"):
        await prober.counter_example(claim(case, "holds"))
    with pytest.raises(Refuted, match="could not be tried within"):
        await prober.holds(*case["holds"])
