"""Without the package `openai` the backend says how to get it; nothing else needs it."""

import sys

import pytest
import stage_samples as samples

from tutor_lsp.core.stage import BackendFailed, Role
from tutor_lsp.stages.backends.openai import OpenAIBackend, OpenAISettings


async def test_a_missing_package_is_told_with_the_remedy(monkeypatch):
    monkeypatch.setitem(sys.modules, "openai", None)
    backend = OpenAIBackend(OpenAISettings("http://127.0.0.1:9/v1", "m"))
    status = await backend.probe()
    assert not status.available
    assert "tutor-lsp[openai]" in status.why
    with pytest.raises(BackendFailed) as caught:
        await backend.answer(samples.request(Role.TEST))
    assert "tutor-lsp[openai]" in caught.value.details["remedy"]
