"""Reading what `claude -p --output-format json` prints: one object, or a list that ends with it."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tutor_lsp.contracts.validate import MAX_ANSWER_BYTES
from tutor_lsp.core.stage import Usage
from tutor_lsp.stages.backends.cli import tokens

MOST_VALUES = 2 * MAX_ANSWER_BYTES
"""Commas in what was printed, which an answer of that size cannot have: millions of values would
take too long to read, and nothing can interrupt that."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """The result that was printed; `found` is false where none could be read.

    `text` is the answer's JSON where the model kept to the schema (`structured`), else what it
    said, or the error. `status` is the HTTP status of a failed call, where it is known.
    """

    found: bool = False
    is_error: bool = False
    subtype: str = ""
    text: str = ""
    structured: bool = False
    status: int | None = None
    usage: Usage = field(default_factory=Usage)


def read_envelope(stdout: bytes) -> Envelope:
    """The result in what was printed. Never raises."""
    result = _result(stdout.decode("utf-8", "replace"))
    if result is None:
        return Envelope()
    structured = result.get("structured_output")
    said = result.get("result")
    errors = [text for text in _list(result.get("errors")) if isinstance(text, str)]
    text = said if isinstance(said, str) else "; ".join(errors)
    if structured is not None:
        text = json.dumps(structured, ensure_ascii=False)
    status = result.get("api_error_status")
    return Envelope(
        found=True,
        is_error=result.get("is_error") is True,
        subtype=str(result.get("subtype") or ""),
        text=text,
        structured=structured is not None,
        status=status if isinstance(status, int) else None,
        usage=_usage(result.get("usage")),
    )


def _result(text: str) -> dict[str, Any] | None:
    """The object of type `result`; warnings may stand on lines before it."""
    if text.count(",") > MOST_VALUES:
        return None
    for candidate in (text, (text.strip().splitlines() or [""])[-1]):
        try:
            found = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        objects = [item for item in _list(found) or [found] if isinstance(item, dict)]
        results = [item for item in objects if item.get("type", "result") == "result"]
        if results:
            return results[-1]
    return None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _usage(used: Any) -> Usage:
    cached = tokens(used, "cache_read_input_tokens")
    fresh = tokens(used, "input_tokens", "cache_creation_input_tokens")
    return Usage(fresh + cached, cached, tokens(used, "output_tokens"))


class ClaudeEvents:
    """The events of a run that are told as they come: `result` is the line of the last one, and
    `heard` is told the pieces of the answer.

    The answer is the argument of a tool of Claude Code's own. What is said beside it, such as
    thoughts, is not heard; nor is a second try, which the result has if the first was no answer.
    """

    def __init__(self, heard: Callable[[str], None]) -> None:
        self.result = b""
        self._heard = heard
        self._answers = 0

    def line(self, raw: bytes) -> None:
        """Take one line, without its end. Never raises."""
        try:
            found = json.loads(raw)
        except (ValueError, RecursionError):
            return
        if not isinstance(found, dict):
            return
        if found.get("type") == "result":
            self.result = raw
        event = found.get("event") if found.get("type") == "stream_event" else None
        event = event if isinstance(event, dict) else {}
        inner = event.get("delta") or event.get("content_block")
        inner = inner if isinstance(inner, dict) else {}
        self._answers += inner.get("type") == "tool_use"
        piece = inner.get("partial_json") if inner.get("type") == "input_json_delta" else None
        if self._answers == 1 and isinstance(piece, str):
            self._heard(piece)
