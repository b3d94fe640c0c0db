"""One file, read whole or refused with the reason."""

import errno
import os
import stat
from pathlib import Path, PurePosixPath

_CHUNK = 1 << 20
_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_KINDS = {
    stat.S_IFLNK: "is a link",
    stat.S_IFIFO: "is a pipe",
    stat.S_IFSOCK: "is a socket",
    stat.S_IFCHR: "is a device",
    stat.S_IFBLK: "is a device",
    stat.S_IFDIR: "is a folder",
}


class Unreadable(Exception):  # noqa: N818 - what is the matter with a file
    """Why a file or folder is not read. `why` is a clause such as `is a pipe`; `name` is the path
    as it was asked for, below the folder where one was read.
    """

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{shown_name(name)} {why}")
        self.name = name
        self.why = why


def read_file(path: Path, most: int, *, name: str | None = None, follow: bool = True) -> bytes:
    """The bytes of a regular file of at most `most` bytes, holes counted.

    Never waits for a pipe or a device and never reads beyond `most`. With `follow` the path may
    lead through links. Raises Unreadable. Blocks.
    """
    return _read(path, most, name or str(path), None, follow=follow)


def read_below(root: Path, file: str, most: int) -> bytes:
    """The same of `root`/`file`, where nothing below `root` may be a link. Raises Unreadable."""
    *folders, last = PurePosixPath(file).parts or ("",)
    here = open_folder(root, file, None, follow=True)
    try:
        for folder in folders:
            inner = open_folder(folder, file, here)
            os.close(here)
            here = inner
        return _read(last, most, file, here, follow=False)
    finally:
        os.close(here)


def open_folder(path: Path | str, name: str, within: int | None, *, follow: bool = False) -> int:
    """A descriptor of a folder, to be closed by the caller. Raises Unreadable."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
    try:
        return os.open(path, flags, dir_fd=within)
    except NotADirectoryError as error:
        raise Unreadable(name, _what_is_there(path, within) or reason(error)) from None
    except (OSError, ValueError) as error:
        raise Unreadable(name, reason(error)) from None


def _what_is_there(path: Path | str, within: int | None) -> str | None:
    try:
        mode = os.stat(path, dir_fd=within, follow_symlinks=False).st_mode
    except OSError:
        return None
    return _KINDS.get(stat.S_IFMT(mode), "is no folder")


def read_at(within: int, entry: str, most: int, name: str) -> bytes:
    """The file `entry` of an open folder, which may not be a link. Raises Unreadable."""
    return _read(entry, most, name, within, follow=False)


def reason(error: OSError | ValueError) -> str:
    """What an error of opening or reading means, as a clause."""
    if isinstance(error, FileNotFoundError):
        return "is not there"
    if isinstance(error, OSError) and error.errno == errno.ELOOP:
        return "is a link that leads nowhere but to itself, or no link is followed there"
    if isinstance(error, OSError) and error.strerror:
        return f"cannot be read ({error.strerror})"
    return "cannot be read (its name is no file's)"


def size(number: int) -> str:
    """A number of bytes in words: `4 MiB`."""
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if number >= unit:
            return f"{number / unit:.3g} {name}"
    return f"{number} bytes"


def shown_name(name: str) -> str:
    """A name as a sentence quotes it: whatever is in it, one short line."""
    plain = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in name)
    return plain if len(plain) <= 120 else f"…{plain[-119:]}"


def _read(path: Path | str, most: int, name: str, within: int | None, *, follow: bool) -> bytes:
    try:
        # Before it is opened: opening alone does something to some devices.
        _regular(os.stat(path, dir_fd=within, follow_symlinks=follow), most, name)
        flags = _FLAGS | (0 if follow else os.O_NOFOLLOW)
        handle = os.open(path, flags, dir_fd=within)
        try:
            _regular(os.fstat(handle), most, name)
            return _bytes(handle, most, name)
        finally:
            os.close(handle)
    except (OSError, ValueError) as error:
        raise Unreadable(name, reason(error)) from None


def _regular(state: os.stat_result, most: int, name: str) -> None:
    if not stat.S_ISREG(state.st_mode):
        raise Unreadable(name, _KINDS.get(stat.S_IFMT(state.st_mode), "is no file"))
    if state.st_size > most:
        raise Unreadable(name, f"is larger than {size(most)}")


def _bytes(handle: int, most: int, name: str) -> bytes:
    pieces: list[bytes] = []
    left = most + 1
    while left and (piece := os.read(handle, min(left, _CHUNK))):
        pieces.append(piece)
        left -= len(piece)
    if not left:
        raise Unreadable(name, f"is larger than {size(most)}")
    return b"".join(pieces)
