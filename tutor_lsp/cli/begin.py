"""From a verb's name and values to what it does."""

from collections.abc import Mapping
from typing import Any


def begin(verb: str, values: Mapping[str, Any]) -> int:
    """Do what a verb is for; its exit code. Whoever asks for help does not wait for its imports."""
    from tutor_lsp.cli.work.dispatch import WORK

    return WORK[verb](dict(values))
