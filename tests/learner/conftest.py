"""A learner per test."""

import pytest_asyncio
from learner_kit import learner


@pytest_asyncio.fixture
async def me(tmp_path):
    """A learner with an empty home."""
    async with learner(tmp_path / "home") as found:
        yield found
