"""What running a text's claims shows of it, and what it leaves open."""

import asyncio
from types import SimpleNamespace

import pytest
from open_kit import open_exercise

from tutor_lsp.core.exercise.report import RunOutcome, TestReport
from tutor_lsp.tutor.hinting.coach import tried as trying
from tutor_lsp.tutor.hinting.coach.claims import Told, Whose
from tutor_lsp.tutor.hinting.coach.tried import MOST, Tried, tried
from tutor_lsp.tutor.reviewing import verify_review


class Runs:
    """Gives what it is told; `stuck` calls never end."""

    def __init__(self, gives, stuck=False):
        self.gives, self.stuck = gives, stuck

    async def give(self, told, *, reference):
        if self.stuck:
            await asyncio.Event().wait()
        return [self.gives.get(call) == value for call, value in told]


def claim(call, gives):
    return Told(f"{call} is {gives}", call, gives, Whose.MINE)


async def test_a_claim_that_is_not_run_is_not_refuted(monkeypatch):
    many = [claim(f"f({n})", "1") for n in range(MOST + 1)]
    found = await tried(Runs({"f(0)": "1"}), many)
    assert found.true == {many[0].said}
    assert found.false == {each.said for each in many[1:MOST]}
    assert "f(1)" in found.wrong_calls
    assert f"f({MOST})" not in found.wrong_calls
    monkeypatch.setattr(trying, "LIMIT_S", 0.01)
    assert await tried(Runs({}, stuck=True), many) == Tried()


@pytest.mark.parametrize(
    ("gives", "told"),
    [("3", "Tried out: `f(1)` gives `3`."), ("KeyError", "Tried out: `f(1)` raises `KeyError`.")],
)
async def test_it_is_told_what_the_learners_code_gave(gives, told):
    assert (await tried(Runs({"f(1)": gives}), [claim("f(1)", gives)])).told == told


async def test_a_review_keeps_the_findings_for_which_there_was_no_time(tmp_path, monkeypatch):
    opened = open_exercise(tmp_path / "it", "python", "python-strings-tidy-names")
    attempt = SimpleNamespace(report=TestReport("r", RunOutcome.PASSED))
    finding = {"claim": "It is so.", "probe": {"call": 'clean("A")', "gives": '"A"'}}
    payload = {"findings": [finding]}
    for stuck, kept in ((False, []), (True, [finding])):
        monkeypatch.setattr(verify_review, "LIMIT_S", 0.01 if stuck else 9.0)
        settling = verify_review.Settling(opened, attempt, {}, Runs({}, stuck))
        async with asyncio.timeout(9):
            shown = await settling._shown_by_probes(payload)
        assert shown["findings"] == kept
