"""`use` lines of Rust tests."""

import re
from collections.abc import Sequence

from tutor_lsp.core.ports import Toolchain
from tutor_lsp.languages.common.proof.test_imports import (
    PACKAGE,
    WORD,
    ImportRules,
    Starter,
    listed,
    used,
    uses,
)

_USE = re.compile(r"^(\s*(?:pub\s+)?(?:use|extern\s+crate)\s+(?:::)?)([A-Za-z_]\w*)(.*)$")
_RELATIVE = re.compile(r"use\s+(crate|self|super)\b")
_MODULE = re.compile(r"^\s*(?:pub\s+)?mod\s+(\w+)", re.MULTILINE)
_LIST = re.compile(r"^(?P<head>use [\w:]+::)\{(?P<names>[\w\s,]+)\};$", re.MULTILINE)
_SINGLE = re.compile(r"^use [\w:]+::(\w+);\n", re.MULTILINE)


def used_imports(text: str) -> str:
    """See `core.language.dialect.Dialect`."""
    whole = text

    def shorter(found: re.Match[str]) -> str:
        names = listed(found["names"])
        kept = used(names, whole)
        if kept == names or not kept:
            return found[0] if kept else ""
        text = ", ".join(kept)
        return f"{found['head']}{{{text}}};" if len(kept) > 1 else f"{found['head']}{text};"

    text = _LIST.sub(shorter, text)
    return _SINGLE.sub(lambda found: found[0] if uses(text, found[1]) > 1 else "", text)


class RustImports(ImportRules):
    """See `ImportRules`."""

    standard = frozenset({"std", "core", "alloc"})
    names = re.compile(
        r"\b(?:struct|enum|union|trait|const|static|type)\s+(?:mut\s+)?([A-Za-z_]\w*)"
    )

    def foreign(self, lines: list[str], toolchain: Toolchain) -> list[tuple[int, str]]:
        """Without types and modules of the file, and with `crate`, `self` and `super` at the left
        margin: there they mean the test."""
        inner = [(n, m[1]) for n, line in enumerate(lines, 1) if (m := _RELATIVE.match(line))]
        declared = set(_MODULE.findall("\n".join(lines)))
        found = super().foreign(lines, toolchain)
        outer = {(n, name) for n, name in found if not name[:1].isupper() and name not in declared}
        return sorted(outer | set(inner))

    def mended(self, line: str, statement: str, starter: Starter) -> str | None:
        found = _USE.match(line)
        if not found:
            return None
        head, wrong, rest = found.groups()
        known = {word for names in starter.names.values() for word in names} | {
            path.split("/")[-1] for path in starter.names if path
        }
        module = starter.module(wrong)
        if module is not None and wrong not in {"crate", "super", "self"}:
            return f"{head}{PACKAGE}::{module.replace('/', '::')}{rest}"
        tail = statement.partition(wrong)[2].removeprefix("::")
        words = [word for word in WORD.findall(tail) if word not in {"as", "self"}]
        if rest.startswith("::") and ((words and words[0] in known) or tail.startswith("*")):
            return f"{head}{PACKAGE}{rest}"
        return None

    def line(self, module: str, names: Sequence[str]) -> str:
        inner = "".join(f"::{part}" for part in module.split("/") if part)
        return f"use {PACKAGE}{inner}::*;"

    def top(self, lines: Sequence[str]) -> int:
        at = 0
        while at < len(lines) and lines[at].startswith(("//!", "#![")):
            at += 1
        return at
