"""A backend of others that never ends holds no process up."""

import json
import subprocess
import time

import pytest
from cli_tools import PROGRAM, Server, environment

PACKAGE = """
import asyncio, sys, threading, time
from tutor_lsp.core.ports import BackendStatus

class Deaf:
    name, meaning, place = "deaf", "Deaf.", 100
    is_model, asks_first, settings, needs_prompt = True, False, (), True

    @classmethod
    def create(cls, context):
        return cls()

    async def probe(self):
        while True:
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                pass

class Blocked(Deaf):
    name = "blocked"

    async def probe(self):
        await asyncio.to_thread(time.sleep, 3600)
"""
POINTS = "[tutor_lsp.backends]\n{name} = their_backend:{kind}\n"
WHY = "The package their-backend cannot be used (no answer within 2 s): repair or remove it."
END_S = 4.0
"""Within this the server ends after `exit`, on a busy machine too."""


@pytest.fixture(params=["Deaf", "Blocked"])
def hanging(request, home, tmp_path):
    """The environment of a process with the package, and the name of its backend."""
    place = tmp_path / "site"
    info = place / "their_backend-1.0.dist-info"
    info.mkdir(parents=True)
    (place / "their_backend.py").write_text(PACKAGE)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-backend\nVersion: 1.0\n")
    name = request.param.lower()
    (info / "entry_points.txt").write_text(POINTS.format(name=name, kind=request.param))
    return environment(home, PYTHONPATH=str(place)), name


def row(diagnosis, name):
    return next(tool for tool in diagnosis["tools"] if tool["name"] == f"backend {name}")


@pytest.mark.long("starts a program for a case beside those that stand for it here")
def test_a_verb_ends_though_a_probe_does_not(hanging):
    env, name = hanging
    done = subprocess.run(
        [*PROGRAM, "doctor", "--json"],
        env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30, check=False,
    )  # fmt: skip
    assert row(json.loads(done.stdout), name)["remedy"] == WHY
    assert done.returncode == 0, done.stderr


@pytest.mark.long("waits for limits; test_languages_here.py has a doctor that is held up")
@pytest.mark.sample("Deaf")
def test_the_server_ends_though_a_probe_does_not(hanging):
    env, name = hanging
    with Server("--stdio", env=env) as server:
        server.initialize()
        found = server.command("tutor.doctor")["result"]
        assert row(found, name)["remedy"] == WHY
        server.request("shutdown")
        server.send("exit", request=False)
        began = time.monotonic()
        assert server.end() == 0
        assert time.monotonic() - began < END_S
        assert server.stray == b""
