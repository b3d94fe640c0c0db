"""One file, read completely or refused with the reason."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
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


class Unreadable(Exception):  # noqa: N818 - names a file's problem
    """Why a file or folder is not read. `why` is a clause such as `is a pipe`; `name` is the path
    as requested, relative to the folder if one was read.
    """

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{shown_name(name)} {why}")
        self.name = name
        self.why = why


def read_file(path: Path, most: int) -> bytes:
    """The bytes of a regular file of at most `most` bytes, including holes; the path may lead
    through links.

    Never waits for a pipe or a device, never reads beyond `most`. Raises Unreadable. Blocks.
    """
    return _read(path, most, str(path), None, follow=True)


def read_below(root: Path, file: str, most: int) -> bytes:
    """Like `read_file` for `root`/`file`, with no links below `root`. Raises Unreadable."""
    *folders, last = PurePosixPath(file).parts or ("",)
    with ExitStack() as stack:
        here = stack.enter_context(open_folder(root, file, None, follow=True))
        for folder in folders:
            here = stack.enter_context(open_folder(folder, file, here))
        return _read(last, most, file, here, follow=False)


@contextmanager
def open_folder(
    path: Path | str, name: str, within: int | None, *, follow: bool = False
) -> Iterator[int]:
    """A descriptor of a folder. Raises Unreadable."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
    try:
        handle = os.open(path, flags, dir_fd=within)
    except NotADirectoryError as error:
        raise Unreadable(name, _what_is_there(path, within) or reason(error)) from None
    except (OSError, ValueError) as error:
        raise Unreadable(name, reason(error)) from None
    try:
        yield handle
    finally:
        os.close(handle)


def _what_is_there(path: Path | str, within: int | None) -> str | None:
    try:
        mode = os.stat(path, dir_fd=within, follow_symlinks=False).st_mode
    except OSError:
        return None
    return _KINDS.get(stat.S_IFMT(mode), "isn't a folder")


def read_at(within: int, entry: str, most: int, name: str) -> bytes:
    """The file `entry` of an open folder, which must not be a link. Raises Unreadable."""
    return _read(entry, most, name, within, follow=False)


def reason(error: OSError | ValueError) -> str:
    """The meaning of an error from opening or reading, as a clause."""
    if isinstance(error, FileNotFoundError):
        return "does not exist"
    if isinstance(error, OSError) and error.errno == errno.ELOOP:
        return "is a link that leads to itself, or links are not followed there"
    if isinstance(error, OSError) and error.strerror:
        return f"cannot be read ({error.strerror})"
    return "cannot be read (no file can have its name)"


def size(number: int) -> str:
    """A number of bytes in words: `4 MiB`."""
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if number >= unit:
            return f"{number / unit:.3g} {name}"
    return f"{number} bytes"


def shown_name(name: str) -> str:
    """A name for quoting in a sentence: one short line, whatever it contains."""
    plain = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in name)
    return plain if len(plain) <= 120 else f"…{plain[-119:]}"


def _read(path: Path | str, most: int, name: str, within: int | None, *, follow: bool) -> bytes:
    try:
        # Before opening: some devices react to being opened.
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
        raise Unreadable(name, _KINDS.get(stat.S_IFMT(state.st_mode), "isn't a file"))
    if state.st_size > most:
        raise Unreadable(name, f"is larger than {size(most)}")


def _bytes(handle: int, most: int, name: str) -> bytes:
    pieces: list[bytes] = []
    rest = most + 1
    while rest and (piece := os.read(handle, min(rest, _CHUNK))):
        pieces.append(piece)
        rest -= len(piece)
    if not rest:
        raise Unreadable(name, f"is larger than {size(most)}")
    return b"".join(pieces)
