"""What every backend that starts a program does alike, against fakes of Claude Code and Codex."""

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest
import stage_samples as samples
from claude_fake import FakeClaude, envelope
from codex_fake import COMPLETED, STARTED, FakeCodex, answering
from command_fake import FakeCommand, alive, no_file_left, request, until

from tutor_lsp.core.stage import BackendFailed, Rejection, Role, Usage
from tutor_lsp.stages.backends import claude, cli, codex
from tutor_lsp.stages.backends.claude import ClaudeBackend, ClaudeSettings
from tutor_lsp.stages.backends.cli import LOGGED_OUT_KEPT_S, PROBE_KEPT_S
from tutor_lsp.stages.backends.codex import CodexBackend, CodexSettings
from tutor_lsp.stages.runner import Runner

ANSWER = json.dumps(samples.PAYLOADS[Role.TEST])


@dataclass(frozen=True)
class Kind:
    """What differs: its fake, how that says a text or that it is logged out, and what is read."""

    title: str
    fake: type[FakeCommand]
    made: Callable[..., Any]
    says: Callable[[str], dict[str, Any]]
    logged_out: dict[str, Any]
    remedy: str
    version: str
    newer: str
    usage: Usage


KINDS = {
    "claude": Kind(
        "Claude Code", FakeClaude,
        lambda command, **more: ClaudeBackend(ClaudeSettings(command), **more),
        lambda text: {"stdout": envelope(None, text)},
        {"stdout": envelope(None, "Please run /login", is_error=True)}, "/login",
        "2.1.143", "2.2.0 (Claude Code)", Usage(1234, 1200, 56),
    ),
    "codex": Kind(
        "Codex", FakeCodex,
        lambda command, **more: CodexBackend(CodexSettings(command), **more),
        lambda text: {"lines": answering(text) if text else [*STARTED, COMPLETED]},
        {"lines": [{"type": "turn.failed", "error": {
            "message": "unexpected status 401 Unauthorized: Missing bearer"}}], "code": 1},
        "codex login", "0.163.0", "codex-cli 0.170.1", Usage(1234, 200, 56),
    ),
}  # fmt: skip


@pytest.fixture(params=KINDS)
def kind(request):
    return KINDS[request.param]


@pytest.fixture
def fake(kind, tmp_path, monkeypatch):
    with no_file_left(tmp_path, monkeypatch):
        yield kind.fake(tmp_path, **kind.says(ANSWER))


@pytest.fixture
def backend(kind, fake):
    return kind.made(str(fake.path))


async def failure(fake, backend, limit_s=30.0, **plan):
    fake.plan(**plan)
    with pytest.raises(BackendFailed) as caught:
        await backend.answer(request(limit_s))
    return caught.value


async def test_an_answer_comes_with_its_usage(kind, backend):
    answer = await backend.answer(request())
    assert (answer.text, answer.usage) == (ANSWER, kind.usage)


async def test_prompts_of_a_megabyte_go_through(fake, backend):
    big = request()
    prompt = replace(big.prompt, entries=("é" * 500_000,))
    await backend.answer(replace(big, prompt=prompt))
    assert fake.seen["prompt"] == prompt.text


@pytest.mark.parametrize(
    ("said", "reason"),
    [("Happy to help!", "not a JSON document"), ("", "empty"), ("x" * 3_000_000, "too large")],
    ids=["prose", "empty", "3 MB"],
)
async def test_broken_answers_are_left_to_the_contract(kind, fake, backend, said, reason):
    fake.plan(**kind.says(said))
    result = await Runner(lambda _event: None).run(request(), backend)
    assert result.kind is Rejection.SCHEMA_VALIDATION_FAILED, result
    assert reason in result.reason


async def test_an_exit_code_is_a_failure_with_the_end_of_stderr(kind, fake, backend):
    stderr = "x" * 5000 + "\nerror: no such thing\n"
    found = await failure(fake, backend, code=2, stderr=stderr)
    assert found.reason == f"{kind.title} failed (exit code 2): error: no such thing"
    assert len(found.details["stderr"]) <= 1000


async def test_a_401_is_remembered_until_a_call_works_or_time_passes(kind, fake):
    now = 1000.0
    backend = kind.made(str(fake.path), clock=lambda: now)
    assert (await backend.probe()).available
    found = await failure(fake, backend, **kind.logged_out)
    assert found.details["status"] == 401
    assert kind.remedy in found.details["remedy"]
    status = await backend.probe()
    assert not status.available
    assert kind.remedy in status.why
    now += LOGGED_OUT_KEPT_S
    assert (await backend.probe()).available
    await failure(fake, backend, **kind.logged_out)
    assert not (await backend.probe()).available
    fake.plan(**kind.says(ANSWER))
    await backend.answer(request())
    assert (await backend.probe()).available


@pytest.mark.long("waits for a limit")
async def test_the_limit_ends_what_hangs_and_ignores_the_request_to_end(fake, backend):
    started = time.monotonic()
    found = await failure(fake, backend, 2.0, hang=True, ignore_term=True)
    assert found.details["timeout"] is True
    assert time.monotonic() - started < 15
    await until(lambda: not alive(fake.seen["pid"]))


async def test_cancelling_leaves_no_process_and_no_file(fake, backend, monkeypatch):
    for module in (claude, codex):
        monkeypatch.setattr(module, "GRACE_S", 0.2)
    fake.plan(hang=True, ignore_term=True)
    task = asyncio.create_task(backend.answer(request()))
    await until(lambda: fake.asked)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until(lambda: not alive(fake.seen["pid"]))


async def test_probing_says_what_is_wrong(kind, fake):
    assert (await kind.made(str(fake.path)).probe()).version == kind.version
    missing = await kind.made("/nowhere/program").probe()
    assert not missing.available
    assert "was not found" in missing.why
    for plan, said in (
        ({"version": "", "version_code": 3}, "exit code 3"),
        ({"version": "hello"}, "exit code 0"),
    ):
        fake.plan(**plan)
        status = await kind.made(str(fake.path)).probe()
        assert not status.available
        assert said in status.why


async def test_a_probe_is_kept_for_a_while(kind, fake):
    now = 0.0
    backend = kind.made(str(fake.path), clock=lambda: now)
    assert (await backend.probe()).version == kind.version
    fake.plan(version=kind.newer)
    assert (await backend.probe()).version == kind.version
    now += PROBE_KEPT_S + 1
    assert (await backend.probe()).version in kind.newer


async def test_a_version_that_does_not_come_is_not_waited_for(fake, backend, monkeypatch):
    assert cli.PROBE_S < 2
    monkeypatch.setattr(cli, "PROBE_S", 0.5)
    fake.plan(version_delay_s=30)
    started = time.monotonic()
    status = await backend.probe()
    assert not status.available
    assert "within 2 s" in status.why
    assert time.monotonic() - started < 10


async def test_a_program_that_is_gone_is_a_failure_with_a_remedy(kind):
    with pytest.raises(BackendFailed) as caught:
        await kind.made("/nowhere/program").answer(request())
    assert "install" in caught.value.details["remedy"]


async def test_a_request_without_a_prompt_is_a_failure(backend):
    with pytest.raises(BackendFailed, match="without a prompt"):
        await backend.answer(replace(request(), prompt=None))
