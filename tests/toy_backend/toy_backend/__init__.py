"""A model on this machine that knows one hint, and nothing of exercises or reviews."""

import json

from tutor_lsp.core.ports import BackendStatus
from tutor_lsp.core.setting_values import setting
from tutor_lsp.core.stage import BackendAnswer, BackendFailed, Role


class Parrot:
    """The kind (`tutor_lsp.core.backend.BackendKind`), and its backends
    (`tutor_lsp.core.ports.Backend`)."""

    name = "parrot"
    meaning = "A parrot on this machine."
    place = 100
    is_model = True
    asks_first = False
    settings = (setting("text", "parrot.word", "The word that it says."),)
    needs_prompt = True

    def __init__(self, word):
        self._word = word

    @classmethod
    def create(cls, context):
        return cls(context.settings["parrot.word"])

    async def probe(self):
        if not self._word:
            return BackendStatus(self.name, available=False, why="set parrot.word")
        return BackendStatus(self.name, available=True, why=f"it says {self._word}")

    async def answer(self, request):
        if request.role is not Role.COACH:
            raise BackendFailed(f"a parrot is no {request.role}")
        tutoring = request.packet["tutoring"]
        hint = {
            "schema_version": request.contract,
            "role": request.role,
            "unit_id": tutoring["unit"]["unit_id"],
            "level": tutoring["hint_level"],
            "text": f"{self._word}! Look at the test that comes first, and at what it asks for.",
            "code": None,
            "fix": None,
            "tags": [],
        }
        return BackendAnswer(json.dumps(hint))
