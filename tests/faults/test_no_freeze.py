"""While an answer is dealt with, everything else goes on: what is asked meanwhile is answered.

How long it waits is measured by `python -m benchmarks freeze`.
"""

import asyncio
from contextlib import asynccontextmanager

import pytest
from editor import editor
from freeze_kit import COMMANDS, SETUP, cases, lines, script, text_of
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

pytestmark = pytest.mark.long
ORDER = ("scaffold", "starter-expand", "test-expand", "lesson-expand")


async def answered_during(ed, uri, line, work):
    """How many hovers, sent one after the other, are answered before `work` is."""
    task = asyncio.ensure_future(work)
    place = lsp.HoverParams(lsp.TextDocumentIdentifier(uri), lsp.Position(line, 6))
    answered = 0
    while True:
        await ed.client.text_document_hover_async(place)
        if task.done():
            break
        answered += 1
    await task
    return answered


async def asked(ed, command, **arguments):
    try:
        await ed.command(command, arguments)
    except JsonRpcException:
        return


@asynccontextmanager
async def busy_editor(tmp_path, script_lines):
    """An editor with an exercise open, and a model that answers these lines, in their order."""
    path = tmp_path / "script.jsonl"
    path.write_text("".join(script_lines))
    environment = {"TUTOR_LSP_SCRIPT": str(path), "TUTOR_LSP_BACKEND": "scripted"}
    async with editor(tmp_path / "home", environment=environment) as ed:
        ready = await ed.start(language="python", node="python-loops", backend="library")
        unit = ready["units"][0]
        uri = ed.open(tmp_path / "home" / ready["workspace"] / unit["file"])
        yield ed, unit, uri, unit["line"] - 1


@pytest.mark.parametrize("command", COMMANDS)
async def test_coach_and_reviewer_hold_nobody_up(tmp_path, command):
    answers = cases(command)
    text = script(command, answers, "src/exercise/tour.py")
    async with busy_editor(tmp_path, [text]) as (ed, unit, uri, line):
        before = ed.texts[uri]
        mark = f'raise NotImplementedError("{unit["stub"]}")'
        for number in range(len(answers)):
            ed.save(uri, before.replace(mark, f"return {number}"))
            arguments = {"unit": "ex-1"} if command == "tutor.hint" else {}
            assert await answered_during(ed, uri, line, asked(ed, command, **arguments))


@pytest.mark.parametrize(("role", "name"), SETUP.values(), ids=SETUP)
async def test_set_ups_hold_nobody_up(tmp_path, role, name):
    async with busy_editor(tmp_path, lines(role, text_of(name))) as (ed, _, uri, line):
        assert await answered_during(ed, uri, line, made(ed))
        ended = ed.notified["tutor/sessionFailed"]
        reached = ended[-1]["stage"] if ended else "ready"
        assert reached not in ORDER[: ORDER.index(role.value)], ended


async def made(ed):
    """A set-up until it is ready or failed."""
    arguments = {"language": "python", "topic": "tea for guests", "fresh": True}
    ended = len(ed.notified["tutor/sessionFailed"]) + len(ed.notified["tutor/sessionReady"])
    try:
        await ed.command("tutor.start", {**arguments, "backend": "scripted"})
    except JsonRpcException:
        return
    await ed.until(
        lambda: (
            len(ed.notified["tutor/sessionFailed"]) + len(ed.notified["tutor/sessionReady"]) > ended
        ),
        "the set-up does not end",
        seconds=300,
    )
