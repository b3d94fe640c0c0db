"""What the tests of backends that start a command line have in common."""

import asyncio
import json
import os
import stat
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import stage_samples as samples

from tutor_lsp.core.stage import Role, StageRequest


class FakeCommand:
    """A script in a folder under the name of a command; `plan` says what it does."""

    name: str
    main: str

    def __init__(self, folder: Path, **plan) -> None:
        self.folder = folder
        self.path = folder / self.name
        self.path.write_text(self.main.format(python=sys.executable), "utf-8")
        self.path.chmod(self.path.stat().st_mode | stat.S_IXUSR)
        self.plan(**plan)

    def plan(self, **plan) -> None:
        (self.folder / "plan.json").write_text(json.dumps(plan), "utf-8")

    @property
    def asked(self) -> bool:
        return (self.folder / "seen.json").exists()

    @property
    def seen(self) -> dict:
        return json.loads((self.folder / "seen.json").read_text("utf-8"))


@contextmanager
def no_file_left(tmp_path, monkeypatch):
    """Temporary files go to a folder of their own, which is empty again at the end."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    yield
    assert list(scratch.iterdir()) == [], "temporary files are left"


def request(limit_s: float = 30.0) -> StageRequest:
    return replace(samples.request(Role.TEST), limit_s=limit_s)


async def until(condition, seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        await asyncio.sleep(0.01)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
