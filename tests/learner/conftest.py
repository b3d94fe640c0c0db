"""A learner per test."""

import pytest_asyncio
from learner_kit import learner
from warm_python import warm_python

__all__ = ["warm_python"]


@pytest_asyncio.fixture
async def me(tmp_path):
    """A learner with an empty home."""
    async with learner(tmp_path / "home") as found:
        yield found
