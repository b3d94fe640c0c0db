"""How toy's texts are read and failing tests explained."""

from toy_language.explain import explain
from toy_language.source import functions, import_lines, imports, syntax_error, tests

__all__ = ["explain", "functions", "import_lines", "imports", "syntax_error", "tests"]
