"""Putting an exercise's files into a working copy."""

import asyncio
import errno
import os
import shutil
from collections.abc import Collection
from pathlib import Path

from tutor_lsp.core.ports import Files
from tutor_lsp.process.scratch import to_its_end


async def put_files(
    folder: Path, files: Files, *, leave: bool = False, keep: Collection[str] | None = None
) -> None:
    """`place` off the loop. A cancel waits for it, so that nothing is written afterwards."""
    await to_its_end(asyncio.to_thread(place, folder, files, leave=leave, keep=keep))


def place(
    folder: Path, files: Files, *, leave: bool = False, keep: Collection[str] | None = None
) -> None:
    """Make `folder` hold just `files`: what differs is written anew, strays are removed, unless
    they shall stay (`leave`). Bytes of a text that are no UTF-8 are its lone surrogates.

    Folders at the top that hold none of the files belong to builds and stay, all of them or those
    in `keep` alone. Raises OSError, also where `folder` is a link: what is behind it stays.
    """
    if folder.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(folder))
    kept = {name.split("/")[0] for name in files if "/" in name}
    if folder.is_dir() and not leave:
        for path in list(folder.iterdir()):
            if path.is_symlink() or not path.is_dir():
                if path.name not in files:
                    path.unlink()
            elif path.name in kept:
                _sweep(path, folder, files)
            elif keep is not None and path.name not in keep:
                shutil.rmtree(path)
    for name, text in files.items():
        path = folder / name
        data = text.encode("utf-8", "surrogateescape")
        if path.is_file() and not path.is_symlink() and path.read_bytes() == data:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_bytes(data)


def _sweep(top: Path, folder: Path, files: Files) -> None:
    wanted = {folder / name for name in files}
    folders = {parent for path in wanted for parent in path.parents}
    for path in sorted(top.rglob("*"), reverse=True):
        if path.is_dir() and not path.is_symlink():
            if path not in folders:
                shutil.rmtree(path, ignore_errors=True)
        elif path not in wanted:
            path.unlink(missing_ok=True)
