"""Reading a JSON object while it is still being written. Pure."""

import json
from typing import Any

_ESCAPE = 6
"""Characters of the longest escape, which the end of a piece may cut through."""


class Growing:
    """The members of one object, as far as they are there; what stands around it is passed over.

    `known` are those that are whole. Something that is not JSON ends the reading: whoever reads the
    whole answer says what is wrong with it.
    """

    def __init__(self) -> None:
        self.known: dict[str, Any] = {}
        self._raw = ""
        self._at = 0
        self._depth = 0
        self._quote: int | None = None
        self._key = ""
        self._value: int | None = None
        self._ended = False

    def feed(self, piece: str) -> None:
        """Take the next piece."""
        if self._ended:
            return
        self._raw += piece
        while self._at < len(self._raw) and not self._ended:
            self._at += self._step(self._raw[self._at])

    def text(self, name: str) -> str:
        """A member that is a text, as far as it goes; "" before it begins, and if it is none."""
        if name in self.known:
            value = self.known[name]
            return value if isinstance(value, str) else ""
        if self._key != name or self._value is None:
            return ""
        written = self._raw[self._value :].lstrip()
        if not written.startswith('"'):
            return ""
        for cut in range(min(_ESCAPE, len(written) - 1) + 1):
            end = len(written) - cut
            for ending in ('"', ""):
                try:
                    read = json.loads(written[:end] + ending)
                except ValueError:
                    continue
                # The first half of a pair that stands for one character.
                return str(read).rstrip("".join(map(chr, range(0xD800, 0xDC00))))
        return ""

    def _step(self, char: str) -> int:
        """Take one character, or two of an escape; the number of those."""
        if self._quote is not None:
            if char == "\\":
                return 2
            if char == '"':
                if self._depth == 1 and self._value is None:
                    self._key = str(self._read(self._quote, self._at + 1))
                self._quote = None
        elif self._depth == 0:
            self._depth = int(char == "{")
        elif char == '"':
            self._quote = self._at
        elif char in "{[":
            self._depth += 1
        elif char == ":" and self._depth == 1:
            self._value = self._at + 1
        elif char in "}]" or (char == "," and self._depth == 1):
            if self._depth == 1:
                self._member()
                self._ended |= char != ","
            self._depth -= char != ","
        return 1

    def _member(self) -> None:
        if self._value is not None:
            value = self._read(self._value, self._at)
            if not self._ended:
                self.known[self._key] = value
        self._value = None

    def _read(self, start: int, end: int) -> Any:
        try:
            return json.loads(self._raw[start:end])
        except (ValueError, RecursionError):
            self._ended = True
            return ""
