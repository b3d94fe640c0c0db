"""What tests may import, and mending what a wrong package name broke. Pure."""

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from tutor_lsp.authoring.merge import statement_end
from tutor_lsp.core.ports import Toolchain

PACKAGE = "exercise"
_STANDARD: Mapping[str, frozenset[str]] = {
    "python": frozenset(sys.stdlib_module_names) | {"pytest", "_pytest"},
    "rust": frozenset({"std", "core", "alloc"}),
}
_WORD = re.compile(r"[A-Za-z_]\w*")
_NAMES = {
    "python": re.compile(r"^(?:class\s+(\w+)|([A-Za-z_]\w*)\s*(?::[^=\n]+)?=)", re.MULTILINE),
    "rust": re.compile(
        r"\b(?:struct|enum|union|trait|const|static|type)\s+(?:mut\s+)?([A-Za-z_]\w*)"
    ),
}
_RUST_USE = re.compile(r"^(\s*(?:pub\s+)?(?:use|extern\s+crate)\s+(?:::)?)([A-Za-z_]\w*)(.*)$")
_PYTHON_FROM = re.compile(r"^(\s*)from\s+([\w.]*+)\s+import\b(.*)$")
_PYTHON_IMPORT = re.compile(r"^(\s*)import\s+([\w.]+)(\s+as\s+\w+)?(\s*#.*)?\s*$")


class ImportRefusedError(Exception):
    """A test imports what is neither standard library, test framework nor exercise."""

    rule = "import-foreign"

    def __init__(self, path: str, line: int, module: str) -> None:
        super().__init__(f"{path} line {line} imports {module}, which is not part of the exercise")
        self.path = path
        self.line = line
        self.module = module


@dataclass(frozen=True, slots=True)
class _Starter:
    """Names that the starter defines, by module path below the package ("" is its root)."""

    names: Mapping[str, frozenset[str]]

    def module(self, segment: str) -> str | None:
        """The module path that ends with `segment`, if there is just one."""
        hits = [path for path in self.names if path and path.split("/")[-1] == segment]
        return hits[0] if len(hits) == 1 else None

    def home(self, words: set[str]) -> str | None:
        """The one module that defines all of `words`."""
        hits = [path for path, names in self.names.items() if words and words <= names]
        return hits[0] if len(hits) == 1 else None


def mend_tests(
    tests: Mapping[str, str], src: Mapping[str, str], toolchain: Toolchain
) -> tuple[dict[str, str], tuple[str, ...]]:
    """The tests with mended imports, and one sentence per mend.

    A wrong package name in front of a name that the starter defines becomes the package of the
    exercise; a test that imports nothing of the exercise gets the import. Tests that are in order
    come out unchanged. Languages without rules here come out unchanged too. Raises
    ImportRefusedError for an import that cannot be mended.
    """
    if toolchain.language == "c":
        return _mend_c(tests, src, toolchain)
    mender = _MENDERS.get(toolchain.language)
    if mender is None:
        return dict(tests), ()
    starter = _starter(src, toolchain)
    allowed = _STANDARD[toolchain.language] | toolchain.own_names({**src, **tests}) | {PACKAGE}
    mended: dict[str, str] = {}
    notes: list[str] = []
    for path, text in tests.items():
        lines = text.split("\n")
        for number, module in _foreign(lines, toolchain):
            if module in allowed:
                continue
            end = statement_end(lines, number - 1)
            repaired = mender(lines[number - 1], " ".join(lines[number - 1 : end]), starter)
            if repaired is None:
                raise ImportRefusedError(path, number, module)
            notes.append(f"{path} line {number}: `{lines[number - 1].strip()}` became "
                         f"`{repaired.strip()}`.")  # fmt: skip
            lines[number - 1] = repaired
        mended[path], added = _with_import("\n".join(lines), starter, toolchain)
        notes.extend(f"{path}: `{line}` was added." for line in added)
    return mended, tuple(notes)


def _mend_c(
    tests: Mapping[str, str], src: Mapping[str, str], toolchain: Toolchain
) -> tuple[dict[str, str], tuple[str, ...]]:
    from tutor_lsp.languages.c.includes import mend_includes, notes_on

    own = toolchain.own_names({**src, **tests})
    mended: dict[str, str] = {}
    notes: list[str] = []
    for path, text in tests.items():
        found = mend_includes(text, src, own)
        if found.refused is not None:
            raise ImportRefusedError(path, *found.refused)
        mended[path] = found.text
        notes.extend(notes_on(path, found))
    return mended, tuple(notes)


def _foreign(lines: list[str], toolchain: Toolchain) -> list[tuple[int, str]]:
    """Imports that may need mending: those of the toolchain, in Rust without types and modules of
    the file, and with `crate`, `self` and `super` at the left margin: there they mean the test."""
    found = toolchain.imports("\n".join(lines))
    if toolchain.language != "rust":
        return list(found)
    relative = re.compile(r"use\s+(crate|self|super)\b")
    inner = [(n, match[1]) for n, line in enumerate(lines, 1) if (match := relative.match(line))]
    declared = set(re.findall(r"^\s*(?:pub\s+)?mod\s+(\w+)", "\n".join(lines), re.MULTILINE))
    outer = {(n, name) for n, name in found if not name[:1].isupper() and name not in declared}
    return sorted(outer | set(inner))


def _mend_rust(line: str, statement: str, starter: _Starter) -> str | None:
    found = _RUST_USE.match(line)
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
    words = [word for word in _WORD.findall(tail) if word not in {"as", "self"}]
    if rest.startswith("::") and ((words and words[0] in known) or tail.startswith("*")):
        return f"{head}{PACKAGE}{rest}"
    return None


def _mend_python(line: str, statement: str, starter: _Starter) -> str | None:
    found = _PYTHON_FROM.match(line)
    if found:
        indent, source, rest = found.groups()
        module = starter.module(source.strip(".").split(".")[-1])
        listed = statement.partition(" import")[2].split("#")[0].split(",")
        words = {word for part in listed for word in _WORD.findall(part)[:1]}
        if module is None:
            module = starter.home(words)
        if module is None:
            return None
        return f"{indent}from {_dotted(module)} import{rest}"
    found = _PYTHON_IMPORT.match(line)
    if found:
        indent, source, alias, comment = found.groups()
        module = starter.module(source.split(".")[-1])
        if module is None or ("." in source and not alias):
            return None
        parent = _dotted(module.rpartition("/")[0])
        return f"{indent}from {parent} import {module.split('/')[-1]}{alias or ''}{comment or ''}"
    return None


_MENDERS: Mapping[str, Callable[[str, str, _Starter], str | None]] = {
    "rust": _mend_rust,
    "python": _mend_python,
}


def _with_import(text: str, starter: _Starter, toolchain: Toolchain) -> tuple[str, tuple[str, ...]]:
    python = toolchain.language == "python"
    if re.search(rf"\b{PACKAGE}\b", text) or not toolchain.tests(text):
        return text, ()
    words = set(_WORD.findall(text))
    added: list[str] = []
    for module, names in sorted(starter.names.items()):
        used = sorted(names & words)
        if not used:
            continue
        if python:
            added.append(f"from {_dotted(module)} import {', '.join(used)}")
        else:
            inner = "".join(f"::{part}" for part in module.split("/") if part)
            added.append(f"use {PACKAGE}{inner}::*;")
    if not added:
        return text, ()
    lines = text.split("\n")
    at, before_import = _place(lines, toolchain.imports(text), python=python)
    above = [""] if at and not before_import and lines[at - 1].strip() else []
    below = [""] if at < len(lines) and not before_import and lines[at].strip() else []
    return "\n".join([*lines[:at], *above, *added, *below, *lines[at:]]), tuple(added)


def _place(
    lines: list[str], imports: tuple[tuple[int, str], ...], *, python: bool
) -> tuple[int, bool]:
    """Where an import goes (0-based), and whether another one follows there."""
    outer = [(number, name) for number, name in imports if not lines[number - 1][:1].isspace()]
    first = next((number for number, name in outer if name != "__future__"), None)
    if first is not None:
        return first - 1, True
    if outer:
        return outer[-1][0], False
    if python:
        return _docstring_end(lines), False
    at = 0
    while at < len(lines) and lines[at].startswith(("//!", "#![")):
        at += 1
    return at, False


def _docstring_end(lines: list[str]) -> int:
    at = 0
    while at < len(lines) and (not lines[at].strip() or lines[at].startswith("#")):
        at += 1
    if at == len(lines) or not lines[at].startswith(('"""', "'''")):
        return 0 if at == len(lines) else at
    mark = lines[at][:3]
    if mark in lines[at][3:]:
        return at + 1
    return next((i + 1 for i in range(at + 1, len(lines)) if mark in lines[i]), at)


def _starter(src: Mapping[str, str], toolchain: Toolchain) -> _Starter:
    names: dict[str, frozenset[str]] = {}
    more = _NAMES[toolchain.language]
    for path, text in src.items():
        found = {site.name for site in toolchain.functions(text)}
        found |= {word for match in more.finditer(text) for word in match.groups() if word}
        names[_module(path)] = frozenset(found)
    return _Starter(names)


def _module(path: str) -> str:
    parts = PurePosixPath(path).with_suffix("").parts[1:]
    if parts[:1] == (PACKAGE,):
        parts = parts[1:]
    if parts and parts[-1] in {"__init__", "lib", "mod"}:
        parts = parts[:-1]
    return "/".join(parts)


def _dotted(module: str) -> str:
    return ".".join([PACKAGE, *(part for part in module.split("/") if part)])
