"""Tests with the values and helpers that they name written into them. Pure.

What a test gives to a stub may stand elsewhere: in a constant of the exercise or of the test file,
in a helper that makes it. Written into the test, it can be changed there for one neighbour alone.
"""

import ast
from collections.abc import Mapping
from dataclasses import replace

from tutor_lsp.core.ports import FunctionSite, SourceReader
from tutor_lsp.languages.common.syntax import Grammar, mentioned, parse

Items = Mapping[str, str]
"""Definitions by name, in the order of their text."""


def definitions(
    text: str, sources: Mapping[str, str], reader: SourceReader, grammar: Grammar
) -> Items:
    """What can be written into a test of the file `text`; `sources` are the files of `src/`."""
    if grammar.name == "python":
        found: dict[str, str] = {}
        for source in (*sources.values(), text):
            found |= _assignments(source)
        return found
    return _items(text, reader, grammar) if grammar.name == "rust" else {}


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


def _assignments(text: str) -> dict[str, str]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    lines = text.split("\n")
    found: dict[str, str] = {}
    for node in tree.body:
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            targets = [node.target]
        inside = (each for target in targets for each in ast.walk(target))
        names = [each.id for each in inside if isinstance(each, ast.Name)]
        if names and node.end_lineno is not None:
            whole = "\n".join(lines[node.lineno - 1 : node.end_lineno])
            found |= dict.fromkeys(names, whole)
    return found


def _items(text: str, reader: SourceReader, grammar: Grammar) -> dict[str, str]:
    tests = {site.name for site in reader.tests(text)}
    found = {
        site.name: text[site.start : site.end]
        for site in reader.functions(text)
        if site.name not in tests and text[: site.start].endswith("\n")
    }
    tokens = parse(text, grammar).tokens
    for at, token in enumerate(tokens[:-1]):
        if token.kind in ("const", "static") and text[: token.start].endswith("\n"):
            end = next((each.end for each in tokens[at:] if each.kind == ";"), None)
            if end is not None:
                found[tokens[at + 1].text] = text[token.start : end]
    return found
