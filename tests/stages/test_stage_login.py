"""How a model's login stands, as the doctor tells it: its own word, and what calls have shown."""

import json
import time

import pytest

from tutor_lsp.stages.backends import cli
from tutor_lsp.stages.backends.claude import ClaudeBackend, ClaudeSettings
from tutor_lsp.stages.backends.codex import CodexBackend, CodexSettings

CODEX = """#!/bin/sh
echo "$*" >> {log}
case "$1" in
  --version) echo codex-cli 0.169.0 ;;
  mcp) echo '[]' ;;
  login) {login} ;;
esac
"""
CLAUDE = """#!/bin/sh
echo "$*" >> {log}
case "$1" in
  --version) echo '{version} (Claude Code)' ;;
  auth) {login} ;;
esac
"""


@pytest.fixture
def command(tmp_path):
    """A function that makes a command line of its own; its calls go to `calls`."""

    def make(script, **parts):
        path = tmp_path / "program"
        path.write_text(script.format(log=tmp_path / "calls", **parts))
        path.chmod(0o755)
        return str(path)

    return make


@pytest.mark.parametrize(
    ("says", "works", "told"),
    [
        ("echo 'Logged in using ChatGPT' >&2", True, None),
        ("echo 'Not logged in' >&2; exit 1", False, "codex login"),
        ("echo 'error: unrecognized subcommand' >&2; exit 2", False, "did not say"),
        ("exec sleep 30", False, "within 2 s"),
    ],
)
async def test_codex_says_how_its_login_stands(command, says, works, told, monkeypatch):
    backend = CodexBackend(CodexSettings(command(CODEX, login=says)))
    began = time.monotonic()
    with monkeypatch.context() as patch:
        if "sleep" in says:
            patch.setattr(cli, "PROBE_S", 0.5)
        status = await backend.login()
    assert time.monotonic() - began < 15  # its limit is 2 s
    assert (status.name, status.works) == ("codex login", works)
    assert (told is None) if status.remedy is None else (told in status.remedy)
    assert [mend.line for mend in status.mends] == ([] if works else ["codex login"])
    # what it says of its login never decides whether it serves
    assert (await backend.probe()).available


async def test_what_calls_have_shown_wins(command):
    backend = CodexBackend(CodexSettings(command(CODEX, login="echo Logged in; exit 0")))
    backend._login.refused()
    status = await backend.login()
    assert not status.works
    assert "401" in status.remedy
    assert "codex login" in status.remedy
    backend._login.worked()
    out = CodexBackend(CodexSettings(command(CODEX, login="echo Not logged in; exit 1")))
    out._login.worked()
    assert (await out.login()).works


@pytest.mark.parametrize(
    ("logged_in", "code", "works"), [(True, 0, True), (False, 1, False), (None, 0, False)]
)
async def test_claude_says_how_its_login_stands(command, logged_in, code, works):
    answer = json.dumps({"loggedIn": logged_in, "email": "me@example.org"})
    login = f"echo '{answer}'; exit {code}"
    backend = ClaudeBackend(ClaudeSettings(command(CLAUDE, login=login, version="2.1.41")))
    status = await backend.login()
    assert (status.name, status.works) == ("claude login", works)
    assert "me@example.org" not in str(status)


async def test_a_claude_that_is_too_old_is_not_asked(command, tmp_path):
    backend = ClaudeBackend(ClaudeSettings(command(CLAUDE, login="exit 0", version="2.1.40")))
    assert await backend.login() is None
    assert "auth" not in (tmp_path / "calls").read_text()


async def test_nothing_is_said_of_what_is_not_installed(tmp_path):
    assert await CodexBackend(CodexSettings(str(tmp_path / "none"))).login() is None
    assert await ClaudeBackend(ClaudeSettings(str(tmp_path / "none"))).login() is None
