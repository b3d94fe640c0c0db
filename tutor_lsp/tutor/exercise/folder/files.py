"""Files of an exercise: read whatever they are, written in full or left as they were."""

import errno
import os
import re
import tempfile
from pathlib import Path

from tutor_lsp.core.text.positions import normalise_line_ends
from tutor_lsp.core.text.translation import t
from tutor_lsp.files.reading import Unreadable, read_file

_LINK_LINE = re.compile(r"(\]\([^)\s#]+#)L\d+(?:C\d+)?(?:-L\d+(?:C\d+)?)?")
MOST_BYTES = 4 * 1024 * 1024
"""Largest file of an exercise that is read."""


def notes_folder(root: Path) -> Path:
    """The folder of the tutor's own files in an exercise, made if it is not there.

    Raises OSError, also where it is a link: nothing is written through one.
    """
    folder = root / ".tutor"
    folder.mkdir(exist_ok=True)
    if folder.is_symlink():
        raise OSError(errno.ELOOP, t(f"{folder.name} is a link"), str(folder))
    return folder


def replace_text(path: Path, text: str) -> None:
    """See `replace_bytes`."""
    replace_bytes(path, text.encode("utf-8", errors="surrogatepass"))


def replace_bytes(path: Path, data: bytes, *, mode: int | None = None, sync: bool = False) -> None:
    """Replace a file at once, keeping its mode unless one is given; its folder must exist.

    With `sync` it is on the disk afterwards. Raises OSError. Blocks.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            if sync:
                file.flush()
                os.fsync(handle)
        Path(name).chmod(_mode_of(path) if mode is None else mode)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _mode_of(path: Path) -> int:
    try:
        return path.stat().st_mode & 0o777
    except FileNotFoundError:
        return 0o644


def read_text(path: Path) -> str | None:
    """A file's text, line ends as they are, undecodable bytes replaced.

    None if there is no regular file of at most `MOST_BYTES`, or if it cannot be read.
    """
    raw = read_bytes(path)
    return None if raw is None else raw.decode("utf-8", errors="replace")


def read_bytes(path: Path) -> bytes | None:
    """A file's bytes; see `read_text`. Never waits for a pipe or a device."""
    try:
        return read_file(path, MOST_BYTES)
    except Unreadable:
        return None


def plain_text(text: str | None) -> str | None:
    """A text without what is no edit: line ends, a byte order mark and final empty lines."""
    if text is None:
        return None
    return normalise_line_ends(text.removeprefix("\ufeff")).rstrip("\n")


def same_text(one: str | None, other: str | None) -> bool:
    """Whether two texts differ only in what `plain_text` leaves out."""
    return plain_text(one) == plain_text(other)


def given_text(text: str | None) -> str | None:
    """A given file's text without what the tutor itself keeps true in it."""
    return None if text is None else _LINK_LINE.sub(r"\1L", plain_text(text) or "")
