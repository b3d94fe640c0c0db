"""The wanted files of a folder, read completely or refused with the reason."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tutor_lsp.core.exercise.files import DEEPEST, FileLimits, wrong_path
from tutor_lsp.files.reading import Unreadable, open_folder, read_at, reason, size

LOOKED_AT = 20
"""How many entries are listed for each file that may be read."""

LeftOut = Callable[[str, bool], str | None]
"""From an entry's path, and whether it is a folder, to the name it is left out under, if any."""


@dataclass(slots=True)
class Tree:
    """`files` by path relative to the folder; `left_out` names what was not read, in order;
    `links` are those of them that are links in place of wanted files.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)


def read_tree(root: Path, limits: FileLimits, left_out: LeftOut) -> Tree:
    """The regular files below `root` that `left_out` does not name.

    No link below `root` is followed or read. Raises Unreadable for any other wanted entry that
    is not a regular file, and if there is more than `limits` allow. Blocks, for no longer than
    it takes to read that much.
    """
    tree = Tree()
    reader = _Reader(limits, left_out, tree)
    with open_folder(root, str(root), None, follow=True) as handle:
        reader.folder(handle, "")
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
            with os.scandir(handle) as listing:
                entries = []
                for entry in listing:
                    self._seen += 1
                    if self._seen > self._limits.files * LOOKED_AT:
                        raise Unreadable(path or "the folder", self._too_many())
                    entries.append(
                        (entry.name, entry.is_dir(follow_symlinks=False), entry.is_symlink())
                    )
        except OSError as error:
            raise Unreadable(path or "the folder", reason(error)) from None
        return iter(sorted(entries))

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
            raise Unreadable(path, "is nested too deep")
        with open_folder(name, path, handle) as inner:
            self.folder(inner, path)

    def _file(self, handle: int, name: str, path: str) -> None:
        if len(self._tree.files) >= self._limits.files:
            raise Unreadable("the folder", self._too_many())
        rest = self._limits.total_bytes - self._bytes
        try:
            raw = read_at(handle, name, min(self._limits.file_bytes, rest), path)
        except Unreadable as error:
            if error.why.startswith("is larger") and rest < self._limits.file_bytes:
                most = size(self._limits.total_bytes)
                raise Unreadable("the folder", f"has more than {most}") from None
            raise
        self._bytes += len(raw)
        self._tree.files[path] = raw

    def _too_many(self) -> str:
        return f"has more than {self._limits.files} files"
