"""Build results, kept in memory: a folder with the same texts need not build again."""

import contextlib
import errno
import os
import tempfile
from collections import OrderedDict
from pathlib import Path

from tutor_lsp.process.contain import Containment

ROOM_BYTES = 24 * 1024 * 1024
LARGEST = 8 * 1024 * 1024
"""Files over this many bytes are built again."""


class BuildCache:
    """Files by a key that names all that they are made of; the ones unused for longest go first.

    Kept here and not on disk, so that nothing which runs can change them. Not thread-safe: use from
    the loop's thread.
    """

    def __init__(self, room: int = ROOM_BYTES) -> None:
        """`room` is in bytes."""
        self._room = room
        self._size = 0
        self._files: OrderedDict[str, bytes] = OrderedDict()

    def under(self, containment: Containment) -> "BuildCache":
        """This cache, or an empty one of no room where a run may write to what was built."""
        return self if containment.isolated else BuildCache(0)

    def get(self, key: str) -> bytes | None:
        """The file of a key, if it is still here."""
        data = self._files.get(key)
        if data is not None:
            self._files.move_to_end(key)
        return data

    def put(self, key: str, data: bytes) -> None:
        """Keep a file, unless it is large."""
        if len(data) > LARGEST:
            return
        self._size += len(data) - len(self._files.pop(key, b""))
        self._files[key] = data
        while self._size > self._room:
            _, oldest = self._files.popitem(last=False)
            self._size -= len(oldest)


def sign(path: Path) -> tuple[int, ...]:
    """What changes whenever a file is written to or replaced. Raises OSError. Blocks."""
    status = path.stat()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def put_file(root: Path, path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write a file below `root`, whole or not at all, and never through a link: whoever made the
    folder may have put links there. Raises OSError. Blocks."""
    folder = path.parent
    for each in (folder, *folder.parents):
        if each == root:
            break
        if each.is_symlink():
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(each))
    folder.mkdir(parents=True, exist_ok=True)
    held, new = tempfile.mkstemp(prefix=".new-", dir=folder)
    try:
        with open(held, "wb") as file:  # noqa: PTH123 - a descriptor
            file.write(data)
            os.fchmod(file.fileno(), mode)
        Path(new).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(new).unlink()
        raise
