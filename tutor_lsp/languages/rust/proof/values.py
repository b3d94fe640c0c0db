"""Neutral values of Rust types, as expressions. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_INTEGER = re.compile(r"[iu](?:8|16|32|64|128|size)")
_EMPTY = frozenset({
    "String", "Vec", "VecDeque", "HashMap", "HashSet", "BTreeMap", "BTreeSet", "BinaryHeap",
    "LinkedList", "PathBuf",
})  # fmt: skip
_PLAIN = {
    "bool": "false",
    "char": r"'\0'",
    "f32": "0.0",
    "f64": "0.0",
    "Option": "None",
    "Ordering": "std::cmp::Ordering::Equal",
    "Self": "Default::default()",
}
_AROUND = frozenset({"Box", "Rc", "Arc", "Cell", "RefCell", "Mutex", "RwLock"})
_STRUCT = re.compile(r"\bstruct\s+(\w+)\s*(?:<[^>{(;]*>)?\s*(\{[^}]*\}|\([^;]*\)\s*;|;)")
_ENUM = re.compile(r"\benum\s+(\w+)\s*(?:<[^>{]*>)?\s*\{")
_FIELD = re.compile(r"^\s*(?:pub(?:\s*\([^)]*\))?\s+)?(\w+)\s*:\s*(.+?)\s*$", re.DOTALL)
_NOISE = re.compile(r"///[^\n]*|//[^\n]*|/\*.*?\*/|#\[[^\]]*\]", re.DOTALL)
_ARROW = re.compile(r"->\s*(?P<type>.+?)\s*(?:\bwhere\b.*)?$", re.DOTALL)
_DEEP = 4


@dataclass(frozen=True, slots=True)
class Shapes:
    """How the exercise's own types are made: text of a struct's fields, an enum's first variant."""

    structs: Mapping[str, str]
    enums: Mapping[str, str]

    @classmethod
    def of(cls, src: Mapping[str, str]) -> "Shapes":
        """Read from the sources."""
        structs: dict[str, str] = {}
        enums: dict[str, str] = {}
        for text in src.values():
            plain = _NOISE.sub("", text)
            for found in _STRUCT.finditer(plain):
                structs.setdefault(found[1], found[2])
            for found in _ENUM.finditer(plain):
                variants = _split(_inside(plain[found.end() - 1 :]))
                if variants:
                    enums.setdefault(found[1], variants[0].strip())
        return cls(structs, enums)


def neutral_value(signature: str, shapes: Shapes) -> str | None:
    """The body that gives back the neutral value of `fn …(…) -> T`; "" for no value.

    None where the type is not understood.
    """
    parameters, tail = _parts(signature)
    if parameters is None:
        return None
    arrow = _ARROW.search(tail)
    if arrow is None:
        return ""
    given = {}
    for piece in _split(parameters):
        found = _FIELD.match(re.sub(r"^\s*mut\s+", "", piece))
        if found:
            given[found[2]] = found[1]
    return _value(arrow["type"].strip(), shapes, given, 0)


def _parts(signature: str) -> tuple[str | None, str]:
    """What stands between the brackets of the parameters, and behind them."""
    start = signature.find("(", signature.find("fn "))
    if start < 0:
        return None, ""
    depth = 0
    for at in range(start, len(signature)):
        depth += (signature[at] == "(") - (signature[at] == ")")
        if depth == 0:
            return signature[start + 1 : at], signature[at + 1 :]
    return None, ""


def _value(kind: str, shapes: Shapes, given: Mapping[str, str], depth: int) -> str | None:
    if depth > _DEEP:
        return None
    if kind.startswith("&"):
        return _reference(kind, shapes, given, depth)
    if kind.startswith("("):
        parts = [_value(piece.strip(), shapes, given, depth + 1) for piece in _split(kind[1:-1])]
        known = [part for part in parts if part is not None]
        inner = "".join(f"{part}, " for part in known)
        return f"({inner})" if len(known) == len(parts) else None
    if kind.startswith("["):
        item, _, count = kind[1:-1].rpartition(";")
        value = _value(item.strip(), shapes, given, depth + 1)
        return f"[{value}; {count.strip()}]" if value and count else None
    name, inside = _generic(kind.removeprefix("impl "))
    if kind.startswith("impl "):
        return "std::iter::empty()" if name.endswith("Iterator") else None
    return _named(name, inside, shapes, given, depth)


def _named(
    name: str, inside: list[str], shapes: Shapes, given: Mapping[str, str], depth: int
) -> str | None:
    short = name.rpartition("::")[2]
    if _INTEGER.fullmatch(short):
        return "0"
    if short in _PLAIN:
        return _PLAIN[short]
    if short in shapes.structs:
        return _struct(short, shapes, given, depth)
    if short in shapes.enums:
        return _variant(short, shapes, given, depth)
    if short in _EMPTY:
        return "Default::default()"
    first = _value(inside[0], shapes, given, depth + 1) if inside else None
    if short == "Result" and first is not None:
        return f"Ok({first})"
    if short in _AROUND:
        return f"{name}::new({first})" if first is not None else None
    return "Default::default()" if not inside else None


def _reference(kind: str, shapes: Shapes, given: Mapping[str, str], depth: int) -> str | None:
    plain = re.sub(r"&\s*(?:'\w+\s+)?", "&", kind)
    mutable = plain.startswith("&mut ")
    inner = plain.removeprefix("&mut ").removeprefix("&").strip()
    if inner == "str" and not mutable:
        return '""'
    if inner.startswith("[") and ";" not in inner:
        return "&mut []" if mutable else "&[]"
    same = next((name for other, name in given.items() if _plain(other) == plain), None)
    if same is not None:
        return same
    value = _value(inner, shapes, given, depth + 1)
    return f"Box::leak(Box::new({value}))" if value is not None else None


def _plain(kind: str) -> str:
    return re.sub(r"&\s*(?:'\w+\s+)?", "&", kind)


def _struct(name: str, shapes: Shapes, given: Mapping[str, str], depth: int) -> str | None:
    body = shapes.structs[name].strip().rstrip(";").strip()
    if not body:
        return name
    parts: list[str] = []
    for piece in _split(body[1:-1]):
        named = _FIELD.match(piece) if body.startswith("{") else None
        kind = named[2] if named else re.sub(r"^\s*pub(?:\s*\([^)]*\))?\s+", "", piece).strip()
        value = _value(kind, shapes, given, depth + 1)
        if value is None:
            return None
        parts.append(f"{named[1]}: {value}" if named else value)
    inner = ", ".join(parts)
    return f"{name} {{ {inner} }}" if body.startswith("{") else f"{name}({inner})"


def _variant(name: str, shapes: Shapes, given: Mapping[str, str], depth: int) -> str | None:
    found = re.match(r"(\w+)\s*(\{.*\}|\(.*\))?", shapes.enums[name], re.DOTALL)
    if found is None:
        return None
    inner = Shapes({"": (found[2] or "") + ("" if (found[2] or "{").startswith("{") else ";")}, {})
    if not found[2]:
        return f"{name}::{found[1]}"
    both = Shapes({**shapes.structs, **inner.structs}, shapes.enums)
    value = _struct("", both, given, depth + 1)
    return f"{name}::{found[1]}{value}" if value is not None else None


def _generic(kind: str) -> tuple[str, list[str]]:
    name, bracket, rest = kind.partition("<")
    inside = _split(rest.rpartition(">")[0]) if bracket else []
    return name.strip(), [piece.strip() for piece in inside if not piece.strip().startswith("'")]


def _inside(text: str) -> str:
    """What stands between the bracket that `text` begins with and its partner."""
    depth = 0
    for at, char in enumerate(text):
        depth += (char in "{([") - (char in "})]")
        if depth == 0:
            return text[1:at]
    return text[1:]


def _split(text: str) -> list[str]:
    """The pieces between the commas that stand outside of all brackets."""
    pieces, depth = [""], 0
    for at, char in enumerate(text):
        arrow = char == ">" and text[at - 1 : at] == "-"
        depth += (char in "<([{") - (char in ">)]}" and not arrow)
        if char == "," and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += char
    return [piece for piece in pieces if piece.strip()]
