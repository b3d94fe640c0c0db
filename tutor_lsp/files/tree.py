"""The files of a folder, as far as they are wanted; read whole or refused with the reason."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tutor_lsp.core.exercise.files import DEEPEST, FileLimits, wrong_path
from tutor_lsp.files.reading import Unreadable, open_folder, read_at, reason, size

LOOKED_AT = 20
"""How many entries are looked at for each file that may be read."""

LeftOut = Callable[[str, bool], str | None]
"""Path of an entry and whether it is a folder to the name under which it is left out, if it is."""


@dataclass(slots=True)
class Tree:
    """`files` by path relative to the folder; `left_out` names what was not read, in order;
    `links` are those of them that are links where files were wanted.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)


def read_tree(root: Path, limits: FileLimits, left_out: LeftOut) -> Tree:
    """The regular files below `root` that `left_out` does not name.

    No link is followed below `root`, and none is read. Raises Unreadable for anything else that
    is wanted and is no regular file, and for more than `limits` allow. Blocks, for no longer than
    it takes to read so much.
    """
    tree = Tree()
    reader = _Reader(limits, left_out, tree)
    handle = open_folder(root, str(root), None, follow=True)
    try:
        reader.folder(handle, "")
    finally:
        os.close(handle)
    return tree


class _Reader:
    def __init__(self, limits: FileLimits, left_out: LeftOut, tree: Tree) -> None:
        self._limits = limits
        self._left_out = left_out
        self._tree = tree
        self._bytes = 0
        self._seen = 0

    def folder(self, handle: int, path: str) -> None:
        for name, is_folder, is_link in self._entries(handle, path):
            inner = f"{path}/{name}" if path else name
            why = self._left_out(inner, is_folder)
            if why is not None:
                if why not in self._tree.left_out:
                    self._tree.left_out.append(why)
            elif is_link:
                self._link(handle, name, inner)
            elif (wrong := wrong_path(inner)) is not None:
                raise Unreadable(inner, wrong)
            elif is_folder:
                self._inner(handle, name, inner)
            else:
                self._file(handle, name, inner)

    def _entries(self, handle: int, path: str) -> Iterator[tuple[str, bool, bool]]:
        try:
            with os.scandir(handle) as entries:
                found = []
                for entry in entries:
                    self._seen += 1
                    if self._seen > self._limits.files * LOOKED_AT:
                        raise Unreadable(path or "the folder", self._too_many())
                    found.append(
                        (entry.name, entry.is_dir(follow_symlinks=False), entry.is_symlink())
                    )
        except OSError as error:
            raise Unreadable(path or "the folder", reason(error)) from None
        return iter(sorted(found))

    def _link(self, handle: int, name: str, path: str) -> None:
        try:
            os.stat(name, dir_fd=handle)
        except FileNotFoundError:
            pass
        except OSError as error:
            raise Unreadable(path, reason(error)) from None
        self._tree.links.append(path)
        self._tree.left_out.append(path)

    def _inner(self, handle: int, name: str, path: str) -> None:
        if path.count("/") >= DEEPEST:
            raise Unreadable(path, "lies too deep")
        inner = open_folder(name, path, handle)
        try:
            self.folder(inner, path)
        finally:
            os.close(inner)

    def _file(self, handle: int, name: str, path: str) -> None:
        if len(self._tree.files) >= self._limits.files:
            raise Unreadable("the folder", self._too_many())
        left = self._limits.total_bytes - self._bytes
        try:
            raw = read_at(handle, name, min(self._limits.file_bytes, left), path)
        except Unreadable as error:
            if error.why.startswith("is larger") and left < self._limits.file_bytes:
                most = size(self._limits.total_bytes)
                raise Unreadable("the folder", f"holds more than {most}") from None
            raise
        self._bytes += len(raw)
        self._tree.files[path] = raw

    def _too_many(self) -> str:
        return f"holds more than {self._limits.files} files"
