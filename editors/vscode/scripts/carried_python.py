"""A relocatable CPython for a package, from an archive that python-build-standalone publishes as
`cpython-VERSION+DATE-TRIPLE-install_only_stripped.tar.gz`: a folder `python` with bin and lib.
"""

import hashlib
import os
import re
import shutil
import sys
import tarfile
import tempfile
import urllib.request
from pathlib import Path, PurePosixPath

UNUSED = re.compile(
    r"^(include|share)/"
    r"|^lib/(pkgconfig|tcl\d|tk\d|itcl\d|thread\d|Tix\d|libpython3|libtcl|libtk)"
    r"|^lib/python3\.\d+/(test|idlelib|ensurepip|tkinter|turtledemo|lib2to3|pydoc_data|venv"
    r"|site-packages|config-3[^/]*)/"
    r"|/(__pycache__|tests?)/|/lib-dynload/(_tkinter|_test|_ctypes_test|xx)[^/]*$|\.(a|pc)$"
)
"""What the server and an exercise's tests never need; the program itself needs no libpython."""


def carry(archive: str, checksum: str | None, folder: Path) -> str:
    """Unpack it into a folder, where `bin/python3` is the program; its version, such as `3.13`.
    Exits with a sentence where the archive is not what was asked for, or has no such layout."""
    if not re.fullmatch(r"[0-9a-f]{64}", checksum or ""):
        sys.exit("--python needs --sha256, the archive's checksum as its publisher states it.")
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "python.tar.gz"
        if re.match(r"https?://", archive):
            with urllib.request.urlopen(archive) as source, file.open("wb") as copy:  # noqa: S310
                shutil.copyfileobj(source, copy)
        else:
            shutil.copyfile(archive, file)
        found = hashlib.sha256(file.read_bytes()).hexdigest()
        if found != checksum:
            sys.exit(f"{archive} has the checksum {found}, not {checksum}.")
        _unpack(file, folder)
    program = folder / "bin" / "python3"
    versions = [each.name.removeprefix("python") for each in folder.glob("lib/python3.*")]
    if not os.access(program, os.X_OK) or len(versions) != 1:
        sys.exit(f"{archive} holds no python/bin/python3.N with its library.")
    return versions[0]


def _unpack(file: Path, folder: Path) -> None:
    with tarfile.open(file) as archive:
        for member in archive:
            top, *rest = PurePosixPath(member.name).parts
            name = "/".join(rest)
            if top != "python" or not member.isfile() or UNUSED.search(name):
                continue
            here, _, program = name.rpartition("/")
            if here == "bin":
                if not re.fullmatch(r"python3\.\d+", program):
                    continue
                # Packages of the editor keep no links, so the program itself has the plain name.
                name = "bin/python3"
            data = archive.extractfile(member)
            if data is None or ".." in rest:
                continue
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data.read())
            path.chmod(0o755 if member.mode & 0o100 else 0o644)
