"""Small exercises for tests: made, run and explained."""

import asyncio
import os
import time
from pathlib import Path

from tutor_lsp.core.ports import RunLimits
from tutor_lsp.process.contain import Contain
from tutor_lsp.toolchains.registry import toolchains

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


def marked(mark):
    """Every other process that has the mark in its environment."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            environment = (entry / "environ").read_bytes()
            words = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if mark.encode() in environment and int(entry.name) != os.getpid():
            found.append(" ".join(words))
    return found


async def gone(mark):
    """Wait until no such process is left: what was killed takes a moment to disappear."""
    deadline = time.monotonic() + 2
    while left := marked(mark):
        assert time.monotonic() < deadline, left
        await asyncio.sleep(0.01)
