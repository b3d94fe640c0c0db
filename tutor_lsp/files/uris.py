"""The local paths of a client's URIs."""

import os
from pathlib import Path
from urllib.parse import unquote, urlparse

Place = tuple[int, int]
"""Which folder or file it is, whatever the path to it: device and inode."""


def uri_to_path(uri: str) -> Path | None:
    """The path of a file URI or of a plain absolute path; None for other schemes and for paths
    that no file can have.
    """
    try:
        parsed = urlparse(uri)
    except ValueError:
        return None
    path = uri if uri.startswith("/") else unquote(parsed.path)
    if (not uri.startswith("/") and parsed.scheme != "file") or not _names_a_file(path):
        return None
    return Path(os.path.normpath(path))


def real_path(path: Path) -> Path:
    """The path with all links resolved; never fails."""
    return Path(os.path.realpath(path))


def _names_a_file(path: str) -> bool:
    try:
        return bool(path) and b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


def identity(path: str | Path) -> Place | None:
    """Where a path leads, links resolved; None if nothing is there. Blocks for a microsecond."""
    try:
        found = os.stat(path)  # noqa: PTH116 - a home may have thousands of folders
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino
