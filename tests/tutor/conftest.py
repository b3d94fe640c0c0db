"""A tutor per test."""

import sys
from pathlib import Path

import pytest_asyncio
from tutor_kit import tutor
from warm_python import warm_python

__all__ = ["warm_python"]

for name in ("toolchains", "authoring"):
    sys.path.insert(0, str(Path(__file__).parents[1] / name))


@pytest_asyncio.fixture
async def t(tmp_path):
    """An application with a home of its own."""
    async with tutor(tmp_path / "home") as found:
        yield found
