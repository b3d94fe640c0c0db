"""Whole set-ups with the real Codex CLI: the product's own command line, a fake model server.

Needs the optional package of the extra `codex`.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from codex_author import Author, processes_with
from codex_fake_model import FakeModel

from tutor_lsp.store.database import open_store

codex_cli_bin = pytest.importorskip(
    "codex_cli_bin", reason="openai-codex-cli-bin is not installed (extra: codex)"
)
pytestmark = pytest.mark.codex

STAGE_S = 20.0
DEADLINE_S = 180.0


@pytest.fixture
def place(tmp_path):
    """A Codex home and a tutor home; afterwards no process of either is left."""
    with tempfile.TemporaryDirectory(prefix="codex-home-", ignore_cleanup_errors=True) as home:
        yield Place(tmp_path / "home", Path(home))
        end = time.monotonic() + 10
        while left := processes_with(f"CODEX_HOME={home}"):
            assert time.monotonic() < end, left
            time.sleep(0.02)


class Place:
    """Where a session happens."""

    def __init__(self, home: Path, codex_home: Path) -> None:
        self.home, self.codex_home = home, codex_home

    def environment(self, model: FakeModel, **more: str) -> dict[str, str]:
        (self.codex_home / "config.toml").write_text(model.config_toml(), "utf-8")
        env = {k: v for k, v in os.environ.items() if not k.startswith("TUTOR_LSP_")}
        return env | {
            "CODEX_HOME": str(self.codex_home),
            "FAKE_KEY": "none",
            "TUTOR_LSP_HOME": str(self.home),
            "TUTOR_LSP_CODEX_COMMAND": str(codex_cli_bin.bundled_codex_path()),
            "TUTOR_LSP_LIMITS_STAGE_SECONDS": str(STAGE_S),
            **more,
        }

    def command(self, author: Author) -> list[str]:
        node, depth = author.entry.node, author.depth
        return [
            *(sys.executable, "-m", "tutor_lsp", "start", "--backend", "codex", "--json"),
            *("--node", node, "--depth", depth),
        ]

    def start(self, author: Author, model: FakeModel, **more: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            self.command(author),
            env=self.environment(model, **more),
            capture_output=True,
            text=True,
            timeout=DEADLINE_S,
            check=False,
        )

    def events(self, kind: str) -> list[dict]:
        store = open_store(self.home / "tutor.db")
        try:
            with store.transaction() as tx:
                return [event["data"] for event in tx.events(kind=kind)]
        finally:
            store.close()

    def exercises(self) -> list[Path]:
        return list(self.home.glob("exercises/*"))


def told(ended: subprocess.CompletedProcess) -> dict:
    """The error that a refused command tells: the last line of stderr."""
    assert ended.returncode == 1, (ended.stdout, ended.stderr)
    return json.loads(ended.stderr.strip().splitlines()[-1])


def of_loops(calls):
    """Those that write documents; a solver and known mistakes are asked for beside them."""
    return [call for call in calls if not call.startswith(("solution", "mistakes"))]


@pytest.mark.parametrize("depth", ["D1", "D2", "D3"])
def test_a_whole_set_up_goes_through(depth, place):
    author = Author(depth)
    with FakeModel(author) as model:
        ended = place.start(author, model)
        assert ended.returncode == 0, ended.stderr
    ready = json.loads(ended.stdout)
    assert (ready["node"], ready["depth"]) == (author.entry.node, depth)
    assert ready["proof"]["ok"] is True
    assert Path(ready["workspace"]) in place.exercises()
    documents = of_loops(author.calls)
    assert of_loops(author.asked)[: len(documents)] == documents
    assert set(author.calls) <= set(author.asked)
    assert author.asked.index("solution 1") < author.asked.index("lesson-expand 1")
    accepted = place.events("stage-accepted")
    assert len(accepted) == len(author.asked) == len(model.requests)
    assert place.events("stage-rejected") == []
    assert max(event["durationMs"] for event in accepted) < STAGE_S * 1000
    loops = [event for event in accepted if event["role"].endswith("-expand")]
    sent = sum(event["promptBytes"] for event in loops)
    assert sum(event["sharedPrefixBytes"] for event in loops) > 0.5 * sent
    prompts = [body["input"][-1]["content"][0]["text"] for body in model.requests]
    told = sorted(event["promptBytes"] for event in accepted)
    assert sorted(len(prompt.encode()) for prompt in prompts) == told


def test_a_set_up_that_hung_goes_on_where_it_was(place):
    author = Author("D1")
    with FakeModel(author) as model:

        def hang_at_the_tests(body):
            text = author(body)
            model.mode = "hang" if author.asked[-1].startswith("test-expand") else "answer"
            return text

        model.text = hang_at_the_tests
        began = time.monotonic()
        error = told(place.start(author, model, TUTOR_LSP_LIMITS_STAGE_SECONDS="5"))
        assert time.monotonic() - began < 60
        assert (error["kind"], error["stage"]) == ("EXECUTION_FAILED", "test-expand")
        assert error["details"]["timeout"] is True
        (rejected,) = place.events("stage-rejected")
        assert 5000 <= rejected["durationMs"] < 8000
        assert place.exercises() == []
        model.text, model.mode = author, "answer"
        before = len(author.asked)
        ended = place.start(author, model)
    assert ended.returncode == 0, ended.stderr
    rest = author.calls[author.calls.index("test-expand 1") :]
    asked = author.asked[before:]
    assert of_loops(asked)[: len(of_loops(rest))] == of_loops(rest)
    assert set(rest) <= set(asked)


@pytest.mark.parametrize(
    ("text", "mode", "kind", "said"),
    [
        ("Happy to help!", "answer", "SCHEMA_VALIDATION_FAILED", "not a JSON document"),
        ("", "answer", "SCHEMA_VALIDATION_FAILED", "empty"),
        ("{}", "401", "EXECUTION_FAILED", "codex login"),
        ("{}", "429", "EXECUTION_FAILED", "no more room"),
    ],
)
def test_a_set_up_that_fails_leaves_nothing_and_says_why(text, mode, kind, said, place):
    author = Author("D1")
    with FakeModel(text, mode) as model:
        error = told(place.start(author, model))
    assert (error["kind"], error["stage"]) == (kind, "scaffold")
    schema = kind == "SCHEMA_VALIDATION_FAILED"
    assert said in error["reason" if schema else "message"]
    assert len(place.events("stage-rejected")) == (3 if schema else 1)
    assert place.exercises() == []


async def test_ctrl_c_ends_codex_and_leaves_nothing(place):
    author = await asyncio.to_thread(Author, "D1")
    with FakeModel(mode="hang") as model:
        child = await asyncio.create_subprocess_exec(
            *place.command(author),
            env=place.environment(model),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        assert await asyncio.to_thread(model.asked.wait, 60)
        child.send_signal(signal.SIGINT)
        assert await asyncio.wait_for(child.wait(), 30) == 130
    assert place.exercises() == []
