"""Tests with the values and helpers that they name written into them. Pure.

What a test gives to a stub may stand elsewhere: in a constant of the exercise or of the test file,
in a helper that makes it. Written into the test, it can be changed there for one neighbour alone.
"""

from dataclasses import replace

from tutor_lsp.core.ports import FunctionSite
from tutor_lsp.languages.common.proof.guard import Items
from tutor_lsp.languages.common.syntax import Grammar, mentioned, parse


def inlined(
    text: str, test: FunctionSite, items: Items, grammar: Grammar
) -> tuple[str, FunctionSite] | None:
    """The file with these definitions in the test as far as it needs them, and where it stands
    then; None where it needs none."""
    parsed = parse(text, grammar)
    wanted = set(mentioned(parsed.within(test.body_start, test.body_end)))
    needed: set[str] = set()
    while more := (wanted & items.keys()) - needed:
        needed |= more
        for name in more:
            wanted |= mentioned(parse(items[name], grammar).tokens)
    if not needed:
        return None
    line = text.rfind("\n", 0, test.body_start) + 1
    indent = text[line : test.body_start] if text[line : test.body_start].isspace() else "    "
    chosen = dict.fromkeys(items[name] for name in items if name in needed)
    added = "".join(f"{item}\n{indent}" for item in chosen)
    changed = f"{text[: test.body_start]}{added}{text[test.body_start :]}"
    longer = len(added)
    return changed, replace(test, end=test.end + longer, body_end=test.body_end + longer)
