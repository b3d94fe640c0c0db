"""What a learner has set for all of cargo's builds holds for the tutor's builds too."""

import pytest
from toolchain_kit import make, outcomes, write

from tutor_lsp.core.report import RunOutcome
from tutor_lsp.toolchains.rust_settings import own_flags

HOME = '[build]\nrustflags = ["--cfg", "home"]\n'
ABOVE = '[build]\nrustflags = "--cfg above"\n'
TARGET = '[target."cfg(unix)"]\nrustflags = ["-Cdebuginfo=0"]\n'


@pytest.mark.parametrize(
    ("files", "flags"),
    [
        ({}, []),
        ({"home/config.toml": HOME}, ["--cfg", "home"]),
        ({"home/config.toml": HOME, ".cargo/config.toml": ABOVE},
         ["--cfg", "home", "--cfg", "above"]),
        ({"work/.cargo/config": ABOVE, "work/.cargo/config.toml": HOME}, ["--cfg", "above"]),
        ({"home/config.toml": HOME, ".cargo/config.toml": TARGET}, []),
        ({"home/config.toml": "[build", ".cargo/config.toml": ABOVE}, ["--cfg", "above"]),
        ({"home/config.toml": "build = 3\ntarget = 4\n"}, []),
        ({"home/config.toml": "[build]\nrustflags = [3]\n"}, []),
        ({"home/config.toml": b"\xff"}, []),
    ],
)  # fmt: skip
def test_flags_are_joined_as_cargo_does(tmp_path, files, flags):
    write(tmp_path, files)
    work = tmp_path / "work"
    assert own_flags(work, {"CARGO_HOME": str(tmp_path / "home")}) == flags


TESTS = '#[test]\nfn told() {\n    assert!(cfg!(above), "not told");\n}\n'


@pytest.mark.cargo
@pytest.mark.xdist_group("cargo")
async def test_a_build_gets_them_and_a_test_still_passes(tmp_path):
    write(tmp_path, {".cargo/config.toml": ABOVE})
    folder = make(tmp_path / "work", "rust", {"src/lib.rs": "", "tests/told.rs": TESTS})
    report, _ = await outcomes("rust", folder)
    assert report.outcome is RunOutcome.PASSED, report
