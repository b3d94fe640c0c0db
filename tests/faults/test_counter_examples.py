"""Inputs that a reviewer brings against a green run: they count within the promise alone."""

import json
from pathlib import Path

import pytest
from learner_kit import learner
from open_kit import open_exercise

from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies
from tutor_lsp.tutor.hinting import probing
from tutor_lsp.tutor.hinting.probing import Prober

pytestmark = pytest.mark.first(3)

TIMER, NAMES = "c-functions-kitchen-timer", "python-strings-tidy-names"
TOUR, BILL = "python-loops-bike-tour", "rust-functions-split-the-bill"
SAFE = "    if (more > LONGEST_TIME - time) {"
SUM = "    if (time + more > LONGEST_TIME) {"
CAREFUL = "    if (time > LONGEST_TIME || more > LONGEST_TIME - time) {"
ODD = "    if (time == 77 || more > LONGEST_TIME - time) {"
HUGE = "std::panic::catch_unwind(|| tip(4_000_000_000, 50)).is_err()"
WIDE = "    (u64::from(bill) * u64::from(percent) / 100) as u32"

# the exercise; what of its reference is written otherwise, and how; unit, call and value of what
# the reviewer brings; whether that counts
CASES = {
    "a longer time than there is": (
        TIMER, SAFE, SUM, "ex-4", "add_time(6001, 4294967295u)", "4294967200u", None),
    "six thousand and one": (TIMER, SAFE, CAREFUL, "ex-4", "add_time(6001, 5)", "6006u", False),
    "a sum that is too large": (
        TIMER, SAFE, SUM, "ex-4", "add_time(5, 4294967295u)", "5999u", True),
    "a time of its own": (
        TIMER, SAFE, ODD, "ex-4", "add_time(77, 1)", "78u", True),
    "a tab where spaces are meant": (
        NAMES, "title.strip()", 'title.strip(" ")', "ex-1", 'clean("\\tporto")', '"porto"', False),
    "spaces at both ends": (
        NAMES, "title.strip()", "title.rstrip()", "ex-1", 'clean("  Porto ")', '"porto"', True),
    "a dash after a dash": (
        NAMES, 'rstrip("-")', 'removesuffix("-")', "ex-3", 'shorten("a--b", 3)', '"a"', False),
    "two stops with two distances": (
        TOUR, "{len(kms)} legs", "{len(stops) - 1} legs", "ex-5",
        'plan(["a", "b"], [5, 6], 80)[:20]', '"2 of 2 legs without "', False),
    "a distance of its own": (
        TOUR, "if km > battery", "if km > battery or km == 77", "ex-3",
        "legs_on_one_charge([77], 80)", "1", True),
    "a battery beyond full": (
        TOUR, "if km > battery", "if km > min(battery, 80)", "ex-3",
        "legs_on_one_charge([90], 100)", "1", False),
    "a bill of its own": (
        BILL, "total / people + extra", "total / people + if total == 7 { 0 } else { extra }",
        "ex-3", "share(7, 2)", "4", True),
    "nobody pays": (
        BILL, "    let rest = total", "    if people == 0 { return 0 }\n    let rest = total",
        "ex-3", "std::panic::catch_unwind(|| share(7, 0)).is_err()", "true", False),
    "a bill that cannot be multiplied": (
        BILL, "    bill * percent / 100", WIDE, "ex-1", HUGE, "true", False),
}  # fmt: skip


@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("folder", "old", "new", "unit", "call", "value", "counts"),
    [
        pytest.param(*case, id=name, marks=pytest.mark.cargo if case[0] == BILL else ())
        for name, case in CASES.items()
    ],
)
async def test_what_is_not_promised_does_not_count(
    tmp_path, monkeypatch, folder, old, new, unit, call, value, counts
):
    monkeypatch.setattr(probing, "REFERENCE_RUNS", 1)
    monkeypatch.setattr(probing, "LEARNER_RUNS", 1)
    opened = open_exercise(tmp_path / "work" / "one", folder.partition("-")[0], folder)
    texts = {**opened.vault.originals, **opened.vault.solution}
    file = opened.exercise.units[0].file
    assert old in texts[file]
    texts[file] = texts[file].replace(old, new, 1)
    prober = Prober(ShadowCopies(tmp_path / "home"), opened, texts)
    claim = {"unit_id": unit, "setup": [], "call": call, "expected": value}
    if counts is None:
        with pytest.raises(probing.Refuted):
            await prober.counter_example(claim)
    else:
        assert (await prober.counter_example(claim))[1] is counts


@pytest.mark.long("runs counter-examples; what is not promised stands for it here")
async def test_without_a_domain_nothing_counts(tmp_path, monkeypatch):
    monkeypatch.setattr(probing, "REFERENCE_RUNS", 1)
    opened = open_exercise(tmp_path / "work" / "one", "c", TIMER)
    opened.vault = type(opened.vault)(opened.vault.solution, {}, opened.vault.originals)
    file = opened.exercise.units[0].file
    texts = {**opened.vault.originals, file: opened.vault.solution[file].replace(SAFE, SUM, 1)}
    claim = {
        "unit_id": "ex-4",
        "setup": [],
        "call": "add_time(5, 4294967295u)",
        "expected": "5999u",
    }
    example, counts = await Prober(ShadowCopies(tmp_path / "home"), opened, texts).counter_example(
        claim
    )
    assert (example.gave, counts) == ("4", False)


REVIEW = {
    "schema_version": "review_report_v1", "role": "reviewer", "verdict": "FAIL", "score": 50,
    "summary": "It reads well.", "findings": [], "tags": [],
}  # fmt: skip


@pytest.mark.first(1)
@pytest.mark.parametrize("name", ["a time of its own", "six thousand and one"])
async def test_what_counts_is_a_test_of_the_session_and_what_does_not_is_a_remark(
    tmp_path, monkeypatch, name
):
    _, old, new, unit, call, value, counts = CASES[name]
    claim = {"unit_id": unit, "setup": [], "call": call, "expected": value}
    line = {"stage": "reviewer", "payload": {**REVIEW, "counter_example": claim}}
    script = tmp_path / "script.jsonl"
    script.write_text(json.dumps(line) + "\n")
    monkeypatch.setenv("TUTOR_LSP_SCRIPT", str(script))
    async with learner(tmp_path / "home", backend="scripted") as me:
        session = await me.start(language="c", node="c-functions", backend="library")
        await me.solve(session)
        path = Path(session["workspace"], "src/timer.c")
        path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
        result = await me.do("attempt")
        review = result["review"]
        assert result["report"]["outcome"] == "passed"
        assert (review["verdict"] == "PASS", result["mastery"]["after"] > 0) == (not counts,) * 2
        assert call in review["findings"][0]["claim"]
        told = "is now a test of this exercise" if counts else "does not count"
        assert told in review["findings"][0]["evidence"]
        report = await me.do("check")
        mine = [t for t in report["tests"] if t["name"].endswith("_in_case_1_of_the_review")]
        assert [(t["unit"], t["outcome"]) for t in mine] == [(unit, "failed")] * counts
        assert all(call in t["message"] for t in mine)
        # a new process knows it too
    async with learner(tmp_path / "home", backend="scripted") as me:
        again = await me.do("check", session=session["sessionId"])
        assert len(again["tests"]) == len(report["tests"])
        await me.do("reset", session=session["sessionId"])
        after = await me.do("check", session=session["sessionId"])
        assert len(after["tests"]) == len(report["tests"]) - counts
