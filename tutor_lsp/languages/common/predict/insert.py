"""Putting lines into a program that tell its steps."""

from collections import defaultdict

from tutor_lsp.languages.common.treesitter import Source


class Insertions:
    """What goes into a text at byte offsets; of pieces around the same code, those that were added
    first are outside."""

    def __init__(self, source: Source) -> None:
        self._data = source.data
        self._before: defaultdict[int, list[bytes]] = defaultdict(list)
        self._after: defaultdict[int, list[bytes]] = defaultdict(list)

    def before(self, at: int, text: str) -> None:
        """What begins at an offset."""
        self._before[at].append(text.encode())

    def after(self, at: int, text: str) -> None:
        """What ends at an offset."""
        self._after[at].insert(0, text.encode())

    def text(self) -> str:
        """The whole text with all of it."""
        pieces: list[bytes] = []
        done = 0
        for at in sorted({*self._before, *self._after}):
            pieces += [self._data[done:at], *self._after[at], *self._before[at]]
            done = at
        return b"".join((*pieces, self._data[done:])).decode("utf-8", "replace")
