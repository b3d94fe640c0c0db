"""Puts the Python modules of the libraries into one file, where launch.py finds them: an editor
takes as long to unpack a thousand small files as the server takes to start.

    python scripts/modules.py <NAMES    writes the code of these files to stdout, marshalled

The file begins with its length and that of an index, eight bytes each, then the index itself,
marshalled: for each module, by its path below libs/, where its source is, and its code for some
versions of Python. What is needed to start has code, so that the first start compiles nothing. All
that belongs to one module lies together, because the texts in it are the same and are packed as
one.
"""

import importlib.util
import marshal
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

NAME = Path("any", "modules.pack")
FILES = re.compile(r"tutor_lsp/(launch\.py$|library/[^/]+/|.*/(bridge|harness)/)")
"""Modules that must be files: exercises, and programs that are started or copied."""
LATER = re.compile(
    r"(_pytest|pytest|pluggy|iniconfig|packaging|pygments|rich|click|cattr|fsrs)/"
    r"|pydantic/(deprecated|experimental)/"
    r"|tutor_lsp/(cli/(demo|screen|work)|languages/((?!common/)\w+/proof|rust|c)"
    r"|tutor/(hinting|reviewing|learner/pages)"
    r"|authoring/(domain|locating|mistakes|own|refresher|signatures))/"
)
"""What no stub waits for, in the language that most begin with: its code is compiled where it is
used, most of it before anybody asks for it."""
AHEAD = 3
"""Versions whose code fits into a package of 25 MB: a first start with another one compiles."""
MANAGED = (".pyenv/versions/{0}*/bin/python", ".local/share/uv/python/cpython-{0}*/bin/python3")
LENGTH = 8
"""How many bytes each length in the file has."""


def pack(libs: Path, versions: Sequence[str]) -> list[str]:
    """Move modules into the file; returns the versions of Python that it has code for, which are
    the newest."""
    shared = libs / "any"
    modules = {
        path.relative_to(libs).as_posix(): path.read_bytes()
        for path in sorted(shared.rglob("*.py"))
        if is_packed(path, shared)
    }
    compiled: dict[str, dict[str, bytes]] = {}
    magic: dict[str, bytes] = {}
    for version in sorted(versions, key=_number, reverse=True):
        program = interpreter(version) if len(compiled) < AHEAD else None
        if program is not None:
            files = libs.glob(f"{tag(version)}/*/*.py")
            own = [path.relative_to(libs).as_posix() for path in files]
            needed = [name for name in modules if not LATER.match(name.partition("/")[2])]
            magic[cache(version)], compiled[version] = code(program, libs, [*own, *needed])
    index: dict[str, object] = {}
    parts: list[bytes] = []
    end = 0
    for name in sorted({*modules, *(name for each in compiled.values() for name in each)}):
        places: dict[str, tuple[int, int]] = {}
        for kind, part in [
            ("", modules.get(name)),
            *((cache(version), each.get(name)) for version, each in compiled.items()),
        ]:
            if part is not None:
                places[kind] = (end, len(part))
                parts.append(part)
                end += len(part)
        index[name] = places
    head = marshal.dumps({"magic": magic, "modules": index}, 2)
    whole = 2 * LENGTH + len(head) + end
    lengths = (each.to_bytes(LENGTH, "little") for each in (whole, len(head)))
    (libs / NAME).write_bytes(b"".join([*lengths, head, *parts]))
    for name in modules:
        (libs / name).unlink()
    for folder in sorted(shared.rglob("*/"), reverse=True):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
    return list(compiled)


def is_packed(path: Path, top: Path) -> bool:
    """Whether a module need not be a file: all folders around it are packages."""
    name = path.relative_to(top)
    packages = (top / parent / "__init__.py" for parent in name.parents[:-1])
    return FILES.match(name.as_posix()) is None and all(each.is_file() for each in packages)


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def tag(version: str) -> str:
    """The folder of what was compiled for a version."""
    return f"cp{version.replace('.', '')}"


def cache(version: str) -> str:
    """What that Python calls its bytecode."""
    return f"cpython-{version.replace('.', '')}"


def interpreter(version: str) -> str | None:
    """A Python of this version on this machine, None where there is none."""
    for program in candidates(version):
        asked = [program, "-I", "-S", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        said = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
        if said.strip() == version:
            return program
    return None


def candidates(version: str) -> Iterator[str]:
    """Programs that may be a Python of this version."""
    yield sys.executable
    found = shutil.which(f"python{version}")
    if found is not None:
        yield found
    for form in MANAGED:
        yield from map(str, sorted(Path.home().glob(form.format(version))))


def code(program: str, libs: Path, names: Sequence[str]) -> tuple[bytes, dict[str, bytes]]:
    """What a Python makes of some modules, with the number of its bytecode."""
    asked = [program, "-I", "-S", __file__]
    wanted = "\n".join(names).encode()
    done = subprocess.run(asked, cwd=libs, input=wanted, capture_output=True, check=True)
    magic, found = marshal.loads(done.stdout)  # noqa: S302 - from this very program
    return magic, found


def main() -> None:
    """Write the code of the modules that stdin names, as far as they are for this Python."""
    found = {}
    for name in sys.stdin.read().splitlines():
        try:
            compiled = compile(Path(name).read_bytes(), name, "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            continue
        found[name] = marshal.dumps(compiled)
    sys.stdout.buffer.write(marshal.dumps((importlib.util.MAGIC_NUMBER, found), 2))


if __name__ == "__main__":
    main()
