"""Python in the proof."""

import ast
import asyncio
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.ports import FunctionSite, Toolchain
from tutor_lsp.languages.common.proof.bench import Bench, put_files
from tutor_lsp.languages.common.proof.dialect import Built, Tried
from tutor_lsp.languages.common.proof.imports import Mended
from tutor_lsp.languages.common.proof.merge import Merged, Variant
from tutor_lsp.languages.common.syntax import Grammar
from tutor_lsp.languages.python.proof.copies import side_by_side
from tutor_lsp.languages.python.proof.imports import PythonImports
from tutor_lsp.languages.python.proof.names import (
    bad_attributes,
    bad_imports,
    read,
    unresolved,
)
from tutor_lsp.languages.python.toolchain import PythonToolchain

BLOCK_S = 10.0
_ERROR = re.compile(
    r"^(\w+(?:\.\w+)*(?:Error|Exception|Warning|Interrupt|Exit|Iteration))\b", re.MULTILINE
)
_NEUTRAL = {
    "int": "0",
    "float": "0.0",
    "complex": "0",
    "bool": "False",
    "str": '""',
    "bytes": 'b""',
    "bytearray": "bytearray()",
    "list": "[]",
    "List": "[]",
    "Sequence": "[]",
    "MutableSequence": "[]",
    "Collection": "[]",
    "tuple": "()",
    "Tuple": "()",
    "dict": "{}",
    "Dict": "{}",
    "Mapping": "{}",
    "MutableMapping": "{}",
    "set": "set()",
    "Set": "set()",
    "frozenset": "frozenset()",
    "Iterator": "iter(())",
    "Iterable": "iter(())",
    "Generator": "iter(())",
}
_UNSURE = re.compile(
    r"\btime\.(?:sleep|time|time_ns|monotonic|perf_counter|localtime|ctime)\b|\bdate(?:time)?\.(?:now|today|utcnow)\b"
    r"|\brandom\.(?!seed\b|Random\s*\(\s*\d)\w+\s*\(|\bsecrets\.\w+|\buuid\.uuid[14]\b"
    r"|\bos\.(?:urandom|getpid)\b|\b(?:socket|urllib|http\.client)\.\w+"
)


def _is_value(said: str) -> bool:
    try:
        ast.literal_eval(said)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


class PythonDialect:
    """Tests of a file share one process; nothing is built, so names are resolved instead."""

    language = "python"
    fences = frozenset({"python", "py", "python3", "pycon"})
    shares_process = True
    crash_word = None
    unsure = _UNSURE
    stub_body = re.compile(r'\Araise NotImplementedError\("(\w+)"\)\Z')
    grammar = Grammar(
        name="python",
        comments=frozenset({"comment"}),
        literals=frozenset(
            {"integer", "float", "true", "false", "none", "string", "string_content",
             "escape_sequence", "concatenated_string"}
        ),
        assertions={
            "assert_statement": "assert",
            "with_statement": r"with\s+(?:pytest\s*\.\s*)?raises\b",
        },
        blocks=frozenset({"block"}),
        inside=frozenset({"interpolation", "string"}),
        gives="return {}",
        nothing="pass",
        lists={"{": None, "(": frozenset({"", "=", ",", "[", "(", "in", "return"})},
        is_value=_is_value,
    )  # fmt: skip

    def shape(
        self, authored: Mapping[str, str], files: Mapping[str, str], stubs: Sequence[str]
    ) -> list[ProofFinding]:
        found = [
            ProofFinding("shape", f"{path} does not lie in the package src/exercise/.", path)
            for path in authored
            if path.startswith("src/") and not path.startswith("src/exercise/")
        ]
        for path, text in authored.items():
            if path.startswith("tests/") and re.search(r"^class\s+\w*Test", text, re.MULTILINE):
                said = "Tests are plain functions here, not methods of a class."
                found.append(ProofFinding("shape", said, path))
            name = path.rpartition("/")[2]
            tests = path.startswith("tests/") and path.endswith(".py") and "def test" in text
            if tests and not name.startswith("test_") and not name.endswith("_test.py"):
                said = f"pytest does not look into {path}: name it test_{name}."
                found.append(ProofFinding("shape", said, path))
        return found

    def completed(
        self, authored: Mapping[str, str], files: Mapping[str, str]
    ) -> list[ProofFinding]:
        return []  # an empty __init__.py needs no author

    async def build_starter(self, files: Mapping[str, str], bench: Bench) -> Built:
        errors, warned = [], []
        own = {path: text for path, text in files.items() if path.endswith(".py")}
        for path, text in own.items():
            wrong, odd = read(path, text)
            errors += wrong
            warned += odd
        if not errors:
            for path, text in own.items():
                errors += unresolved(path, text)
            errors += bad_imports(own)
            errors += bad_attributes(own)
        return Built(tuple(errors), tuple(warned))

    def neutral(self, src: Mapping[str, str], file: str, site: FunctionSite) -> str | None:
        try:
            tree = ast.parse(f"{site.signature}: ...")
        except SyntaxError:
            return "return None"
        function = tree.body[0]
        wanted = getattr(function, "returns", None)
        return f"return {_value(wanted)}"

    def merge(
        self,
        solved: Mapping[str, str],
        variants: Sequence[Variant],
        again: Sequence[Variant],
        toolchain: Toolchain,
    ) -> Merged | None:
        return side_by_side([*again, *variants])

    def mend_imports(
        self, tests: Mapping[str, str], src: Mapping[str, str], toolchain: Toolchain
    ) -> Mended:
        return PythonImports().mend(tests, src, toolchain)

    def complete_block(self, code: str) -> str:
        if code.lstrip().startswith(">>>"):
            return "program"
        errors, _ = read("block", code)
        if errors:
            return "broken"
        if re.search(r"\binput\s*\(", code) or unresolved("block", code):
            return "excerpt"
        return "program"

    async def try_blocks(
        self, blocks: Sequence[str], reference: Mapping[str, str], bench: Bench
    ) -> list[Tried]:
        tries = (
            self._try(code, bench.folder / f"block-{number}", reference, bench)
            for number, code in enumerate(blocks)
        )
        return list(await asyncio.gather(*tries))

    async def _try(
        self, code: str, folder: Path, reference: Mapping[str, str], bench: Bench
    ) -> Tried:
        errors, _ = read("block.py", code)
        session = code.lstrip().startswith(">>>")
        if errors and not session:
            codes = frozenset({str(errors[0].code)})
            return Tried(built=False, said=errors[0].message, codes=codes)
        name = "block.txt" if session else "block.py"  # doctest takes sessions from texts
        files = {name: code + "\n"}
        if re.search(r"\bexercise\b", code):
            files |= {p: text for p, text in reference.items() if p.startswith("src/")}
        await put_files(folder, files)
        interpreter = _interpreter(bench.toolchain)
        mode = ("-m", "doctest") if session else ()
        ended = await bench.execute(
            (interpreter, "-s", "-B", *mode, name),
            folder,
            limit_s=BLOCK_S,
            environment={"PYTHONPATH": str(folder / "src"), "PYTHONUTF8": "1"},
        )
        said = ended.stderr.decode("utf-8", "replace")
        output = ended.stdout.decode("utf-8", "replace")
        if session:
            return Tried(built=True, ran=ended.returncode == 0, said=output)
        fine = ended.returncode == 0 and not ended.timed_out
        codes = frozenset(_ERROR.findall(said))
        return Tried(built=True, ran=fine, output=output, said=said, codes=codes)


def _interpreter(toolchain: Toolchain) -> str:
    return toolchain.interpreter() if isinstance(toolchain, PythonToolchain) else sys.executable


def _value(node: ast.expr | None) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            return _value(ast.parse(node.value, mode="eval").body)
        except SyntaxError:
            return "None"
    name = node.value if isinstance(node, ast.Subscript) else node
    if isinstance(name, ast.Attribute):
        name = ast.Name(name.attr)
    if not isinstance(name, ast.Name):
        return "None"
    if name.id in ("tuple", "Tuple") and isinstance(node, ast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if not any(isinstance(part, ast.Constant) and part.value is ... for part in parts):
            return "(" + "".join(f"{_value(part)}, " for part in parts) + ")"
    return _NEUTRAL.get(name.id, "None")
