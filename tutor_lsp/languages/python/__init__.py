"""All that Python is: tools, runs, proof rules, texts, and reading its source."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from tutor_lsp.languages.common.texts import text_beside
from tutor_lsp.languages.language import Lines

if TYPE_CHECKING:
    from tutor_lsp.core.ports import Toolchain
    from tutor_lsp.languages.common.proof.dialect import Dialect
    from tutor_lsp.languages.common.proof.guard import Guards
    from tutor_lsp.process.contain import Contain

_STUB = re.compile(r"\braise\s+NotImplementedError\b")


class Python:
    """See `languages.language.Language`."""

    id = "python"
    name = "Python"
    place = 2
    suffixes = (".py", ".pyi")
    blank_lines = 2
    comes_along = True
    error_codes = None
    lines = Lines(
        definition=r"\s*(?:async\s+)?def\s+%s\b",
        begins=re.compile(r"\s*(?:@|async\s+def\b|def\b|class\b|import\b|from\b|if\s+__name__)"),
        comment=("#",),
        above=("@",),
        inside=True,
    )

    def is_unwritten(self, body: str) -> bool:
        return _STUB.search(body) is not None

    def loaded_from_above(self, root: Path) -> Iterator[Path]:
        yield from ()

    def text(self, name: str) -> str | None:
        return text_beside(__file__, name)

    def toolchain(self, settings: Mapping[str, str | None], contain: "Contain") -> "Toolchain":
        from tutor_lsp.languages.python.toolchain import PythonToolchain

        return PythonToolchain(contain=contain, interpreter=settings.get("python.interpreter"))

    def dialect(self) -> "Dialect":
        from tutor_lsp.languages.python.proof.rules import PythonDialect

        return PythonDialect()

    def guards(self) -> "Guards":
        from tutor_lsp.languages.python.proof.domain import PythonGuards

        return PythonGuards()
