"""The Claude Code backend against a fake CLI: what is sent, what is read, how it fails and ends."""

import json
from dataclasses import replace

import pytest
import stage_samples as samples
from claude_fake import FakeClaude, envelope
from command_fake import no_file_left, request

from tutor_lsp.contracts.locate import load_schema
from tutor_lsp.core.backend import BackendContext
from tutor_lsp.core.stage import BackendFailed, Role
from tutor_lsp.stages.backends.claude import (
    ENVELOPE_BYTES,
    ClaudeBackend,
    ClaudeSettings,
    claude_environment,
    create,
)

PAYLOAD = samples.PAYLOADS[Role.TEST]


@pytest.fixture
def fake(tmp_path, monkeypatch):
    with no_file_left(tmp_path, monkeypatch):
        yield FakeClaude(tmp_path, stdout=envelope(PAYLOAD))


def backend(fake: FakeClaude, **settings) -> ClaudeBackend:
    return ClaudeBackend(ClaudeSettings(str(fake.path), **settings))


async def failure(fake: FakeClaude, limit_s: float = 30.0, **plan) -> BackendFailed:
    fake.plan(**plan)
    with pytest.raises(BackendFailed) as caught:
        await backend(fake).answer(request(limit_s))
    return caught.value


async def test_what_claude_is_given(fake):
    await backend(fake, model="opus").answer(request())
    seen = fake.seen
    argv = seen["argv"]
    assert seen["prompt"] == request().prompt.text
    assert seen["listing"] == []
    assert argv[:3] == ["-p", "--output-format", "json"]
    assert json.loads(argv[argv.index("--json-schema") + 1]) == load_schema("test_section_v2")
    assert argv[argv.index("--tools") + 1] == ""
    assert argv[argv.index("--model") + 1] == "opus"
    assert "JSON document" in argv[argv.index("--system-prompt") + 1]
    assert {"--no-session-persistence", "--strict-mcp-config"} <= set(argv)
    assert json.loads(argv[argv.index("--settings") + 1]) == {"disableAllHooks": True}
    assert not any(request().prompt.text[:100] in part for part in argv)


def event(kind, **inner):
    told = {"type": kind, "index": 0, **inner}
    return json.dumps({"type": "stream_event", "event": told, "session_id": "s"})


def piece(text):
    delta = {"type": "input_json_delta", "partial_json": text}
    return event("content_block_delta", delta=delta)


async def test_an_answer_is_heard_as_it_comes_and_nothing_else(fake):
    tool = event(
        "content_block_start", content_block={"type": "tool_use", "name": "StructuredOutput"}
    )
    prose = event("content_block_delta", delta={"type": "text_delta", "text": "{ I think"})
    again = [tool, piece('{"a second": 1}')]
    lines = ["no JSON", "[]", prose, tool, piece('{"a'), piece('": 1}'), *again, envelope(PAYLOAD)]
    fake.plan(stdout="\n".join(lines))
    heard = []
    answer = await backend(fake).answer(replace(request(), heard=heard.append))
    assert heard == ['{"a', '": 1}']
    assert json.loads(answer.text) == PAYLOAD
    assert answer.usage.output_tokens == 56
    argv = fake.seen["argv"]
    form = argv.index("--output-format") + 1
    assert argv[form : form + 3] == ["stream-json", "--verbose", "--include-partial-messages"]


async def test_a_run_that_is_heard_fails_as_others_do(fake):
    refused = envelope(said="Invalid API key", is_error=True)
    fake.plan(stdout=f"{piece('x')}\n{refused}", code=1)
    with pytest.raises(BackendFailed, match="logged out"):
        await backend(fake).answer(replace(request(), heard=str))
    fake.plan(stdout=piece("x"))
    with pytest.raises(BackendFailed, match="before its answer"):
        await backend(fake).answer(replace(request(), heard=str))


async def test_claude_gets_its_own_variables_and_no_others(fake, monkeypatch):
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "CLAUDECODE", "https_proxy"):
        monkeypatch.setenv(name, "x")
    await backend(fake).answer(request())
    environment = fake.seen["environment"]
    assert {"ANTHROPIC_API_KEY", "https_proxy", "PATH", "HOME"} <= environment.keys()
    assert not {"OPENAI_API_KEY", "CLAUDECODE"} & environment.keys()
    assert environment["DISABLE_AUTOUPDATER"] == "1"


def test_the_marks_of_an_outer_session_are_left_out():
    outer = {"CLAUDECODE": "1", "CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_CONFIG_DIR": "/c"}
    names = claude_environment(outer).keys()
    assert "CLAUDE_CONFIG_DIR" in names
    assert not {"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"} & names


@pytest.mark.parametrize(
    "stdout",
    [
        "a warning\n" + envelope(PAYLOAD) + "\n",
        json.dumps([{"type": "system"}, json.loads(envelope(PAYLOAD)), {"type": "rate_limit"}]),
        json.dumps(json.loads(envelope(None, json.dumps(PAYLOAD)))),
    ],
    ids=["after a warning", "in a list", "as text"],
)
async def test_the_result_is_found_in_every_form(fake, stdout):
    fake.plan(stdout=stdout)
    assert json.loads((await backend(fake).answer(request())).text) == PAYLOAD


@pytest.mark.parametrize(
    ("plan", "status"),
    [
        ({"stdout": envelope(None, "Invalid API key · Please run /login", is_error=True)}, 401),
        ({"stdout": envelope(None, "x", is_error=True, api_error_status=401), "code": 1}, 401),
        ({"stdout": envelope(None, "Not logged in · Please run /login")}, 401),
        ({"stdout": envelope(None, "API Error: 429 rate_limit_error")}, 429),
        ({"stdout": envelope(None, "x", is_error=True, api_error_status=429), "code": 1}, 429),
        ({"stdout": envelope(None, "You've hit your session limit · resets 3pm")}, 429),
        ({"stdout": envelope(None, "API Error: 500 down", api_error_status=500)}, 500),
    ],
)
async def test_failures_of_the_service_are_told_even_with_exit_code_0(fake, plan, status):
    found = await failure(fake, **plan)
    assert found.details["status"] == status
    assert ("remedy" in found.details) == (status != 500)


async def test_a_service_that_cannot_be_reached_is_told(fake):
    said = "API Error: Connection error."
    for told in ({"is_error": True}, {}):
        found = await failure(fake, stdout=envelope(None, said, **told))
        assert said in found.reason
        assert "status" not in found.details


async def test_a_version_without_the_flags_is_told_to_be_updated(fake):
    found = await failure(fake, code=1, stderr="error: unknown option '--json-schema'\n")
    assert "claude update" in found.details["remedy"]


@pytest.mark.parametrize("stdout", ["", envelope(PAYLOAD)[:-5], "no JSON", "[" * 100_000, "[]"])
async def test_output_that_is_no_result_is_a_failure(fake, stdout):
    found = await failure(fake, stdout=stdout)
    assert "before its answer was complete" in found.reason


async def test_more_than_can_be_read_is_a_failure(fake):
    found = await failure(fake, pad=ENVELOPE_BYTES + 1)
    assert found.details["limitBytes"] == ENVELOPE_BYTES


async def test_it_is_made_from_settings(fake):
    settings = {"claude.command": str(fake.path), "model": "m"}
    await create(BackendContext(settings)).answer(request())
    argv = fake.seen["argv"]
    assert argv[argv.index("--model") + 1] == "m"
