"""An editor per test, and no process of ours left behind."""

import os
from pathlib import Path

import pytest
import pytest_asyncio
from editor import editor


def _processes(marker: str) -> list[str]:
    """Command lines of living processes whose environment has this tutor home."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            environment = (entry / "environ").read_bytes()
            state = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0]
        except OSError:
            continue
        if marker.encode() in environment and state != "Z" and int(entry.name) != os.getpid():
            found.append((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode())
    return found


@pytest.fixture(autouse=True)
def _no_orphans(tmp_path):
    yield
    assert _processes(f"TUTOR_LSP_HOME={tmp_path}") == []


@pytest_asyncio.fixture
async def ed(tmp_path):
    """A Neovim-like editor with a home of its own."""
    async with editor(tmp_path / "home") as found:
        yield found
