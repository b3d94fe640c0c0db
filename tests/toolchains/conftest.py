"""No test may leave a process behind."""

import time
import uuid

import pytest
from toolchain_kit import marked


@pytest.fixture(autouse=True)
def no_process_left(monkeypatch):
    """Children inherit LC_* by the allow-list: that is how they are found again."""
    mark = uuid.uuid4().hex
    monkeypatch.setenv("LC_TUTOR_TEST", mark)
    yield mark
    deadline = time.monotonic() + 15
    while (left := marked(mark)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert left == []
