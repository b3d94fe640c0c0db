"""The Codex backend against a fake CLI: what is sent, what is read, how it fails and ends."""

import json

import pytest
import stage_samples as samples
from codex_fake import COMPLETED, STARTED, FakeCodex, answering, message
from command_fake import no_file_left, request

from tutor_lsp.contracts.locate import load_schema
from tutor_lsp.core.backend import BackendContext
from tutor_lsp.core.stage import BackendFailed, Role
from tutor_lsp.stages.backends import codex
from tutor_lsp.stages.backends.codex import CodexBackend, CodexSettings, create
from tutor_lsp.stages.backends.codex_events import CodexEvents

ANSWER = json.dumps(samples.PAYLOADS[Role.TEST])


@pytest.fixture
def fake(tmp_path, monkeypatch):
    with no_file_left(tmp_path, monkeypatch):
        yield FakeCodex(tmp_path, lines=answering(ANSWER))


def backend(fake: FakeCodex, **settings) -> CodexBackend:
    return CodexBackend(CodexSettings(str(fake.path), **settings))


async def failure(fake: FakeCodex, limit_s: float = 30.0, **plan) -> BackendFailed:
    fake.plan(**plan)
    with pytest.raises(BackendFailed) as caught:
        await backend(fake).answer(request(limit_s))
    return caught.value


async def test_what_codex_is_given(fake):
    await backend(fake, model="gpt-5", config=(("model_provider", "x"),)).answer(request())
    seen = fake.seen
    assert seen["prompt"] == request().prompt.text
    assert seen["listing"] == []
    assert seen["cwd"] == seen["argv"][seen["argv"].index("-C") + 1]
    assert seen["schema"] == load_schema("test_section_v2")
    argv = seen["argv"]
    assert argv[:4] == ["exec", "--json", "--skip-git-repo-check", "--ephemeral"]
    assert argv[-1] == "-"
    assert argv[argv.index("-m") + 1] == "gpt-5"
    assert argv[argv.index("-s") + 1] == "read-only"
    pairs = [argv[index + 1] for index, flag in enumerate(argv) if flag == "-c"]
    assert {"features.shell_tool=false", "agents.enabled=false", "project_doc_max_bytes=0"} <= set(
        pairs
    )
    assert pairs[-1] == "model_provider=x"
    assert not any(request().prompt.text[:100] in part for part in argv)


async def test_keys_that_an_old_version_refuses_are_left_out(fake):
    fake.plan(version="codex-cli 0.144.2", lines=answering(ANSWER))
    await backend(fake).answer(request())
    assert "agents.enabled=false" not in fake.seen["argv"]


async def test_mcp_servers_of_the_user_are_switched_off(fake):
    servers = [
        {"name": "files", "enabled": True},
        {"name": "off", "enabled": False},
        {"name": "a=b c"},
        "odd",
    ]
    fake.plan(servers=servers, lines=answering(ANSWER))
    await backend(fake).answer(request())
    pairs = [part for part in fake.seen["argv"] if part.startswith("mcp_servers")]
    assert pairs == ["mcp_servers.files.enabled=false"]


async def test_the_last_message_counts_and_noise_does_not(fake):
    noise = [
        "not json",
        "",
        "[1, 2]",
        '"text"',
        {"type": "item.completed", "item": None},
        {"type": "item.completed", "item": {"type": "agent_message", "text": 3}},
        {"type": "item.completed", "item": {"type": "error", "message": "a warning"}},
        {"type": "error", "message": "reconnecting"},
        message("a first thought"),
        message(ANSWER),
        {"type": "item.completed", "item": {"type": "reasoning", "text": "hm"}},
        COMPLETED,
    ]
    fake.plan(lines=[*STARTED, *noise])
    assert (await backend(fake).answer(request())).text == ANSWER


async def test_a_line_over_the_stream_limit_is_taken_from_the_answer_file(fake):
    fake.plan(
        lines=STARTED, huge_line=9 * 1024 * 1024, then=[COMPLETED], answer_file='{"short": 1}'
    )
    assert (await backend(fake).answer(request())).text == '{"short": 1}'


async def test_a_stream_without_an_end_is_ended(fake, monkeypatch):
    monkeypatch.setattr(codex, "STREAM_BYTES", 1_000_000)
    fake.plan(lines=STARTED, huge_line=3_000_000, then=[COMPLETED], hang=True)
    with pytest.raises(BackendFailed, match="more than 1000000 bytes") as caught:
        await backend(fake).answer(request())
    assert caught.value.details["limitBytes"] == 1_000_000


async def test_a_failed_turn_is_a_failure_even_with_exit_code_0(fake):
    failed = {"type": "turn.failed", "error": {"message": "model overloaded"}}
    found = await failure(fake, lines=[*STARTED, message(ANSWER), failed])
    assert "model overloaded" in found.reason
    assert found.details["exitCode"] == 0


async def test_a_stream_that_ends_early_is_a_failure(fake):
    found = await failure(fake, lines=[*STARTED, message(ANSWER)])
    assert "before its answer was complete" in found.reason


async def test_quota_is_told_as_such(fake):
    said = "exceeded retry limit, last status: 429 Too Many Requests"
    found = await failure(fake, lines=[{"type": "error", "message": said}], code=1)
    assert found.details["status"] == 429
    assert said in found.reason


def test_a_command_may_have_arguments_or_blanks_in_its_path(tmp_path):
    folder = tmp_path / "my tools"
    folder.mkdir()
    fake = FakeCodex(folder)
    assert CodexSettings(str(fake.path)).argv() == (str(fake.path),)
    assert CodexSettings("nice -n 5 codex").argv() == ("nice", "-n", "5", "codex")
    assert CodexSettings("'open quote").argv() == ("'open quote",)


async def test_it_is_made_from_settings(fake):
    settings = {"codex.command": str(fake.path), "model": "m", "codex.config": {"a": "1"}}
    await create(BackendContext(settings)).answer(request())
    argv = fake.seen["argv"]
    assert argv[argv.index("-m") + 1] == "m"
    assert "a=1" in argv


def test_deeply_nested_lines_are_garbage():
    events = CodexEvents()
    events.line(b"[" * 200_000)
    events.line(b"\xff\xfe")
    assert events.data() == {"events": 2, "garbageLines": 2}
