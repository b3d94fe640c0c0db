"""Several versions of a Python package side by side, so that one pytest runs them all. Pure.

Each version is a package of its own name, with test modules and test functions of their own.
"""

import ast
import re
from collections.abc import Collection, Iterator, Sequence

from tutor_lsp.core.language.variants import MARK, Merged, Variant, merged_name
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
                if test and _in_classes(text):
                    return None  # their methods keep their names
                given = text if variant.tests is None else _with_tests(text, variant.tests)
                renamed = _renamed(given if test else text, number, tests=test)
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


def _in_classes(text: str) -> bool:
    return any(
        isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) and each.name.startswith("test")
        for node in tree_of(text).body
        if isinstance(node, ast.ClassDef)
        for each in node.body
    )


def _tests(text: str) -> list[str]:
    return [
        node.name
        for node in tree_of(text).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test")
    ]


def _with_tests(text: str, wanted: Collection[str]) -> str:
    """The text without the bodies of other tests, which would be compiled for nothing; every line
    stays where it is."""
    lines = text.splitlines(keepends=True)
    for node in tree_of(text).body:
        if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test"):
            continue
        if node.name in wanted or any(isinstance(n, ast.Call) for n in _run_when_defined(node)):
            continue
        first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
        for number in range(first - 1, node.end_lineno or node.lineno):
            lines[number] = "\n"
    return "".join(lines)


def _run_when_defined(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """What of a function is evaluated where it stands: without a call that changes nothing."""
    head = (*function.decorator_list, function.args, function.returns)
    return (node for each in head if each is not None for node in ast.walk(each))


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
        elif isinstance(node, ast.ImportFrom) and _is_ours(node.module) and not node.level:
            edits.append((data.find(PACKAGE.encode(), at, end), PACKAGE.encode(), package.encode()))
        elif isinstance(node, ast.Import):
            # `import exercise` binds the name, which is renamed wherever it is used
            ours = (alias for alias in node.names if _is_ours(alias.name))
            places = (_place(alias, starts)[0] for alias in ours)
            edits += [(place, PACKAGE.encode(), package.encode()) for place in places]
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


def _is_ours(module: str | None) -> bool:
    return (module or "").split(".")[0] == PACKAGE


def _place(node: ast.AST, starts: Sequence[int]) -> tuple[int, int]:
    """From which byte to which a node goes; (0, 0) for one that has no place."""
    if not isinstance(node, ast.expr | ast.stmt | ast.alias):
        return 0, 0
    end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
    return starts[node.lineno - 1] + node.col_offset, end
