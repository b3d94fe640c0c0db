"""Bad luck with the machine: store, tools, models and files that are not as they should be."""

import asyncio
import os
import sqlite3
from pathlib import Path

import pytest
from editor import editor
from faults_kit import begin, script


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_corrupt_store_is_set_aside_and_said(tmp_path):
    home = tmp_path / "home"
    async with editor(home) as ed:
        await begin(ed)
    for name in ("tutor.db-wal", "tutor.db-shm"):
        (home / name).unlink(missing_ok=True)
    (home / "tutor.db").write_bytes(b"this is no database" * 1000)
    async with editor(home) as ed:
        assert await ed.command("tutor.sessions") == []
    assert list(home.glob("tutor.db.damaged-*"))


@pytest.mark.long("waits until a locked record is given up")
async def test_locked_store_is_said_and_works_again_afterwards(ed):
    await begin(ed)
    blocker = sqlite3.connect(ed.home / "tutor.db", isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    error = await ed.refused("tutor.claim", {"node": "python-strings", "known": True})
    assert error["kind"] == "STORE"
    blocker.execute("ROLLBACK")
    blocker.close()
    assert (await ed.command("tutor.claim", {"node": "python-strings", "known": True}))["claimed"]


@pytest.mark.long("test_cannot_run.py misses cargo too")
async def test_missing_cargo_is_said_with_the_remedy(tmp_path):
    empty = tmp_path / "bin"
    empty.mkdir()
    path = os.pathsep.join([str(empty), "/usr/bin", "/bin"])
    environment = {"PATH": path, "CARGO_HOME": str(empty), "HOME": str(tmp_path)}
    async with editor(tmp_path / "home", environment=environment) as ed:
        await ed.start(language="rust")
        error = await ed.refused("tutor.check")
        assert error["kind"] == "TOOLCHAIN_MISSING"
        assert "rustup" in error["message"] or "cargo" in error["message"]
        doctor = await ed.command("tutor.doctor")
        assert any(t["name"] == "cargo" and not t["works"] and t["remedy"] for t in doctor["tools"])


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_rejected_stage_is_named_and_leaves_nothing(tmp_path):
    prose = script(tmp_path, {"stage": "scaffold", "text": "Here is your exercise!"})
    async with editor(tmp_path / "home", environment=prose) as ed:
        await ed.command("tutor.start", {"topic": "bees", "backend": "scripted",
                                         "language": "python"})  # fmt: skip
        (failed,) = await ed.until(lambda: ed.notified["tutor/sessionFailed"], "no end")
        assert failed["stage"] == "scaffold"
        assert failed["reason"] == "SCHEMA_VALIDATION_FAILED"
        job = (await ed.command("tutor.status"))["jobs"][-1]
        assert job["state"] == "failed"
        assert job["error"]["kind"] == "SCHEMA_VALIDATION_FAILED"
        assert await ed.command("tutor.sessions") == []


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_logged_out_codex_is_said_with_the_remedy(tmp_path):
    codex = tmp_path / "codex"
    codex.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo codex-cli 0.169.0 && exit 0\ncat >/dev/null\n'
        'echo \'{"type":"turn.failed","error":{"message":"unexpected status 401 Unauthorized"}}\'\n'
        "exit 1\n"
    )
    codex.chmod(0o755)
    settings = {"codex": {"command": str(codex)}}
    async with editor(tmp_path / "home", settings=settings) as ed:
        await ed.command("tutor.start", {"topic": "bees", "backend": "codex", "language": "python"})
        (failed,) = await ed.until(lambda: ed.notified["tutor/sessionFailed"], "no end")
        assert failed["reason"] == "EXECUTION_FAILED"
        assert "codex login" in failed["message"]


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_pipe_and_link_loop_in_the_folder_do_not_stop_the_server(ed):
    ready, _, _ = await begin(ed)
    root = Path(ready["workspace"])
    (root / "LESSON.md").unlink()
    os.mkfifo(root / "LESSON.md")
    (root / "pyrightconfig.json").unlink()
    (root / "pyrightconfig.json").symlink_to("pyrightconfig.json")
    assert (await asyncio.wait_for(ed.command("tutor.check"), 10))["outcome"] == "failed"
    assert (await ed.command("tutor.status"))["session"]["title"]


async def test_reset_does_not_write_through_a_link_out_of_the_exercise(ed, tmp_path):
    ready, path, uri = await begin(ed)
    outside = tmp_path / "outside"
    path.parent.rename(outside)
    path.parent.symlink_to(outside)
    (outside / path.name).write_text("my own text\n")
    ed.close(uri)
    assert (await ed.refused("tutor.reset", {"session": ready["sessionId"]}))["kind"] == "BAD_PATH"
    assert (outside / path.name).read_text() == "my own text\n"


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_unwritable_coach_file_loses_no_hint_and_no_review(ed):
    ready, _, _ = await begin(ed)
    Path(ready["workspace"], ".tutor", "coach.md").mkdir()
    assert (await ed.command("tutor.hint"))["level"] == 1
    result = await ed.command("tutor.attempt")
    assert result["review"] is not None
    assert any("coach.md" in message.message for message in ed.client.messages)
