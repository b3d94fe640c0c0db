"""`cost` and `start --replay`: what a model was sent, from a record played in the terminal."""

import asyncio
import json
import os
import subprocess
import sys

import pytest

from tutor_lsp.core.session import Event
from tutor_lsp.core.stage import EXPAND_ROLES, BackendFailed, Role, StageRequest
from tutor_lsp.library.loader import BUNDLED, Library
from tutor_lsp.stages.backends.library import LibraryBackend
from tutor_lsp.store.database import open_store

KEYS = {
    "session", "title", "calls", "bytes", "sharedPrefixBytes", "share", "perStage", "loops",
    "other", "repairs", "askedAgain", "inFlight", "providerTokens", "limits",
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
    assert (last["backend"], last["role"]) == ("scripted", "lesson-expand")
    assert last["text"] in cli("cost", "--last-prompt", "--plain").out

    (home / "config.toml").write_text("limits.sessionCalls = 3\n", "utf-8")
    again = cli("start", "--replay", str(path), "--trust", "--json")
    assert (again.code, again.error["kind"]) == (1, "BUDGET")
    assert "limits.sessionCalls" in again.error["message"]
    assert again.error["stage"].endswith("-expand")


def test_a_call_that_was_killed_counts_as_sent(cli, home):
    store = open_store(home / "tutor.db")
    data = {"call": "1", "role": "scaffold", "promptBytes": 4000, "sharedPrefixBytes": 1000}
    ended = {**data, "call": "2", "again": 1, "answerBytes": 3}
    with store.transaction() as tx:
        for kind, each in (("stage-sent", data), ("stage-sent", ended), ("stage-accepted", ended)):
            tx.log(Event(kind, each))
        tx.log(
            Event("stage-accepted", {**data, "call": "3", "role": "test-expand", "repair": True})
        )
    store.close()
    cost = cli("cost", "--json").json
    assert (cost["calls"], cost["bytes"]) == (3, 12_000)
    assert [cost[part]["calls"] for part in ("inFlight", "askedAgain", "repairs")] == [1, 1, 1]
    assert "stopped before an answer came: 1 call, 4 kB sent" in cli("cost").out


def test_what_sent_exercises_back_is_told_by_rule(cli, home):
    assert "No model made an exercise here yet." in cli("generation-report").out
    store = open_store(home / "tutor.db")
    call = {"call": "1", "role": "scaffold", "promptBytes": 4000, "setupId": "a", "again": 2}
    found = {"step": "stubs", "rule": "… passes on the stubs", "setupId": "a"}
    with store.transaction() as tx:
        tx.log(Event("stage-accepted", call))
        tx.log(Event("stage-accepted", {**call, "role": "coach", "setupId": None}))
        for _ in range(3):
            tx.log(Event("finding", found))
        for outcome in ("repaired", "overruled"):
            tx.log(Event("finding-ended", {**found, "outcome": outcome}))
        tx.log(Event("repair", {"role": "test-expand", "setupId": "a"}))
        for said in (["`x` was replaced."], []):
            tx.log(Event("mend", {"files": ["tests/a.c"], "said": said, "setupId": "a"}))
        tx.log(Event("mend", {"files": ["tests/a.c"], "setupId": "b"}))  # of an earlier version
        tx.log(Event("sections-dropped", {"sections": 4, "setupId": "a"}))
    store.close()
    report = cli("generation-report", "--json").json
    (rule,) = report.pop("rules")
    assert rule == {
        "step": "stubs", "rule": "… passes on the stubs", "fired": 3, "repaired": 1, "left": 0,
        "overruled": 1, "open": 1,
    }  # fmt: skip
    assert report == {
        "setUps": 1, "repairs": 1, "mends": 3, "askedAgain": 1, "sectionsDropped": 4,
        "mended": [{"said": "`x` was replaced.", "times": 1}],
    }  # fmt: skip
    said = cli("generation-report").out
    assert "1 set-up: 1 repair, 1 answer asked for again." in said
    assert "[stubs] … passes on the stubs  3 times: 1 repaired, 0 not mended, 1 overruled" in said
    assert "x was replaced.  1 time" in said


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
