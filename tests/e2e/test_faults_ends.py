"""What is cancelled, killed or asked at once: answered, and nothing is left running."""

import asyncio
import signal

import pytest
from editor import editor
from faults_kit import SLEEP, begin, children, script
from lsprotocol import types as lsp
from placeholders import with_body


async def test_check_is_cancelled_by_request_and_by_command(ed):
    ready, path, uri = await begin(ed)
    await ed.command("tutor.check")  # the run of the start is over, which others would join
    path.write_text(with_body(path.read_text(), ready["units"][0]["stub"], SLEEP))
    ed.change(uri, path.read_text())
    for cancel in ("request", "command"):
        await ed.until(lambda: not children(ed), "another test process lives on")
        asked = asyncio.ensure_future(ed.refused("tutor.check"))
        await ed.until(lambda: children(ed), "no test process")
        if cancel == "command":
            assert (await ed.command("tutor.cancel"))["cancelled"] is True
        else:
            number = next(iter(ed.client.protocol._request_futures))
            ed.client.cancel_request(lsp.CancelParams(number))
        error = await asyncio.wait_for(asked, 10)
        assert error["code"] in {-32800, -32001}, error
        await ed.until(lambda: not children(ed), "the test process lives on")


@pytest.mark.first(1)
@pytest.mark.parametrize("how", ["progress", "command"])
async def test_set_up_is_cancelled_and_leaves_nothing(tmp_path, how):
    slow = script(tmp_path, {"stage": "scaffold", "text": "{}", "delay_s": 60})
    async with editor(tmp_path / "home", environment=slow) as ed:
        active = await ed.start(language="python")
        begun = await ed.command("tutor.start", {"topic": "bees", "backend": "scripted"})
        tokens = await ed.until(
            lambda: [
                token
                for token, reports in ed.client.progress_reports.items()
                if reports and reports[0].title == "Tutor: bees"
            ],
            "no progress",
        )
        if how == "progress":
            ed.client.window_work_done_progress_cancel(lsp.WorkDoneProgressCancelParams(tokens[-1]))
        else:
            done = await ed.command("tutor.cancel", {"jobId": begun["jobId"]})
            assert done["cancelled"] is True
        failed = await ed.until(lambda: ed.notified["tutor/sessionFailed"], "no end")
        assert failed[-1]["jobId"] == begun["jobId"]
        assert failed[-1]["reason"] == "CANCELLED"
        status = await ed.command("tutor.status")
        assert status["session"]["id"] == active["sessionId"]
        assert len(await ed.command("tutor.sessions")) == 1
        assert len(list((tmp_path / "home" / "exercises").iterdir())) == 1


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_two_servers_on_one_exercise_lose_nothing(tmp_path):
    home = tmp_path / "home"
    async with editor(home) as one, editor(home) as two:
        ready, path, uri = await begin(one)
        two.open(path)
        results = await asyncio.gather(
            one.command("tutor.attempt"), two.command("tutor.attempt"), one.command("tutor.check")
        )
        numbers = sorted(result["attempt"] for result in results[:2])
        assert numbers == [1, 2]
        for ed in (one, two):
            assert (await ed.command("tutor.status"))["session"]["attempts"] == 2
        stub = ready["units"][0]["stub"]
        one.save(uri, with_body(one.texts[uri], stub, "return -1"))
        await one.until(lambda: one.diagnostics(uri, "test-failed"), "no failure")


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_hints_asked_at_once_are_one_after_the_other(ed):
    await begin(ed)
    shown = await asyncio.gather(*(ed.command("tutor.hint") for _ in range(3)))
    assert sorted(hint["level"] for hint in shown) == [1, 2, 3]


@pytest.mark.first(1)
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_no_test_process_outlives_the_server(tmp_path, number):
    async with editor(tmp_path / "home") as ed:
        ready, path, uri = await begin(ed)
        path.write_text(with_body(path.read_text(), ready["units"][0]["stub"], SLEEP))
        ed.change(uri, path.read_text())
        asked = asyncio.ensure_future(ed.command("tutor.check"))
        await ed.until(lambda: children(ed), "no test process")
        ed.client._server.send_signal(number)
        await ed.client._server.wait()
        await ed.until(lambda: not children(ed), "a test process lives on")
        asked.cancel()
        ed.client.capabilities = None


async def test_shutdown_with_a_command_in_flight_answers_it_and_ends(tmp_path):
    async with editor(tmp_path / "home") as ed:
        ready, path, uri = await begin(ed)
        path.write_text(with_body(path.read_text(), ready["units"][0]["stub"], SLEEP))
        ed.change(uri, path.read_text())
        asked = asyncio.ensure_future(ed.refused("tutor.check"))
        await ed.until(lambda: children(ed), "no test process")
        await ed.client.shutdown_async(None)
        error = await asyncio.wait_for(asked, 10)
        assert error["code"] in {-32800, -32001}
        ed.client.exit(None)
        assert await asyncio.wait_for(ed.client._server.wait(), 10) == 0
        ed.client.capabilities = None
