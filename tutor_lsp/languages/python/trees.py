"""Python's syntax trees, one at a time."""

import ast
import threading

_ONE = threading.Lock()
"""CPython up to 3.12 counts the depth of all trees that are being made in one place, and raises
SystemError where two threads make one at the same time."""


def parse(text: str) -> ast.Module:
    """The tree of a module. Raises SyntaxError, ValueError and RecursionError as `ast.parse`."""
    with _ONE:
        return ast.parse(text)


def parse_expression(text: str) -> ast.expr:
    """The tree of one expression. Raises as `parse`."""
    with _ONE:
        return ast.parse(text, mode="eval").body
