"""Where a run works: what it may write to, and what outlives it."""

import contextlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

AREA_BYTES = 64 * 1024 * 1024
"""How much a run may write to each of its places, in bytes."""
_KEPT_BYTES = 4 * 1024 * 1024
_NO_LINK = os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Area:
    """Where a run works and what outlives it. Without isolation, the run writes to it directly.

    The run sees `workspace` as a throw-away copy (read-only unless `copied`) and `scratch` as an
    empty folder, each bounded by `AREA_BYTES`. Everything written to the `writable` folders stays.
    The contents of `outputs` are kept. `gathered` concatenates all files of `scratch` whose names
    begin with the first path into the second. Small files that the run writes to its copy of
    `workspace` go to the archive `written`, for `put_written`. With `later` the copy is empty until
    the run is told to proceed.
    """

    workspace: Path
    scratch: Path | None = None
    outputs: tuple[Path, ...] = ()
    gathered: tuple[Path, Path] | None = None
    written: Path | None = None
    writable: tuple[Path, ...] = ()
    copied: bool = True
    later: bool = False

    def kept(self) -> Iterator[Path]:
        """Files that outlive the run."""
        yield from self.outputs
        if self.gathered is not None:
            yield self.gathered[1]
        if self.written is not None:
            yield self.written

    def prepare(self) -> None:
        """Create the folders and empty the files that outlive the run. Takes microseconds."""
        for folder in self.writable:
            folder.mkdir(parents=True, exist_ok=True)
        for path in self.kept():
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o644))


def put_written(area: Area) -> None:
    """Copy what a run wrote in its copy of the workspace to the workspace itself. Anything behind
    a symbolic link is left out: in its copy a run may have replaced a link by a file. Blocks."""
    if area.written is None or not area.written.is_file():
        return
    import tarfile

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
    """Write a file below a folder, following no links and replacing only files. Raises OSError."""
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
