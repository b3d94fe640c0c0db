"""Where the committed schemas are: at the root of the source tree, or in the installed package."""

import json
from functools import cache
from pathlib import Path
from typing import Any


def schema_directory() -> Path:
    """The directory of `<contract>.json` files; in the source tree `schemas/` at the root."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "schemas"
    return installed if installed.is_dir() else package.parent / "schemas"


def schema_path(contract: str) -> Path:
    """The schema file of a contract. Raises KeyError if there is none."""
    path = schema_directory() / f"{contract}.json"
    if not path.is_file():
        raise KeyError(contract)
    return path


@cache
def load_schema(contract: str) -> dict[str, Any]:
    """The committed schema. Treat it as read-only. Raises KeyError if there is none."""
    schema: dict[str, Any] = json.loads(schema_path(contract).read_text(encoding="utf-8"))
    return schema
