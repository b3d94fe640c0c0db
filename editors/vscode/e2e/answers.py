"""What a model would answer to write a bundled exercise: `ROLE CALL` to text, as JSON.

    python answers.py ENTRY NODE > answers.json

NODE is the id of the topic that the answers are for.
"""

import asyncio
import json
import sys

from tutor_lsp.core.stage import BackendFailed, Role, StageRequest
from tutor_lsp.library.loader import BUNDLED, Library
from tutor_lsp.stages.backends.library import LibraryBackend

ROLES = (Role.SCAFFOLD, Role.STARTER, Role.TEST, Role.LESSON, Role.SOLUTION)


async def answers(name: str, node: str) -> dict[str, str]:
    """All answers of a set-up of that exercise."""
    library = Library([BUNDLED])
    entry = next(e for e in library.entries() if e.id == name)
    backend = LibraryBackend(library, entry.id)
    found: dict[str, str] = {}
    for role in ROLES:
        for call in range(1, 30):
            packet = {"node": {"id": entry.node}, "scaffold": None}
            try:
                answer = await backend.answer(StageRequest(role, packet, None, call))
            except BackendFailed:
                break
            payload = json.loads(answer.text)
            if role is Role.SCAFFOLD:
                # A free topic is made at this depth.
                payload["depth_target"] = "D2"
                payload["node_id"] = node
            found[f"{role.value} {call}"] = json.dumps(payload)
            if payload.get("is_complete", True):
                break
    return found


json.dump(asyncio.run(answers(*sys.argv[1:])), sys.stdout)
