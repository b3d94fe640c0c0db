"""All that C is: tools, builds, runs, proof rules, texts, and reading its source."""

import re
from collections.abc import Mapping
from typing import Any

from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.core.language.dialect import Dialect
from tutor_lsp.core.language.language import Lines, Names
from tutor_lsp.core.ports import Toolchain
from tutor_lsp.languages.language import BaseLanguage
from tutor_lsp.process.contain import Contain

_EMPTY = re.compile(
    r"(?:\(\s*void\s*\)\s*\w+\s*;\s*)*(?:return\s*(?:-?\d[\w.]*|NULL|false|\"\"|'\\0')?\s*;\s*)?"
)
"""A body that does nothing: older stubs, which have no mark of their own, look like this."""

_TO_DO = re.compile(r"\b(?:to ?do|your|implement\w*|write|fill)\b", re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*+", re.DOTALL)


class C(BaseLanguage):
    """See `core.language.language.Language`."""

    id = "c"
    name = "C"
    kinds = frozenset(UnitKind)
    place = 3
    suffixes = (".c", ".h")
    stub = re.compile(r"\bNOT_IMPLEMENTED\s*\(")
    names = Names(
        fences=frozenset({"c", "h", "c17", "c11", "c99"}),
        reserved=frozenset(
            {"makefile", "gnumakefile", "cmakelists.txt", "test.h", "stub.h", "build"}
        ),
        makes=frozenset({"build"}),
    )
    error_codes = re.compile(r"-W.*", re.IGNORECASE)
    lines = Lines(
        definition=r"(?!\s*(?:return|else|case|goto)\b)(?:\s*[A-Za-z_][\w \t*]*?[ \t*])?%s\s*\(",
        begins=re.compile(
            r"#|(?:static|const|struct|enum|union|typedef|extern|inline)\b|"
            r"(?!(?:return|else|case|goto)\b)[A-Za-z_][\w \t*]*[ \t*]\w+\s*\([^;]*$"
        ),
        comment=("//",),
        block=("/*", "*/"),
        above=("//",),
        prints=r"\b(?:print\w*|puts)\s*\(",
        declares=(
            r"\s*(?:#\s*define\s+"
            r"|(?:(?:typedef|static|const)\s+)*(?:struct|union|enum)\s+"
            r"(?:__attribute__\s*\(\(.*?\)\)\s*)?(?=\w+\s*(?:\{|$|/[/*]))"
            r"|(?:\}\s*|typedef\b.*[ \t])\**(?=\w+\s*(?:\[[^;]*)?[;,])"
            r"|typedef\b.*\(\s*\*\s*(?=\w+\s*\))"
            r"|(?!(?:return|else|case|goto|do|typedef)\b)[A-Za-z_][\w \t*]*[ \t*](?=\w+\s*\()"
            r")(%s)\b"
        ),
        imports=("#include",),
    )

    def is_unwritten(self, body: str) -> bool:
        bare = _COMMENT.sub(" ", body).strip()
        nothing = _EMPTY.fullmatch(bare) is not None
        return super().is_unwritten(body) or (
            nothing and (bool(bare) or _TO_DO.search(body) is not None)
        )

    def toolchain(self, settings: Mapping[str, Any], contain: Contain) -> Toolchain:
        from tutor_lsp.languages.c.toolchain import CToolchain

        return CToolchain(contain=contain)

    def dialect(self) -> Dialect:
        from tutor_lsp.languages.c.proof.rules import CDialect

        return CDialect()
