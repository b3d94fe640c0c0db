"""Finding what a test left running, by a mark in the environment."""

import asyncio
import io
import os
import time
import uuid

import pytest

GONE_S = 15
"""Seconds that a machine under load may take to start or end one."""


def marked(mark):
    """Command lines of every other process that has the mark in its environment."""
    found = []
    for entry in os.scandir("/proc"):  # without pathlib: every test looks through all of them
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            if mark.encode() in _read(f"{entry.path}/environ"):
                words = _read(f"{entry.path}/cmdline").decode(errors="replace")
                found.append(words.replace("\0", " "))
        except OSError:
            continue
    return found


def _read(path):
    with io.FileIO(path) as file:
        return file.readall()


def waits(entry, command):
    """Whether a process below /proc is one that waits for a run: it has yet to read its settings
    from the descriptor that its last argument names."""
    words = command.split(b"\0")
    return b"--wait" in words and (entry / "fd" / words[-2].decode()).exists()


async def gone(mark):
    """Wait until no such process is left: what was killed takes a moment to disappear."""
    deadline = time.monotonic() + GONE_S
    while left := marked(mark):
        assert time.monotonic() < deadline, left
        await asyncio.sleep(0.01)


async def shown(word, mark):
    """Wait until a marked process has that word in its command line: exec takes a moment."""
    deadline = time.monotonic() + GONE_S
    while not any(word in one for one in marked(mark)):
        assert time.monotonic() < deadline, marked(mark)
        await asyncio.sleep(0.005)


@pytest.fixture(autouse=True)
def no_process_left(monkeypatch):
    """Children inherit LC_* by the allow-list: that is how they are found again."""
    mark = uuid.uuid4().hex
    monkeypatch.setenv("LC_TUTOR_TEST", mark)
    yield mark
    deadline = time.monotonic() + GONE_S
    while (left := marked(mark)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert left == []
