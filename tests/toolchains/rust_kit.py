"""The same Rust texts built by cargo and by rustc alone."""

from dataclasses import replace

import pytest
from toolchain_kit import LIMITS, make, write

from tutor_lsp.core.exercise.report import RunOutcome
from tutor_lsp.languages.rust.build import RustBuild
from tutor_lsp.languages.rust.direct.compiling import Plans
from tutor_lsp.languages.rust.toolchain import RustToolchain
from tutor_lsp.process.contain import Contain

FILES = {
    "src/lib.rs": "pub fn two() -> i32 { 2 }\n",
    "tests/numbers.rs": "#[test]\nfn test_two() { assert_eq!(exercise::two(), 2); }\n",
}


@pytest.fixture
def calls(monkeypatch):
    """A list with an entry for each call of cargo."""
    found = []
    cargo = RustBuild._cargo

    async def counting(self, *rest):
        found.append("cargo")
        return await cargo(self, *rest)

    monkeypatch.setattr(RustBuild, "_cargo", counting)
    return found


class Unlearned(Plans):
    """No plan is ever kept."""

    def put(self, key, plan, *, lasting=False):
        """Forget it."""


class Way:
    """A folder whose exercise is always built in one way; `level` is that of the containment."""

    def __init__(self, folder, *, direct, level=None):
        self.folder = folder
        contain = Contain(enabled=False) if level is None else Contain(level=level)
        self.tool = RustToolchain(contain=contain)
        if not direct:
            self.tool._kept = replace(self.tool._kept, plans=Unlearned())

    async def begin(self, files):
        """Make the exercise and build it once, as cargo does."""
        make(self.folder, "rust", files)
        return await self.tool.run(self.folder, limits=LIMITS)

    async def report(self, files):
        """What a run says of the exercise with these texts, but for times."""
        write(self.folder, files)
        report = await self.tool.run(self.folder, limits=LIMITS)
        tests = tuple(replace(test, duration_ms=0) for test in report.tests)
        return replace(report, duration_ms=0, tests=tests)


@pytest.fixture
async def ready(tmp_path, calls):
    """An exercise that rustc builds alone from now on."""
    way = Way(tmp_path / "one", direct=True)
    assert (await way.begin(FILES)).outcome is RunOutcome.PASSED
    calls.clear()
    return way
