"""All that Rust is: tools, builds, runs, proof rules, texts, and reading its source."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.core.language.dialect import Dialect
from tutor_lsp.core.language.language import Lines, Names
from tutor_lsp.core.ports import Toolchain
from tutor_lsp.languages.language import BaseLanguage
from tutor_lsp.process.contain import Contain

_ABOVE = (".cargo/config.toml", ".cargo/config", "rust-toolchain", "rust-toolchain.toml")
"""What cargo and rustup find in the folders above."""


class Rust(BaseLanguage):
    """See `core.language.language.Language`."""

    id = "rust"
    name = "Rust"
    kinds = frozenset(UnitKind)
    place = 1
    suffixes = (".rs",)
    stub = re.compile(r"\b(?:todo|unimplemented)!\s*[(\[{]")
    names = Names(
        fences=frozenset({"rust", "rs"}),
        reserved=frozenset(
            {"cargo.toml", "cargo.lock", "build.rs", "rust-toolchain", "rust-toolchain.toml",
             "rustfmt.toml", "clippy.toml", "target"}
        ),
        loads=frozenset({"build.rs", "rust-toolchain", "rust-toolchain.toml", ".cargo"}),
        makes=frozenset({"target"}),
        folders=frozenset({".cargo"}),
    )  # fmt: skip
    error_codes = re.compile(r"(?:error\[)?E\d{4}\]?", re.IGNORECASE)
    lines = Lines(
        definition=r"(?!\s*//).*\bfn\s+%s\b",
        begins=re.compile(
            r"\s*(?:pub|fn|struct|enum|union|impl|trait|mod|use|const|static|type|unsafe|async|"
            r"extern|macro_rules!)(?:\b|\s|\()|\s*#!?\["
        ),
        comment=("//",),
        block=("/*", "*/"),
        above=("///", "#["),
        prints=r"\b(?:print\w*!?|dbg!)\s*\(",
        declares=(
            r"\s*(?:#\[.*?\]\s*)?(?:pub(?:\s*\([^)]*\))?\s+)?"
            r"(?:(?:(?:default|const|async|unsafe|extern(?:\s+\"\w*\")?)\s+)*"
            r"(?:fn|struct|enum|union|trait|type|mod|const|static(?:\s+mut)?|macro_rules!)\s+"
            r"|(?:unsafe\s+)?impl\b(?:.*\sfor\s+|\s*(?:<.*>\s*)?(?!.*\sfor\s))"
            r"(?:&\s*(?:'\w+\s+)?(?:mut\s+)?)?(?:dyn\s+)?(?:\w+::)*)(%s)\b"
        ),
        adds=re.compile(r"\s*(?:unsafe\s+)?impl\b"),
        codes=r"E\d{4}|[A-Z]\w*(?:Error|Exception|Exit|Interrupt)",
    )

    def loaded_from_above(self, root: Path) -> Iterator[Path]:
        for folder in root.resolve().parents:
            yield from (folder / name for name in _ABOVE if (folder / name).is_file())

    def toolchain(self, settings: Mapping[str, Any], contain: Contain) -> Toolchain:
        from tutor_lsp.languages.rust.toolchain import RustToolchain

        return RustToolchain(contain=contain)

    def dialect(self) -> Dialect:
        from tutor_lsp.languages.rust.proof.rules import RustDialect

        return RustDialect()
