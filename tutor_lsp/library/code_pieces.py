"""Code as an author gives it beside an exercise: a heading (`## …`) for each piece, below it what
is said of it and lines such as `Tag: …`, the code in a fence, and under `### L2` a hint."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tutor_lsp.library.entry import BrokenExerciseError
from tutor_lsp.library.markdown import code_blocks, split_at

_KEY = re.compile(r"(?P<key>Tag|Error|Shows):\s*(?P<value>\S.*)")
_L2 = "### L2"


@dataclass(frozen=True, slots=True)
class Piece:
    """One of them: its name, what is `said` of it in words and in `keys`, its code with the `file`
    that the fence names behind the language, and its hint. `line` is that of its heading, 1-based;
    `where` names it in a message."""

    name: str
    where: str
    said: str
    keys: Mapping[str, str]
    file: str
    code: str
    hint: str
    line: int

    @property
    def says(self) -> str:
        """What the code does, in a sentence. Raises BrokenExerciseError if nothing says that."""
        if not self.said:
            raise BrokenExerciseError(f"{self.where} needs a sentence that says what it does")
        return self.said


def read_pieces(name: str, text: str) -> list[Piece]:
    """The pieces of the file of that name. Raises BrokenExerciseError."""
    found: list[Piece] = []
    line = 1
    for part in split_at(text, 2):
        if part.startswith("## "):
            found.append(_read(name, part, line))
        elif part.strip():
            raise BrokenExerciseError(f"{name} must begin with a heading (## …)")
        line += part.count("\n")
    if not found:
        raise BrokenExerciseError(f"{name} is empty: it must begin with a heading (## …)")
    return found


def _read(name: str, text: str, line: int) -> Piece:
    heading, _, rest = text.partition("\n")
    title = heading.removeprefix("## ").strip()
    where = f"“{title}” in {name}"
    fence = next((block for block in code_blocks(rest) if block.fenced), None)
    if fence is None:
        raise BrokenExerciseError(f"{where} has no code in a fence")
    rows = rest.split("\n")
    keys: dict[str, str] = {}
    said: list[str] = []
    for row in map(str.strip, rows[: fence.first - 1]):
        found = _KEY.fullmatch(row)
        if found is None:
            said.append(row)
        else:
            keys[found["key"]] = found["value"]
    below = "\n".join(rows[fence.last :]).strip()
    if below and not below.startswith(_L2):
        raise BrokenExerciseError(f"{where} may only have “{_L2}” below its code")
    hint, file = below.removeprefix(_L2).strip(), fence.info.partition(" ")[2].strip()
    sentence = " ".join(filter(None, said))
    return Piece(title, where, sentence, keys, file, f"{fence.text}\n", hint, line)
