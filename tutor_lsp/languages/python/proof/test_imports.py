"""Imports of Python tests."""

import re
import sys
from collections.abc import Sequence

from tutor_lsp.languages.common.proof.test_imports import (
    PACKAGE,
    WORD,
    ImportRules,
    Starter,
    listed,
    used,
    uses,
)
from tutor_lsp.languages.python.proof.names import unresolved

_FROM = re.compile(r"^(\s*)from\s+([\w.]*+)\s+import\b(.*)$")
_IMPORT = re.compile(r"^(\s*)import\s+([\w.]+)(\s+as\s+\w+)?(\s*#.*)?\s*$")
_LISTS = (
    re.compile(r"^(?P<head>from [\w.]+ import )\((?P<names>[\w\s,]+)\)$", re.MULTILINE),
    re.compile(r"^(?P<head>from [\w.]+ import )(?P<names>\w[\w ,]*)$", re.MULTILINE),
)
_SINGLE = re.compile(r"^import (\w+)\n", re.MULTILINE)
_RENAMED_FROM = re.compile(
    r"^\s*from\s+(?P<module>\w+)\s+import\s+(?P<names>\([^)]*\)|[^\n#]*)", re.MULTILINE
)
_RENAMED = re.compile(r"^\s*import\s+(?P<module>[\w.]+)\s+as\s+(?P<short>\w+)", re.MULTILINE)


def used_imports(text: str) -> str:
    """See `core.language.dialect.Dialect`."""
    whole = text

    def shorter(found: re.Match[str]) -> str:
        names = listed(found["names"])
        kept = used(names, whole)
        if kept == names or not kept:
            return found[0] if kept else ""
        return f"{found['head']}{', '.join(kept)}"

    for form in _LISTS:
        text = form.sub(shorter, text)
    return _SINGLE.sub(lambda found: found[0] if uses(text, found[1]) > 1 else "", text)


def full_names(text: str) -> dict[str, str]:
    """See `core.language.dialect.Dialect`."""
    found: dict[str, str] = {}
    for line in _RENAMED_FROM.finditer(text):
        for each in line["names"].strip("()").split(","):
            words = each.split()
            if words:
                found[words[-1]] = f"{line['module']}.{words[0]}"
    return found | {line["short"]: line["module"] for line in _RENAMED.finditer(text)}


class PythonImports(ImportRules):
    """See `ImportRules`."""

    standard = frozenset(sys.stdlib_module_names) | {"pytest", "_pytest"}
    names = re.compile(r"^(?:class\s+(\w+)|([A-Za-z_]\w*)\s*(?::[^=\n]+)?=)", re.MULTILINE)

    def mended(self, line: str, statement: str, starter: Starter) -> str | None:
        return _from(line, statement, starter) or _import(line, starter)

    def line(self, module: str, names: Sequence[str]) -> str:
        return f"from {_dotted(module)} import {', '.join(names)}"

    def missing(self, text: str) -> frozenset[str]:
        try:
            errors = unresolved("tests", text)
        except (SyntaxError, ValueError, RecursionError):
            return frozenset()
        lines = text.split("\n")
        return frozenset(lines[e.line - 1][e.column - 1 : e.end_column - 1] for e in errors)

    def whole(self, module: str) -> str:
        return f"import {module}"

    def top(self, lines: Sequence[str]) -> int:
        at = 0
        while at < len(lines) and (not lines[at].strip() or lines[at].startswith("#")):
            at += 1
        if at == len(lines) or not lines[at].startswith(('"""', "'''")):
            return 0 if at == len(lines) else at
        mark = lines[at][:3]
        if mark in lines[at][3:]:
            return at + 1
        return next((i + 1 for i in range(at + 1, len(lines)) if mark in lines[i]), at)


def _from(line: str, statement: str, starter: Starter) -> str | None:
    found = _FROM.match(line)
    if not found:
        return None
    indent, source, rest = found.groups()
    module = starter.module(source.strip(".").split(".")[-1])
    listed = statement.partition(" import")[2].split("#")[0].split(",")
    words = {word for part in listed for word in WORD.findall(part)[:1]}
    if module is None:
        module = starter.home(words)
    return f"{indent}from {_dotted(module)} import{rest}" if module is not None else None


def _import(line: str, starter: Starter) -> str | None:
    found = _IMPORT.match(line)
    if not found:
        return None
    indent, source, alias, comment = found.groups()
    module = starter.module(source.split(".")[-1])
    if module is None or ("." in source and not alias):
        return None
    parent = _dotted(module.rpartition("/")[0])
    return f"{indent}from {parent} import {module.split('/')[-1]}{alias or ''}{comment or ''}"


def _dotted(module: str) -> str:
    return ".".join([PACKAGE, *(part for part in module.split("/") if part)])
