"""The Claude Code backend against a fake CLI: what is sent, what is read, how it fails and ends."""

import asyncio
import json
import time
from dataclasses import replace

import pytest
import stage_samples as samples
from claude_fake import FakeClaude, envelope
from command_fake import alive, no_file_left, request, until

from tutor_lsp.contracts.locate import load_schema
from tutor_lsp.core.stage import BackendFailed, Rejection, Role, Usage
from tutor_lsp.stages.backends.claude import (
    ENVELOPE_BYTES,
    ClaudeBackend,
    ClaudeSettings,
    claude_environment,
    create,
)
from tutor_lsp.stages.backends.cli import LOGGED_OUT_KEPT_S
from tutor_lsp.stages.backends.registry import BackendContext
from tutor_lsp.stages.runner import Runner

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


async def test_an_answer_comes_with_its_usage(fake):
    answer = await backend(fake).answer(request())
    assert (json.loads(answer.text), answer.usage) == (PAYLOAD, Usage(1234, 1200, 56))


async def test_what_claude_is_given(fake):
    await backend(fake, model="opus").answer(request())
    seen = fake.seen
    argv = seen["argv"]
    assert seen["prompt"] == request().prompt.text
    assert seen["listing"] == []
    assert argv[:3] == ["-p", "--output-format", "json"]
    assert json.loads(argv[argv.index("--json-schema") + 1]) == load_schema("test_section_v1")
    assert argv[argv.index("--tools") + 1] == ""
    assert argv[argv.index("--model") + 1] == "opus"
    assert "JSON document" in argv[argv.index("--system-prompt") + 1]
    assert {"--no-session-persistence", "--strict-mcp-config"} <= set(argv)
    assert json.loads(argv[argv.index("--settings") + 1]) == {"disableAllHooks": True}
    assert not any(request().prompt.text[:100] in part for part in argv)


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


async def test_prompts_of_a_megabyte_go_through(fake):
    big = request()
    prompt = replace(big.prompt, entries=("é" * 500_000,))
    await backend(fake).answer(replace(big, prompt=prompt))
    assert fake.seen["prompt"] == prompt.text


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
    ("answer", "reason"),
    [
        (envelope(None, "Happy to help!"), "prose"),
        (envelope(None, ""), "empty"),
        (envelope(None, json.dumps(PAYLOAD)[:-9]), "breaks off"),
        (envelope(None, f"```json\n{json.dumps(PAYLOAD)}\n```"), "fence"),
        (envelope(PAYLOAD | {"content": "x" * 3_000_000}), "too large"),
        (envelope(PAYLOAD | {"schema_version": "test_section_v2"}), "test_section_v1"),
        (envelope(PAYLOAD | {"extra": 1}), "not a property"),
        (envelope([1]), "must be an object"),
    ],
    ids=["prose", "empty", "truncated", "fences", "3 MB", "version", "unknown key", "list"],
)
async def test_broken_answers_are_left_to_the_contract(fake, answer, reason):
    fake.plan(stdout=answer)
    result = await Runner(lambda _event: None).run(request(), backend(fake))
    assert result.kind is Rejection.SCHEMA_VALIDATION_FAILED, result
    assert reason in result.reason


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


async def test_an_exit_code_is_a_failure_with_the_end_of_stderr(fake):
    found = await failure(fake, code=2, stderr="x" * 5000 + "\nerror: no such thing\n")
    assert found.reason == "Claude Code failed (exit code 2): error: no such thing"
    assert len(found.details["stderr"]) <= 1000


async def test_a_version_without_the_flags_is_told_to_be_updated(fake):
    found = await failure(fake, code=1, stderr="error: unknown option '--json-schema'\n")
    assert "claude update" in found.details["remedy"]


@pytest.mark.parametrize("stdout", ["", envelope(PAYLOAD)[:-5], "no JSON", "[" * 100_000, "[]"])
async def test_output_that_is_no_result_is_a_failure(fake, stdout):
    found = await failure(fake, stdout=stdout)
    assert "whole answer" in found.reason


async def test_more_than_can_be_read_is_a_failure(fake):
    found = await failure(fake, pad=ENVELOPE_BYTES + 1)
    assert found.details["limitBytes"] == ENVELOPE_BYTES


async def test_a_401_is_remembered_until_a_call_works_or_time_passes(fake):
    now = 1000.0
    claude = ClaudeBackend(ClaudeSettings(str(fake.path)), clock=lambda: now)
    assert (await claude.probe()).available
    fake.plan(stdout=envelope(None, "Please run /login", is_error=True))
    with pytest.raises(BackendFailed) as caught:
        await claude.answer(request())
    assert "/login" in caught.value.details["remedy"]
    status = await claude.probe()
    assert not status.available
    assert "/login" in status.why
    now += LOGGED_OUT_KEPT_S
    assert (await claude.probe()).available
    with pytest.raises(BackendFailed):
        await claude.answer(request())
    assert not (await claude.probe()).available
    fake.plan(stdout=envelope(PAYLOAD))
    await claude.answer(request())
    assert (await claude.probe()).available


@pytest.mark.long("waits for a limit")
async def test_the_limit_ends_a_claude_that_hangs_and_ignores_term(fake):
    started = time.monotonic()
    found = await failure(fake, limit_s=2.0, hang=True, ignore_term=True)
    assert found.details["timeout"] is True
    assert time.monotonic() - started < 15
    await until(lambda: not alive(fake.seen["pid"]))


async def test_cancelling_leaves_no_process_and_no_file(fake):
    fake.plan(hang=True, ignore_term=True)
    task = asyncio.create_task(backend(fake).answer(request()))
    await until(lambda: fake.asked)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until(lambda: not alive(fake.seen["pid"]))


async def test_probing_says_what_is_wrong(fake):
    assert (await backend(fake).probe()).version == "2.1.143"
    missing = await ClaudeBackend(ClaudeSettings("/nowhere/claude")).probe()
    assert not missing.available
    assert "was not found" in missing.why
    for plan, said in (
        ({"version": "", "version_code": 3}, "exit code 3"),
        ({"version": "hello"}, "exit code 0"),
    ):
        fake.plan(**plan)
        status = await backend(fake).probe()
        assert not status.available
        assert said in status.why


async def test_a_version_that_does_not_come_is_not_waited_for(fake):
    fake.plan(version_delay_s=30)
    started = time.monotonic()
    status = await backend(fake).probe()
    assert not status.available
    assert "within 2 s" in status.why
    assert time.monotonic() - started < 10


async def test_a_command_that_is_gone_is_a_failure_with_a_remedy(fake):
    with pytest.raises(BackendFailed) as caught:
        await ClaudeBackend(ClaudeSettings("/nowhere/claude")).answer(request())
    assert "install" in caught.value.details["remedy"]


async def test_a_request_without_a_prompt_is_a_failure(fake):
    with pytest.raises(BackendFailed, match="without a prompt"):
        await backend(fake).answer(replace(request(), prompt=None))


async def test_it_is_made_from_settings(fake):
    settings = {"claude.command": str(fake.path), "model": "m"}
    await create(BackendContext(settings)).answer(request())
    argv = fake.seen["argv"]
    assert argv[argv.index("--model") + 1] == "m"
