"""Finding what a test left running, by a mark in the environment."""

import asyncio
import os
import time
from pathlib import Path


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


async def shown(word, mark):
    """Wait until a marked process has that word in its command line: exec takes a moment."""
    deadline = time.monotonic() + 5
    while not any(word in one for one in marked(mark)):
        assert time.monotonic() < deadline, marked(mark)
        await asyncio.sleep(0.005)
