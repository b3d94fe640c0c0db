"""A model that writes a bundled exercise, for the fake server behind the real Codex CLI."""

import asyncio
import json
import re
from pathlib import Path

from tutor_lsp.core.stage import CONTRACTS, BackendFailed, Role, StageRequest
from tutor_lsp.library.loader import BUNDLED, Library
from tutor_lsp.stages.backends.library import LibraryBackend

ROLES = (Role.SCAFFOLD, Role.STARTER, Role.TEST, Role.LESSON, Role.SOLUTION)


class Author:
    """Answers by role and iteration, which it reads from what Codex sends. `asked` is in order.

    `entry` is the exercise; `depth` takes the place of its own. From call number `fails_at` on
    (counted from 1) `fail` is called with the server instead.
    """

    def __init__(self, depth: str) -> None:
        library = Library([BUNDLED])
        entries = library.entries("python")
        self.entry = min(entries, key=lambda entry: (len(entry.units), entry.id))
        self.depth = depth
        self.asked: list[str] = []
        self._answers = asyncio.run(self._all(LibraryBackend(library, self.entry.id)))

    @property
    def calls(self) -> list[str]:
        """What a set-up without repairs asks for."""
        return list(self._answers)

    def __call__(self, body: dict) -> str:
        role = body["text"]["format"]["schema"]["properties"]["role"]["enum"][0]
        prompt = body["input"][-1]["content"][0]["text"]
        found = re.findall(r"^Call (\d+)", prompt, re.MULTILINE)
        name = f"{role} {found[-1] if found else 1}"
        self.asked.append(name)
        return self._answers[name]

    async def _all(self, backend: LibraryBackend) -> dict[str, str]:
        answers: dict[str, str] = {}
        for role in ROLES:
            for number in range(1, 30):
                packet = {"node": {"id": self.entry.node}, "scaffold": None}
                try:
                    answer = await backend.answer(StageRequest(role, packet, None, number))
                except BackendFailed:
                    break
                payload = json.loads(answer.text)
                if role is Role.SCAFFOLD:
                    payload["depth_target"] = self.depth
                answers[f"{role.value} {number}"] = json.dumps(payload)
                if payload.get("is_complete", True):
                    break
        none = {"schema_version": CONTRACTS[Role.MISTAKES], "role": Role.MISTAKES, "units": []}
        return answers | {f"{Role.MISTAKES} 1": json.dumps(none)}


def processes_with(variable: str) -> list[str]:
    """Command lines of living processes that have this in their environment, ours left out."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            environment = (entry / "environ").read_bytes().split(b"\0")
            state = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0]
            command = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if variable.encode() in environment and state != "Z":
            found.append(command.replace(b"\0", b" ").decode(errors="replace"))
    return found
