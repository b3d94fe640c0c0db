"""Where a run works: what it may write to, and what is taken out of it."""

import contextlib
import os
import stat
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

AREA_BYTES = 64 * 1024 * 1024
"""What a run may write in all, in bytes, to each of its places."""
_KEPT_BYTES = 4 * 1024 * 1024
_NO_LINK = os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Area:
    """Where a run works and what outlives it; where nothing isolates, all of it is written to.

    `workspace` is given to it as a throw-away copy, or unless `copied` to read only; `scratch` as
    an empty folder; both bounded by `AREA_BYTES`. `writable` are folders in which all stays that
    is written. `outputs` are files whose content is kept. `gathered` are put together in the
    second path: all files of `scratch` whose names begin with the first. What the run writes to
    the copy of `workspace` goes to the archive `written`, as far as it is small, for
    `put_written`.
    """

    workspace: Path
    scratch: Path | None = None
    outputs: tuple[Path, ...] = ()
    gathered: tuple[Path, Path] | None = None
    written: Path | None = None
    writable: tuple[Path, ...] = ()
    copied: bool = True

    def kept(self) -> Iterator[Path]:
        """Files that outlive the run."""
        yield from self.outputs
        if self.gathered is not None:
            yield self.gathered[1]
        if self.written is not None:
            yield self.written

    def prepare(self) -> None:
        """Make the files and folders that outlive the run; the files are empty then. Takes
        microseconds."""
        for folder in self.writable:
            folder.mkdir(parents=True, exist_ok=True)
        for path in self.kept():
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o644))


def put_written(area: Area) -> None:
    """Put what a run wrote to its copy of the workspace into the workspace itself. What a link
    would lead elsewhere is left out: in its copy a run may have put a file in a link's place.
    Blocks."""
    if area.written is None or not area.written.is_file():
        return
    with contextlib.suppress(tarfile.TarError, OSError), tarfile.open(area.written) as archive:
        size = 0
        for member in archive:
            name = PurePosixPath(member.name)
            size += member.size
            data = archive.extractfile(member) if member.isfile() else None
            if data is None or name.is_absolute() or ".." in name.parts or size > _KEPT_BYTES:
                continue
            with contextlib.suppress(OSError):
                _put(area.workspace, name, data.read())


def _put(root: Path, name: PurePosixPath, data: bytes) -> None:
    """Write a file below a folder, through no link and into nothing but a file. Raises OSError."""
    here = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for folder in name.parts[:-1]:
            with contextlib.suppress(FileExistsError):
                os.mkdir(folder, dir_fd=here)
            inner = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | _NO_LINK, dir_fd=here)
            os.close(here)
            here = inner
        flags = os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK | _NO_LINK
        with open(os.open(name.name, flags, 0o666, dir_fd=here), "wb") as file:  # noqa: PTH123
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                file.truncate(0)
                file.write(data)
    finally:
        os.close(here)
