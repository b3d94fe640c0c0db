"""Common to all tests: tools that may be missing, and which of many like cases are long."""

import gc
import os
import shutil
import subprocess
from collections import Counter

import pytest
import quick
from hypothesis import HealthCheck, settings

# Times of examples say how loaded the machine is, not whether the code is right.
settings.register_profile("tests", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tests")

quick.install()


def _cargo_works() -> bool:
    if shutil.which("cargo") is None:
        return False
    return subprocess.run(["cargo", "--version"], capture_output=True, check=False).returncode == 0


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    _leave_to_the_long_run(items, whole=not any("::" in each for each in config.args))
    needing = [item for item in items if item.get_closest_marker("cargo")]
    if needing and not _cargo_works():
        if os.environ.get("CI") == "true":
            pytest.exit("cargo does not work here, and CI=true: Rust tests cannot be skipped", 1)
        for item in needing:
            item.add_marker(pytest.mark.skip(reason="cargo does not work here"))


def _leave_to_the_long_run(items, whole):
    """Mark the cases `long` that a `sample` of their test does not name, each of which must exist;
    and where there is none those beyond the `first` so many."""
    missing, seen = {}, Counter()
    for item in items:
        first = item.get_closest_marker("first")
        if first is not None and item.get_closest_marker("sample") is None:
            test = item.nodeid.partition("[")[0]
            seen[test] += not item.get_closest_marker("long")
            if seen[test] > first.args[0]:
                item.add_marker(pytest.mark.long)
        for mark in item.iter_markers("sample"):
            test = item.nodeid.partition("[")[0]
            missing.setdefault(test, set(mark.args)).discard(item.callspec.id)
            if item.callspec.id not in mark.args:
                item.add_marker(pytest.mark.long)
    unknown = {test: names for test, names in missing.items() if names}
    if whole and unknown:
        raise pytest.UsageError(f"samples that are no cases: {unknown}")


def pytest_collection_finish():
    # Thousands of items stay for good: no collection of garbage needs to look at them.
    gc.freeze()
