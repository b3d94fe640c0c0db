"""Reading the event stream of `codex exec --json`: one JSON object a line, robustly."""

import json
from typing import Any

from tutor_lsp.core.stage import Usage
from tutor_lsp.stages.backends.cli import tokens


class CodexEvents:
    """The events of a run so far.

    `answer` is the text of the last agent message. `failure` is the message of `turn.failed`;
    `last_error` that of the last error event, which also occurs in runs that go on. `completed`
    holds after `turn.completed`. Lines that are not JSON objects are counted, not refused.
    """

    def __init__(self) -> None:
        self.answer: str | None = None
        self.completed = False
        self.failure: str | None = None
        self.last_error: str | None = None
        self.usage = Usage()
        self.lines = 0
        self.garbage = 0

    def line(self, raw: bytes) -> None:
        """Take one line, without its end. Never raises."""
        if not raw.strip():
            return
        self.lines += 1
        try:
            event = json.loads(raw)
        except (ValueError, RecursionError):
            event = None
        if not isinstance(event, dict):
            self.garbage += 1
            return
        kind = event.get("type")
        if kind == "item.completed":
            self._item(event.get("item"))
        elif kind == "turn.completed":
            self.completed = True
            used = event.get("usage")
            kinds = ("input_tokens", "cached_input_tokens", "output_tokens")
            self.usage = Usage(*(tokens(used, kind) for kind in kinds))
        elif kind == "turn.failed":
            self.failure = _message(event.get("error")) or "the turn failed"
        elif kind == "error":
            self.last_error = _message(event)

    def data(self) -> dict[str, Any]:
        """Counts for the details of a failure."""
        return {"events": self.lines, "garbageLines": self.garbage}

    def _item(self, item: Any) -> None:
        if not isinstance(item, dict):
            return
        if item.get("type") == "agent_message" and isinstance(item.get("text"), str):
            self.answer = item["text"]
        elif item.get("type") == "error":
            self.last_error = _message(item)


def _message(value: Any) -> str | None:
    text = value.get("message") if isinstance(value, dict) else value
    return text[:2000] if isinstance(text, str) and text.strip() else None
