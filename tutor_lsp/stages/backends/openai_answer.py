"""Reading a chat completion: the text of its first choice, and what it cost."""

from collections.abc import Mapping
from typing import Any

from tutor_lsp.core.stage import BackendAnswer, BackendFailed, Usage
from tutor_lsp.stages.backends.cli import tokens


def read_answer(data: Any) -> BackendAnswer:
    """The answer in a completion. Raises BackendFailed where there is none or it is not whole."""
    body = _mapping(data)
    choices = body.get("choices")
    choice = _mapping(choices[0]) if isinstance(choices, list) and choices else None
    if choice is None:
        error = body.get("error")
        said = _mapping(error).get("message", error)
        reason = f"the service failed: {said}" if said else "the service gave no answer"
        raise BackendFailed(reason[:500], {"keys": sorted(map(str, body))[:20]})
    message = _mapping(choice.get("message"))
    if refusal := message.get("refusal"):
        raise BackendFailed(f"the model declined: {refusal}"[:500], {"refusal": True})
    ended = choice.get("finish_reason")
    if ended == "length":
        raise BackendFailed(
            "the answer was cut off at the model's length limit",
            {"finishReason": ended, "remedy": "give the model a larger context or output limit"},
        )
    if ended == "content_filter":
        raise BackendFailed("the service's filter held the answer back", {"finishReason": ended})
    used = _mapping(body.get("usage"))
    cached = tokens(used.get("prompt_tokens_details"), "cached_tokens")
    usage = Usage(tokens(used, "prompt_tokens"), cached, tokens(used, "completion_tokens"))
    return BackendAnswer(_text(message.get("content")), usage)


def _text(content: Any) -> str:
    """Content as one text; some services give a list of parts."""
    parts = content if isinstance(content, list) else [content]
    texts = [_mapping(part).get("text") if isinstance(part, Mapping) else part for part in parts]
    return "".join(text for text in texts if isinstance(text, str))


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
