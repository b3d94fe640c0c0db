"""Known mistakes as their author wrote them: `mistakes/ex-N.md`.

Each has a heading of the second level, a sentence that says what the code does, lines `Tag:` and
`Error:` if it has them, the wrong definition in a fence, and, if the author likes, a heading
`### L2` with a hint of its own.
"""

import re

from tutor_lsp.core.exercise.mistakes import Mistake
from tutor_lsp.library.entry import BrokenExerciseError
from tutor_lsp.library.markdown import code_blocks, split_at

_KEY = re.compile(r"(?P<key>Tag|Error):\s*(?P<value>\S.*)")
_L2 = "### L2"


def read_mistakes(name: str, text: str) -> tuple[Mistake, ...]:
    """The mistakes of a unit, from the text of its file of that name. Raises
    BrokenExerciseError."""
    found: list[Mistake] = []
    line = 1
    for piece in split_at(text, 2):
        if piece.startswith("## "):
            found.append(_read(name, piece, line))
        elif piece.strip():
            raise BrokenExerciseError(f"{name} begins with a mistake's heading (## …)")
        line += piece.count("\n")
    if not found:
        raise BrokenExerciseError(f"{name} has no mistake: each begins with a heading (## …)")
    return tuple(found)


def _read(name: str, piece: str, line: int) -> Mistake:
    heading, _, rest = piece.partition("\n")
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
    says, below = " ".join(filter(None, said)), "\n".join(rows[fence.last :]).strip()
    if not says:
        raise BrokenExerciseError(f"{where} needs a sentence that says what the code does")
    if below and not below.startswith(_L2):
        raise BrokenExerciseError(f"{where} may only have “{_L2}” below its code")
    hint = below.removeprefix(_L2).strip()
    code, error = f"{fence.text}\n", keys.get("Error", "")
    return Mistake(title, says, code, keys.get("Tag", ""), error, hint, line)
