"""Checking a document against its contract: all errors at once, each with its JSON path.

The first call loads pydantic: make it off the event loop.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from types import NoneType
from typing import TYPE_CHECKING, Any, NoReturn, TypedDict

from tutor_lsp.contracts.model import model_of, validated
from tutor_lsp.contracts.plain import accepted, limit_of
from tutor_lsp.core.text.plain_text import clip

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

MAX_ANSWER_BYTES = 256_000
"""Largest answer of any stage, in bytes of UTF-8: what backends need to read. Each contract has
its own limit (`base.Contract.answer_bytes`)."""
MAX_PACKET_BYTES = 4_000_000
"""Largest document that no model writes (packets, exercise files), in bytes of UTF-8."""
MAX_ERRORS = 1000
"""Most errors that are reported."""

Document = dict[str, Any]
_ENDS = ("is_complete", "next_focus")


def _one_of_several(version: str, older: Document) -> Document:
    """A section as the only one of an answer."""
    own = {key: older[key] for key in older if key not in ("schema_version", "role", *_ENDS)}
    ends = {key: older[key] for key in _ENDS}
    return {"schema_version": version, "role": older["role"], "sections": [own], **ends}


def _without_domains(version: str, older: Document) -> Document:
    return {**older, "schema_version": version, "accepts": None}


READ_TOO: Mapping[str, Mapping[str, Callable[[str, Document], Document]]] = {
    "solution_v2": {"solution_v1": _without_domains},
    **{
        f"{loop}_section_v2": {f"{loop}_section_v1": _one_of_several}
        for loop in ("starter", "test", "lesson")
    },
}
"""Older versions from which a contract is still read, and how: they lack something, and what is
made of a document in order is in order."""

_TYPES = {
    "string_type": "a string",
    "int_type": "an integer",
    "bool_type": "a boolean",
    "list_type": "an array",
    "model_type": "an object",
}
_LONGEST_TOKEN = 8
"""An error within this many characters of the end means that the text was cut off."""
_AROUND = 300
"""Longest text before or after a document that is taken off, in characters."""
_OPENS = re.compile(r"[^{}\[\]`\n]*\s*(?P<fence>```\w*)?")
_CLOSES = re.compile(r"(?P<fence>```)?\s*[^{}\[\]`\n]*")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class ContractIssue(TypedDict):
    """One error: a JSON path such as `$.units[0].stub`, and what is wrong there."""

    path: str
    reason: str


class ContractError(Exception):
    """A document does not fulfil its contract; `errors` has every violation and is never empty."""

    def __init__(self, contract: str, errors: Iterable[ContractIssue]) -> None:
        self.contract = contract
        self.errors = list(errors)
        first = self.errors[0]
        more = f" (and {len(self.errors) - 1} more)" if len(self.errors) > 1 else ""
        super().__init__(f"{contract}: {first['path']} {first['reason']}{more}")


def validate(
    contract: str,
    data: str | bytes | Mapping[str, Any],
    read: Mapping[str, Callable[[str], str]] | None = None,
) -> dict[str, Any]:
    """The document of `contract` in normal form: every property present, null if missing.

    `data` is JSON text or its value; it is not changed. `read` changes each text that a learner
    reads, by how it is read (`base.Bytes.read_as`). One fence, or a sentence, around an answer of a
    model is taken off. Raises ContractError with every error (after 1,000 only a note that there
    are more), KeyError for an unknown contract. Text over the contract's limit (4 MB for documents
    that no model writes) is refused unread, and a text or list over its limit before anything else
    looks at it. A document of an older version that is still read (`READ_TOO`) is converted to the
    current one.
    """
    own = _limit_of(contract)
    limit = MAX_PACKET_BYTES if own is None else own
    if isinstance(data, str) and own is not None:
        data = _bare(data)
    document = _parsed(contract, data, limit) if isinstance(data, str | bytes) else data
    if not isinstance(document, Mapping):
        _refuse(contract, f"must be an object, not {_kind(document)}")
    version = document.get("schema_version")
    older = READ_TOO.get(contract, {}).get(version) if isinstance(version, str) else None
    if older is not None:
        return older(contract, validate(str(version), document, read))
    context = None if own is None else read or {}
    plain = accepted(contract, document, context)
    payload, refused = (plain, []) if plain else validated(contract, document, context)
    issues = [_issue(error) for error in refused[:MAX_ERRORS]]
    if len(refused) > MAX_ERRORS:
        issues.append({"path": "$", "reason": f"has more than {MAX_ERRORS} errors"})
    if issues:
        raise ContractError(contract, sorted(issues, key=_in_order))
    if document is data:
        _check_size(contract, json.dumps(payload, ensure_ascii=False), limit)
    return payload


def _limit_of(contract: str) -> int | None:
    try:
        return limit_of(contract)
    except KeyError:
        return model_of(contract).answer_bytes


def _refuse(contract: str, reason: str) -> NoReturn:
    raise ContractError(contract, [{"path": "$", "reason": reason}])


def _bare(text: str) -> str:
    """A model's answer without one fence, and without a sentence before and after the document."""
    start, end = text.find("{"), text.rfind("}") + 1
    if not 0 <= start < end:
        return text
    before, after = text[:start].removeprefix("\ufeff").strip(), text[end:].strip()
    if max(len(before), len(after)) > _AROUND:
        return text
    opens, closes = _OPENS.fullmatch(before), _CLOSES.fullmatch(after)
    if opens is None or closes is None or bool(opens["fence"]) != bool(closes["fence"]):
        return text
    return text[start:end]


def _parsed(contract: str, data: str | bytes, limit: int) -> Any:
    _check_size(contract, data, limit)
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
    except UnicodeDecodeError as error:
        _refuse(contract, f"is not UTF-8: byte {error.start} cannot be read")
    text = text.removeprefix("\ufeff").strip()
    if not text:
        _refuse(contract, "is empty: there is no JSON document")
    if text.startswith("```"):
        _refuse(contract, "is wrapped in a code fence; only the JSON document itself is read")
    if text[0] not in "{[":
        _refuse(contract, f"is prose, not a JSON document: it begins with {text[:60]!r}")
    try:
        return json.loads(
            text,
            parse_float=_number,
            parse_constant=_no_constant,
            object_pairs_hook=_unique_keys,
        )
    except json.JSONDecodeError as error:
        _refuse(contract, _broken(error, text))
    except ValueError as error:
        _refuse(contract, str(error))
    except RecursionError:
        _refuse(contract, "is nested too deeply")


def _broken(error: json.JSONDecodeError, text: str) -> str:
    if error.msg == "Extra data":
        return f"has text after the JSON document, at line {error.lineno} column {error.colno}"
    cut = not text.endswith(("}", "]")) and len(text) - error.pos <= _LONGEST_TOKEN
    if error.pos >= len(text) or cut or error.msg.startswith("Unterminated string"):
        return f"breaks off: the JSON document is not complete ({len(text)} characters arrived)"
    return f"is not valid JSON: {error.msg} at line {error.lineno} column {error.colno}"


def _check_size(contract: str, data: str | bytes, limit: int) -> None:
    size = len(data) if isinstance(data, bytes) else len(data.encode("utf-8", "surrogatepass"))
    if size > limit:
        _refuse(contract, f"is too large: {size} bytes, at most {limit}")


def _number(text: str) -> float:
    """In JSON, 85.0 is an integer."""
    value = float(text)
    return int(value) if value.is_integer() else value


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"is not valid JSON: {name} isn't a JSON number")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"has the key {twice!r} twice in one object")
    return out


def _issue(error: "ErrorDetails") -> ContractIssue:
    kind, value = error["type"], error["input"]
    if kind == "missing":
        reason = "is missing"
    elif kind == "extra_forbidden":
        reason = "is not a property of this contract"
    elif kind == "literal_error":
        reason = f"must be {error['ctx']['expected']}, not {_short(value)}"
    elif kind == "string_unicode":
        reason = "has half of a surrogate pair"
    elif kind in _TYPES:
        reason = f"must be {_TYPES[kind]}, not {_kind(value)}"
    else:
        said = error["msg"].removeprefix("Value error, ")
        reason = said[:1].lower() + said[1:]
    return {"path": _path(error["loc"]), "reason": reason}


def _path(parts: Iterable[str | int]) -> str:
    path = "$"
    for part in parts:
        path = f"{path}[{part}]" if isinstance(part, int) else _member(path, part)
    return path


def _member(path: str, name: str) -> str:
    return f"{path}.{name}" if _NAME.fullmatch(name) else f"{path}[{_short(name)}]"


def _in_order(issue: ContractIssue) -> tuple[tuple[str | int, ...], str]:
    parts = re.split(r"(\d+)", issue["path"])
    return tuple(p.zfill(9) if p.isdigit() else p for p in parts), issue["reason"]


def _short(value: Any) -> str:
    nested = isinstance(value, Mapping | list | tuple)
    return _kind(value) if nested else clip(json.dumps(value, ensure_ascii=False), 60)


def _kind(value: Any) -> str:
    kinds = (
        (NoneType, "null"),
        (bool, "a boolean"),
        (Mapping, "an object"),
        (str, "a string"),
        (int | float, "a number"),
    )
    return next((name for kind, name in kinds if isinstance(value, kind)), "an array")
