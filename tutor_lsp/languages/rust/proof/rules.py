"""Rust in the proof."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.report import BuildError
from tutor_lsp.core.language.dialect import Bench, Built, Ended, Tried
from tutor_lsp.core.language.guards import Guards
from tutor_lsp.core.language.mutants import Mutations
from tutor_lsp.core.language.predictions import Predictions
from tutor_lsp.core.language.probes import Probes
from tutor_lsp.core.language.watching import Watch
from tutor_lsp.core.ports import Files, FunctionSite, Toolchain
from tutor_lsp.languages.common.output import json_object
from tutor_lsp.languages.common.proof.dialect import BaseDialect, run_block
from tutor_lsp.languages.common.proof.placing import put_files
from tutor_lsp.languages.common.treesitter import Source
from tutor_lsp.languages.rust.environment import rust_environment
from tutor_lsp.languages.rust.events import PANIC_END, build_error
from tutor_lsp.languages.rust.files import EDITION, declares
from tutor_lsp.languages.rust.predict.answers import answers
from tutor_lsp.languages.rust.predict.trace import traced
from tutor_lsp.languages.rust.probe import PROBES
from tutor_lsp.languages.rust.proof.blocks import ended_well
from tutor_lsp.languages.rust.proof.domain import RustGuards
from tutor_lsp.languages.rust.proof.grammar import GRAMMAR
from tutor_lsp.languages.rust.proof.mutants import RustMutations
from tutor_lsp.languages.rust.proof.test_imports import RustImports, used_imports
from tutor_lsp.languages.rust.proof.values import Shapes, neutral_value
from tutor_lsp.languages.rust.proof.watch import WATCH
from tutor_lsp.languages.rust.proof.wiring import WIRING

BUILD_S = 60.0
LIBRARY = Path("library", "libexercise.rlib")
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
_TEST_FILE = re.compile(r"tests/[^/]+\.rs")
_SHORT = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):\d+: error(?:\[(?P<code>\w+)\])?: (?P<said>.*)$",
    re.MULTILINE,
)
_UNSURE = re.compile(
    r"\bthread::sleep\b|\b(?:SystemTime|Instant)::now\b|\brand::|\bTcp(?:Stream|Listener)\b"
    r"|\bUdpSocket\b|\bRandomState::new\b|\bprocess::id\b"
)


class RustDialect(BaseDialect):
    """One process per test; the compiler checks names and types."""

    language = "rust"
    crash_word = "panic"
    unsure = _UNSURE
    missing_name = re.compile(r"^E0(?:4(?:0[457]|12|2[2-6]|3[1-3])|5(?:31|99))\b")
    stub_body = re.compile(r'\A(?:let _ = [^;]+;\s*)?todo!\("(\w+)"\);?\Z')
    grammar = GRAMMAR
    predictions: Predictions = Predictions(answers, traced)
    wiring = WIRING
    guards: Guards = RustGuards()
    probes: Probes = PROBES
    mutations: Mutations | None = RustMutations()
    watch: Watch = WATCH

    def shape(self, authored: Files, files: Files, stubs: Sequence[str]) -> list[ProofFinding]:
        found: list[ProofFinding] = []
        for path, text in authored.items():
            if inner := _CFG_TEST.search(text):
                line = text.count("\n", 0, inner.end()) + 1
                said = "Tests stand in tests/, at the top of their file, without #[cfg(test)]."
                found.append(ProofFinding("shape", said, path, line))
        return found

    def completed(self, authored: Files, files: Files) -> list[ProofFinding]:
        found: list[ProofFinding] = []
        root = "src/lib.rs"
        if root not in authored:
            lines = [f"`pub mod {module};`" for module in _MODULE.findall(files.get(root, ""))]
            parts = f" It is to have {' and '.join(lines)}." if lines else ""
            said = f"There is no crate root: {root} is missing.{parts}"
            found.append(ProofFinding("shape", said, root))
        for path, text in files.items():
            if not path.startswith("src/") or not path.endswith(".rs"):
                continue
            if path == root and path not in authored:
                continue  # what is not there lacks nothing
            before = authored.get(path, "")
            for module in _MODULE.findall(text):
                if not declares(before, module):
                    said = f"{path} has no line `pub mod {module};`: src/{module}.rs is no part."
                    found.append(ProofFinding("shape", said, path, 1))
        return found

    def lacks(self, code: str, said: str, files: Files) -> str:
        found = re.search(r"\b(?:crate|super)::([\w:]+)", code)
        if found is None or not re.search(r"\b(?:crate::|super\b)", said):
            return ""
        return (
            "Code of the lesson is a program of its own, to which the exercise is the crate "
            f"`exercise`: write `exercise::{found[1]}`."
        )

    async def build_starter(self, files: Files, bench: Bench) -> Built:
        folder = bench.folder / "starter"
        src = {path: text for path, text in files.items() if path.startswith("src/")}
        await put_files(folder, src)
        argv = ("rustc", "--crate-name", "exercise", "--crate-type", "lib", "--edition",
                _edition(files), "--emit=metadata", "--error-format=json", "-o", "starter.rmeta",
                "src/lib.rs")  # fmt: skip
        ended = await _build(argv, folder, bench)
        return _diagnostics(ended.stderr, folder)

    def neutral(self, src: Files, file: str, site: FunctionSite) -> str | None:
        return neutral_value(site.signature, Shapes.of(src))

    async def check(self, files: Files, bench: Bench) -> tuple[BuildError, ...]:
        folder = bench.folder / "checked"
        await put_files(folder, {p: t for p, t in files.items() if p.endswith(".rs")})
        argv = ("rustc", "--edition", _edition(files), "--emit=metadata", "--error-format=short",
                "-Awarnings")  # fmt: skip
        library = ("--crate-name", "exercise", "--crate-type", "lib", "-o", "libexercise.rmeta")
        ended = await _build((*argv, *library, "src/lib.rs"), folder, bench)
        found = _short(ended.stderr)
        tests = [path for path in files if _TEST_FILE.fullmatch(path)] if not found else []
        for path in tests:
            test = ("--test", "--extern", "exercise=libexercise.rmeta", "-o", "test.rmeta", path)
            found += _short((await _build((*argv, *test), folder, bench)).stderr)
        return tuple(found)

    def mend_imports(self, tests: Files, src: Files, toolchain: Toolchain) -> dict[str, str]:
        return RustImports().mend(tests, src, toolchain)

    def used_imports(self, text: str) -> str:
        return used_imports(text)

    def complete_block(self, code: str) -> str:
        root = Source("rust", code).root
        if root.has_error:
            inner = Source("rust", f"fn main() {{\n{code}\n}}\n").root
            return "broken" if inner.has_error else "excerpt"
        if _MAIN.search(code):
            return "program"
        kinds = {child.type for child in root.children}
        return "part" if kinds <= _ITEM and "function_item" in kinds else "excerpt"

    async def try_blocks(
        self, blocks: Sequence[str], reference: Files, bench: Bench
    ) -> list[Tried]:
        if any(re.search(r"\bexercise\s*::", code) for code in blocks):
            await self._build_library(reference, bench)

        async def build(files: Sequence[str], folder: str) -> Ended:
            return await self._program(files, folder, reference, bench)

        programs = [n for n, code in enumerate(blocks) if self.complete_block(code) == "program"]
        tried = await ended_well(blocks, programs, build, bench)
        left = [number for number in range(len(blocks)) if number not in tried]
        alone = (self.try_block(number, blocks, reference, bench) for number in left)
        tried |= dict(zip(left, await asyncio.gather(*alone), strict=True))
        return [tried[number] for number in range(len(blocks))]

    async def _program(
        self, words: Sequence[str], folder: str, reference: Files, bench: Bench
    ) -> Ended:
        """A call of the compiler for code of the lesson, which may use the exercise."""
        library = bench.folder / LIBRARY
        extern = ("--extern", f"exercise={library}") if library.is_file() else ()
        argv = ("rustc", "--crate-name", "block", "--edition", _edition(reference), *extern,
                "--error-format=json", "-o", "block", *words)  # fmt: skip
        return await _build(argv, bench.folder / folder, bench)

    async def _build_library(self, reference: Files, bench: Bench) -> None:
        """The solved exercise as `LIBRARY` of the bench, for blocks that use it."""
        folder = (bench.folder / LIBRARY).parent
        src = {path: text for path, text in reference.items() if path.startswith("src/")}
        await put_files(folder, src)
        argv = ("rustc", "--crate-name", "exercise", "--crate-type", "rlib", "--edition",
                _edition(reference), "-o", LIBRARY.name, "src/lib.rs")  # fmt: skip
        await _build(argv, folder, bench)

    async def try_block(
        self, number: int, blocks: Sequence[str], reference: Files, bench: Bench
    ) -> Tried:
        code, folder = blocks[number], bench.folder / f"block-{number}"
        whole = self.complete_block(code)
        if whole == "excerpt":
            code = f"#![allow(unused)]\nfn main() {{\n{code}\n}}"
        await put_files(folder, {"block.rs": code + "\n"})
        kind = ("--crate-type", "lib", "--emit=metadata") if whole == "part" else ()
        ended = await self._program((*kind, "block.rs"), folder.name, reference, bench)
        built = _diagnostics(ended.stderr, folder)
        if ended.returncode != 0:
            errors = [f"{e.code}: {e.message}" if e.code else e.message for e in built.errors]
            codes = frozenset(e.code for e in built.errors if e.code)
            return Tried(built=False, said="\n".join(errors), codes=codes)
        if whole == "part":
            return Tried(built=True)
        ran = await run_block((str(folder / "block"),), folder, bench)
        said = PANIC_END.sub("", ran.said)
        codes = frozenset({"panic"}) if _PANIC.search(said) else frozenset[str]()
        return replace(ran, said=said, codes=codes)


def _short(said: bytes) -> list[BuildError]:
    """Places of errors in the compiler's short form."""
    found = _SHORT.finditer(said.decode("utf-8", "replace"))
    return [
        BuildError(e["file"], int(e["line"]), 1, int(e["line"]), 1, e["code"], e["said"])
        for e in found
    ]


async def _build(argv: Sequence[str], folder: Path, bench: Bench) -> Ended:
    return await bench.execute(
        argv,
        folder,
        limit_s=BUILD_S,
        environment=rust_environment({"TMPDIR": str(folder)}),
        builds=True,
    )


def _edition(files: Files) -> str:
    found = _EDITION.search(files.get("Cargo.toml", ""))
    return found[1] if found else EDITION


def _diagnostics(stderr: bytes, folder: Path) -> Built:
    errors, warnings = [], []
    for line in stderr.splitlines():
        message = json_object(line)
        if not message.get("spans"):
            continue
        found = build_error(message, str(folder))
        if found is not None and message["level"].startswith("error"):
            errors.append(found)
        elif found is not None and message["level"] == "warning":
            warnings.append(found)
    return Built(tuple(errors), tuple(warnings))
