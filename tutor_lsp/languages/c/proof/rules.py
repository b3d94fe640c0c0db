"""C in the proof."""

import re
from collections.abc import Sequence

from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.report import BuildError
from tutor_lsp.core.language.dialect import Bench, Built, Tried
from tutor_lsp.core.language.guards import Guards
from tutor_lsp.core.language.mutants import Mutations
from tutor_lsp.core.language.predictions import Predictions
from tutor_lsp.core.language.probes import Probes
from tutor_lsp.core.language.watching import Watch
from tutor_lsp.core.ports import Files, FunctionSite, Toolchain
from tutor_lsp.languages.c.compiler import find
from tutor_lsp.languages.c.diagnostics import compiler_said
from tutor_lsp.languages.c.files import (
    FLAGS,
    LIBRARIES,
    PROGRAM,
    STUB_HEADER,
    TEST_HEADER,
    included,
    included_here,
)
from tutor_lsp.languages.c.includes import mend_includes, used_headers
from tutor_lsp.languages.c.predict.answers import answers
from tutor_lsp.languages.c.predict.trace import traced
from tutor_lsp.languages.c.probe import PROBES
from tutor_lsp.languages.c.proof.domain import CGuards
from tutor_lsp.languages.c.proof.grammar import GRAMMAR
from tutor_lsp.languages.c.proof.mutants import CMutations
from tutor_lsp.languages.c.proof.watch import WATCH
from tutor_lsp.languages.c.proof.wiring import WIRING
from tutor_lsp.languages.c.source import functions, syntax_error
from tutor_lsp.languages.common.proof.dialect import BaseDialect, run_block
from tutor_lsp.languages.common.proof.placing import put_files
from tutor_lsp.languages.common.treesitter import Source

BUILD_S = 60.0
_MAIN = re.compile(r"\b(?:int|void)\s+main\s*\(")
_TESTS = re.compile(r"\bTEST_ASSERT|\bRUN_TEST\b|^void\s+test", re.MULTILINE)
_INCLUDES = re.compile(r"^[ \t]*#[ \t]*include[^\n]*$", re.MULTILINE)
_SCALAR = re.compile(
    r"(?:(?:un)?signed|char|short|int|long|float|double|_Bool|bool|size_t|ssize_t|ptrdiff_t"
    r"|u?int(?:8|16|32|64|max|ptr)_t|time_t|off_t|wchar_t|\s)+"
)
_QUALIFIERS = re.compile(r"\b(?:static|inline|extern|const|volatile|register|_Noreturn)\b")
_ITEMS = frozenset({
    "function_definition", "declaration", "preproc_include", "preproc_def", "preproc_function_def",
    "preproc_ifdef", "preproc_if", "preproc_call", "type_definition", "struct_specifier",
    "enum_specifier", "union_specifier", "comment", ";",
})  # fmt: skip
_UNSURE = re.compile(
    r"\b(?:u|nano)?sleep\s*\(|\b(?:s?rand(?:om)?)\s*\(|\btime\s*\(\s*(?:NULL|0|&\s*\w+)\s*\)"
    r"|\b(?:clock_gettime|gettimeofday|clock|getpid)\s*\(|\bsocket\s*\("
)


class CDialect(BaseDialect):
    """One process per test; the compiler checks names and types."""

    language = "c"
    unsure = _UNSURE
    missing_name = re.compile(
        r"undeclared|unknown type name|implicit declaration|incomplete|undefined type"
        r"|storage size|invalid use of undefined"
    )
    stub_body = re.compile(r'\A(?:\(void\)\s*\w+;\s*)*NOT_IMPLEMENTED\("(\w+)"\);\Z')
    grammar = GRAMMAR
    predictions: Predictions = Predictions(answers, traced)
    wiring = WIRING
    guards: Guards = CGuards()
    probes: Probes = PROBES
    mutations: Mutations | None = CMutations()
    watch: Watch = WATCH

    def shape(self, authored: Files, files: Files, stubs: Sequence[str]) -> list[ProofFinding]:
        found: list[ProofFinding] = []
        for path, text in authored.items():
            tests = path.startswith("tests/") and path.endswith(".c") and _TESTS.search(text)
            if tests and "test.h" not in included(text):
                said = f'{path} does not include "test.h", the test harness that is given.'
                found.append(ProofFinding("shape", said, path, 1))
            if path.startswith("src/") and path.endswith(".h"):
                inside = [name for name in stubs if _defines(text, name)]
                found += [_in_header(path, text, name) for name in inside]
        return found

    def completed(self, authored: Files, files: Files) -> list[ProofFinding]:
        found: list[ProofFinding] = []
        for path, text in files.items():
            if path in (TEST_HEADER, STUB_HEADER) or not path.startswith(("src/", "tests/")):
                continue
            before = authored.get(path)
            if before is None and path.endswith(".h"):
                name = path.removeprefix("src/")
                user = next((p for p, t in authored.items() if name in included_here(t)), None)
                said = f'"{name}" is included and was never written.'
                found.append(ProofFinding("shape", said, user or path, _line(authored, user, name)))
            elif before is not None and before != text and path.startswith("tests/"):
                said = f"The `main` of {path} does not run all of its tests."
                found.append(ProofFinding("shape", said, path))
        return found

    def lacks(self, code: str, said: str, files: Files) -> str:
        src = {path: text for path, text in files.items() if path.startswith("src/")}
        unknown = " ".join(re.findall(r"['‘`](\w+)['’`]", said))
        headers = [each for each in used_headers(unknown, src) if each not in included_here(code)]
        if not headers:
            return ""
        return f'Code of the lesson is built by itself: it needs `#include "{headers[0]}"`.'

    async def build_starter(self, files: Files, bench: Bench) -> Built:
        folder = bench.folder / "starter"
        src = {path: text for path, text in files.items() if path.startswith("src/")}
        units = [p for p in src if p.endswith(".c") and p != PROGRAM]
        headers = {name for path in units for name in included_here(src[path])}
        units += [p for p in src if p.endswith(".h") and p.removeprefix("src/") not in headers]
        units = [path for path in units if path != STUB_HEADER]
        await put_files(folder, src)
        argv = (find(), *FLAGS, "-fsyntax-only", "-Wno-pragma-once-outside-header", "-Isrc", *units)
        ended = await bench.execute(argv, folder, limit_s=BUILD_S, builds=True)
        said = compiler_said(ended.stderr.decode("utf-8", "replace"), src)
        return Built(tuple(said.errors), tuple(said.warnings))

    async def check(self, files: Files, bench: Bench) -> tuple[BuildError, ...]:
        folder = bench.folder / "checked"
        sources = [path for path in files if path.endswith(".c") and path != PROGRAM]
        await put_files(folder, files)
        flags = [flag for flag in FLAGS if flag not in ("-Wall", "-Wextra")]
        argv = (find(), *flags, "-fno-diagnostics-show-caret", "-fsyntax-only", "-Isrc", *sources)
        ended = await bench.execute(argv, folder, limit_s=BUILD_S, builds=True)
        return tuple(compiler_said(ended.stderr.decode("utf-8", "replace"), files).errors)

    def neutral(self, src: Files, file: str, site: FunctionSite) -> str | None:
        head = re.split(rf"\b{re.escape(site.name)}\s*\(", site.signature)[0]
        kind = " ".join(_QUALIFIERS.sub(" ", head).split())
        if kind == "void":
            return "return;"
        if kind.endswith("*"):
            return "return NULL;" if "<stddef.h>" in src.get(file, "") else "return 0;"
        if _SCALAR.fullmatch(kind):
            return "return 0;"
        return f"return ({kind}){{0}};" if kind and "(" not in kind else None

    def mend_imports(self, tests: Files, src: Files, toolchain: Toolchain) -> dict[str, str]:
        own = toolchain.own_names({**src, **tests})
        return {path: mend_includes(path, text, src, own) for path, text in tests.items()}

    def uncalled(self, text: str, test: str) -> str:
        return re.sub(rf"(?m)^[ \t]*RUN_TEST\({test}\);\n", "", text)

    def complete_block(self, code: str) -> str:
        if syntax_error("block.c", code) is not None:
            return "broken"
        if _MAIN.search(code):
            return "program"
        kinds = {child.type for child in Source("c", code).root.children}
        return "part" if kinds <= _ITEMS and "function_definition" in kinds else "excerpt"

    async def try_block(
        self, number: int, blocks: Sequence[str], reference: Files, bench: Bench
    ) -> Tried:
        code, folder = blocks[number], bench.folder / f"block-{number}"
        above, whole = _above(blocks[:number]), self.complete_block(code)
        src = {p: t for p, t in reference.items() if p.startswith("src/") and p != PROGRAM}
        if whole == "excerpt":
            code = f"{above}\nvoid excerpt(void);\nvoid excerpt(void)\n{{\n{code}\n}}"
        uses = any(f"src/{name}" in src for name in included_here(code))
        await put_files(folder, {"block.c": code + "\n", **(src if uses else {})})
        sources = [path for path in src if path.endswith(".c")] if uses else []
        options = ("-o", "block", *LIBRARIES) if whole == "program" else ("-fsyntax-only",)
        argv = (find(), *FLAGS, "-Isrc", "block.c", *sources, *options)
        ended = await bench.execute(argv, folder, limit_s=BUILD_S, builds=True)
        if ended.returncode != 0 and whole == "part" and above:
            # a part may lean on what the blocks before it include
            later = {"block.c": f"{above}\n{code}\n", **(src if uses else {})}
            await put_files(folder, later)
            ended = await bench.execute(argv, folder, limit_s=BUILD_S, builds=True)
        if ended.returncode != 0:
            text = ended.stderr.decode("utf-8", "replace")
            errors = compiler_said(text, {"block.c": code}).errors
            codes = frozenset(error.code for error in errors if error.code)
            said = "\n".join(error.message for error in errors) or text
            return Tried(built=False, said=said, codes=codes)
        if whole != "program":
            return Tried(built=True)
        return await run_block((str(folder / "block"),), folder, bench)


def _above(blocks: Sequence[str]) -> str:
    """The includes of earlier blocks, once each."""
    lines = [line.strip() for code in blocks for line in _INCLUDES.findall(code)]
    return "\n".join(dict.fromkeys(lines))


def _defines(text: str, name: str) -> bool:
    return any(site.name == name for site in functions(text))


def _in_header(path: str, text: str, name: str) -> ProofFinding:
    line = text.count("\n", 0, text.index(name)) + 1
    said = (
        f"The stub `{name}` stands in {path}, a header: a build that does not follow headers "
        "changes nothing when it is solved. Put it into a .c file."
    )
    return ProofFinding("shape", said, path, line)


def _line(files: Files, path: str | None, name: str) -> int | None:
    text = files.get(path or "", "")
    at = text.find(f'"{name}"')
    return text.count("\n", 0, at) + 1 if at >= 0 else None
