"""The texts of one exercise folder, read within limits and checked for form."""

from functools import partial
from pathlib import Path

from tutor_lsp.core.exercise.files import FileLimits, left_out
from tutor_lsp.files.reading import Unreadable
from tutor_lsp.files.tree import read_tree
from tutor_lsp.library.entry import BrokenExerciseError

AUTHORED = partial(left_out, authored=True)
"""The parts of an author's exercise folder."""


class Texts:
    """A library exercise's files, read at once; each is decoded when requested.

    Raises BrokenExerciseError if one of them is a link or not a file, or there is too much.
    """

    def __init__(self, folder: Path, limits: FileLimits) -> None:
        try:
            tree = read_tree(folder, limits, AUTHORED)
        except Unreadable as error:
            raise BrokenExerciseError(f"{error}") from None
        if tree.links:
            raise BrokenExerciseError(f"{tree.links[0]} is a link")
        self._files = tree.files

    def one(self, name: str) -> str:
        """The text of a file. Raises BrokenExerciseError."""
        raw = self._files.get(name)
        if raw is None:
            raise BrokenExerciseError(f"{name} is missing")
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            raise BrokenExerciseError(f"{name} is not UTF-8 text") from None
        if "\r" in text or text.startswith("\ufeff"):
            raise BrokenExerciseError(f"{name} must have LF line ends and no byte order mark")
        if text and (not text.endswith("\n") or text.endswith("\n\n")):
            raise BrokenExerciseError(f"{name} must end with exactly one newline")
        return text

    def below(self, part: str, base: str = "") -> dict[str, str]:
        """The texts of all files below `base`/`part`, by path relative to `base`.

        Raises BrokenExerciseError, also if there are none.
        """
        names = sorted(name for name in self._files if name.startswith(f"{base}{part}/"))
        if not names:
            raise BrokenExerciseError(f"{part} is empty")
        return {name.removeprefix(base): self.one(name) for name in names}

    def has(self, part: str) -> bool:
        """Whether there is any file below `part`."""
        return any(name.startswith(f"{part}/") for name in self._files)
