"""Answers from a script: a real backend for tests, demonstrations and replays of records.

A line is an object: `stage` (a role), `iteration` (any if left out), and one of `payload` (an
answer as JSON data), `text` (an answer as raw text) or `error` (a failure to answer, with
`details`). `delay_s` makes the answer wait, and with `piece` it comes in pieces of that many
characters, `pause_s` apart, to whom hears them. With `adopt` a scaffold takes over node and depth
of the request, as a record was made for others. Other keys are ignored.
"""

import asyncio
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tutor_lsp.core.backend import BackendContext
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.ports import BackendStatus
from tutor_lsp.core.stage import UNSCRIPTED, BackendAnswer, BackendFailed, Role, StageRequest, Usage

_ANSWERS = ("payload", "text", "error")


class ScriptedBackend:
    """Gives each line once: the first unused one of the request's role and iteration.

    `requests` holds what was asked, in order. Raises ValueError for a line without a stage or
    without exactly one of payload, text and error.
    """

    name = "scripted"
    is_model = True
    needs_prompt = True
    recorded = True

    def __init__(self, lines: Iterable[Mapping[str, Any]]) -> None:
        self._lines = [_checked(line, number) for number, line in enumerate(lines, start=1)]
        self.requests: list[StageRequest] = []

    async def probe(self) -> BackendStatus:
        why = f"a script with {len(self._lines)} answers left"
        return BackendStatus(self.name, available=True, why=why)

    def can_answer(self, role: Role) -> bool:
        """Whether there is a line for it: a record may be older than a role."""
        return any(line["stage"] == role.value for line in self._lines)

    async def answer(self, request: StageRequest) -> BackendAnswer:
        self.requests.append(request)
        line = self._take(request)
        await asyncio.sleep(float(line.get("delay_s", 0)))
        if "error" in line:
            raise BackendFailed(str(line["error"]), line.get("details"))
        text = line["text"] if "text" in line else _payload_text(line, request)
        if request.heard is not None and "piece" in line:
            size = int(line["piece"])
            for start in range(0, len(text), size):
                request.heard(text[start : start + size])
                await asyncio.sleep(float(line.get("pause_s", 0)))
        return BackendAnswer(text, Usage(**line.get("usage", {})))

    def _take(self, request: StageRequest) -> Mapping[str, Any]:
        for index, line in enumerate(self._lines):
            fits = line.get("iteration") in (None, request.iteration)
            if fits and line["stage"] == request.role.value:
                return self._lines.pop(index)
        wanted = {"stage": request.role.value, "iteration": request.iteration, UNSCRIPTED: True}
        raise BackendFailed(
            f"the script has no answer for {request.role.value} {request.iteration}", wanted
        )


def _payload_text(line: Mapping[str, Any], request: StageRequest) -> str:
    payload = line["payload"]
    if line.get("adopt"):
        packet = request.packet
        ids = {"node_id": packet["node"]["id"], "depth_target": packet["depth_target"]}
        payload = {**payload, **ids}
    return json.dumps(payload, ensure_ascii=False)


def _checked(line: Mapping[str, Any], number: int) -> Mapping[str, Any]:
    if not isinstance(line.get("stage"), str):
        raise ValueError(f"line {number} names no stage")  # noqa: TRY004 - one kind of error for all
    if sum(key in line for key in _ANSWERS) != 1:
        raise ValueError(f"line {number} must have one of payload, text and error")
    return line


def create(context: BackendContext) -> ScriptedBackend:
    """The backend of the setting `scripted.file`, read by the service `scripted.lines`, a function
    from path to lines. Raises TutorError `BAD_SCRIPT`."""
    path = Path(context.setting("scripted.file"))
    try:
        return ScriptedBackend(context.services["scripted.lines"](path))
    except ValueError as error:
        raise TutorError(
            "BAD_SCRIPT",
            f"The script {path} cannot be used: {error}. Each line must be an object with "
            "stage and one of payload, text and error.",
        ) from error
