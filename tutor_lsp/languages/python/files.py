"""The files that a Python exercise needs beside its sources and tests."""

import sys
from pathlib import PurePosixPath

from tutor_lsp.core.exercise.snapshot import TAKEN, UNSEEN, NewFile
from tutor_lsp.core.ports import Files
from tutor_lsp.languages.common.paths import BACKUP, GIVEN_TESTS, NO_SOURCE, by_itself, in_place_of

PYPROJECT = """\
[project]
name = "exercise"
version = "0.1.0"
requires-python = ">=3.9"

[tool.pytest.ini_options]
pythonpath = ["src"]
testpaths = ["tests"]
"""
PYRIGHT = """\
{
  "include": ["src", "tests"],
  "extraPaths": ["src"]
}
"""
IGNORED = """\
__pycache__/
.pytest_cache/
.venv/
"""
_BY_PYTEST = frozenset(
    {"conftest.py", "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "tox.ini"}
    | {"setup.cfg", "pyproject.toml"}
)
_BY_PYTHON = frozenset({"sitecustomize.py", "usercustomize.py", "pyvenv.cfg"})
_FRAMEWORK = frozenset(
    {"pytest", "_pytest", "py", "pluggy", "iniconfig", "packaging", "exceptiongroup", "tomli"}
    | {"pygments", "colorama", "typing_extensions", "attr", "attrs"}
    | {"_tutor_plugin", "run_tests"}
)
_LOADED = frozenset({"", ".py", ".pyc", ".so", ".pyd"})
"""Suffixes of what can be imported; a link to a folder may have none."""
_GONE = frozenset({"distutils", "imp", "asynchat", "asyncore", "smtpd", "cgi", "crypt", "pipes"})
"""Modules of older Pythons than ours, which may run the tests."""
_STANDARD = frozenset(name.casefold() for name in sys.stdlib_module_names) | _GONE


def complete(files: Files) -> dict[str, str]:
    """`files` with build files and package markers; existing files stay as they are."""
    out = dict(files)
    for path in list(files):
        parts = PurePosixPath(path).parts
        if path.endswith(".py") and len(parts) > 2 and parts[0] == "src":
            for depth in range(2, len(parts)):
                out.setdefault("/".join((*parts[:depth], "__init__.py")), "")
    out.setdefault("src/exercise/__init__.py", "")
    out.setdefault("pyproject.toml", PYPROJECT)
    out.setdefault("pyrightconfig.json", PYRIGHT)
    out.setdefault(".gitignore", IGNORED)
    return out


def own_names(files: Files) -> frozenset[str]:
    """Top-level packages and modules under src/, and helper modules beside the tests."""
    names = {"exercise"}
    for path in files:
        parts = PurePosixPath(path).parts
        if path.endswith(".py") and len(parts) > 1 and parts[0] in ("src", "tests"):
            names.add(parts[1].removesuffix(".py"))
    return frozenset(name for name in names if not name.startswith("test_"))


def new_file(file: str) -> NewFile:
    """See `Toolchain.new_file`. Of `src/` the names at the top are imported as they are."""
    path = PurePosixPath(file.casefold())
    top, name = path.parts[0], path.name
    if name in _BY_PYTEST:
        return by_itself("pytest")
    if name in _BY_PYTHON or path.suffix == ".pth":
        return by_itself("Python")
    if top not in ("src", "tests") or BACKUP.search(name):
        return UNSEEN
    if path.suffix not in _LOADED:
        return NO_SOURCE
    if top == "tests":
        return GIVEN_TESTS
    module = path.parts[1].partition(".")[0]
    if module in _STANDARD:
        return in_place_of(f"Python's own `{module}`")
    if module in _FRAMEWORK:
        return in_place_of(f"`{module}`, which runs the tests")
    return TAKEN if path.suffix == ".py" else NewFile(why="it is no source file")
