"""Python in the proof."""

import ast
import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tutor_lsp.core.exercise.files import below
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.language.dialect import Bench, Built, Tried
from tutor_lsp.core.language.guards import Guards
from tutor_lsp.core.language.mutants import Mutations
from tutor_lsp.core.language.predictions import Predictions
from tutor_lsp.core.language.probes import Probes
from tutor_lsp.core.language.variants import Merged, Variant
from tutor_lsp.core.language.watching import Watch
from tutor_lsp.core.ports import Files, FunctionSite, Toolchain
from tutor_lsp.languages.common.proof.dialect import ELSEWHERE, BaseDialect, run_block
from tutor_lsp.languages.common.proof.placing import put_files
from tutor_lsp.languages.python.predict.answers import answers
from tutor_lsp.languages.python.predict.trace import traced
from tutor_lsp.languages.python.probe import PROBES
from tutor_lsp.languages.python.proof.blocks import (
    codes_in,
    ended_well,
    files_of,
    is_session,
    program,
)
from tutor_lsp.languages.python.proof.copies import side_by_side
from tutor_lsp.languages.python.proof.domain import PythonGuards
from tutor_lsp.languages.python.proof.grammar import GRAMMAR
from tutor_lsp.languages.python.proof.mutants import PythonMutations
from tutor_lsp.languages.python.proof.names import (
    bad_attributes,
    bad_imports,
    module_of,
    read,
    tree_of,
    unknown_modules,
    unresolved,
)
from tutor_lsp.languages.python.proof.test_imports import PythonImports, full_names, used_imports
from tutor_lsp.languages.python.proof.watch import WATCH
from tutor_lsp.languages.python.source import functions
from tutor_lsp.languages.python.trees import parse, parse_expression
from tutor_lsp.process.libraries import own_python

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

_NOT_THERE = re.compile(r"NameError: name '(?P<name>\w+)'|No module named '(?P<module>\w+)'")
_QUOTED = re.compile(r"['`\"](\w+)['`\"]")
_SEEDS = ("1", "2", "3")
"""Two texts have the same order in a set under every second seed."""


def _hashes(text: str) -> bool:
    """Whether a text may depend on the order of a set, or on a hash."""
    try:
        nodes = list(ast.walk(tree_of(text)))
    except (SyntaxError, ValueError, RecursionError):
        return True
    return any(
        isinstance(node, ast.Set | ast.SetComp)
        or (isinstance(node, ast.Name) and node.id in ("set", "frozenset", "hash"))
        for node in nodes
    )


def _unseen(text: str) -> list[str]:
    """Classes with tests that pytest does not look into, by their names."""
    try:
        classes = [node for node in tree_of(text).body if isinstance(node, ast.ClassDef)]
    except (SyntaxError, ValueError, RecursionError):
        return []  # said of the text itself
    return [
        owner.name
        for owner in classes
        if any(
            isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef) and n.name.startswith("test")
            for n in owner.body
        )
        and not owner.name.startswith("Test")
        and not owner.bases  # one of unittest may have any name
    ]


class PythonDialect(BaseDialect):
    """Tests of a file share one process; nothing is built, so names are resolved instead."""

    language = "python"
    shares_process = True
    unsure = _UNSURE
    missing_name = re.compile(r"^(?:ImportError: cannot import name|ModuleNotFoundError:)")
    unknown_name = "NameError"
    stub_body = re.compile(r'\Araise NotImplementedError\("(\w+)"\)\Z')
    grammar = GRAMMAR
    predictions: Predictions = Predictions(answers, traced)
    guards: Guards = PythonGuards()
    probes: Probes = PROBES
    mutations: Mutations | None = PythonMutations()
    watch: Watch = WATCH

    def shape(self, authored: Files, files: Files, stubs: Sequence[str]) -> list[ProofFinding]:
        found = [
            ProofFinding("shape", f"{path} does not lie in the package src/exercise/.", path)
            for path in authored
            if path.startswith("src/") and not path.startswith("src/exercise/")
        ]
        for path, text in authored.items():
            if path.startswith("tests/") and path.endswith(".py"):
                for owner in _unseen(text):
                    said = f"pytest does not look into the class {owner}: name it Test{owner}."
                    found.append(ProofFinding("shape", said, path))
            name = path.rpartition("/")[2]
            tests = path.startswith("tests/") and path.endswith(".py") and "def test" in text
            if tests and not name.startswith("test_") and not name.endswith("_test.py"):
                said = f"pytest does not look into {path}: name it test_{name}."
                found.append(ProofFinding("shape", said, path))
        return found

    def lacks(self, code: str, said: str, files: Files) -> str:
        missing = _NOT_THERE.search(said)
        if missing is None:
            return ""
        for path, text in below(files, "src").items():
            module = module_of(path)
            if missing["name"] in {site.name for site in functions(text)}:
                wanted = f"from {module} import {missing['name']}"
                return f"Code of the lesson runs by itself: it needs `{wanted}`."
            if missing["module"] and module.rpartition(".")[2] == missing["module"]:
                return f"The module is called `{module}`."
        return ""

    def undefined(self, file: str, text: str) -> tuple[str, ...]:
        if read(file, text)[0]:
            return ()
        errors = unresolved(file, text)
        return tuple(found[1] for each in errors if (found := _QUOTED.search(each.message)))

    def elsewhere(self, files: Files) -> Sequence[Mapping[str, str]]:
        texts = [text for path, text in files.items() if path.endswith(".py")]
        seeds = _SEEDS if any(map(_hashes, texts)) else _SEEDS[:1]
        return [{**ELSEWHERE, "PYTHONHASHSEED": seed} for seed in seeds]

    async def build_starter(self, files: Files, bench: Bench) -> Built:
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
            # What another Python has installed is told by a run with it.
            if getattr(bench.toolchain, "program", own_python)() == own_python():
                errors += unknown_modules(own)
            errors += bad_attributes(own)
        return Built(tuple(errors), tuple(warned))

    def neutral(self, src: Files, file: str, site: FunctionSite) -> str | None:
        try:
            tree = parse(f"{site.signature}: ...")
        except SyntaxError:
            return "return None"
        function = tree.body[0]
        wanted = getattr(function, "returns", None)
        return f"return {_value(wanted)}"

    def merge(
        self,
        solved: Files,
        variants: Sequence[Variant],
        again: Sequence[Variant],
        toolchain: Toolchain,
    ) -> Merged | None:
        return side_by_side([*again, *variants])

    def mend_imports(self, tests: Files, src: Files, toolchain: Toolchain) -> dict[str, str]:
        return PythonImports().mend(tests, src, toolchain)

    def used_imports(self, text: str) -> str:
        return used_imports(text)

    def full_names(self, text: str) -> Mapping[str, str]:
        return full_names(text)

    def complete_block(self, code: str) -> str:
        if is_session(code):
            return "program"
        errors, _ = read("block", code)
        if errors:
            return "broken"
        if re.search(r"\binput\s*\(", code) or unresolved("block", code):
            return "excerpt"
        return "program"

    async def try_blocks(
        self, blocks: Sequence[str], reference: Files, bench: Bench
    ) -> list[Tried]:
        tried = await ended_well(blocks, reference, bench)
        left = [number for number in range(len(blocks)) if number not in tried]
        alone = (self.try_block(number, blocks, reference, bench) for number in left)
        tried |= dict(zip(left, await asyncio.gather(*alone), strict=True))
        return [tried[number] for number in range(len(blocks))]

    async def try_block(
        self, number: int, blocks: Sequence[str], reference: Files, bench: Bench
    ) -> Tried:
        code, folder = blocks[number], bench.folder / f"block-{number}"
        errors, _ = read("block.py", code)
        session = is_session(code)
        if errors and not session:
            codes = frozenset({str(errors[0].code)})
            return Tried(built=False, said=errors[0].message, codes=codes)
        name = "block.txt" if session else "block.py"  # doctest takes sessions from texts
        await put_files(folder, files_of(name, code, reference))
        interpreter, *libraries = program(bench.toolchain)
        mode = ("-m", "doctest") if session else ()
        argv = (interpreter, "-s", "-B", *libraries, *mode, name)
        environment = {"PYTHONPATH": str(folder / "src"), "PYTHONUTF8": "1"}
        ran = await run_block(argv, folder, bench, environment)
        if session:
            return Tried(built=True, ran=ran.ran, said=ran.output)
        return replace(ran, codes=codes_in(ran.said))


def _value(node: ast.expr | None) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            return _value(parse_expression(node.value))
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
