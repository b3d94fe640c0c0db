"""The editor's own model as a backend, and where no editor offers one."""

import asyncio
from dataclasses import replace

import pytest
import stage_samples as samples

from tutor_lsp.contracts.locate import load_schema
from tutor_lsp.core.backend import BackendContext
from tutor_lsp.core.stage import BackendFailed, Rejection, Role
from tutor_lsp.stages.backends.editor import SERVICE, EditorBackend, create
from tutor_lsp.stages.runner import Runner

REQUEST = samples.request(Role.LESSON)


async def test_prompt_and_schema_go_out_and_the_text_comes_back():
    seen = []

    async def ask(prompt, schema):
        seen.append((prompt, schema))
        return "{}"

    backend = create(BackendContext(services={SERVICE: ask}))
    assert (await backend.probe()).available
    assert (await backend.answer(REQUEST)).text == "{}"
    assert seen == [(REQUEST.prompt.text, load_schema("lesson_section_v2"))]


async def test_an_editor_without_a_model_is_not_available():
    backend = create(BackendContext())
    status = await backend.probe()
    assert (status.available, status.why) == (False, "your editor offers no model")
    with pytest.raises(BackendFailed, match="offers no model"):
        await backend.answer(REQUEST)


async def test_a_model_that_hangs_ends_at_the_limit_and_hears_of_it():
    ended = asyncio.Event()

    async def ask(prompt, schema):
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    with pytest.raises(BackendFailed) as caught:
        await EditorBackend(ask).answer(replace(REQUEST, limit_s=0.05))
    assert caught.value.details == {"timeout": True, "limitS": 0.05}
    assert ended.is_set()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Sure!", "not a JSON document"),
        ('{"role": "les', "breaks off"),
        ("x" * 3_000_000, "too large"),
    ],
)
async def test_broken_answers_are_left_to_the_contract(text, reason):
    async def ask(prompt, schema):
        return text

    result = await Runner(lambda _event: None).run(REQUEST, EditorBackend(ask))
    assert result.kind is Rejection.SCHEMA_VALIDATION_FAILED
    assert reason in result.reason


async def test_a_refusal_of_the_editor_is_a_failure():
    async def ask(prompt, schema):
        raise BackendFailed("your editor said: no quota left")

    result = await Runner(lambda _event: None).run(REQUEST, EditorBackend(ask))
    assert (result.kind, result.reason) == (
        Rejection.EXECUTION_FAILED,
        "your editor said: no quota left",
    )
