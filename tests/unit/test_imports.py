"""Imports between packages point one way (docs/architecture.md)."""

import ast
from pathlib import Path

import pytest

import tutor_lsp

ROOT = Path(tutor_lsp.__file__).parent
ALLOWED = {
    "core": set(),
    "files": {"core"},
    "process": {"core"},
    "contracts": {"core"},
    "store": {"core"},
    "library": {"core", "files", "languages"},
    "languages": {"core", "process"},
    "stages": {"core", "contracts", "process", "languages", "library"},
    "authoring": {
        "core", "contracts", "files", "process", "stages", "languages", "library",
    },
    "tutor": {
        "core", "contracts", "files", "process", "stages", "languages", "library", "authoring",
        "store",
    },
    "lsp": {"core", "files", "tutor"},
    "cli": {"core", "tutor", "lsp"},
}  # fmt: skip
ONLY = {"pygls": {"lsp", "cli"}, "lsprotocol": {"lsp", "cli"}, "tree_sitter": {"languages"}}


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.lineno, node.module


@pytest.mark.parametrize("package", sorted(ALLOWED))
def test_package_imports_only_what_lies_below_it(package):
    wrong = []
    for path in sorted((ROOT / package).rglob("*.py")):
        if package == "library" and path.parent != ROOT / package:
            continue
        for line, name in imports(path):
            parts = name.split(".")
            target = parts[1] if parts[0] == "tutor_lsp" and len(parts) > 1 else None
            if target and target not in ALLOWED[package] | {package}:
                wrong.append(f"{path.relative_to(ROOT)}:{line} imports {name}")
            if package not in ONLY.get(parts[0], {package}):
                wrong.append(f"{path.relative_to(ROOT)}:{line} imports {name}")
    assert not wrong


def test_core_needs_only_the_standard_library():
    import sys

    wrong = [
        f"{path.name}:{line} imports {name}"
        for path in (ROOT / "core").rglob("*.py")
        for line, name in imports(path)
        if name.split(".")[0] not in {*sys.stdlib_module_names, "tutor_lsp"}
    ]
    assert not wrong
