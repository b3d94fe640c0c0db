"""Guards in Python: a decorator nearest to the stub."""

import ast
import re
from collections.abc import Sequence

from tutor_lsp.core.language.guards import Guarded, Items
from tutor_lsp.core.ports import Files, FunctionSite, SourceReader
from tutor_lsp.languages.common.proof.guard import renamed
from tutor_lsp.languages.common.texts import harness_text
from tutor_lsp.languages.python.trees import parse

_MODULE = "src/exercise/tutor_guard.py"
_MARK = re.compile(r"\A(?:@[^\n]*\n\s*)+")


class PythonGuards:
    """See `guard.Guards`. A domain is a module beside the stub's, imported at its first call."""

    def around(self, stub: Guarded) -> dict[str, str]:
        text, site = stub.text, stub.site
        module = f"exercise.tutor_accepts_{stub.tag}"
        lines = text.split("\n")
        header = lines[site.line - 1]
        indent = header[: len(header) - len(header.lstrip())]
        call = '__import__("exercise.tutor_guard", fromlist=["guarded"]).guarded'
        lines.insert(site.line - 1, f'{indent}@{call}("{stub.unit.id}", "{module}")')
        return {
            stub.unit.file: "\n".join(lines),
            f"src/exercise/tutor_accepts_{stub.tag}.py": stub.accepts,
        }

    def prepared(self, files: dict[str, str]) -> dict[str, str]:
        return {**files, _MODULE: harness_text(__file__, "guard.py")}

    def case(self, text: str, site: FunctionSite, name: str) -> str:
        return f"{_MARK.sub('', renamed(text, site, name))}\n"

    def looking(self, unit_id: str, name: str, cases: Sequence[str]) -> str:
        listed = ", ".join(cases)
        call = (
            f'import exercise.tutor_guard\n    exercise.tutor_guard.look("{unit_id}", [{listed}])'
        )
        return f"\n\ndef {name}():\n    {call}\n"

    def with_tests(self, text: str, added: str) -> str:
        return f"{text}\n\n{added}"

    def definitions(self, text: str, sources: Files, reader: SourceReader) -> Items:
        found: dict[str, str] = {}
        for source in (*sources.values(), text):
            found |= _assignments(source)
        return found


def _assignments(text: str) -> dict[str, str]:
    try:
        tree = parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    lines = text.split("\n")
    found: dict[str, str] = {}
    for node in tree.body:
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            targets = [node.target]
        inside = (each for target in targets for each in ast.walk(target))
        names = [each.id for each in inside if isinstance(each, ast.Name)]
        if names and node.end_lineno is not None:
            whole = "\n".join(lines[node.lineno - 1 : node.end_lineno])
            found |= dict.fromkeys(names, whole)
    return found
