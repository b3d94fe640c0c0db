"""The real Codex CLI against a fake model server; needs the optional package `codex`."""

import json
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import pytest
import stage_samples as samples
from codex_fake_model import FakeModel

from tutor_lsp.contracts.locate import load_schema
from tutor_lsp.core.stage import Rejection, Role, StageRequest, Usage, sections_of
from tutor_lsp.stages.backends.codex import CodexBackend, CodexSettings
from tutor_lsp.stages.runner import Runner

codex_cli_bin = pytest.importorskip(
    "codex_cli_bin", reason="openai-codex-cli-bin is not installed (extra: codex)"
)
pytestmark = pytest.mark.codex


@pytest.fixture
def codex(monkeypatch):
    """A function from model server to backend, with a Codex home of its own."""
    with tempfile.TemporaryDirectory(prefix="codex-home-", ignore_cleanup_errors=True) as home:
        monkeypatch.setenv("CODEX_HOME", home)
        monkeypatch.setenv("FAKE_KEY", "none")

        def make(server: FakeModel, **settings) -> CodexBackend:
            command = str(codex_cli_bin.bundled_codex_path())
            return CodexBackend(CodexSettings(command, config=server.config(), **settings))

        make.home = Path(home)
        yield make


def request(role: Role = Role.LESSON, limit_s: float = 60.0) -> StageRequest:
    return replace(samples.request(role), limit_s=limit_s)


def events() -> tuple[list, Runner]:
    logged: list = []
    return logged, Runner(logged.append)


@pytest.mark.parametrize("role", list(Role))
async def test_every_role_is_answered(role, codex):
    logged, runner = events()
    with FakeModel(json.dumps(samples.PAYLOADS[role])) as model:
        result = await runner.run(request(role), codex(model, model="gpt-5"))
    assert result.accepted, result
    assert sections_of(result.payload) == [samples.PAYLOADS[role]]
    assert result.usage == Usage(1200, 200, 56)
    assert logged[0].data["inputTokens"] == 1200
    body = model.requests[0]
    assert body["text"]["format"]["strict"] is True
    assert body["text"]["format"]["schema"] == load_schema(request(role).contract)
    assert body["input"][-1]["content"][0]["text"] == request(role).prompt.text
    ours = len(request(role).prompt.text) + len(json.dumps(body["text"]))
    assert len(json.dumps(body)) - ours < 8000, "Codex adds more than it should"


async def test_prose_is_refused_by_the_contract(codex):
    with FakeModel("Happy to help!") as model:
        result = await events()[1].run(request(), codex(model))
    assert result.kind is Rejection.SCHEMA_VALIDATION_FAILED
    assert "not a JSON document" in result.reason


async def test_a_logged_out_codex_says_what_to_do(codex):
    with FakeModel(mode="401") as model:
        backend = codex(model)
        result = await events()[1].run(request(), backend)
        assert result.kind is Rejection.EXECUTION_FAILED
        assert result.details["status"] == 401
        assert "codex login" in (await backend.probe()).why


async def test_no_room_is_told_as_such(codex):
    with FakeModel(mode="429") as model:
        result = await events()[1].run(request(), codex(model))
    assert result.details["status"] == 429


async def test_a_model_that_hangs_ends_at_our_limit(codex):
    with FakeModel(mode="hang") as model:
        backend = codex(model)
        await backend.probe()
        started = time.monotonic()
        result = await events()[1].run(request(limit_s=2.0), backend)
        assert model.asked.is_set()
        assert time.monotonic() - started < 20
    assert result.kind is Rejection.EXECUTION_FAILED
    assert result.details["timeout"] is True


async def test_a_server_that_is_not_there_is_a_failure(codex):
    with FakeModel() as model:
        backend = codex(model)
    result = await events()[1].run(request(limit_s=20.0), backend)
    assert result.kind is Rejection.EXECUTION_FAILED
    assert "timeout" not in result.details


async def test_mcp_servers_of_the_user_are_not_started(codex):
    mark = codex.home / "started"
    config = f'[mcp_servers.probe]\ncommand = "touch"\nargs = ["{mark}"]\n'
    (codex.home / "config.toml").write_text(config, "utf-8")
    with FakeModel(json.dumps(samples.PAYLOADS[Role.LESSON])) as model:
        result = await events()[1].run(request(), codex(model))
    assert result.accepted
    assert not mark.exists()


async def test_it_says_itself_that_nobody_is_logged_in(codex):
    with FakeModel("{}") as model:
        backend = codex(model)
        status = await backend.login()
        assert (await backend.probe()).available
    assert (status.name, status.works) == ("codex login", False)
    assert "not logged in: run `codex login`" in status.remedy
