"""Lint for the strict schema subset that structured outputs accept; needs no other module.

Codex sends a schema unchecked, and only the provider would refuse it, so it is checked here.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from tutor_lsp.contracts.export import KEYWORDS

MAX_DEPTH = 10
MAX_PROPERTIES = 5000
MAX_ENUM_VALUES = 1000
MAX_NAME_CHARACTERS = 120_000
TYPES = frozenset({"object", "array", "string", "integer", "number", "boolean", "null"})


def lint(schema: Mapping[str, Any]) -> list[str]:
    """Every violation as `path: what`, empty for a strict schema."""
    issues: list[str] = []
    if schema.get("type") != "object" or "anyOf" in schema:
        issues.append("#: the root must be an object without anyOf")
    count = _Count()
    for path, part in _parts(schema, "#"):
        issues += [f"{path}: {what}" for what in _part(part, schema)]
        count.add(part)
    issues += [f"#: {what}" for what in count.excess()]
    depth = _depth(schema, schema, frozenset())
    if depth > MAX_DEPTH:
        issues.append(f"#: nested {depth} deep, at most {MAX_DEPTH}")
    return issues


class _Count:
    def __init__(self) -> None:
        self.properties = 0
        self.enum_values = 0
        self.characters = 0

    def add(self, part: Mapping[str, Any]) -> None:
        names = [*part.get("properties", {}), *part.get("$defs", {})]
        values = part.get("enum", [])
        self.properties += len(part.get("properties", {}))
        self.enum_values += len(values)
        self.characters += sum(len(str(text)) for text in (*names, *values))

    def excess(self) -> Iterator[str]:
        if self.properties > MAX_PROPERTIES:
            yield f"{self.properties} properties, at most {MAX_PROPERTIES}"
        if self.enum_values > MAX_ENUM_VALUES:
            yield f"{self.enum_values} enum values, at most {MAX_ENUM_VALUES}"
        if self.characters > MAX_NAME_CHARACTERS:
            yield f"{self.characters} characters in names, at most {MAX_NAME_CHARACTERS}"


def _parts(schema: Any, path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if not isinstance(schema, Mapping):
        return
    yield path, schema
    for group in ("properties", "$defs"):
        for name, sub in schema.get(group, {}).items():
            yield from _parts(sub, f"{path}/{group}/{name}")
    for index, sub in enumerate(schema.get("anyOf", [])):
        yield from _parts(sub, f"{path}/anyOf/{index}")
    yield from _parts(schema.get("items"), f"{path}/items")


def _part(part: Mapping[str, Any], root: Mapping[str, Any]) -> Iterator[str]:
    for keyword in sorted(part.keys() - KEYWORDS | part.keys() & {"const"}):
        yield f"{keyword} is not supported"
    kind = part.get("type")
    if kind is None and not part.keys() & {"$ref", "anyOf", "enum"}:
        yield "it has no type"
    if kind is not None and (not isinstance(kind, str) or kind not in TYPES):
        yield f"type must be one of {', '.join(sorted(TYPES))}"
    if kind == "object":
        yield from _object(part)
    if kind == "array" and "items" not in part:
        yield "an array needs items"
    if "$ref" in part:
        yield from _reference(part, root)


def _object(part: Mapping[str, Any]) -> Iterator[str]:
    names = set(part.get("properties", {}))
    if part.get("additionalProperties") is not False:
        yield "additionalProperties must be false"
    for name in sorted(names - set(part.get("required", []))):
        yield f"{name} is not required"
    for name in sorted(set(part.get("required", [])) - names):
        yield f"{name} is required but not a property"


def _reference(part: Mapping[str, Any], root: Mapping[str, Any]) -> Iterator[str]:
    name = str(part["$ref"]).removeprefix("#/$defs/")
    if name not in root.get("$defs", {}):
        yield f"{part['$ref']} does not exist"
    if beside := sorted(part.keys() - {"$ref"}):
        yield f"no keyword is allowed beside $ref: {', '.join(beside)}"


def _depth(part: Any, root: Mapping[str, Any], seen: frozenset[str]) -> int:
    if not isinstance(part, Mapping):
        return 0
    if "$ref" in part:
        name = str(part["$ref"]).removeprefix("#/$defs/")
        if name in seen:
            return MAX_DEPTH + 1
        return _depth(root.get("$defs", {}).get(name), root, seen | {name})
    inner = [*part.get("properties", {}).values(), *part.get("anyOf", []), part.get("items")]
    own = 1 if part.get("type") in ("object", "array") else 0
    return own + max((_depth(sub, root, seen) for sub in inner), default=0)
