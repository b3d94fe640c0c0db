"""A tutor per test."""

import pytest_asyncio
from tutor_kit import tutor


@pytest_asyncio.fixture
async def t(tmp_path):
    """An application with a home of its own."""
    async with tutor(tmp_path / "home") as found:
        yield found
