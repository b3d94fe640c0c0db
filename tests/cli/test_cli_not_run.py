"""A run without a result is said in the terminal as everywhere else."""

import asyncio
import json

import pytest

from tutor_lsp.cli.exit_codes import REFUSED
from tutor_lsp.cli.runtime import Invocation, options_of
from tutor_lsp.cli.work.perform import _perform
from tutor_lsp.core.exercise.report import RunOutcome, TestReport
from tutor_lsp.tutor.voice.say import spoken
from tutor_lsp.tutor.voice.voice import Voice


def report(outcome, reason):
    return TestReport("r1", outcome, reason=reason, note="src/notes.py was left out.")


@pytest.mark.parametrize("outcome", [RunOutcome.NOT_RUN, RunOutcome.CANCELLED])
@pytest.mark.parametrize("reason", [None, "A disk is full."])
def test_all_that_is_said_of_a_run_without_a_result_is_shown(outcome, reason, capsys, monkeypatch):
    result = spoken(Voice(), "tutor.check", report(outcome, reason))

    async def execute(self, app, command, argument):
        return result

    monkeypatch.setattr(Invocation, "execute", execute)
    for as_json in (False, True):
        invocation = Invocation(options_of({"json": as_json}))
        assert asyncio.run(_perform("check", invocation, None, {})) == REFUSED
        shown = capsys.readouterr()
        if as_json:
            assert json.loads(shown.out)["say"] == result["say"]
            assert json.loads(shown.err.splitlines()[-1])["kind"] == outcome.upper()
        else:
            assert shown.out == ""
            said = result["say"]["markdown"].removeprefix("# ").splitlines()
            assert [line for line in said if line not in shown.err] == []
