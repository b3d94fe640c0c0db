"""The throw-away copy of a workspace: what goes in, and what is taken out of it."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tutor_lsp.process.supervisor.plan import Plan

    Copied = dict[str, tuple[int, int, int]]

SHARED = frozenset({"target", "build", ".venv", ".git", ".tutor", "node_modules"})
"""Folders of a workspace that are read in place; everything else is copied."""
LARGE, MANY = 8 * 1024 * 1024, 500
"""A larger folder or file (in bytes or entries) is read in place too."""
DEEP = 32
"""So is a folder nested deeper than this: each level takes a descriptor while it is read."""

_KEPT_BYTES = 256 * 1024
_CHUNK = 1024 * 1024


def listing(folder: int | str) -> tuple[list[str], list[str]]:
    """Names of what is copied, and of what is shared because it is large or a build folder."""
    copied, shared = [], []
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            plain = entry.is_dir(follow_symlinks=False) or entry.is_file(follow_symlinks=False)
            if plain and (entry.name in SHARED or _is_large(entry, folder)):
                shared.append(entry.name)
            else:
                copied.append(entry.name)
    return copied, shared


def _is_large(entry: os.DirEntry[str], folder: int | str) -> bool:
    if not entry.is_dir(follow_symlinks=False):
        return entry.stat(follow_symlinks=False).st_size > LARGE
    at = folder if isinstance(folder, int) else os.open(folder, os.O_RDONLY)
    try:
        size = 0
        for count, (status, depth) in enumerate(_below(entry.name, at)):
            size += status.st_size
            if size > LARGE or count > MANY or depth > DEEP:
                return True
    finally:
        if at is not folder:
            os.close(at)
    return False


def _below(name: str, at: int, depth: int = 1) -> Iterator[tuple[os.stat_result, int]]:
    """Everything below a folder, with its depth."""
    fd = _open(name, at, os.O_DIRECTORY)
    if fd is None:
        return
    try:
        with os.scandir(fd) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    yield entry.stat(follow_symlinks=False), depth
                if entry.is_dir(follow_symlinks=False):
                    yield from _below(entry.name, fd, depth + 1)
    finally:
        os.close(fd)


def _open(name: str, at: int, flags: int = 0) -> int | None:
    """None if it is unreadable or gone."""
    try:
        return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | flags, dir_fd=at)
    except OSError:
        return None


def copy(source: int, target: str, names: list[str], depth: int = 0) -> bool:
    """Copy entries of a folder with their times and modes. What cannot be read, is not a file,
    folder or link, or is deeper than `DEEP` is left out; whether everything could be read. Raises
    OSError if there is no room.
    """
    whole = True
    for name in names:
        status = os.stat(name, dir_fd=source, follow_symlinks=False)
        path = f"{target}/{name}"
        if stat.S_ISLNK(status.st_mode):
            os.symlink(os.readlink(name, dir_fd=source), path)
        elif stat.S_ISREG(status.st_mode):
            whole = _copy_file(name, source, path, status) and whole
        elif stat.S_ISDIR(status.st_mode):
            fd = _open(name, source, os.O_DIRECTORY)
            if fd is None:
                whole = False
                continue
            os.mkdir(path, 0o700)
            try:
                if depth < DEEP:
                    whole = copy(fd, path, os.listdir(fd), depth + 1) and whole
            finally:
                os.close(fd)
            os.chmod(path, stat.S_IMODE(status.st_mode))
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    return whole


def _copy_file(name: str, source: int, path: str, status: os.stat_result) -> bool:
    fd = _open(name, source, os.O_NONBLOCK)
    if fd is None:
        return False
    out = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        while data := os.read(fd, _CHUNK):
            os.write(out, data)
        os.fchmod(out, stat.S_IMODE(status.st_mode))
        os.utime(out, ns=(status.st_atime_ns, status.st_mtime_ns))
    finally:
        os.close(fd)
        os.close(out)
    return True


def remember(folder: str) -> Copied:
    """Every file at most `DEEP` below a folder, with a mark that changes when it is written to."""
    return {path: (_mark(path)) for path in _files(folder)}


def _mark(path: str) -> tuple[int, int, int]:
    status = os.lstat(path)
    return status.st_ino, status.st_size, status.st_ctime_ns


def _files(folder: str) -> Iterator[str]:
    device, above = os.lstat(folder).st_dev, folder.count("/")
    for parent, folders, names in os.walk(folder):
        inside = parent.count("/") - above < DEEP
        folders[:] = [n for n in folders if inside and os.lstat(f"{parent}/{n}").st_dev == device]
        for name in names:
            path = f"{parent}/{name}"
            if stat.S_ISREG(os.lstat(path).st_mode):
                yield path


def gather(plan: Plan, kept: Copied | None) -> None:
    """Take out what the plan asks for, after the program has ended; failures are left out.

    `kept` is the copy as it was, None if nobody wants to know what was written to it."""
    if plan["gathered"] is not None:
        prefix, out = plan["gathered"]
        with contextlib.suppress(OSError):
            _join(prefix, out)
    if kept is not None and plan["written"] is not None:
        with contextlib.suppress(OSError):
            _archive(plan["workspace"], plan["written"], kept)


def _join(prefix: str, out: str) -> None:
    """Concatenate all files whose paths begin with a prefix."""
    folder, _, begin = prefix.rpartition("/")
    with open(out, "wb") as target:
        for name in sorted(os.listdir(folder)):
            if name.startswith(begin):
                fd = os.open(f"{folder}/{name}", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
                with open(fd, "rb") as file:
                    target.write(file.read(_CHUNK))


def _archive(folder: str, out: str, kept: Copied) -> None:
    """Archive small files that are new or were written to, as tar."""
    import tarfile

    with open(out, "wb") as target, tarfile.open(fileobj=target, mode="w") as archive:
        for path in _files(folder):
            if kept.get(path) != _mark(path) and os.lstat(path).st_size < _KEPT_BYTES:
                archive.add(path, os.path.relpath(path, folder), recursive=False)
