"""The contracts as strict JSON Schema: `python -m tutor_lsp.contracts.export [--check]`.

The subset is the one that structured outputs accept everywhere: every property required, no
additional properties, no defaults, only those of `KEYWORDS`. Ranges and patterns are enforced
by the models and mentioned in descriptions.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tutor_lsp.contracts.locate import schema_directory
from tutor_lsp.contracts.models import MODELS

KEYWORDS = frozenset({
    "$defs", "$ref", "additionalProperties", "anyOf", "const", "description", "enum", "items",
    "properties", "required", "title", "type",
})  # fmt: skip
"""The keywords allowed in a schema; the export turns `const` into an enum."""


def strict_schema(contract: str) -> dict[str, Any]:
    """The strict schema of a contract, made from its model. Raises KeyError for an unknown name."""
    schema = MODELS[contract].model_json_schema()
    strict: dict[str, Any] = _strict(schema) | {"title": contract}
    return strict


def _strict(schema: Any) -> Any:
    if not isinstance(schema, Mapping):
        return schema
    out = {key: value for key, value in schema.items() if key in KEYWORDS}
    out.pop("title", None)
    if "const" in out:
        out["enum"] = [out.pop("const")]
    if "items" in out:
        out["items"] = _strict(out["items"])
    if "anyOf" in out:
        out["anyOf"] = [_strict(branch) for branch in out["anyOf"]]
    for group in ("properties", "$defs"):
        if group in out:
            out[group] = {name: _strict(sub) for name, sub in out[group].items()}
    if out.get("type") == "object":
        out["required"] = list(out.get("properties", {}))
        out["additionalProperties"] = False
    if isinstance(out.get("description"), str):
        out["description"] = " ".join(out["description"].split())
    return {key: out[key] for key in sorted(out)}


def rendered(contract: str) -> str:
    """The text of `schemas/<contract>.json`: keywords sorted, one newline at the end.

    Properties keep the model's order, because answers are written in that order.
    """
    return json.dumps(strict_schema(contract), indent=2, ensure_ascii=False) + "\n"


def stale(directory: Path) -> list[str]:
    """File names in `directory` that are missing, differ from the models or have no contract."""
    wanted = {f"{name}.json": rendered(name) for name in MODELS}
    there = {path.name: path.read_text(encoding="utf-8") for path in directory.glob("*.json")}
    names = wanted.keys() | there.keys()
    return sorted(name for name in names if wanted.get(name) != there.get(name))


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the schemas, or with `--check` report stale ones. Exit code 0 or 1."""
    parser = argparse.ArgumentParser(prog="python -m tutor_lsp.contracts.export")
    parser.add_argument("--check", action="store_true", help="write nothing, exit 1 if stale")
    parser.add_argument("--directory", type=Path, default=None, help="default: schemas/")
    options = parser.parse_args(arguments)
    directory: Path = options.directory or schema_directory()
    if options.check:
        for name in (late := stale(directory)):
            sys.stderr.write(f"{directory / name} is stale: run python -m {__spec__.name}\n")
        return 1 if late else 0
    directory.mkdir(parents=True, exist_ok=True)
    for name in MODELS:
        (directory / f"{name}.json").write_text(rendered(name), encoding="utf-8")
    for name in stale(directory):
        (directory / name).unlink()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
