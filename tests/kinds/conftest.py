"""No test may leave a process behind, and those of a module build in one folder."""

import pytest
from processes import no_process_left
from warm_python import warm_python

__all__ = ["no_process_left", "warm_python"]


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return tmp_path_factory.mktemp("work") / "exercise"
