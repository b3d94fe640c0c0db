"""Small exercises for tests: made, run and explained."""

import asyncio

import pytest
from processes import gone, shown

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.process.contain import Contain

LIMITS = RunLimits(total_s=60, test_s=4, output_bytes=2000)
"""Time for a process to start on a machine under load."""
TOOLS = toolchains(contain=Contain(enabled=False))


def write(folder, files):
    """Write texts and bytes below a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def make(folder, language, files):
    """A complete exercise of these files."""
    texts = {name: text for name, text in files.items() if isinstance(text, str)}
    return write(folder, {**TOOLS[language].complete(texts), **files})


async def outcomes(language, workspace, **options):
    """The report, and its tests by name."""
    report = await TOOLS[language].run(workspace, **{"limits": LIMITS, **options})
    return report, {test.name: test for test in report.tests}


def python_exercise(folder, source, tests):
    """An exercise of one module and one test file that imports all of it."""
    return make(
        folder,
        "python",
        {
            "src/exercise/words.py": source,
            "tests/test_words.py": f"from exercise.words import *\nimport pytest\n{tests}",
        },
    )


async def check_missing_tool(monkeypatch, folder, language, program, script, *said):
    """A run where just this script stands for the program, or nothing (None), is refused with
    these words; returns what the probe says then."""
    workspace = make(folder / "exercise", language, {"src/a": "", "tests/a": ""})
    only = folder / "bin"
    only.mkdir()
    if script:
        (only / program).write_text(f"#!/bin/sh\n{script}\n")
        (only / program).chmod(0o755)
    monkeypatch.setenv("PATH", str(only))
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.delenv("CARGO_HOME", raising=False)
    tool = toolchains(contain=Contain(enabled=False))[language]
    with pytest.raises(TutorError) as caught:
        await tool.run(workspace)
    assert caught.value.kind == "TOOLCHAIN_MISSING"
    for words in said:
        assert words in caught.value.message
    return await tool.probe()


async def check_cancelling(running, word, mark):
    """A run is cancelled once a process of it has that word; then none of them is left."""
    task = asyncio.create_task(running)
    await shown(word, mark)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await gone(mark)
