"""Unpacks the server and all that it needs for one target into build/target, from where it goes
into the .vsix of that target.

    python scripts/libraries.py TARGET WHEEL [--python ARCHIVE --sha256 SUM]

Wheels come from the package index that pip is configured for. What runs with every version of
Python (written in Python alone, or compiled for the stable ABI) goes to libs/any, once; what was
compiled for one version to libs/cp311 and so on, without what only debuggers read. Modules go into
one file, see modules.py.
ARCHIVE (a file, or an address) holds a relocatable CPython for the target, which goes to python/:
what python-build-standalone publishes as install_only_stripped. Such a package has libraries for
the version of that Python alone. libs/contents.json says which files there must be.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from carried_python import carry
from elf import clear_debugging
from modules import pack

ROOT = Path(__file__).parents[1] / "build" / "target"
LIBS = ROOT / "libs"
PYTHON = ROOT / "python"
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
GLIBC = 28
"""The newest minor version of glibc that a wheel may need: the one that VS Code itself needs."""
MANYLINUX = [f"manylinux_2_{minor}" for minor in range(GLIBC, 16, -1)] + ["manylinux2014"]
PLATFORMS = {
    "linux-x64": [f"{each}_x86_64" for each in MANYLINUX],
    "linux-arm64": [f"{each}_aarch64" for each in MANYLINUX],
    "darwin-x64": ["macosx_11_0_x86_64"],
    "darwin-arm64": ["macosx_11_0_arm64"],
}
UNUSED = re.compile(
    r"(^|/)(tests?|testing)/|\.(pyi|pyx|pxd|c|h|cpp|hpp)$|^pydantic/(v1/|mypy\.py|_hypothesis)"
)
"""Files of other packages that nothing needs where they run."""
NEEDED = re.compile(r"^(_pytest|pytest|pygments)/")
"""Where nothing is a test, whatever its name."""


def main() -> None:
    """Do what the command line says; ends with 1 and a sentence where that cannot be."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("target", choices=sorted(PLATFORMS))
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--python", metavar="ARCHIVE")
    parser.add_argument("--sha256", metavar="SUM")
    given = parser.parse_args()
    for folder in (LIBS, PYTHON):
        shutil.rmtree(folder, ignore_errors=True)
    versions: Sequence[str] = VERSIONS
    if given.python:
        # Libraries for others would only make the package larger.
        versions = [carry(given.python, given.sha256, PYTHON)]
    with tempfile.TemporaryDirectory() as scratch:
        fetch(given.target, versions, given.wheel, Path(scratch))
    for library in LIBS.rglob("*.so"):
        clear_debugging(library)
    ahead = pack(LIBS, versions)
    missing = [version for version in versions if version not in ahead]
    if missing:
        sys.stdout.write(
            f"no code for Python {', '.join(missing)}: a first start with it compiles\n"
        )
    (LIBS / "target").write_text(f"{given.target}\n")
    sizes = {
        str(path.relative_to(ROOT)): path.stat().st_size
        for top in (LIBS, PYTHON)
        for path in sorted(top.rglob("*"))
        if path.is_file()
    }
    (LIBS / "contents.json").write_text(json.dumps({"files": sizes}, indent=0) + "\n")
    total = sum(sizes.values()) / 1e6
    sys.stdout.write(f"libs for {given.target}: {len(sizes)} files, {total:.1f} MB\n")


def fetch(target: str, versions: Sequence[str], wheel: Path, scratch: Path) -> None:
    """Fill libs/. Every version of Python gets the same versions of all packages."""
    first, *others = versions
    wheels = download(target, first, scratch / first, [str(wheel)])
    shared = [each for each in wheels if each.name.endswith("-any.whl") or is_stable(each)]
    compiled = [each for each in wheels if each not in shared]
    for each in shared:
        unpack(each, LIBS / "any")
    pins = ["==".join(each.name.split("-")[:2]) for each in compiled]
    for version in versions:
        if version in others:
            compiled = download(target, version, scratch / version, ["--no-deps", *pins])
        for each in compiled:
            unpack(each, LIBS / f"cp{version.replace('.', '')}")


def is_stable(wheel: Path) -> bool:
    """Whether a compiled wheel is for the first supported version of Python and all later ones."""
    return wheel.stem.split("-")[-2] == "abi3"


def download(target: str, version: str, folder: Path, wanted: Sequence[str]) -> list[Path]:
    """The wheels for a version of Python on a target. Exits where one is not to be had."""
    platforms = [part for each in PLATFORMS[target] for part in ("--platform", each)]
    python = ["--implementation", "cp", "--python-version", version]
    abi = ["--abi", f"cp{version.replace('.', '')}"]
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    only = ["--only-binary=:all:", "--no-input", "--dest", str(folder)]
    ended = subprocess.run(
        [*pip, *only, *platforms, *python, *abi, *wanted],
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    if ended.returncode != 0:
        sys.exit(f"{ended.stderr}\nNot all wheels for {target} and Python {version} can be had.")
    return sorted(folder.glob("*.whl"))


def unpack(wheel: Path, folder: Path) -> None:
    """Unpack what the modules of a wheel need; several wheels may share a folder."""
    own = wheel.name.startswith("tutor_lsp-")
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            place = placed(name)
            if place is None or name.endswith("/") or (not own and is_unused(place)):
                continue
            path = folder / place
            if path.exists():
                sys.exit(f"{place} is in two wheels, of which one is {wheel.name}")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(archive.read(name))


def is_unused(place: str) -> bool:
    """Whether nothing needs the file where the package only runs. Licences stay."""
    return UNUSED.search(place) is not None and NEEDED.search(place) is None


def placed(name: str) -> str | None:
    """Where a file of a wheel belongs beside the modules; None for programs, and for the list of
    what was in the wheel."""
    top, *rest = PurePosixPath(name).parts
    if rest[-1:] == ["RECORD"]:
        return None
    if not top.endswith(".data"):
        return name
    return "/".join(rest[1:]) if rest[0] in ("purelib", "platlib") else None


if __name__ == "__main__":
    main()
