"""Builds a release from a tag, checks it, and says how it is published.

    python scripts/release.py v1.2.3             the tag must be checked out
    python scripts/release.py v1.2.3 --dry-run   the tag may be still to come; nothing to publish

Needs the extra `release` (make release TAG=v1.2.3 installs it), Node and npm. Everything lands in
dist/release. Ends with 1 and every reason where something does not agree or does not work.
Packages of the extension carry the Python that editors/vscode/scripts/pythons.toml names, where it
can be fetched.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import release_checks as checks
import release_facts
import release_pythons

ROOT = Path(__file__).resolve().parents[1]
VSCODE = ROOT / "editors" / "vscode"
OUT = ROOT / "dist" / "release"
TARGETS = ("linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64")
TOPIC = "python-functions"
NOT_PASSING = 3


class ReleaseError(Exception):
    """Why there is no release, one sentence a line."""


def demand(wrong: Iterable[str]) -> None:
    """Raise ReleaseError with what is wrong, if anything is."""
    sentences = list(wrong)
    if sentences:
        raise ReleaseError("\n".join(sentences))


def run(
    words: Sequence[str | Path],
    *,
    cwd: Path = ROOT,
    environment: Mapping[str, str] | None = None,
    code: int = 0,
) -> str:
    """What a command prints; it must end with `code`. Raises ReleaseError."""
    try:
        done = subprocess.run(
            words,
            cwd=cwd,
            env=os.environ | (environment or {}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError as error:
        raise ReleaseError(f"{words[0]} cannot be run: {error}") from error
    if done.returncode != code:
        said = (done.stdout + done.stderr).strip()
        command = " ".join(map(str, words))
        raise ReleaseError(f"`{command}` ended with {done.returncode}, not {code}:\n{said[-3000:]}")
    return done.stdout


def tool(name: str) -> str:
    """A program of the environment that this runs in."""
    return str(Path(sys.executable).with_name(name))


def build_python(scratch: Path) -> tuple[Path, Path]:
    """The sdist and the wheel that is made from it, which equals the one made from the tree."""
    build = [sys.executable, "-m", "build", "--no-isolation"]
    run([*build, "--outdir", OUT])
    run([*build, "--wheel", "--outdir", scratch])
    (wheel,) = OUT.glob("*.whl")
    (sdist,) = OUT.glob("*.tar.gz")
    demand(checks.same_wheels(wheel, scratch / wheel.name))
    run([sys.executable, "-m", "twine", "check", "--strict", wheel, sdist])
    return sdist, wheel


def check_installed(wheel: Path, version: str, scratch: Path) -> None:
    """The wheel in an environment of its own, and as uvx and pipx run it without one."""
    venv.create(scratch / "venv", with_pip=True)
    programs = scratch / "venv" / "bin"
    run([programs / "python", "-m", "pip", "install", "--quiet", wheel])
    # rustup keeps compilers in the home folder; a new home must not hide them.
    rust = {
        name: os.environ.get(name, str(Path.home() / folder))
        for name, folder in (("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup"))
    }
    home = rust | {
        "HOME": str(scratch / "home"),
        "TUTOR_LSP_HOME": str(scratch / "home" / "tutor-lsp"),
    }
    (scratch / "home").mkdir()
    installed = [programs / "tutor-lsp"]
    said = run([*installed, "--version"], environment=home)
    if said.split()[-1:] != [version]:
        raise ReleaseError(f"The installed wheel says {said.strip()}, but the tag {version}.")
    run([*installed, "doctor"], environment=home)
    run([*installed, "demo", "--remove"], environment=home)
    for name, runner in {
        "uvx": [tool("uvx"), "--isolated", "--from", wheel],
        "pipx": [tool("pipx"), "run", "--no-cache", "--spec", wheel],
    }.items():
        own = {
            "HOME": str(scratch / name),
            "TUTOR_LSP_HOME": str(scratch / name / "tutor-lsp"),
            "PIPX_HOME": str(scratch / name / "pipx"),
            "UV_CACHE_DIR": str(scratch / "uv"),
        }
        (scratch / name).mkdir()
        run([*runner, "tutor-lsp", "start", "--node", TOPIC], environment=own)
        # The tests of the exercise run, and fail on its stubs.
        run([*runner, "tutor-lsp", "check"], environment=own, code=NOT_PASSING)
        for editor in ("neovim", "emacs"):
            run([*runner, "tutor-lsp", "editor-path", editor], environment=own)


def build_extensions(targets: Sequence[str], pythons: Mapping[str, tuple[str, str]]) -> list[Path]:
    """The packages of the extension, each checked: one for each target, with the Python that is
    given for it by archive and checksum, and one for every other machine."""
    run(["npm", "ci", "--loglevel=error"], cwd=VSCODE)
    own = {"TUTOR_LSP_BUILD_PYTHON": sys.executable}
    run(["npm", "run", "--silent", "package"], cwd=VSCODE, environment=own)
    for target in targets:
        archive = ()
        if target in pythons:
            file, checksum = pythons[target]
            archive = ("--python", file, "--sha256", checksum)
        run(["scripts/package.sh", target, *archive], cwd=VSCODE, environment=own)
    built = []
    for name in ("tutor-lsp", *(f"tutor-lsp-{target}" for target in targets)):
        package = OUT / f"{name}.vsix"
        shutil.copy(VSCODE / "dist" / package.name, package)
        run(["node", "scripts/verify-vsix.mjs", package], cwd=VSCODE)
        built.append(package)
    return built


def mason_entry(facts: release_facts.Facts, version: str) -> Path:
    """The entry for mason's registry."""
    path = OUT / "mason" / "packages" / "tutor-lsp" / "package.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(release_facts.mason(facts, version), encoding="utf-8")
    return path


def how_to_publish(
    tag: str, python: Sequence[Path], vsix: Sequence[Path], mason: Path, remarks: Sequence[str]
) -> str:
    """The commands that publish what was built, and remarks on it."""
    near = [str(path.relative_to(ROOT)) for path in python]
    extensions = " ".join(str(path.relative_to(ROOT)) for path in vsix)
    return "\n".join(
        [
            f"git push origin {tag}",
            f"python -m twine upload {' '.join(near)}",
            f"npx @vscode/vsce publish --packagePath {extensions}",
            *(f"npx ovsx publish {path.relative_to(ROOT)}" for path in vsix),
            f"# mason: offer {mason.relative_to(ROOT)} to its registry",
            *(f"# {each}" for each in remarks),
        ]
    )


def release(
    tag: str,
    *,
    rehearsal: bool,
    targets: Sequence[str] = TARGETS,
    pythons: Mapping[str, tuple[str, str]] | None = None,
) -> str:
    """Build and check; how to publish it. `pythons`: archive and checksum of those that are not to
    be fetched. Raises ReleaseError, FactsError, PythonsError."""
    facts = release_facts.read()
    demand(checks.facts_missing(facts))
    version = checks.version_of(tag)
    if version is None:
        raise ReleaseError(f"{tag} is no tag of a version, such as v1.2.3.")
    demand(
        [
            *checks.versions(ROOT, version),
            *checks.links(facts, ROOT),
            *checks.state(ROOT, tag, rehearsal=rehearsal),
        ]
    )
    given = pythons or {}
    print("Fetching a Python for each package …", flush=True)
    fetched, without = release_pythons.fetch(ROOT, [each for each in targets if each not in given])
    print(*without, sep="\n", end="\n" if without else "", flush=True)
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as scratch:
        print("Building sdist and wheel …", flush=True)
        python = build_python(Path(scratch))
        print("Checking the wheel: pip, uvx, pipx …", flush=True)
        check_installed(python[1], version, Path(scratch))
    print(f"Building the extension: {', '.join(targets)} …", flush=True)
    extensions = build_extensions(targets, fetched | given)
    return how_to_publish(tag, python, extensions, mason_entry(facts, version), without)


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code 0, or 1 with the reasons on stderr."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("tag", help="such as v1.2.3")
    parser.add_argument("--dry-run", action="store_true", help="all of it, but nothing to publish")
    parser.add_argument(
        "--target",
        action="append",
        choices=TARGETS,
        help="a target of the extension; default: all of them",
    )
    parser.add_argument(
        "--python",
        action="append",
        nargs=3,
        default=[],
        metavar=("TARGET", "ARCHIVE", "SHA256"),
        help="a relocatable CPython for this target's package, instead of the one named for it",
    )
    chosen = parser.parse_args(argv)
    try:
        commands = release(
            chosen.tag,
            rehearsal=chosen.dry_run,
            targets=chosen.target or TARGETS,
            pythons={target: (file, checksum) for target, file, checksum in chosen.python},
        )
    except (ReleaseError, release_facts.FactsError, release_pythons.PythonsError) as error:
        print(error, file=sys.stderr)
        return 1
    built = sorted(path for path in OUT.rglob("*") if path.is_file())
    for path in built:
        print(f"{path.relative_to(ROOT)}  {path.stat().st_size / 1e6:.1f} MB")
    head = "After the tag, this would publish it:" if chosen.dry_run else "To publish it:"
    print(f"{head}\n{commands}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
