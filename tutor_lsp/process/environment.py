"""The environment that children get: an allow-list, never the server's own."""

import os
import shutil
from collections.abc import Iterable, Mapping

ALLOWED = frozenset(
    {
        "PATH",
        "HOME",
        "USER",
        "LOGNAME",
        "LANG",
        "LANGUAGE",
        "TMPDIR",
        "TZ",
        "CARGO_HOME",
        "RUSTUP_HOME",
        "RUSTUP_TOOLCHAIN",
        "XDG_RUNTIME_DIR",
        # without these two the linker of macOS finds no system libraries
        "SDKROOT",
        "DEVELOPER_DIR",
    }
)
"""Names that reach every child, beside `LC_*`. RUST_BACKTRACE must never be one of them."""


def child_environment(
    extra: Mapping[str, str] | None = None,
    *,
    also: Iterable[str] = (),
    source: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """The environment of a child: the allow-list, names in `also`, then `extra` on top.

    `source` is what values are taken from (default: this process's environment). A PATH is always
    there; if it has no cargo, the folder follows that rustup puts it into.
    """
    values = os.environ if source is None else source
    names = ALLOWED.union(also)
    chosen = {
        name: value for name, value in values.items() if name in names or name.startswith("LC_")
    }
    chosen["PATH"] = _with_cargo(chosen.get("PATH", os.defpath), values)
    chosen.update(extra or {})
    return chosen


def _with_cargo(path: str, values: Mapping[str, str]) -> str:
    """An editor that was started from a desktop lacks what the shell adds to its PATH."""
    if shutil.which("cargo", path=path) is not None:
        return path
    own, home = values.get("CARGO_HOME"), values.get("HOME")
    folders = [f"{own}/bin"] if own else []
    folders += [f"{home}/.cargo/bin"] if home else []
    found = next((folder for folder in folders if shutil.which("cargo", path=folder)), None)
    return f"{path}{os.pathsep}{found}" if found is not None else path
