"""Every way in which the real Codex CLI fails, one stage each: no call outlasts its limit.

Needs the optional package of the extra `codex`.
"""

import json
import tempfile
import time
from dataclasses import dataclass, field, replace

import pytest
import stage_samples as samples
from codex_author import processes_with
from codex_fake_model import FakeModel

from tutor_lsp.core.stage import Rejection, Role
from tutor_lsp.stages.backends import codex as codex_backend
from tutor_lsp.stages.backends.codex import CodexBackend, CodexSettings
from tutor_lsp.stages.runner import Runner

codex_cli_bin = pytest.importorskip(
    "codex_cli_bin", reason="openai-codex-cli-bin is not installed (extra: codex)"
)
pytestmark = pytest.mark.codex

KILL_S = 4.0
"""What a loaded machine may add to a limit: a second of grace and the end of the process."""
GOOD = json.dumps(samples.PAYLOADS[Role.LESSON])


@dataclass
class Case:
    """What the server does, Codex's own retries, our limit, and what must come of it."""

    said: str
    text: str = GOOD
    mode: str = "answer"
    error: dict = field(default_factory=lambda: {"message": "refused", "type": "x"})
    retries: int = 0
    limit_s: float = 20.0
    kind: Rejection = Rejection.EXECUTION_FAILED
    status: int | None = None
    timeout: bool = False
    requests: int | None = 1


QUOTA = {"message": "Quota used up", "type": "insufficient_quota", "code": "insufficient_quota"}
SCHEMA = Rejection.SCHEMA_VALIDATION_FAILED
CASES = {
    "429": Case("no more room", mode="429", status=429),
    "429, quota": Case("no more room", mode="429", error=QUOTA, status=429),
    "500": Case("exit code 1", mode="500"),
    "503": Case("exit code 1", mode="503"),
    "500, retried": Case("within 4 s", mode="500", retries=9, limit_s=4, timeout=True,
                         requests=None),
    "401": Case("codex login", mode="401", status=401, requests=None),
    "hang": Case("within 3 s", mode="hang", limit_s=3, timeout=True),
    "hang, retried": Case("within 3 s", mode="hang", retries=9, limit_s=3, timeout=True),
    "prose": Case("not a JSON document", text="Happy to help!", kind=SCHEMA),
    "empty": Case("empty", text="", kind=SCHEMA),
    "truncated": Case("breaks off", text=GOOD[:-9], kind=SCHEMA),
    "fences": Case("fence", text=f"```json\n```json\n{GOOD}\n```", kind=SCHEMA),
    "version": Case("lesson_section_v2", text=GOOD.replace("_v1", "_v9"), kind=SCHEMA),
    "3 MB": Case("too large", text=GOOD.replace("Why count?", "x" * 3_000_000), kind=SCHEMA),
}  # fmt: skip


@pytest.fixture
def codex(monkeypatch):
    """A function from server to backend; afterwards no process of it is left."""
    with tempfile.TemporaryDirectory(prefix="codex-home-", ignore_cleanup_errors=True) as home:
        monkeypatch.setenv("CODEX_HOME", home)
        monkeypatch.setenv("FAKE_KEY", "none")
        command = str(codex_cli_bin.bundled_codex_path())
        yield lambda model: CodexBackend(CodexSettings(command, config=model.config()))
        monkeypatch.undo()
        end = time.monotonic() + 10
        while left := processes_with(f"CODEX_HOME={home}"):
            assert time.monotonic() < end, left
            time.sleep(0.02)


async def ask(backend: CodexBackend, limit_s: float, prompt: str | None = None):
    """One stage through the runner, bounded by its limit."""
    request = replace(samples.request(Role.LESSON), limit_s=limit_s)
    if prompt is not None:
        request = replace(request, prompt=replace(request.prompt, head=prompt, entries=(), tail=""))
    await backend.probe()
    result = await Runner(lambda _event: None).run(request, backend)
    assert result.duration_ms < (limit_s + KILL_S) * 1000
    return result


@pytest.mark.parametrize("name", CASES)
async def test_what_the_server_does_ends_as_it_should(name, codex):
    case = CASES[name]
    with FakeModel(case.text, case.mode, case.retries) as model:
        model.error = case.error
        result = await ask(codex(model), case.limit_s)
    assert (result.accepted, result.kind) == (False, case.kind), result
    assert case.said in result.reason
    assert result.details.get("status") == case.status
    assert result.details.get("timeout", False) is case.timeout
    assert case.requests in (None, len(model.requests))


@pytest.mark.parametrize("retries", [0, 9])
async def test_a_refused_connection_ends(retries, codex):
    with FakeModel(retries=retries) as model:
        backend = codex(model)
    result = await ask(backend, 6.0)
    assert result.kind is Rejection.EXECUTION_FAILED


@pytest.mark.parametrize("schema", [None, "no JSON"])
async def test_a_schema_that_cannot_be_read_is_not_sent(schema, codex, monkeypatch, tmp_path):
    path = tmp_path / "schema.json"
    path.write_text(schema or "", "utf-8")
    monkeypatch.setattr(codex_backend, "schema_path", lambda _contract: path)
    with FakeModel(GOOD) as model:
        result = await ask(codex(model), 20.0)
    assert result.kind is Rejection.EXECUTION_FAILED
    assert result.details["exitCode"] == 1
    assert model.requests == []


async def test_a_missing_key_is_told_and_nothing_is_sent(codex, monkeypatch):
    monkeypatch.delenv("FAKE_KEY")
    with FakeModel(GOOD) as model:
        result = await ask(codex(model), 20.0)
    assert result.kind is Rejection.EXECUTION_FAILED
    assert "FAKE_KEY" in result.reason
    assert model.requests == []


async def test_an_empty_prompt_is_a_failure(codex):
    with FakeModel(GOOD) as model:
        result = await ask(codex(model), 20.0, prompt="")
    assert result.kind is Rejection.EXECUTION_FAILED
    assert model.requests == []
