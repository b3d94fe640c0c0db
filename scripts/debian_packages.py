"""Programs of Debian suites unpacked into a folder, started with the libc that belongs to them."""

import os
import platform
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
COMMAND_LIMIT_S = 300


class UnobtainableError(Exception):
    """This program cannot be had on this machine; the text says why."""


@dataclass(frozen=True)
class Program:
    """A package, where its program may lie below the root, and how it is started.

    `environment`, `arguments` and `called`, which it takes for its own path, may name `$root`, the
    folder that holds `usr`.
    """

    package: str
    suite: str
    binaries: Sequence[str]
    environment: str = ""
    arguments: str = ""
    called: str = "$0"


def run(argv: Sequence[str | Path], *, cwd: Path | None = None) -> str:
    """What a command prints. Raises UnobtainableError with its last line if it fails."""
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


def launcher(path: Path, command: str) -> None:
    """A script that starts `command`. Its folder may be moved: `$here` is where it lies."""
    path.write_text(f'#!/bin/sh\nhere=$(cd "${{0%/*}}" && pwd)\n{command} "$@"\n')
    path.chmod(0o755)


def fetch(program: Program) -> Callable[[Path, Path], None]:
    """A recipe that unpacks a program into a folder and writes its launcher."""

    def into(folder: Path, start: Path) -> None:
        root = unpack(folder, program.suite, program.package)
        found = [path for pattern in program.binaries for path in sorted(root.glob(pattern))]
        binary = next((path for path in found if path.is_file()), None)
        loader = next(iter(sorted(root.glob("usr/lib/*/ld-linux*.so.*"))), None)
        if binary is None or loader is None:
            raise UnobtainableError(f"{program.package} of {program.suite} held no program or libc")
        below = loader.parent.relative_to(root)
        launcher(
            start,
            f'root="$here/root"\n{program.environment} '
            f'exec "$root/{loader.relative_to(root)}" --argv0 "{program.called}" '
            f'--library-path "$root/{below}" "$root/{binary.relative_to(root)}" '
            f"{program.arguments}",
        )

    return into


def unpack(folder: Path, suite: str, package: str) -> Path:
    """The root folder into which a package was unpacked with everything it needs."""
    root = folder / "root"
    for archive in _download(folder / "apt", suite, package):
        run(["dpkg-deb", "-x", archive, root])
    shutil.rmtree(folder / "apt")
    return root


def _download(private: Path, suite: str, package: str) -> list[Path]:
    """A package of a suite with everything it needs, by an apt that has its own state."""
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
        "APT::Architecture": run(["dpkg", "--print-architecture"]).strip(),
        "APT::Install-Recommends": "false",
        "APT::Update::Post-Invoke-Success::": "",
        "Acquire::Languages": "none",
        "Binary::apt-get::APT::Keep-Downloaded-Packages": "true",
        "DPkg::Post-Invoke::": "",
        "APT::Sandbox::User": "root" if os.geteuid() == 0 else "",
    }
    apt = ["apt-get", "-q", *(f"-o{key}={value}" for key, value in options.items())]
    run([*apt, "update"])
    run([*apt, "install", "-y", "--download-only", package])
    return sorted((private / "archives").glob("*.deb"))


def _mirror() -> str:
    """The mirror that this machine is set up with."""
    try:
        system = platform.freedesktop_os_release()
    except OSError:
        system = {}
    if system.get("ID") != "debian":
        raise UnobtainableError("needs a Debian machine, whose mirror it can use")
    wanted = ["--no-release-info", "--format", "$(RELEASE) $(REPO_URI)", "Created-By: Packages"]
    for line in run(["apt-get", "indextargets", *wanted]).splitlines():
        release, _, uri = line.partition(" ")
        if release == system.get("VERSION_CODENAME"):
            return uri
    raise UnobtainableError("no Debian mirror is configured on this machine")
