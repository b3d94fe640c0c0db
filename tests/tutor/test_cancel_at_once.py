"""A set-up that is cancelled as soon as it is seen ends like any other: its client hears of it."""

import asyncio

import pytest
from tutor_kit import DEADLINE_S


@pytest.mark.parametrize("seen", [True, False])
async def test_a_cancel_at_the_very_beginning_is_told(t, monkeypatch, seen):
    ended = []

    class Shown:
        def report(self, percent, message):
            pass

        def done(self, message):
            ended.append(message)

    async def progress(job_id, title):
        assert t.app.cancel(job_id)
        if not seen:
            await asyncio.sleep(60)
        return Shown()

    monkeypatch.setattr(t.desk, "progress", progress)
    begun = await t.do("start", language="python")
    async with asyncio.timeout(DEADLINE_S):
        await asyncio.wait([t.app.services.jobs.get(begun["jobId"]).task])
    (failed,) = [p for method, p in t.desk.notified if method == "tutor/sessionFailed"]
    assert (failed["jobId"], failed["reason"]) == (begun["jobId"], "CANCELLED")
    assert ended == (["canceled"] if seen else [])
