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

from tutor_lsp.contracts import plain
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


PLAIN = (
    "context_packet_v1", "lesson_section_v1", "lesson_section_v2", "scaffold_v1", "solution_v1",
    "solution_v2", "starter_section_v1", "starter_section_v2", "test_section_v1",
    "test_section_v2",
)  # fmt: skip
"""The contracts of a set-up, which `plain.py` reads too: none has more to it than keywords."""


def plain_rules() -> str:
    """The text of `rules.json`."""
    found = {}
    for name in PLAIN:
        schema = MODELS[name].model_json_schema()
        parts = {part: _plain(rule) for part, rule in schema.pop("$defs", {}).items()}
        limit = MODELS[name].answer_bytes
        found[name] = {"answerBytes": limit, "parts": parts, "rules": _plain(schema)}
    return json.dumps(found, indent=1) + "\n"


_SAID = {"additionalProperties", "description", "required", "title"}
"""Keywords that say nothing more, where there are no other properties and no defaults."""


def _plain(rule: Mapping[str, Any]) -> dict[str, Any]:
    """Raises ValueError for one that `plain.py` does not know."""
    unknown = (
        rule.keys() - plain.KEYWORDS - {"additionalProperties", "description", "required", "title"}
    )
    branches = len(rule.get("anyOf", ("", {"type": "null"}))) - 1
    if unknown or branches != 1 or rule.get("additionalProperties", False) is not False:
        raise ValueError(f"plain.py cannot read {rule}")
    out = {key: value for key, value in rule.items() if key in plain.KEYWORDS}
    if "items" in out:
        out["items"] = _plain(out["items"])
    if "anyOf" in out:
        out["anyOf"] = [_plain(each) for each in out["anyOf"]]
    if "properties" in out:
        out["properties"] = {name: _plain(each) for name, each in out["properties"].items()}
    return out


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
        late = [directory / name for name in stale(directory)]
        if plain.RULES.read_text(encoding="utf-8") != plain_rules():
            late.append(plain.RULES)
        for file in late:
            sys.stderr.write(f"{file} is stale: run python -m {__spec__.name}\n")
        return 1 if late else 0
    directory.mkdir(parents=True, exist_ok=True)
    for name in MODELS:
        (directory / f"{name}.json").write_text(rendered(name), encoding="utf-8")
    plain.RULES.write_text(plain_rules(), encoding="utf-8")
    for name in stale(directory):
        (directory / name).unlink()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
