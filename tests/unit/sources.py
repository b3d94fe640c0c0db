"""The modules of the package as syntax trees, parsed once for all tests that look at them."""

import ast
from functools import cache
from pathlib import Path

import pytest

import tutor_lsp

ROOT = Path(tutor_lsp.__file__).parent
TOGETHER = pytest.mark.xdist_group("sources")
"""What is parsed for one test with this mark serves the others."""
LOOKED_AT = (ast.Constant, ast.Expr, ast.Import, ast.ImportFrom, ast.Call)


@cache
def nodes(path):
    """Constants, expressions as statements, imports and calls of a module, wherever they are."""
    tree = ast.parse(path.read_text("utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, LOOKED_AT)]
