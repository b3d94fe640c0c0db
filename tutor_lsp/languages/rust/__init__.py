"""All that Rust is: tools, builds, runs, proof rules, texts, and reading its source."""

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

_ABOVE = (".cargo/config.toml", ".cargo/config", "rust-toolchain", "rust-toolchain.toml")
"""What cargo and rustup find in the folders above."""
_STUB = re.compile(r"\b(?:todo|unimplemented)!\s*[(\[{]")


class Rust:
    """See `languages.language.Language`."""

    id = "rust"
    name = "Rust"
    place = 1
    suffixes = (".rs",)
    blank_lines = 1
    comes_along = False
    error_codes = re.compile(r"(?:error\[)?E\d{4}\]?", re.IGNORECASE)
    lines = Lines(
        definition=r"(?!\s*//).*\bfn\s+%s\b",
        begins=re.compile(
            r"\s*(?:pub|fn|struct|enum|union|impl|trait|mod|use|const|static|type|unsafe|async|"
            r"extern|macro_rules!)(?:\b|\s|\()|\s*#!?\["
        ),
        comment=("//", "#["),
        above=("///", "#["),
    )

    def is_unwritten(self, body: str) -> bool:
        return _STUB.search(body) is not None

    def loaded_from_above(self, root: Path) -> Iterator[Path]:
        for folder in root.resolve().parents:
            yield from (folder / name for name in _ABOVE if (folder / name).is_file())

    def text(self, name: str) -> str | None:
        return text_beside(__file__, name)

    def toolchain(self, settings: Mapping[str, str | None], contain: "Contain") -> "Toolchain":
        from tutor_lsp.languages.rust.toolchain import RustToolchain

        return RustToolchain(contain=contain)

    def dialect(self) -> "Dialect":
        from tutor_lsp.languages.rust.proof.rules import RustDialect

        return RustDialect()

    def guards(self) -> "Guards":
        from tutor_lsp.languages.rust.proof.domain import RustGuards

        return RustGuards()
