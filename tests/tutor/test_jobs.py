"""A job ends, however it ends."""

import pytest

from tutor_lsp.core.errors import TutorError
from tutor_lsp.tutor.services.jobs import Job, Jobs

ENDS = {
    "a refusal": (TutorError("HOME", "No room."), "failed", "HOME"),
    "a cancel": (TutorError("CANCELLED", "Stopped."), "cancelled", "CANCELLED"),
    "the machine": (OSError(28, "No space left on device"), "failed", "SYSTEM"),
    "a defect": (KeyError("x"), "failed", "INTERNAL"),
}


@pytest.mark.parametrize(("error", "state", "kind"), ENDS.values(), ids=ENDS)
async def test_a_job_that_fails_says_so(error, state, kind):
    async def work(job):
        raise error

    jobs = Jobs()
    job = jobs.start(Job("1", "A title", None, "python"), work)
    await jobs.ended()
    assert (job.state, job.error["kind"]) == (state, kind)
    assert jobs.cancel() is False
