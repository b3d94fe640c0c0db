"""Limits of an answer, looked at before anything else reads it: nothing later sees long text.

They stand on the models (`base.Bytes`, `max_length` of lists); structured outputs know no such
keywords, so that the committed schemas leave them out.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from tutor_lsp.contracts.locate import resolved

DEEPEST = 10
"""Objects and lists that may stand inside of one another; the schemas need fewer."""
OTHER_BYTES = 300
"""Limit of a text that has no place in the contract, or is one of a few words there."""


@cache
def answer_bytes(contract: str) -> int | None:
    """Most bytes of the JSON of an answer; None for a document that no model writes."""
    from tutor_lsp.contracts.base import Answer
    from tutor_lsp.contracts.models import MODELS

    model = MODELS[contract]
    return model.answer_bytes if issubclass(model, Answer) else None


def excess(contract: str, document: Any) -> Iterator[tuple[str, str]]:
    """Path and reason of everything in an answer that is too long or nested too deeply.

    Linear in the size of the document, and without recursion.
    """
    root = marked_schema(contract)
    waiting: list[tuple[str, Any, Mapping[str, Any], int]] = [("$", document, root, 1)]
    while waiting:
        path, value, schema, depth = waiting.pop()
        schema = resolved(schema, root)[0]
        if isinstance(value, str):
            most = int(schema.get("maxBytes", OTHER_BYTES))
            size = len(value.encode("utf-8", "surrogatepass"))
            if size > most:
                yield path, f"has {size} bytes, at most {most}"
        elif not isinstance(value, Mapping | list | tuple):
            continue
        elif depth > DEEPEST:
            yield path, "is nested too deeply"
        elif isinstance(value, Mapping):
            known = schema.get("properties", {})
            if len(value) > len(known) + OTHER_BYTES:
                yield path, f"has {len(value)} properties, at most {len(known)}"
                continue
            waiting += [
                (f"{path}.{str(key)[:60]}", item, known.get(key, {}), depth + 1)
                for key, item in value.items()
            ]
        else:
            most = int(schema.get("maxItems", OTHER_BYTES))
            if len(value) > most:
                yield path, f"has {len(value)} items, at most {most}"
                continue
            items = schema.get("items", {})
            waiting += [(f"{path}[{at}]", each, items, depth + 1) for at, each in enumerate(value)]


@cache
def marked_schema(contract: str) -> dict[str, Any]:
    """The model's own JSON schema, with the marks of `base.Bytes`. Treat it as read-only."""
    from tutor_lsp.contracts.models import MODELS

    return MODELS[contract].model_json_schema()
