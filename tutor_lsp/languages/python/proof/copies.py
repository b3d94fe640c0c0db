"""Several versions of a Python package side by side, so that one pytest runs them all. Pure.

Each version is a package of its own name, with test modules and test functions of their own.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from tutor_lsp.languages.common.proof.merge import MARK, Merged, Variant, merged_name
from tutor_lsp.languages.python.proof.names import tree_of

PACKAGE = "exercise"
_DOTTED = re.compile(rf"{PACKAGE}(?:\.\w+)*")
_TEST_FILE = re.compile(r"tests/(?:test_\w+|\w+_test)\.py")


def side_by_side(variants: Sequence[Variant]) -> Merged | None:
    """One exercise that holds all variants; None where their texts do not allow it."""
    files: dict[str, str] = {}
    names: dict[str, tuple[str, str]] = {}
    paths: dict[str, str] = {}
    for number, variant in enumerate(variants, start=1):
        for path, text in variant.files.items():
            if not path.endswith(".py"):
                files[path] = text
                continue
            test = path.startswith("tests/")
            inside = path.startswith(f"src/{PACKAGE}/")
            if not inside and not (test and _TEST_FILE.fullmatch(path)):
                return None  # a module that all versions would share
            try:
                renamed = _renamed(text, number, tests=test)
            except (SyntaxError, ValueError, RecursionError):
                return None
            if test:
                new = f"{path.removesuffix('.py')}{MARK}{number}.py"
                if not new.startswith("tests/test_"):
                    return None
                for name in _tests(text):
                    if variant.tests is None or name in variant.tests:
                        names[merged_name(name, number)] = (variant.key, name)
            else:
                new = path.replace(f"src/{PACKAGE}/", f"src/{PACKAGE}{MARK}{number}/", 1)
            files[new] = renamed
            paths[new] = path
    return Merged(files, names, paths) if names else None


def _tests(text: str) -> list[str]:
    return [
        node.name
        for node in tree_of(text).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test")
    ]


def _renamed(text: str, number: int, *, tests: bool) -> str:
    """The text with the package, and in tests each test function, under its new name."""
    tree = tree_of(text)
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode()))
    data = text.encode()
    edits: list[tuple[int, bytes, bytes]] = []
    package = f"{PACKAGE}{MARK}{number}"
    for node in ast.walk(tree):
        at, end = _place(node, starts)
        if isinstance(node, ast.Name) and node.id == PACKAGE:
            edits.append((at, PACKAGE.encode(), package.encode()))
        elif isinstance(node, ast.Import | ast.ImportFrom):
            edits += _imports(data, at, end, node, package)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if _DOTTED.fullmatch(node.value):
                found = data.find(PACKAGE.encode(), at, end)
                edits.append((found, PACKAGE.encode(), package.encode()))
        elif tests and isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            name = re.compile(rb"\bdef\s+").search(data, at)
            if name is None:
                raise ValueError(node.name)
            new = merged_name(node.name, number).encode()
            edits.append((name.end(), node.name.encode(), new))
    for place, old, new in sorted(edits, reverse=True):
        if data[place : place + len(old)] != old:
            raise ValueError(old)
        data = data[:place] + new + data[place + len(old) :]
    return data.decode()


def _place(node: ast.AST, starts: Sequence[int]) -> tuple[int, int]:
    """From which byte to which a node goes; (0, 0) for one that has no place."""
    if not isinstance(node, ast.expr | ast.stmt):
        return 0, 0
    end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
    return starts[node.lineno - 1] + node.col_offset, end


def _imports(
    data: bytes, at: int, end: int, node: ast.Import | ast.ImportFrom, package: str
) -> Iterator[tuple[int, bytes, bytes]]:
    if isinstance(node, ast.ImportFrom):
        named = not node.level and (node.module or "").split(".")[0] == PACKAGE
        modules: Mapping[int, ast.alias] = {}
    else:
        named = False
        modules = {n: a for n, a in enumerate(node.names) if a.name.split(".")[0] == PACKAGE}
    if named:
        found = data.find(PACKAGE.encode(), at, end)
        yield found, PACKAGE.encode(), package.encode()
    for alias in modules.values():
        # `import exercise` binds the name, which is renamed wherever it is used
        alias_at = data.find(PACKAGE.encode(), at, end)
        while alias_at >= 0 and not _starts_alias(data, alias_at):
            alias_at = data.find(PACKAGE.encode(), alias_at + 1, end)
        if alias_at < 0:
            raise ValueError(alias.name)
        yield alias_at, PACKAGE.encode(), package.encode()
        at = alias_at + 1


def _starts_alias(data: bytes, at: int) -> bool:
    before = data[at - 1 : at]
    return not before or not (before.isalnum() or before in (b"_", b"."))
