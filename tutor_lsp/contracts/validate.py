"""Checking a document against its contract: all errors at once, each with its JSON path.

pydantic and jsonschema are loaded by the first call: make it off the event loop.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NoReturn, TypedDict

from tutor_lsp.contracts.limits import answer_bytes, excess
from tutor_lsp.contracts.locate import load_schema, resolved

MAX_ANSWER_BYTES = 256_000
"""Largest answer of any stage, in bytes of UTF-8: what backends need to read. Each contract has a
limit of its own (`limits.answer_bytes`)."""
MAX_PACKET_BYTES = 4_000_000
"""Largest document that no model writes (packets, exercise files), in bytes of UTF-8."""
MAX_ERRORS = 1000
"""Errors after which a document is not read on: telling 300,000 takes many seconds."""

READ_TOO: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "solution_v2": {"solution_v1": {"schema_version": "solution_v2", "accepts": None}}
}
"""Older versions that a contract is still read from, with what they lack."""

_LONGEST_TOKEN = 8
"""Characters within which an error at the very end means that the text was cut off."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class ContractIssue(TypedDict):
    """One error: a JSON path such as `$.units[0].stub`, and what is wrong there."""

    path: str
    reason: str


class ContractError(Exception):
    """A document does not fulfil its contract; `errors` holds every breach, never empty."""

    def __init__(self, contract: str, errors: Iterable[ContractIssue]) -> None:
        self.contract = contract
        self.errors = list(errors)
        first = self.errors[0]
        more = f" (and {len(self.errors) - 1} more)" if len(self.errors) > 1 else ""
        super().__init__(f"{contract}: {first['path']} {first['reason']}{more}")


def validate(contract: str, data: str | bytes | Mapping[str, Any]) -> dict[str, Any]:
    """The document of `contract` in normal form: every property there, optional ones null.

    `data` is JSON text or what it holds; it is not changed. Raises ContractError with every
    error (of more than 1,000 the first ones, and that there are more), KeyError for an unknown
    contract. Text over the limit of its contract (of what no model writes 4 MB) is refused
    unread; an answer with a text or list over its limit, before anything else looks at it. A
    document of an older version that is still read (`READ_TOO`) comes out as one of this.
    """
    schema = load_schema(contract)
    own = answer_bytes(contract)
    limit = MAX_PACKET_BYTES if own is None else own
    document = _parsed(contract, data, limit) if isinstance(data, str | bytes) else data
    if not isinstance(document, Mapping):
        _refuse(contract, f"must be an object, not {_kind(document)}")
    version = document.get("schema_version")
    older = READ_TOO.get(contract, {}).get(version) if isinstance(version, str) else None
    if older is not None:
        return validate(contract, {**validate(str(version), document), **older})
    issues = [] if own is None else list(_too_long(contract, document))
    issues = issues or list(_unwritable(document, limit))
    if issues:
        raise ContractError(contract, sorted(issues[:MAX_ERRORS], key=_in_order))
    normal = _normalised(schema, document, schema)
    errors = _schema_errors(contract, normal)
    if len(errors) > MAX_ERRORS:
        rest: ContractIssue = {"path": "$", "reason": f"has more than {MAX_ERRORS} errors"}
        raise ContractError(contract, [*errors[:MAX_ERRORS], rest])
    payload, more = _model_errors(contract, normal, {error["path"] for error in errors})
    if errors or more:
        raise ContractError(contract, sorted([*errors, *more], key=_in_order))
    return payload


def _refuse(contract: str, reason: str) -> NoReturn:
    raise ContractError(contract, [{"path": "$", "reason": reason}])


def _parsed(contract: str, data: str | bytes, limit: int) -> Any:
    size = len(data) if isinstance(data, bytes) else len(data.encode("utf-8", "surrogatepass"))
    if size > limit:
        _refuse(contract, f"is too large: {size} bytes, at most {limit}")
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
    except UnicodeDecodeError as error:
        _refuse(contract, f"is not UTF-8: byte {error.start} cannot be read")
    text = text.removeprefix("\ufeff").strip()
    if not text:
        _refuse(contract, "is empty: no JSON document came back")
    if text.startswith("```"):
        _refuse(contract, "is wrapped in a code fence; only the JSON document itself is read")
    if text[0] not in "{[":
        _refuse(contract, f"is prose, not a JSON document: it begins with {text[:60]!r}")
    try:
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_unique_keys)
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
        return f"breaks off: the JSON document is not complete ({len(text)} characters came)"
    return f"is not valid JSON: {error.msg} at line {error.lineno} column {error.colno}"


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"is not valid JSON: {name} is no JSON number")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"holds the key {twice!r} twice in one object")
    return out


def _too_long(contract: str, document: Any) -> Iterator[ContractIssue]:
    for path, reason in excess(contract, document):
        yield {"path": path, "reason": reason}


def _unwritable(document: Any, limit: int) -> Iterator[ContractIssue]:
    """Text that no file can hold, and documents over the limit however they came."""
    size = 0
    waiting: list[tuple[str, Any]] = [("$", document)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, str):
            try:
                size += len(value.encode("utf-8"))
            except UnicodeEncodeError:
                yield {"path": path, "reason": "holds half of a surrogate pair"}
        elif isinstance(value, Mapping):
            waiting += [(_member(path, str(key)), item) for key, item in value.items()]
            size += sum(len(str(key)) for key in value)
        elif isinstance(value, list | tuple):
            waiting += [(f"{path}[{index}]", item) for index, item in enumerate(value)]
    if size > limit:
        yield {"path": "$", "reason": f"is too large: {size} bytes of text, at most {limit}"}


def _normalised(schema: Mapping[str, Any], value: Any, root: Mapping[str, Any]) -> Any:
    """`value` with null for each missing property that may be null."""
    schema, nullable = resolved(schema, root)
    if value is None and nullable:
        return None
    if isinstance(value, Mapping) and "properties" in schema:
        properties: Mapping[str, Any] = schema["properties"]
        out = {
            key: _normalised(properties[key], item, root) if key in properties else item
            for key, item in value.items()
        }
        for name, sub in properties.items():
            if name not in out and resolved(sub, root)[1]:
                out[name] = None
        return out
    if isinstance(value, list | tuple):
        items = schema.get("items", {})
        return [_normalised(items, item, root) for item in value]
    return value


@cache
def _validator(contract: str) -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(load_schema(contract))


def _schema_errors(contract: str, document: Any) -> list[ContractIssue]:
    """Every error; a few more than `MAX_ERRORS` where there are more than that."""
    found: list[ContractIssue] = []
    for error in _validator(contract).iter_errors(document):
        found += _explained(error)
        if len(found) > MAX_ERRORS:
            break
    return found


def _explained(error: Any) -> Iterator[ContractIssue]:
    path = _path(error.absolute_path)
    if error.validator == "anyOf" and error.context:
        inner = [sub for sub in error.context if sub.schema.get("type") != "null"]
        for sub in inner:
            yield from _explained(sub)
    elif error.validator == "required":
        # jsonschema reports each missing property on its own
        name = next(n for n in error.validator_value if error.message.startswith(repr(n)))
        yield {"path": _member(path, name), "reason": "is missing"}
    elif error.validator == "additionalProperties":
        for name in sorted(error.instance.keys() - error.schema["properties"].keys()):
            yield {"path": _member(path, name), "reason": "is not a property of this contract"}
    elif error.validator == "type":
        wanted = error.validator_value
        yield {"path": path, "reason": f"must be {_article(wanted)}, not {_kind(error.instance)}"}
    elif error.validator == "enum":
        wanted = " or ".join(repr(value) for value in error.validator_value)
        yield {"path": path, "reason": f"must be {wanted}, not {_short(error.instance)}"}
    else:
        yield {"path": path, "reason": error.message}


def _model_errors(
    contract: str, document: Any, known: set[str]
) -> tuple[dict[str, Any], list[ContractIssue]]:
    from pydantic import ValidationError

    from tutor_lsp.contracts.models import MODELS

    try:
        model = MODELS[contract].model_validate(document)
    except ValidationError as error:
        found: list[ContractIssue] = []
        for item in error.errors(include_url=False, include_context=False, include_input=False):
            path = _path(item["loc"])
            if path not in known:
                reason = item["msg"].removeprefix("Value error, ")
                found.append({"path": path, "reason": reason[:1].lower() + reason[1:]})
        return {}, found
    return model.model_dump(mode="json"), []


def _path(parts: Iterable[str | int]) -> str:
    path = "$"
    for part in parts:
        path = f"{path}[{part}]" if isinstance(part, int) else _member(path, part)
    return path


def _member(path: str, name: str) -> str:
    return f"{path}.{name}" if _NAME.fullmatch(name) else f"{path}[{_short(name)}]"


def _in_order(issue: ContractIssue) -> tuple[tuple[str | int, ...], str]:
    parts = re.split(r"(\d+)", issue["path"])
    return tuple(f"{int(p):09d}" if p.isdigit() else p for p in parts), issue["reason"]


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
    return text if len(text) <= 60 else text[:59] + "…"


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    kinds = ((bool, "boolean"), (Mapping, "object"), (str, "string"), (int | float, "number"))
    name = next((name for kind, name in kinds if isinstance(value, kind)), "array")
    return _article(name)


def _article(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
