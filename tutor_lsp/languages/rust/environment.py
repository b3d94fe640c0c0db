"""The environment that cargo and rustc get from us."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from tutor_lsp.process.environment import child_environment

WRAPPER = shutil.which("env") or ""
OWN = ("CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN")
"""Variables of ours that they get too. RUST_BACKTRACE must never be one of them."""


def rust_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """What `child_environment` lets through, and where cargo and rustup are. If PATH has no cargo,
    the folder follows that rustup puts it into."""
    environment = child_environment(extra, also=OWN)
    environment["PATH"] = _with_cargo(environment["PATH"], environment)
    return environment


def _with_cargo(path: str, values: Mapping[str, str]) -> str:
    """An editor that was started from a desktop lacks what the shell adds to its PATH."""
    if shutil.which("cargo", path=path) is not None:
        return path
    own, home = values.get("CARGO_HOME"), values.get("HOME")
    folders = [f"{own}/bin"] if own else []
    folders += [f"{home}/.cargo/bin"] if home else []
    found = next((folder for folder in folders if shutil.which("cargo", path=folder)), None)
    return f"{path}{os.pathsep}{found}" if found is not None else path


def cargo_environment(**extra: str) -> dict[str, str]:
    """`rust_environment` with cargo kept to compilers that are there.

    `RUSTC_WRAPPER` names a program that does nothing of its own, in the place of one that the
    learner's configuration may name: a cache of compilations is a server outside. An empty value
    would do that too, but cargo then asks rustc for its facts again at every start.
    """
    return rust_environment(
        {
            "RUSTUP_AUTO_INSTALL": "0",
            "CARGO_TERM_COLOR": "never",
            "RUSTC_WRAPPER": WRAPPER,
            **extra,
        }
    )


def run_environment(workspace: Path) -> dict[str, str]:
    """What builds and runs the tests of an exercise."""
    return cargo_environment(
        RUST_BACKTRACE="0",
        CARGO_PROFILE_DEV_DEBUG="0",
        CARGO_PROFILE_DEV_CODEGEN_UNITS="1",
        CARGO_MANIFEST_DIR=str(workspace),
    )
