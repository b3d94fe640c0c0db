"""Whether a hint's words contain a stub's reference solution. Pure.

A first guard on the text; whether a hint's code solves the stub is found by running it.
"""

import difflib
import re
from collections.abc import Mapping

from tutor_lsp.languages.registry import languages

_WORTH = 6
"""Characters, blanks not counted, from which a solution says something."""


def solution_lines(
    language: str, starter: str, reference: str, stub: str, *, mended: bool = False
) -> list[str]:
    """The lines that stand in the reference where the starter has the stub's body; of a program
    that is to be `mended`, all that the starter has not.

    Without blanks; comments and lone brackets left out. Empty for a trivial body, and where the
    stub's mark (the line of an unwritten body that has its name) is not found.
    """
    known = languages()[language]
    blocks = re.compile(".*?".join(map(re.escape, known.lines.block)) or r"\Z", re.DOTALL)
    before, after = (blocks.sub("", text).splitlines() for text in (starter, reference))
    name = re.compile(rf"\b{re.escape(stub)}\b")
    marked = ((name.search(line) and known.is_unwritten(line)) for line in before)
    at = next((number for number, found in enumerate(marked) if found), None)
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    own: list[str] = []
    for tag, start, end, new_start, new_end in matcher.get_opcodes():
        if tag != "equal" and (mended or (at is not None and start <= at < end)):
            own += (line.strip() for line in after[new_start:new_end])
    lines = [_plain(line) for line in own if not line.startswith(known.lines.comment)]
    said = [line for line in lines if re.search(r"\w", line)]
    return said if sum(map(len, said)) >= _WORTH else []


def reveals(hint: Mapping[str, object], level: int, lines: list[str], mine: str = "") -> bool:
    """Whether the hint holds all of the solution's lines, one of which is not in the learner's own
    text (`mine`) yet.

    At level 3 a solution of one line may be named: the next step is then all there is.
    """
    if not lines or (level == 3 and len(lines) == 1):
        return False
    if {_plain(line) for line in mine.splitlines()}.issuperset(lines):
        return False
    said = "".join(_plain(line) for line in f"{hint['text']}\n{hint['code'] or ''}".splitlines())
    return all(line in said for line in lines)


def _plain(line: str) -> str:
    return re.sub(r"\s+", "", line).removesuffix(";")
