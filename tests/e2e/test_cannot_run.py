"""A machine on which a language cannot run: lists put it last, a start and a save say why."""

import os
from pathlib import Path

import pytest
from editor import PROFILES, editor
from faults_kit import begin


def without(tmp_path, language):
    """Environment and settings of a server that finds no tools of a language."""
    empty = tmp_path / "bin"
    empty.mkdir()
    if language == "python":
        return {}, {"python": {"interpreter": str(empty / "python")}}
    path = str(empty) if language == "c" else os.pathsep.join([str(empty), "/usr/bin", "/bin"])
    return {"PATH": path, "CARGO_HOME": str(empty), "HOME": str(tmp_path)}, {}


@pytest.mark.long("test_refusals.py says the same without a server")
@pytest.mark.sample("rust-visual-studio-code@v1.65")
@pytest.mark.parametrize(
    ("language", "profile"),
    [*(("rust", profile) for profile in PROFILES), ("python", PROFILES[1]), ("c", PROFILES[1])],
)
async def test_a_save_that_cannot_run_says_why_on_the_stub(tmp_path, language, profile):
    environment, settings = without(tmp_path, language)
    options = {"ui": "client"} if profile.startswith("visual") else None
    async with editor(
        tmp_path / "home", environment=environment, settings=settings, profile=profile,
        options=options,
    ) as ed:  # fmt: skip
        ready, _, uri = await begin(ed, language)

        def said(word):
            return [item for item in ed.diagnostics(uri, "not-run") if word in item.message]

        (at_opening,) = await ed.until(lambda: said("cannot run yet"), "nothing on opening")
        stub = ready["units"][0]
        assert at_opening.range.start.line == stub["line"] - 1
        await ed.until(lambda: ed.said("cannot run yet"), "nothing said at the start")
        error = await ed.refused("tutor.check")
        assert error["kind"] == "TOOLCHAIN_MISSING"
        ed.save(uri)
        (refusal,) = await ed.until(lambda: said(error["message"]), "nothing after a save")
        assert refusal.range.start.line == stub["line"] - 1
        await ed.until(lambda: ed.said(error["message"]), "nothing said after a save")
        assert len(ed.said("cannot run yet")) == 1
        session = (await ed.command("tutor.status"))["session"]
        assert (session["attempts"], session["testsPassing"]) == (0, 0)
    async with editor(
        tmp_path / "home", environment=environment, settings=settings, profile=profile,
        options=options,
    ) as ed:  # fmt: skip
        uri = ed.open(Path(ready["workspace"]) / stub["file"], language)
        await ed.until(lambda: ed.diagnostics(uri, "not-run"), "nothing on opening again")


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_the_first_list_knows_what_a_slow_broken_tool_had_to_say(tmp_path):
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("cargo", "rustc"):
        tool = tools / name
        tool.write_text(f"#!/bin/sh\nsleep 0.6\n: > {tmp_path}/{name}\nexit 1\n")
        tool.chmod(0o755)
    path = os.pathsep.join([str(tools), "/usr/bin", "/bin"])
    environment = {"PATH": path, "CARGO_HOME": str(tmp_path), "HOME": str(tmp_path)}
    async with editor(tmp_path / "home", environment=environment) as ed:
        # Nobody has asked for anything, and no record was opened for it.
        await ed.until(lambda: (tmp_path / "rustc").exists(), "nobody looked for tools")
        assert not (tmp_path / "home").exists()
        found = await ed.command("tutor.curriculum")
        assert found["languages"][-1] == "rust"
        assert list(found["recommended"])[-1] == "rust"
