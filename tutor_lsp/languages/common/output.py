"""Texts that come out of a run, brought to a readable size."""

import json
from typing import Any

from tutor_lsp.process.run import Capped

AROUND = 60


def json_object(line: bytes | str) -> dict[str, Any]:
    """The object that a line of output holds; empty where it holds none, or was cut off."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def readable(kept: Capped) -> str:
    """The text that was kept, with a note where some of it was dropped."""
    head, tail = kept.parts()
    text = head.decode("utf-8", "replace")
    if kept.dropped:
        text += "\n… more was printed and is not shown\n"
    return text + tail.decode("utf-8", "replace")


def clip_pair(left: str, right: str, limit: int) -> tuple[str, str]:
    """Both texts within `limit` characters, cut so that their first difference can be seen."""
    if max(len(left), len(right)) <= limit:
        return left, right
    pairs = enumerate(zip(left, right, strict=False))
    same = next((i for i, (a, b) in pairs if a != b), 0)
    start = max(same - min(AROUND, limit // 2), 0)
    return _cut(left, start, limit), _cut(right, start, limit)


def _cut(text: str, start: int, limit: int) -> str:
    if len(text) <= limit:
        return text
    start = min(start, len(text) - limit + 2)
    piece = text[start : start + limit - 2]
    end = start + len(piece)
    return ("…" if start else "") + piece + ("…" if end < len(text) else "")
