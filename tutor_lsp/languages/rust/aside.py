"""A copy of an exercise without files that do not build, in which the rest is built."""

import re
from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath

from tutor_lsp.languages.common.build_cache import put_file

FOLDER = "aside"
_TREES = ("src", "tests", ".cargo")


def put_copy(root: Path, target: Path, without: Collection[str]) -> Path:
    """Make a copy in the build folder `target` hold the exercise in `root` without some of its
    files, whose `mod` lines are left empty. Blocks. Raises OSError."""
    copy = target / FOLDER
    wanted = dict(_texts(root, without))
    for name, data in wanted.items():
        path = copy / name
        if not (path.is_file() and not path.is_symlink() and path.read_bytes() == data):
            put_file(target, path, data)
    for tree in _TREES:
        if (copy / tree).is_symlink():
            (copy / tree).unlink()
        for path in (copy / tree).rglob("*"):
            if not path.is_dir() and path.relative_to(copy).as_posix() not in wanted:
                path.unlink()
    return copy


def _texts(root: Path, without: Collection[str]) -> Iterator[tuple[str, bytes]]:
    gone = [PurePosixPath(file).stem for file in without if file.startswith("src/")]
    for path in sorted(_files(root)):
        name = path.relative_to(root).as_posix()
        if name in without:
            continue
        data = path.read_bytes()
        if gone and name.startswith("src/") and name.endswith(".rs"):
            for module in gone:
                data = _mod_line(module).sub(b"", data)
        yield name, data


def _files(root: Path) -> Iterator[Path]:
    found = [*root.iterdir(), *(path for tree in _TREES for path in (root / tree).rglob("*"))]
    yield from (path for path in found if path.is_file() and not path.is_symlink())


def _mod_line(module: str) -> re.Pattern[bytes]:
    text = rf"^[ \t]*(?:pub(?:\s*\([^)]*\))?\s+)?mod\s+{re.escape(module)}\s*;[^\n]*"
    return re.compile(text.encode(), re.MULTILINE)
