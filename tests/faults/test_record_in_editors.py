"""A lost record in an editor: it is asked about, and goes on with what is there."""

import asyncio
from contextlib import closing

import pytest
import record_kit
from protocol_kit import RawClient, framed, request
from record_kit import OFFER, empty, ids_of, tutor_of

from tutor_lsp.tutor.commands.dispatch import execute

home = record_kit.home


async def test_an_editor_is_asked_and_the_answer_brings_it_back(home, used, monkeypatch):
    empty(home)
    desk, app = await tutor_of(home, monkeypatch, ["Bring it back"])
    await execute(app, "tutor.status", [])
    await asyncio.gather(*app.services.tasks.tasks)
    assert desk.questions[0][1] == ("Bring it back", "Not now", "Go on without it")
    assert OFFER in desk.questions[0][0]
    assert any("Brought back from the backup" in said for said in desk.said)
    listed = await execute(app, "tutor.sessions", [])
    assert [session["id"] for session in listed] == ids_of(used)
    await app.close()


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_an_editor_asks_until_it_is_answered(home, monkeypatch):
    empty(home)
    asked = []
    for answer in ("Not now", "Go on without it", None):
        desk, app = await tutor_of(home, monkeypatch, [answer])
        await execute(app, "tutor.sessions", [])
        await asyncio.gather(*app.services.tasks.tasks)
        asked.append(len(desk.questions))
        await app.close()
    assert asked == [1, 1, 0]


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_a_file_that_is_emptied_in_use_is_told_and_goes_on(home, monkeypatch):
    desk, app = await tutor_of(home, monkeypatch, [None])
    await execute(app, "tutor.sessions", [])
    empty(home)
    listed = await execute(app, "tutor.sessions", [])
    if not listed:
        await asyncio.gather(*app.services.tasks.tasks)
        assert "was damaged" in desk.questions[0][0]
        assert (await execute(app, "tutor.restore", [{"record": True}]))["sessions"] == 1
    assert len(await execute(app, "tutor.sessions", [])) == 1
    await app.close()


async def test_a_file_that_is_deleted_in_use_is_told_and_can_be_brought_back(home, monkeypatch):
    desk, app = await tutor_of(home, monkeypatch, [None])
    await execute(app, "tutor.sessions", [])
    for path in home.glob("tutor.db*"):
        path.unlink()
    assert await execute(app, "tutor.sessions", []) == []
    await asyncio.gather(*app.services.tasks.tasks)
    assert "is gone" in desk.questions[0][0]
    assert (await execute(app, "tutor.restore", [{"record": True}]))["sessions"] == 1
    await app.close()


@pytest.mark.long("starts a server for a case beside those that stand for it here")
def test_plain_editors_are_asked_over_the_protocol(home, used):
    empty(home)
    with closing(RawClient(home)) as client:
        params = {"command": "tutor.sessions", "arguments": []}
        client.send(framed(request(1, "workspace/executeCommand", params)))
        number = client.asked("window/showMessageRequest")
        answer = {"jsonrpc": "2.0", "id": number, "result": {"title": "Bring it back"}}
        client.send(framed(answer))
        client.noted("window/showMessage", "Brought back")
        assert ids_of(home) == ids_of(used)
