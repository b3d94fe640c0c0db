"""Common to all tests: tools that may be missing, and no process left behind."""

import os
import shutil
import subprocess

import pytest
from hypothesis import HealthCheck, settings

# Times of examples say how loaded the machine is, not whether the code is right.
settings.register_profile("tests", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tests")


def _cargo_works() -> bool:
    if shutil.which("cargo") is None:
        return False
    return subprocess.run(["cargo", "--version"], capture_output=True, check=False).returncode == 0


def pytest_collection_modifyitems(items):
    needing = [item for item in items if item.get_closest_marker("cargo")]
    if needing and not _cargo_works():
        if os.environ.get("CI") == "true":
            pytest.exit("cargo does not work here, and CI=true: Rust tests cannot be skipped", 1)
        for item in needing:
            item.add_marker(pytest.mark.skip(reason="cargo does not work here"))
