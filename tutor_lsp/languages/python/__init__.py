"""All that Python is: tools, runs, proof rules, texts, and reading its source."""

import re
from collections.abc import Mapping
from typing import Any

from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.core.language.dialect import Dialect
from tutor_lsp.core.language.language import Lines, Names
from tutor_lsp.core.ports import Toolchain
from tutor_lsp.core.setting_values import setting
from tutor_lsp.languages.language import BaseLanguage
from tutor_lsp.process.contain import Contain


class Python(BaseLanguage):
    """See `core.language.language.Language`."""

    id = "python"
    name = "Python"
    kinds = frozenset(UnitKind)
    place = 2
    suffixes = (".py", ".pyi")
    blank_lines = 2
    settings = (
        setting(
            "program",
            "python.interpreter",
            "Python to run your tests, by default the tutor's; a `.venv` in the exercise is "
            "ignored.",
        ),
    )
    stub = re.compile(r"\braise\s+NotImplementedError\b")
    names = Names(
        fences=frozenset({"python", "py", "python3", "pycon"}),
        reserved=frozenset(
            {"pyproject.toml", "setup.py", "setup.cfg", "conftest.py", "pytest.ini", "tox.ini",
             "pyrightconfig.json", "sitecustomize.py", "usercustomize.py", "__pycache__"}
        ),
        loads=frozenset(
            {"conftest.py", "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "tox.ini",
             "setup.cfg", "sitecustomize.py", "usercustomize.py", ".venv"}
        ),
        makes=frozenset({"__pycache__", ".venv", ".pytest_cache", ".ruff_cache", ".mypy_cache"}),
    )  # fmt: skip
    lines = Lines(
        definition=r"\s*(?:async\s+)?def\s+%s\b",
        begins=re.compile(r"\s*(?:@|async\s+def\b|def\b|class\b|import\b|from\b|if\s+__name__)"),
        comment=("#",),
        above=("@",),
        prints=r"(?:^|[:;])\s*p?print\s*\(",
        declares=(r"(?:\s*(?:async\s+)?(?:def|class)\s+|(?=\w+\s*(?::[^=]+)?=(?!=)))(%s)\b"),
        catches=r"\b(?:try|except|suppress)\b|\bpytest\.raises\b",
        fails=r"Traceback \(most recent",
        inside=re.compile(r"\s*[rRuU]?(\"\"\"|''')"),
    )

    def toolchain(self, settings: Mapping[str, Any], contain: Contain) -> Toolchain:
        from tutor_lsp.languages.python.toolchain import PythonToolchain

        return PythonToolchain(contain=contain, interpreter=settings.get("python.interpreter"))

    def dialect(self) -> Dialect:
        from tutor_lsp.languages.python.proof.rules import PythonDialect

        return PythonDialect()
