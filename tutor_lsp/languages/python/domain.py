"""Guards in Python: a decorator nearest to the stub."""

import re
from collections.abc import Sequence

from tutor_lsp.core.ports import FunctionSite
from tutor_lsp.languages.common.guard import Guarded, renamed, support

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
        return {**files, _MODULE: support("guard.py")}

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
