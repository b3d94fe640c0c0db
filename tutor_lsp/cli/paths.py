"""Paths as they were typed."""

import os
from pathlib import Path


def expanded(typed: str) -> Path:
    """The path with the folder of the user whom `~` or `~name` means; if there is no such user
    it is a name like any other, as in a shell."""
    return Path(os.path.expanduser(typed))  # noqa: PTH111 - that of pathlib raises RuntimeError
