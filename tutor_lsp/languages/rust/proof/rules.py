"""Rust in the proof."""

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.ports import FunctionSite, Toolchain
from tutor_lsp.languages.common.proof.bench import Bench, put_files
from tutor_lsp.languages.common.proof.dialect import Built, Tried
from tutor_lsp.languages.common.proof.imports import Mended
from tutor_lsp.languages.common.proof.merge import Merged, Variant
from tutor_lsp.languages.common.proof.switchboard import wired
from tutor_lsp.languages.common.syntax import Grammar
from tutor_lsp.languages.rust.events import PANIC_END, build_error
from tutor_lsp.languages.rust.files import EDITION, declares
from tutor_lsp.languages.rust.proof.imports import RustImports
from tutor_lsp.languages.rust.proof.values import Shapes, neutral_value
from tutor_lsp.languages.rust.proof.wiring import WIRING

BUILD_S = 60.0
BLOCK_S = 10.0
_EDITION = re.compile(r'^edition\s*=\s*"(\d+)"', re.MULTILINE)
_MAIN = re.compile(r"\bfn\s+main\s*\(\s*\)")
_ITEM = frozenset({
    "function_item", "struct_item", "enum_item", "union_item", "trait_item", "impl_item",
    "type_item", "mod_item", "const_item", "static_item", "use_declaration", "macro_definition",
    "attribute_item", "inner_attribute_item", "extern_crate_declaration", "line_comment",
    "block_comment",
})  # fmt: skip
_MODULE = re.compile(r"^pub mod (\w+);", re.MULTILINE)
_CFG_TEST = re.compile(r"^\s*#\[cfg\(test\)\]", re.MULTILINE)
_PANIC = re.compile(r"panicked at [^\n]*\n(.*)")
_UNSURE = re.compile(
    r"\bthread::sleep\b|\b(?:SystemTime|Instant)::now\b|\brand::|\bTcp(?:Stream|Listener)\b"
    r"|\bUdpSocket\b|\bRandomState::new\b|\bprocess::id\b"
)


class RustDialect:
    """One process per test; the compiler checks names and types."""

    language = "rust"
    fences = frozenset({"rust", "rs"})
    shares_process = False
    crash_word = "panic"
    unsure = _UNSURE
    stub_body = re.compile(r'\A(?:let _ = [^;]+;\s*)?todo!\("(\w+)"\);?\Z')
    grammar = Grammar(
        name="rust",
        comments=frozenset({"line_comment", "block_comment"}),
        literals=frozenset(
            {"integer_literal", "float_literal", "string_literal", "raw_string_literal",
             "char_literal", "boolean_literal"}
        ),
        assertions={"macro_invocation": r"(?:debug_)?assert(?:_eq|_ne|_matches)?\s*!"},
        types=frozenset({"type_identifier"}),
        fields=frozenset({"field_identifier", "shorthand_field_identifier"}),
        blocks=frozenset({"block"}),
        gives="{}",
        wrapped="fn f() { {} }",
        unused="#![allow(dead_code, unused_imports)]",
    )  # fmt: skip

    def shape(
        self, authored: Mapping[str, str], files: Mapping[str, str], stubs: Sequence[str]
    ) -> list[ProofFinding]:
        found: list[ProofFinding] = []
        for path, text in authored.items():
            if inner := _CFG_TEST.search(text):
                line = text.count("\n", 0, inner.end()) + 1
                said = "Tests stand in tests/, at the top of their file, without #[cfg(test)]."
                found.append(ProofFinding("shape", said, path, line))
        return found

    def completed(
        self, authored: Mapping[str, str], files: Mapping[str, str]
    ) -> list[ProofFinding]:
        found: list[ProofFinding] = []
        if "src/lib.rs" not in authored:
            said = "There is no crate root: src/lib.rs is missing."
            found.append(ProofFinding("shape", said, "src/lib.rs"))
        for path, text in files.items():
            if not path.startswith("src/") or not path.endswith(".rs"):
                continue
            before = authored.get(path, "")
            for module in _MODULE.findall(text):
                if not declares(before, module):
                    said = f"{path} has no line `pub mod {module};`: src/{module}.rs is no part."
                    found.append(ProofFinding("shape", said, path, 1))
        return found

    async def build_starter(self, files: Mapping[str, str], bench: Bench) -> Built:
        folder = bench.folder / "starter"
        src = {path: text for path, text in files.items() if path.startswith("src/")}
        await put_files(folder, src)
        argv = ("rustc", "--crate-name", "exercise", "--crate-type", "lib", "--edition",
                _edition(files), "--emit=metadata", "--error-format=json", "-o", "starter.rmeta",
                "src/lib.rs")  # fmt: skip
        ended = await bench.execute(argv, folder, limit_s=BUILD_S, builds=True)
        return _diagnostics(ended.stderr, folder)

    def neutral(self, src: Mapping[str, str], file: str, site: FunctionSite) -> str | None:
        return neutral_value(site.signature, Shapes.of(src))

    def merge(
        self,
        solved: Mapping[str, str],
        variants: Sequence[Variant],
        again: Sequence[Variant],
        toolchain: Toolchain,
    ) -> Merged | None:
        return wired(solved, variants, toolchain, self.grammar, WIRING)

    def mend_imports(
        self, tests: Mapping[str, str], src: Mapping[str, str], toolchain: Toolchain
    ) -> Mended:
        return RustImports().mend(tests, src, toolchain)

    def complete_block(self, code: str) -> str:
        from tutor_lsp.languages.common.treesitter import Source

        root = Source("rust", code).root
        if root.has_error:
            inner = Source("rust", f"fn main() {{\n{code}\n}}\n").root
            return "broken" if inner.has_error else "excerpt"
        if _MAIN.search(code):
            return "program"
        kinds = {child.type for child in root.children}
        return "part" if kinds <= _ITEM and "function_item" in kinds else "excerpt"

    async def try_blocks(
        self, blocks: Sequence[str], reference: Mapping[str, str], bench: Bench
    ) -> list[Tried]:
        library: Path | None = None
        if any(re.search(r"\bexercise\s*::", code) for code in blocks):
            library = await self._library(reference, bench)
        tries = (
            self._try(code, bench.folder / f"block-{number}", library, reference, bench)
            for number, code in enumerate(blocks)
        )
        return list(await asyncio.gather(*tries))

    async def _library(self, reference: Mapping[str, str], bench: Bench) -> Path | None:
        """The solved exercise as a library, for blocks that use it; None if it does not build."""
        folder = bench.folder / "library"
        src = {path: text for path, text in reference.items() if path.startswith("src/")}
        await put_files(folder, src)
        argv = ("rustc", "--crate-name", "exercise", "--crate-type", "rlib", "--edition",
                _edition(reference), "-o", "libexercise.rlib", "src/lib.rs")  # fmt: skip
        ended = await bench.execute(argv, folder, limit_s=BUILD_S, builds=True)
        return folder / "libexercise.rlib" if ended.returncode == 0 else None

    async def _try(
        self,
        code: str,
        folder: Path,
        library: Path | None,
        files: Mapping[str, str],
        bench: Bench,
    ) -> Tried:
        whole = self.complete_block(code)
        if whole == "excerpt":
            code = f"#![allow(unused)]\nfn main() {{\n{code}\n}}"
        await put_files(folder, {"block.rs": code + "\n"})
        kind = ("--crate-type", "lib", "--emit=metadata") if whole == "part" else ()
        extern = ("--extern", f"exercise={library}") if library is not None else ()
        argv = ("rustc", "--crate-name", "block", "--edition", _edition(files), *kind, *extern,
                "--error-format=json", "-o", "block", "block.rs")  # fmt: skip
        ended = await bench.execute(argv, folder, limit_s=BUILD_S, builds=True)
        built = _diagnostics(ended.stderr, folder)
        if ended.returncode != 0:
            errors = [f"{e.code}: {e.message}" if e.code else e.message for e in built.errors]
            codes = frozenset(e.code for e in built.errors if e.code)
            return Tried(built=False, said="\n".join(errors), codes=codes)
        if whole == "part":
            return Tried(built=True)
        ran = await bench.execute((str(folder / "block"),), folder, limit_s=BLOCK_S)
        said = PANIC_END.sub("", ran.stderr.decode("utf-8", "replace"))
        fine = ran.returncode == 0 and not ran.timed_out
        codes = frozenset({"panic"}) if _PANIC.search(said) else frozenset[str]()
        output = ran.stdout.decode("utf-8", "replace")
        return Tried(built=True, ran=fine, output=output, said=said, codes=codes)


def _edition(files: Mapping[str, str]) -> str:
    found = _EDITION.search(files.get("Cargo.toml", ""))
    return found[1] if found else EDITION


def _diagnostics(stderr: bytes, folder: Path) -> Built:
    errors, warnings = [], []
    for line in stderr.splitlines():
        try:
            message = json.loads(line)
        except ValueError:
            continue
        if not isinstance(message, dict) or not message.get("spans"):
            continue
        found = build_error(message, str(folder))
        if found is not None and message["level"].startswith("error"):
            errors.append(found)
        elif found is not None and message["level"] == "warning":
            warnings.append(found)
    return Built(tuple(errors), tuple(warnings))
