"""What a reviewer says of lines that are there: only what was run is told as a fact."""

import os
import tomllib
from pathlib import Path
from types import SimpleNamespace

import hints
import pytest
from open_kit import reference, with_body

from tutor_lsp.core.exercise.verdict import is_green
from tutor_lsp.core.session import Finding, Review
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies
from tutor_lsp.tutor.hinting.probing import Prober
from tutor_lsp.tutor.reviewing.grounds import as_suggestions
from tutor_lsp.tutor.reviewing.verify_review import Settling

ALL = os.environ.get("TUTOR_HINTS") == "all"
SET = Path(__file__).parent / "sets" / "unseen_reviews.toml"
REMARKS = tomllib.loads(SET.read_text("utf-8"))["remark"]
STEP = 5


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reviewed")
    return hints.Desk(folder, ShadowCopies(folder / "home"))


def chosen(half):
    """A sample in the fastest language, or one of the halves."""
    mine = REMARKS[half::2]
    return mine if ALL else [each for each in mine if each["on"].startswith("python")][::STEP]


async def settled(desk, remark):
    """The finding as it is shown, None if it is not."""
    folder, unit_id = remark["on"].split()
    opened = desk.exercise({"folder": folder, "language": folder.split("-")[0]})
    unit = opened.exercise.unit(unit_id)
    for other in (each for each in opened.exercise.units if each.aside is None and each != unit):
        opened.buffers[opened.root / other.file] = reference(opened, other.id)
    mine = with_body(opened, unit.id, remark["mine"])
    asides = {each.file for each in opened.exercise.units if each.aside is not None}
    solved = {file: text for file, text in opened.vault.solution.items() if file in asides}
    texts = {**opened.texts(), unit.file: mine, **solved}
    opened.buffers.clear()
    report = await desk.trials.run(opened, texts=texts)
    rows = enumerate(mine.split("\n"), 1)
    line = next(number for number, row in rows if remark["quote"] in row)
    finding = {
        "file": unit.file, "line": line, "end_line": line, "quote": remark["quote"],
        "claim": remark["claim"], "evidence": remark["evidence"], "probe": remark.get("probe"),
    }  # fmt: skip
    payload = {
        "verdict": "PASS" if is_green(report) else "FAIL", "score": 70, "summary": "It is short.",
        "findings": [finding], "tags": [],
    }  # fmt: skip
    given = {**opened.vault.originals, **texts}
    prober = Prober(desk.trials, opened, given)
    settling = Settling(opened, SimpleNamespace(report=report), given, prober)
    review, _ = await settling.settled(payload)
    return next((each for each in review.findings if remark["claim"] in each.claim), None)


@pytest.mark.parametrize("half", [0, 1])
async def test_nothing_untrue_is_told_as_a_fact(desk, half):
    for remark in chosen(half):
        shown = await settled(desk, remark)
        as_fact = shown is not None and shown.claim == remark["claim"]
        assert as_fact == remark["true"], remark["claim"]
        assert remark["true"] or shown is None or shown.evidence == ""


def test_what_no_run_shows_is_a_suggestion_and_no_praise():
    def finding(claim):
        return Finding("a.py", 1, 1, "x", claim, "I know.")

    told = [
        "It gives 3.",
        "It gives 4.",
        "Nice loop.",
        "Could it be shorter?",
        "Python also has any.",
    ]
    review = Review("FAIL", 50, "s", tuple(map(finding, told)))
    shown, dropped = as_suggestions(review, {"It gives 3."}, "Python")
    assert [(each.claim, each.evidence) for each in shown.findings] == [
        ("It gives 3.", "I know."),
        ("Not tried out, so look for yourself: It gives 4.", ""),
        ("Could it be shorter?", "I know."),
        ("Python also has any.", "I know."),
    ]
    assert [each.why for each in dropped] == ["it praises what no run shows"]


@pytest.mark.parametrize(
    ("claim", "shown"),
    [
        ("`clean` strips the blanks at one end alone.", "tried"),
        ("`clean` never strips the blanks.", "tried"),
        ("`super().__init__` comes after the line that reads it.", "tried"),
        ("A cleaner loop would not copy the list.", "tried"),
        ("The guard is not good enough for n = 0.", "tried"),
        ("the `try` hides every error.", "tried"),
        ("A cleaner loop might do.", "told"),
        ("Clean code with a good name.", None),
        ("Nice use of `not`.", None),
    ],
)
def test_praise_is_what_says_so_of_the_code(claim, shown):
    review = Review("FAIL", 50, "s", (Finding("a.py", 1, 1, "x", claim, "I know."),))
    kept = as_suggestions(review, set(), "Python")[0].findings
    worded = {"tried": [f"Not tried out, so look for yourself: {claim}"], "told": [claim]}
    assert [each.claim for each in kept] == worded.get(shown, [])
