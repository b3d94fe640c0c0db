"""An answer of another form is asked for again, with every error that it had.

Nothing else is: what a backend could not answer, or a rule refuses, ends a set-up.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tutor_lsp.core.ports import Backend, Recorded, StageRunner
from tutor_lsp.core.stage import Rejection, StageRequest, StageResult
from tutor_lsp.core.text.plain_text import clip_bytes

MOST = 2
"""How often an answer is asked for again."""
ERRORS_BYTES = 8000
"""Most bytes of errors in a prompt."""


class AskingAgain:
    """Implements `core.ports.StageRunner` by another one, which logs each call. What was given
    before (`Recorded`) or by authors is not asked for again."""

    def __init__(self, runner: StageRunner) -> None:
        self._runner = runner

    async def run(self, request: StageRequest, backend: Backend) -> StageResult:
        result = await self._runner.run(request, backend)
        recorded = isinstance(backend, Recorded) and backend.recorded
        if recorded or not backend.is_model:
            return result
        for again in range(1, MOST + 1):
            if result.kind is not Rejection.SCHEMA_VALIDATION_FAILED:
                break
            asked = _again(request, result.details.get("errors") or (), again)
            result = await self._runner.run(asked, backend)
        return result


def _again(request: StageRequest, errors: Sequence[Mapping[str, str]], again: int) -> StageRequest:
    prompt = request.prompt
    if prompt is not None:
        found = "\n".join(f"- {error['path']} {error['reason']}" for error in errors)
        said = (
            f"\nYour last answer was not used, as it was no {request.contract} document:\n"
            f"{clip_bytes(found, ERRORS_BYTES)}\n"
            "Answer anew and in full, with nothing around the JSON.\n"
        )
        prompt = replace(prompt, tail=prompt.tail + said)
    return replace(request, prompt=prompt, again=again)
