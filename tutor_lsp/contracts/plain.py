"""Reading a document that is in order, without pydantic, which takes longer to load than a start.

What the models demand is kept as data in `rules.json` (`export.py` writes it). Whatever is not
plainly in order, or is more than these rules tell, is left to the models: they say what is wrong.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

RULES = Path(__file__).parent / "rules.json"
KEYWORDS = frozenset({
    "$ref", "anyOf", "const", "enum", "items", "maxBytes", "maxItems", "maxLength", "maximum",
    "minItems", "minLength", "minimum", "properties", "readAs", "type",
})  # fmt: skip
"""What the rules are made of."""

Read = Mapping[str, Callable[[str], str]]


class _Doubt(Exception):  # noqa: N818 - says what is the case, not a defect
    """The models have to look at it."""


@cache
def rules() -> dict[str, Any]:
    """For each contract that is read here its rules, the parts that they refer to, and how long an
    answer may be. Treat it as read-only."""
    known: dict[str, Any] = json.loads(RULES.read_text(encoding="utf-8"))
    return known


def limit_of(contract: str) -> int | None:
    """How many bytes an answer may have, None for a document that no model writes. Raises KeyError
    for a contract that is not read here."""
    limit: int | None = rules()[contract]["answerBytes"]
    return limit


def accepted(contract: str, document: object, read: Read | None) -> dict[str, Any] | None:
    """The document as its model would have it; None where the model has to look at it. `read` is
    as for `validate`, None for a document that no model writes."""
    known = rules().get(contract)
    if known is None:
        return None
    try:
        found: dict[str, Any] = _Reading(known["parts"], read).value(known["rules"], document)
    except (_Doubt, RecursionError, UnicodeEncodeError):
        return None
    return found


@dataclass(frozen=True, slots=True)
class _Reading:
    parts: Mapping[str, Any]
    read: Read | None

    def value(self, rule: Mapping[str, Any], given: Any) -> Any:
        """In normal form. Raises _Doubt, and UnicodeEncodeError for half of a surrogate pair."""
        if "$ref" in rule:
            return self.value(self.parts[rule["$ref"].rpartition("/")[2]], given)
        if "anyOf" in rule:
            (one,) = (each for each in rule["anyOf"] if each != _NULL)
            return None if given is None else self.value(one, given)
        kind = rule["type"]
        if not _is(_TYPES[kind], given):
            _doubt()
        if kind == "object":
            return self._object(rule["properties"], given)
        if kind == "array":
            _between(rule, "minItems", len(given), "maxItems")
            return [self.value(rule["items"], each) for each in given]
        if kind == "string":
            return self._text(rule, given)
        _between(rule, "minimum", given, "maximum")
        return given

    def _object(self, rules: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
        if not given.keys() <= rules.keys():
            _doubt()
        found = {}
        for name, rule in rules.items():
            if name not in given and _NULL not in rule.get("anyOf", ()):
                _doubt()
            found[name] = self.value(rule, given.get(name))
        return found

    def _text(self, rule: Mapping[str, Any], given: str) -> str:
        size = len(given.encode())
        _between(rule, "minLength", len(given), "maxLength")
        if given not in rule.get("enum", (rule.get("const", given),)):
            _doubt()
        if self.read is None or "maxBytes" not in rule:
            return given
        if size > rule["maxBytes"]:
            _doubt()
        reads = self.read.get(rule.get("readAs", ""))
        return given if reads is None else reads(given)


_NULL = {"type": "null"}
_TYPES: Mapping[str, type] = {
    "object": dict, "array": list, "string": str, "integer": int, "boolean": bool,
}  # fmt: skip


def _is(kind: type, given: object) -> bool:
    """Of this very type: in JSON true is no number."""
    return type(given) is kind


def _between(rule: Mapping[str, Any], least: str, given: int, most: str) -> None:
    if not rule.get(least, given) <= given <= rule.get(most, given):
        _doubt()


def _doubt() -> NoReturn:
    raise _Doubt
