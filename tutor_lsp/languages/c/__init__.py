"""All that C is: tools, builds, runs, proof rules, texts, and reading its source."""

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

_STUB = re.compile(r"\bNOT_IMPLEMENTED\s*\(")
_EMPTY = re.compile(
    r"(?:\(\s*void\s*\)\s*\w+\s*;\s*)*(?:return\s*(?:-?\d[\w.]*|NULL|false|\"\"|'\\0')?\s*;\s*)?"
)
"""A body that does nothing: older stubs, which have no mark of their own, look like this."""


class C:
    """See `languages.language.Language`."""

    id = "c"
    name = "C"
    place = 3
    suffixes = (".c", ".h")
    blank_lines = 1
    comes_along = False
    error_codes = re.compile(r"-W.*", re.IGNORECASE)
    lines = Lines(
        definition=r"(?!\s*(?:return|else|case|goto)\b)(?:\s*[A-Za-z_][\w \t*]*?[ \t*])?%s\s*\(",
        begins=re.compile(
            r"#|(?:static|const|struct|enum|union|typedef|extern|inline)\b|"
            r"(?!(?:return|else|case|goto)\b)[A-Za-z_][\w \t*]*[ \t*]\w+\s*\([^;]*$"
        ),
        comment=("//",),
        above=("//",),
    )

    def is_unwritten(self, body: str) -> bool:
        return _STUB.search(body) is not None or (
            bool(body.strip()) and _EMPTY.fullmatch(body.strip()) is not None
        )

    def loaded_from_above(self, root: Path) -> Iterator[Path]:
        yield from ()

    def text(self, name: str) -> str | None:
        return text_beside(__file__, name)

    def toolchain(self, settings: Mapping[str, str | None], contain: "Contain") -> "Toolchain":
        from tutor_lsp.languages.c.toolchain import CToolchain

        return CToolchain(contain=contain)

    def dialect(self) -> "Dialect":
        from tutor_lsp.languages.c.proof.rules import CDialect

        return CDialect()

    def guards(self) -> "Guards":
        from tutor_lsp.languages.c.proof.domain import CGuards

        return CGuards()
