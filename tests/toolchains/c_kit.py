"""Small C exercises for tests: made, run and explained."""

import os
import shutil

import pytest
from toolchain_kit import LIMITS, TOOLS, outcomes, write

__all__ = ["LIMITS", "TOOL", "files_of", "make", "needs_cc", "run", "write"]

TOOL = TOOLS["c"]


def _cc_is_missing():
    if any(shutil.which(name) for name in ("cc", "gcc", "clang")):
        return False
    if os.environ.get("CI") == "true":
        pytest.exit("no C compiler here, and CI=true: C tests cannot be skipped", 1)
    return True


needs_cc = pytest.mark.skipif(_cc_is_missing(), reason="no C compiler here")


def make(folder, files):
    """A complete exercise of these files."""
    return write(folder, TOOL.complete(files))


def files_of(folder):
    """The texts of a folder's C files by relative path."""
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*.[ch]"))
    }


async def run(workspace, **options):
    """The report, and its tests by name."""
    return await outcomes("c", workspace, **options)
