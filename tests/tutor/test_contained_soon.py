"""In a terminal a run's containment is found out while the code that runs tests is loaded."""

import asyncio
from unittest.mock import MagicMock

import pytest

from tutor_lsp.core.errors import TutorError
from tutor_lsp.tutor.commands.attempt import attempt, check
from tutor_lsp.tutor.interface.arguments import RunArguments
from tutor_lsp.tutor.services.tool_search import Tools


@pytest.mark.parametrize("command", [check, attempt])
@pytest.mark.parametrize(
    ("terminal", "trusted", "begins"),
    [(True, True, 1), (False, True, 0), (True, False, 0)],
)
async def test_containment_is_found_out_before_anything_else(
    command, terminal, trusted, begins, monkeypatch
):
    prepared = []

    async def prepare():
        prepared.append(True)

    async def locate(_):
        return opened

    async def until_saved(_):
        await asyncio.sleep(0)
        raise TutorError("STOP", "far enough")

    opened, runs = MagicMock(), MagicMock()
    opened.session.trusted = trusted
    tools = Tools({}, prepare)
    services = runs.exercises.services
    services.tools, services.frontend.abilities.terminal = tools, terminal
    runs.exercises.locate, runs.exercises.at_hand.return_value = locate, None
    monkeypatch.setattr("tutor_lsp.tutor.commands.attempt.until_saved", until_saved)
    with pytest.raises(TutorError, match="far enough"):
        await command(runs, RunArguments())
    assert prepared == [True] * begins
