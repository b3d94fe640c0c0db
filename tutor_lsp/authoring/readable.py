"""A model's code, first parsed in a process that can be killed, before the server does.

Parsers block a whole process on code that no person writes, such as thousands of operators in one
expression, and cannot be interrupted.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tutor_lsp.core.ports import Backend, StageRunner
from tutor_lsp.core.stage import Rejection, Role, StageRequest, StageResult, sections_of
from tutor_lsp.process.environment import child_environment
from tutor_lsp.process.libraries import own_python
from tutor_lsp.process.run import run
from tutor_lsp.process.spec import Limits, Spec

LIMIT_S, CPU_S = 20.0, 4
"""Time limits for parsing the texts of one answer, in seconds: wall clock and processor."""
MEMORY_BYTES = 1024 * 1024 * 1024
"""Most memory of the parsing process, in bytes."""
_EARLIER = {Role.STARTER: "starter", Role.TEST: "tests"}


class ReadableRunner:
    """Implements `core.ports.StageRunner`: refuses what another one accepts as
    `POLICY_VIOLATION` (rule `code-unreadable`) if its code cannot be parsed in time."""

    def __init__(self, runner: StageRunner, language: str) -> None:
        self._runner = runner
        self._language = language

    async def run(self, request: StageRequest, backend: Backend) -> StageResult:
        result = await self._runner.run(request, backend)
        if not result.accepted or result.payload is None:
            return result
        found = _texts(request, result.payload)
        at = await unreadable(self._language, [text for _, text in found]) if found else None
        if at is None:
            return result
        path = found[at][0]
        reason = f"the code in {path[:120]} takes too long to parse"
        return replace(
            result,
            accepted=False,
            payload=None,
            kind=Rejection.POLICY_VIOLATION,
            reason=f"the answer breaks the rule code-unreadable: {reason}",
            details={"rules": ["code-unreadable"], "path": path},
        )


async def unreadable(language: str, texts: Sequence[str]) -> int | None:
    """The index of the first text that would block its parser, or None."""
    spec = Spec(
        (*own_python(), "-m", "tutor_lsp.languages.common.read_once", language),
        Path(__file__).parents[2],
        child_environment(),
        LIMIT_S,
        output_bytes=4096,
        stdin=json.dumps(texts).encode(),
        limits=Limits(cpu_s=CPU_S, memory_bytes=MEMORY_BYTES),
    )
    outcome = await run(spec)
    if outcome.returncode != 0:
        return 0
    return int(outcome.stdout) if outcome.stdout.strip() else None


def _texts(request: StageRequest, payload: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Path and text of each file in an answer; a section together with those before it."""
    found = [(str(file["file_path"]), str(file["content"])) for file in payload.get("files") or ()]
    found += [(str(each["unit_id"]), str(each["content"])) for each in payload.get("accepts") or ()]
    for unit in payload["units"] if request.role is Role.MISTAKES else ():
        found += [(str(unit["unit_id"]), str(each["code"])) for each in unit["mistakes"]]
    if request.role in _EARLIER:
        before = [*request.packet[_EARLIER[request.role]]]
        for section in sections_of(payload):
            path = str(section["file_path"])
            same = [str(each["content"]) for each in before if each["file_path"] == path]
            found.append((path, "\n\n".join([*same, str(section["content"])])))
            before.append(section)
    return found
