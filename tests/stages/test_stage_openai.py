"""The backend for OpenAI's interface against a fake service: forms, answers, failures, ends."""

import asyncio
import json
import socket
import subprocess
import sys
import time
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec

import pytest
import stage_samples as samples
from openai_fake import FakeService, completion

from tutor_lsp.contracts.locate import load_schema
from tutor_lsp.core.backend import BackendContext
from tutor_lsp.core.stage import BackendFailed, Rejection, Role, StageRequest, Usage
from tutor_lsp.stages.backends.cli import ENVELOPE_BYTES
from tutor_lsp.stages.backends.openai import OpenAIBackend, OpenAISettings, create
from tutor_lsp.stages.backends.openai_answer import read_answer
from tutor_lsp.stages.backends.openai_stream import Completion
from tutor_lsp.stages.runner import Runner

# One process loads the library, which takes as long as many of these tests, for all of them.
pytestmark = [
    pytest.mark.skipif(find_spec("openai") is None, reason="not installed (extra: openai)"),
    pytest.mark.xdist_group("openai"),
]

PAYLOAD = samples.PAYLOADS[Role.TEST]
ANSWER = json.dumps(PAYLOAD)


@pytest.fixture(autouse=True, scope="module")
def loaded():
    """No test's limit is spent on loading the library."""
    import_module("openai")


@pytest.fixture(autouse=True)
def no_key(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def backend(service: FakeService, **settings) -> OpenAIBackend:
    return OpenAIBackend(OpenAISettings(service.url, **{"model": "m", **settings}))


def request(limit_s: float = 30.0) -> StageRequest:
    return replace(samples.request(Role.TEST), limit_s=limit_s)


async def failure(service: FakeService, limit_s: float = 30.0) -> BackendFailed:
    with service, pytest.raises(BackendFailed) as caught:
        await backend(service).answer(request(limit_s))
    return caught.value


def unused_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


async def test_an_answer_comes_with_its_usage():
    with FakeService(completion(ANSWER)) as service:
        answer = await backend(service).answer(request())
    assert (answer.text, answer.usage) == (ANSWER, Usage(1234, 1200, 56))


async def test_what_the_service_is_given():
    with FakeService(completion(ANSWER)) as service:
        await backend(service, model="gpt-x").answer(request())
    (body,) = service.requests
    assert body["model"] == "gpt-x"
    assert body["response_format"] == {
        "type": "json_schema",
        "json_schema": {
            "name": "test_section_v2",
            "strict": True,
            "schema": load_schema("test_section_v2"),
        },
    }
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert body["messages"][1]["content"] == request().prompt.text


async def test_the_key_is_read_from_the_named_variable_when_it_is_needed(monkeypatch):
    with FakeService(completion(ANSWER)) as service:
        named = backend(service, key_variable="MY_KEY")
        monkeypatch.setenv("MY_KEY", "s3cret")
        await named.answer(request())
        await backend(service).answer(request())
    sent = [headers["authorization"] for headers in service.headers]
    assert sent == ["Bearer s3cret", "Bearer none"]


@pytest.mark.first(2)
@pytest.mark.parametrize(
    ("forms", "status", "used"),
    [
        (("json_object", "text"), 400, "json_object"),
        (("text",), 422, "text"),
        (("text",), 500, "text"),
    ],
)
async def test_the_strictest_form_that_the_service_takes_is_used_and_remembered(
    forms, status, used
):
    with FakeService(completion(ANSWER), forms=forms) as service:
        service.refuse_form_with = status
        asked = backend(service)
        for _ in range(2):
            assert (await asked.answer(request())).text == ANSWER
    sent = [body.get("response_format", {}).get("type", "text") for body in service.requests]
    order = ["json_schema", "json_object", "text"]
    assert sent == [*order[: order.index(used) + 1], used]
    text = service.requests[-1]["messages"][1]["content"]
    assert text.startswith(request().prompt.text), "the beginning must stay for the cache"
    assert '"test_section_v2"' in text.removeprefix(request().prompt.text)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("Happy to help!", "not a JSON document"),
        (None, "empty"),
        (json.dumps(PAYLOAD | {"content": "x" * 3_000_000}), "too large"),
    ],
    ids=["prose", "null", "3 MB"],
)
async def test_broken_answers_are_left_to_the_contract(content, reason):
    with FakeService(completion(content)) as service:
        result = await Runner(lambda _event: None).run(request(), backend(service))
    assert result.kind is Rejection.SCHEMA_VALIDATION_FAILED, result
    assert reason in result.reason


async def test_an_answer_in_parts_is_one_text():
    parts = [{"type": "text", "text": ANSWER[:50]}, {"type": "text", "text": ANSWER[50:]}]
    with FakeService(completion(parts)) as service:
        assert (await backend(service).answer(request())).text == ANSWER


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (completion(ANSWER[:9], finish_reason="length"), "cut off"),
        (completion("", finish_reason="content_filter"), "filter"),
        (completion(None, message={"refusal": "I cannot"}), "declined: I cannot"),
        ({"error": {"message": "out of memory"}}, "out of memory"),
        ({"choices": []}, "no answer"),
        ([1], "no answer"),
        (b"<html>not found</html>", "else than JSON"),
        (b"[" * 100_000, "else than JSON"),
        (b"x" * (ENVELOPE_BYTES + 1), "more than"),
    ],
)
async def test_what_is_no_answer_is_a_failure(body, said):
    assert said in (await failure(FakeService(body))).reason


@pytest.mark.parametrize(
    ("status", "said", "remedy"),
    [
        (401, "refused the key", "OPENAI_API_KEY"),
        (404, "does not know", "model"),
        (429, "no more room", "wait"),
        (500, "HTTP 500", None),
        (400, "HTTP 400", None),
    ],
)
async def test_refusals_are_told_with_a_remedy(status, said, remedy):
    service = FakeService(status=status, message="Sorry,\n not today")
    found = await failure(service)
    assert said in found.reason
    assert found.details["status"] == status
    assert found.details["message"] == "Sorry, not today"
    assert remedy is None or remedy in found.details["remedy"]
    assert len(service.requests) == (3 if status == 400 else 1), "no call may be repeated"


async def test_a_service_that_is_not_there_is_a_failure_with_a_remedy():
    gone = OpenAIBackend(OpenAISettings(f"http://127.0.0.1:{unused_port()}/v1", "m"))
    with pytest.raises(BackendFailed) as caught:
        await gone.answer(request())
    assert "cannot be reached" in caught.value.reason
    assert "openai.baseUrl" in caught.value.details["remedy"]


@pytest.mark.long("waits for a limit")
async def test_the_limit_ends_a_service_that_hangs():
    service = FakeService(hang=True)
    started = time.monotonic()
    found = await failure(service, limit_s=3.0)
    assert found.details == {"timeout": True, "limitS": 3.0}
    assert time.monotonic() - started < 15
    assert service.hung_up.wait(10), "the connection was not closed"


async def test_cancelling_closes_the_connection():
    with FakeService(hang=True) as service:
        task = asyncio.create_task(backend(service).answer(request()))
        assert await asyncio.to_thread(service.asked.wait, 20)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(service.hung_up.wait, 10), "the connection was not closed"


async def test_an_answer_is_heard_in_pieces_as_it_comes():
    heard = []
    with FakeService(completion(ANSWER)) as service:
        service.pieces = 9
        answer = await backend(service).answer(replace(request(), heard=heard.append))
    assert len(heard) == -(-len(ANSWER) // 9)
    assert "".join(heard) == answer.text == ANSWER
    assert answer.usage == Usage(1234, 1200, 56)
    assert service.requests[0]["stream_options"] == {"include_usage": True}


async def test_who_does_not_listen_asks_for_no_pieces():
    with FakeService(completion(ANSWER)) as service:
        await backend(service).answer(request())
    assert "stream" not in service.requests[0]


@pytest.mark.parametrize(("pieces", "forms"), [(0, None), (None, None), (None, ("text",))])
async def test_a_service_without_pieces_answers_whole(pieces, forms):
    heard = []
    with FakeService(completion(ANSWER), forms=forms) as service:
        service.pieces = pieces
        asked = backend(service)
        for _ in range(2):
            assert (await asked.answer(replace(request(), heard=heard.append))).text == ANSWER
    assert heard == []
    assert ("stream" in service.requests[-1]) == (pieces == 0), "a refusal is remembered"


async def test_a_form_that_is_refused_costs_no_pieces():
    heard = []
    with FakeService(completion(ANSWER), forms=("text",)) as service:
        service.pieces = 50
        asked = backend(service)
        for _ in range(2):
            await asked.answer(replace(request(), heard=heard.append))
    assert "".join(heard) == ANSWER * 2


async def test_a_streamed_answer_that_is_cut_off_or_declined_is_a_failure():
    with FakeService(completion("{", finish_reason="length")) as service:
        service.pieces = 1
        with pytest.raises(BackendFailed, match="cut off"):
            await backend(service).answer(replace(request(), heard=str))


@pytest.mark.parametrize("ended", [None, "error"])
def test_an_error_in_the_middle_of_a_stream_is_a_failure(ended):
    completion = Completion(lambda _piece: None)
    choice = {"delta": {"content": '{"a'}, "finish_reason": ended}
    for event in ({"choices": [choice]}, {"error": {"message": "overloaded"}}):
        completion.feed(b"data: " + json.dumps(event).encode() + b"\n\n")
    with pytest.raises(BackendFailed, match="overloaded"):
        read_answer(completion.whole())


async def test_cancelling_while_it_comes_closes_the_connection():
    heard = asyncio.Event()
    with FakeService(completion(ANSWER)) as service:
        service.pieces, service.wait_at = 5, 4
        asked = replace(request(), heard=lambda _piece: heard.set())
        task = asyncio.create_task(backend(service).answer(asked))
        async with asyncio.timeout(20):
            await heard.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(service.hung_up.wait, 10), "the connection was not closed"


async def test_a_401_is_remembered_until_a_call_works():
    with FakeService(completion(ANSWER), status=401) as service:
        asked = backend(service)
        assert (await asked.probe()).available
        with pytest.raises(BackendFailed):
            await asked.answer(request())
        assert "OPENAI_API_KEY" in (await asked.probe()).why
        service.status = 200
        await asked.answer(request())
        assert (await asked.probe()).available


async def test_a_request_without_a_prompt_is_a_failure():
    with pytest.raises(BackendFailed, match="without a prompt"):
        await OpenAIBackend(OpenAISettings()).answer(replace(request(), prompt=None))


async def test_the_only_model_of_a_local_service_is_taken():
    with FakeService(completion(ANSWER)) as service:
        asked = backend(service, model=None)
        assert "tiny" in (await asked.probe()).why
        await asked.answer(request())
        assert service.requests[0]["model"] == "tiny"
        service.models = ["tiny", "small"]
        status = await backend(service, model=None).probe()
        assert "tiny, small" in status.why
        with pytest.raises(BackendFailed, match="model is missing"):
            await backend(service, model=None).answer(request())


async def test_probing_says_what_is_missing(monkeypatch):
    monkeypatch.setenv("KEY", "x")
    for settings, said in (
        (OpenAISettings(), "not set up"),
        (OpenAISettings(model="m"), "not set up"),
        (OpenAISettings("ftp://127.0.0.1"), "http://"),
        (OpenAISettings("http://[::1"), "http://"),
        (OpenAISettings("https://models.invalid/v1"), "model is missing"),
        (OpenAISettings(f"http://localhost:{unused_port()}/v1"), "nothing answers"),
    ):
        status = await OpenAIBackend(settings).probe()
        assert not status.available
        assert said in status.why
    for settings in (
        OpenAISettings(model="m", key_variable="KEY"),
        OpenAISettings("https://models.invalid/v1", "m"),
    ):
        assert (await OpenAIBackend(settings).probe()).available


async def test_probing_contacts_this_machine_only(monkeypatch):
    def never(*_arguments):
        raise AssertionError("a connection was made")

    monkeypatch.setattr(socket, "create_connection", never)
    assert not OpenAISettings("http://localhost.invalid/v1").local
    status = await OpenAIBackend(OpenAISettings("http://localhost.invalid/v1", "m")).probe()
    assert status.available


async def test_a_proxy_is_not_used_for_this_machine(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{unused_port()}")
    with FakeService(completion(ANSWER)) as service:
        asked = backend(service)
        assert (await asked.probe()).available
        assert (await asked.answer(request())).text == ANSWER


async def test_it_is_made_from_settings(monkeypatch):
    monkeypatch.setenv("LOCAL_KEY", "k")
    with FakeService(completion(ANSWER)) as service:
        settings = {
            "openai.baseUrl": f"{service.url}/",
            "openai.keyVariable": "LOCAL_KEY",
            "model": "m",
        }
        await create(BackendContext(settings)).answer(request())
    assert service.requests[0]["model"] == "m"
    assert service.headers[0]["authorization"] == "Bearer k"


def test_the_package_is_loaded_by_the_first_call_only():
    code = (
        "import sys, tutor_lsp.stages.backends.openai as made\n"
        "made.OpenAIBackend(made.OpenAISettings())\n"
        "sys.exit('openai' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
