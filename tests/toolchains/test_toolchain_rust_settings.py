"""What a learner has set for all of cargo's builds holds for the tutor's builds too."""

import platform

import pytest
from toolchain_kit import make, outcomes, write

from tutor_lsp.core.exercise.report import RunOutcome
from tutor_lsp.languages.rust.environment import rust_environment
from tutor_lsp.languages.rust.settings import Host, own_flags

HOME = '[build]\nrustflags = ["--cfg", "home"]\n'
ABOVE = '[build]\nrustflags = "--cfg above"\n'
TRIPLE = "riscv5-none-mars"


def target(name, flags='["-Cdebuginfo=0"]'):
    return f"[target.'{name}']\nrustflags = {flags}\n"


TARGET = target("cfg(unix)")


class Named(Host):
    async def triple(self):
        return TRIPLE


@pytest.mark.parametrize(
    ("files", "flags"),
    [
        ({}, []),
        ({"home/config.toml": HOME}, ["--cfg", "home"]),
        ({"home/config.toml": HOME, ".cargo/config.toml": ABOVE},
         ["--cfg", "home", "--cfg", "above"]),
        ({"work/.cargo/config": ABOVE, "work/.cargo/config.toml": HOME}, ["--cfg", "above"]),
        ({"home/config.toml": HOME, ".cargo/config.toml": TARGET}, []),
        ({"home/config.toml": HOME, ".cargo/config.toml": target("riscv7-none-moon")},
         ["--cfg", "home"]),
        ({"home/config.toml": HOME, ".cargo/config.toml": target(TRIPLE)}, []),
        ({"home/config.toml": HOME, ".cargo/config.toml": target("riscv7-none-moon"),
          "work/.cargo/config.toml": target(TRIPLE)}, []),
        ({"home/config.toml": HOME + 'target = "riscv7-none-moon"\n',
          ".cargo/config.toml": target("riscv7-none-moon")}, []),
        ({"home/config.toml": HOME + 'target = ["riscv7-none-moon"]\n',
          ".cargo/config.toml": target(TRIPLE)}, ["--cfg", "home"]),
        ({"home/config.toml": HOME, ".cargo/config.toml": target(TRIPLE, flags="[]")},
         ["--cfg", "home"]),
        ({"home/config.toml": "[build", ".cargo/config.toml": ABOVE}, ["--cfg", "above"]),
        ({"home/config.toml": "build = 3\ntarget = 4\n"}, []),
        ({"home/config.toml": "[build]\nrustflags = [3]\n"}, []),
        ({"home/config.toml": b"\xff"}, []),
    ],
)  # fmt: skip
async def test_flags_are_joined_as_cargo_does(tmp_path, files, flags):
    write(tmp_path, files)
    environment = {"CARGO_HOME": str(tmp_path / "home")}
    assert await own_flags(tmp_path / "work", environment, Named()) == flags


@pytest.mark.cargo
async def test_rustc_says_what_it_builds_for():
    host = Host()
    triple = await host.triple()
    assert triple.startswith(platform.machine().replace("arm64", "aarch64"))
    assert await host.triple() == triple


TESTS = '#[test]\nfn told() {\n    assert!(cfg!(above), "not told");\n}\n'


@pytest.mark.cargo
@pytest.mark.xdist_group("cargo")
async def test_a_build_gets_them_and_a_test_still_passes(tmp_path):
    write(tmp_path, {".cargo/config.toml": ABOVE + target("riscv7-none-moon")})
    folder = make(tmp_path / "work", "rust", {"src/lib.rs": "", "tests/told.rs": TESTS})
    report, _ = await outcomes("rust", folder)
    assert report.outcome is RunOutcome.PASSED, report


def test_cargo_is_found_where_rustup_puts_it_if_the_path_has_none(tmp_path, monkeypatch):
    def path(**source):
        for name, value in {"PATH": "/nowhere", "CARGO_HOME": "", **source}.items():
            monkeypatch.setenv(name, value)
        return rust_environment()["PATH"]

    def cargo(folder):
        folder.mkdir(parents=True)
        (folder / "cargo").touch(0o755)
        return str(folder)

    home, other, shell = tmp_path / "home", tmp_path / "other", tmp_path / "shell"
    assert path(HOME=str(home), CARGO_HOME=str(other)) == "/nowhere"
    usual = cargo(home / ".cargo" / "bin")
    assert path(HOME=str(home), CARGO_HOME=str(other)) == f"/nowhere:{usual}"
    own = cargo(other / "bin")
    assert path(HOME=str(home), CARGO_HOME=str(other)) == f"/nowhere:{own}"
    assert path(HOME=str(home), CARGO_HOME="") == f"/nowhere:{usual}"
    found = cargo(shell)
    assert path(HOME=str(home), PATH=found) == found
