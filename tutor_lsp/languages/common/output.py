"""Texts that come out of a run, brought to a readable size."""

import json
from typing import Any

from tutor_lsp.process.run import Capped


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
