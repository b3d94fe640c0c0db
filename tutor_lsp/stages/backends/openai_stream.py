"""A chat completion that comes in server-sent events, put together as if it had come whole."""

import json
from collections.abc import Callable
from typing import Any

from tutor_lsp.process.run import LineFeed
from tutor_lsp.stages.backends.cli import ENVELOPE_BYTES


class Completion:
    """Takes the events; `heard` is told the text of each piece as it comes."""

    def __init__(self, heard: Callable[[str], None]) -> None:
        self._heard = heard
        self._lines = LineFeed(self._line, ENVELOPE_BYTES)
        self._content: list[str] = []
        self._refusal: list[str] = []
        self._ended: str | None = None
        self._last: dict[str, Any] = {}
        self._any = False

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the stream."""
        self._lines.feed(data)

    def whole(self) -> dict[str, Any]:
        """The completion, in the form of one that was not streamed; of one that failed on the way
        only the error."""
        self._lines.finish()
        if not self._any or ("error" in self._last and self._ended != "stop"):
            return self._last
        message = {"content": "".join(self._content), "refusal": "".join(self._refusal) or None}
        choice = {"message": message, "finish_reason": self._ended}
        return {**self._last, "choices": [choice]}

    def _line(self, line: bytes) -> None:
        kind, _, data = line.partition(b":")
        if kind != b"data":
            return
        try:
            event = json.loads(data)
        except (ValueError, RecursionError):
            return  # such as the mark of the end
        if not isinstance(event, dict):
            return
        self._last |= {key: event[key] for key in ("usage", "error") if event.get(key)}
        choices = event.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            return
        self._any = True
        if isinstance(ended := choice.get("finish_reason"), str):
            self._ended = ended
        delta = choice.get("delta")
        told = delta if isinstance(delta, dict) else {}
        if isinstance(refusal := told.get("refusal"), str):
            self._refusal.append(refusal)
        if isinstance(content := told.get("content"), str) and content:
            self._content.append(content)
            self._heard(content)
