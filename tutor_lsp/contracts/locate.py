"""Where the committed schemas are: beside the package in the source tree, in it once installed."""

import json
from collections.abc import Mapping
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


def resolved(schema: Mapping[str, Any], root: Mapping[str, Any]) -> tuple[Mapping[str, Any], bool]:
    """The schema behind `$ref` and a nullable `anyOf`, and whether null is allowed."""
    if "$ref" in schema:
        return resolved(root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root)
    branches = schema.get("anyOf", [])
    others = [branch for branch in branches if branch.get("type") != "null"]
    if len(others) == 1 and len(branches) == 2:
        return resolved(others[0], root)[0], True
    return schema, False
