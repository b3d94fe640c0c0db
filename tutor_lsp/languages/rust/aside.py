"""A copy of an exercise without files that do not build, in which the rest is built."""

from collections.abc import Collection, Iterator
from pathlib import Path

from tutor_lsp.languages.common.build_cache import put_file

FOLDER = "aside"
_TREES = ("src", "tests", ".cargo")


def put_copy(root: Path, target: Path, without: Collection[str]) -> Path:
    """Make a copy in the build folder `target` hold the exercise in `root` without some of its
    files: a test file is left out, a source is empty, so that what names it still finds it. Blocks.
    Raises OSError."""
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
    for path in sorted(_files(root)):
        name = path.relative_to(root).as_posix()
        if name not in without:
            yield name, path.read_bytes()
    yield from ((file, b"") for file in without if file.startswith("src/"))


def _files(root: Path) -> Iterator[Path]:
    found = [*root.iterdir(), *(path for tree in _TREES for path in (root / tree).rglob("*"))]
    yield from (path for path in found if path.is_file() and not path.is_symlink())
