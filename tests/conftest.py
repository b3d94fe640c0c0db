"""Common to all tests: tools that may be missing, and which tests are long."""

import gc
import os
import shutil
import subprocess
import time
from collections import Counter

import known_tools
import pytest
import quick
from hypothesis import HealthCheck, settings
from started_home import first_home

__all__ = ["first_home"]

# Property tests draw the same examples on every machine: some in `make test`, more in the long run.
# Times of examples say how loaded the machine is, not whether the code is right.
STEADY = settings(
    deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], max_examples=100
)
settings.register_profile("few", STEADY, max_examples=10)
settings.register_profile("long", STEADY)
settings.register_profile("thorough", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "few"))

os.environ["TUTOR_LSP_RESIDENT"] = "never"  # whoever tests it, ends it
quick.install()
known_tools.install()
gc.disable()  # until all tests are collected


def _cargo_works() -> bool:
    if shutil.which("cargo") is None:
        return False
    return subprocess.run(["cargo", "--version"], capture_output=True, check=False).returncode == 0


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    _leave_to_the_long_run(items, whole=not any("::" in each for each in config.args))
    silent = [item.nodeid for item in items for mark in item.iter_markers("long") if not mark.args]
    if silent:
        raise pytest.UsageError(f"long without saying why: {silent}")
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
                item.add_marker(pytest.mark.long("one of many like cases"))
        for mark in item.iter_markers("sample"):
            test = item.nodeid.partition("[")[0]
            missing.setdefault(test, set(mark.args)).discard(item.callspec.id)
            if item.callspec.id not in mark.args:
                item.add_marker(pytest.mark.long("one of many like cases"))
    unknown = {test: names for test, names in missing.items() if names}
    if whole and unknown:
        raise pytest.UsageError(f"samples that are no cases: {unknown}")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session):
    _name_the_groups(session.items)
    # Thousands of items stay for good: no collection of garbage needs to look at them.
    gc.freeze()
    gc.set_threshold(10_000)
    gc.enable()


def _name_the_groups(items):
    """Let each id end with its group, by which xdist sends tests to one process: its release 3.8
    writes that where pytest 9.2 no longer looks (pytest-xdist#1386), and no group holds."""
    for item in items:
        named = vars(item).get("_nodeid")
        if named not in (None, item.nodeid):
            item._id = item.id.parse(named)


@pytest.fixture
def in_zone(monkeypatch):
    """Puts this process into a time zone."""

    def use(zone):
        monkeypatch.setenv("TZ", zone)
        time.tzset()

    yield use
    monkeypatch.undo()
    time.tzset()
