"""The libraries that this process runs with, for children that need them as well."""

import sys

import tutor_lsp


def own_python() -> tuple[str, ...]:
    """The beginning of a command line: this process's Python, with what it can import. Behind it
    come `-m`, `-c` or a script, and their arguments."""
    spec = tutor_lsp.__spec__
    return (sys.executable, *getattr(spec and spec.loader, "launch", ()))


def bytecode() -> str | None:
    """The folder in which the bytecode of the libraries is kept, where that is not beside them."""
    spec = tutor_lsp.__spec__
    return getattr(spec and spec.loader, "bytecode", None)
