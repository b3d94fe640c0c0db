"""`cost` and `start --replay`: what a model was sent, from a record played in the terminal."""

import asyncio
import json
import os
import subprocess
import sys

import pytest

from tutor_lsp.core.stage import EXPAND_ROLES, BackendFailed, Role, StageRequest
from tutor_lsp.library.loader import BUNDLED, Library
from tutor_lsp.stages.backends.library import LibraryBackend

KEYS = {
    "session", "title", "calls", "bytes", "sharedPrefixBytes", "share", "perStage", "loops",
    "other", "providerTokens", "limits",
}  # fmt: skip


@pytest.fixture
def record(tmp_path, monkeypatch):
    """A record of the smallest Python exercise, made under another curriculum."""
    monkeypatch.setenv("TUTOR_LSP_SCRIPT", "")
    library = Library([BUNDLED])
    entry = min(library.entries("python"), key=lambda one: (len(one.units), one.id))
    backend = LibraryBackend(library, entry.id)
    lines = []

    async def play() -> None:
        for role in (Role.SCAFFOLD, *EXPAND_ROLES, Role.SOLUTION):
            for number in range(1, 20):
                request = StageRequest(role, {"scaffold": None}, None, number)
                try:
                    payload = json.loads((await backend.answer(request)).text)
                except BackendFailed:
                    break
                line = {"stage": role.value, "iteration": number, "accepted": True}
                lines.append({**line, "payload": payload})
                if payload.get("is_complete", True):
                    break

    asyncio.run(play())
    lines[0]["payload"] |= {"node_id": "P7"}
    del lines[0]["payload"]["schema_version"]
    path = tmp_path / "record.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path, lines


@pytest.mark.long("proves an exercise")
def test_a_record_is_played_and_its_cost_told(cli, record, home):
    path, lines = record
    asked = cli("start", "--replay", str(path), "--json")
    assert (asked.code, asked.error["kind"]) == (1, "UNTRUSTED")
    ready = cli("start", "--replay", str(path), "--trust", "--json")
    assert ready.code == 0, ready.err
    assert ready.json["node"] == f"topic-{lines[0]['payload']['scaffold_id']}"
    assert ready.json["proof"]["ok"] is True

    cost = cli("cost", "--json").json
    assert set(cost) == KEYS
    assert cost["session"] == ready.json["sessionId"]
    assert cost["calls"] >= len(lines)
    assert set(cost["perStage"]) == {line["stage"] for line in lines}
    assert 0.3 < cost["loops"]["share"] < 1
    assert cli("cost", ready.json["sessionId"][:8], "--json").json == cost

    words = cli("cost", "--plain")
    assert words.code == 0
    assert f"{cost['calls']} calls" in words.out
    assert "scaffold" in words.out

    last = cli("cost", "--last-prompt", "--json").json
    assert (last["backend"], last["role"]) == ("scripted", "solution")
    assert last["text"] in cli("cost", "--last-prompt", "--plain").out

    (home / "config.toml").write_text("limits.sessionCalls = 3\n", "utf-8")
    again = cli("start", "--replay", str(path), "--trust", "--json")
    assert (again.code, again.error["kind"]) == (1, "BUDGET")
    assert "limits.sessionCalls" in again.error["message"]
    assert again.error["stage"].endswith("-expand")


def test_a_library_exercise_costs_nothing(cli):
    ready = cli("start", "--language", "python", "--json").json
    cost = cli("cost", "--json").json
    assert cost["session"] == ready["sessionId"]
    assert (cost["calls"], cost["perStage"]) == (0, {})
    assert "no model was asked" in cli("cost").out
    refused = cli("cost", "--last-prompt", "--json")
    assert (refused.code, refused.error["kind"]) == (1, "NO_PROMPT")


def test_without_a_session_the_whole_home_is_summed(cli):
    cost = cli("cost", "--json").json
    assert (cost["session"], cost["calls"]) == (None, 0)
    assert cli("cost", "abc", "--json").error["kind"] == "NO_SESSION"


def test_a_record_that_cannot_be_read_is_refused(cli, tmp_path, monkeypatch):
    monkeypatch.setenv("TUTOR_LSP_SCRIPT", "")
    result = cli("start", "--replay", str(tmp_path / "none.jsonl"), "--json")
    assert (result.code, result.error["kind"]) == (1, "BAD_SCRIPT")
    assert os.environ["TUTOR_LSP_SCRIPT"] == str(tmp_path / "none.jsonl")


def test_the_server_starts_without_any_of_it():
    code = "import sys, tutor_lsp.cli.main; sys.exit('tutor_lsp.cli.work.cost' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
