"""The files that a Python exercise needs beside what it is made of."""

from collections.abc import Mapping
from pathlib import PurePosixPath

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


def complete(files: Mapping[str, str]) -> dict[str, str]:
    """`files` with build files and package markers; what is there stays as it is."""
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


def own_names(files: Mapping[str, str]) -> frozenset[str]:
    """Top-level packages and modules under src/, and helper modules beside the tests."""
    names = {"exercise"}
    for path in files:
        parts = PurePosixPath(path).parts
        if path.endswith(".py") and len(parts) > 1 and parts[0] in ("src", "tests"):
            names.add(parts[1].removesuffix(".py"))
    return frozenset(name for name in names if not name.startswith("test_"))
