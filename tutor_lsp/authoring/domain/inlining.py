"""Tests with the constants and helpers that they use inlined. Pure.

A test's input for a stub may be elsewhere: in a constant of the exercise or of the test file,
or in a helper that makes it. Once inlined, it can be changed for one neighbour alone.
"""

from dataclasses import replace

from tutor_lsp.core.language.guards import Items
from tutor_lsp.core.language.syntax import Grammar
from tutor_lsp.core.ports import FunctionSite
from tutor_lsp.languages.common.syntax import mentioned, parse


def inlined(
    text: str, test: FunctionSite, items: Items, grammar: Grammar
) -> tuple[str, FunctionSite] | None:
    """The file with these definitions inlined in the test as far as it needs them, and the test's
    new place; None if it needs none."""
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
