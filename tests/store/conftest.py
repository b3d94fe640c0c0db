import pytest


@pytest.fixture
def path(tmp_path):
    return tmp_path / "my home" / "tutor" / "tutor.db"
