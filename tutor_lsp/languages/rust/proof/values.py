"""Neutral values of Rust types, as expressions. Pure."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tutor_lsp.core.ports import Files
from tutor_lsp.languages.common.treesitter import Node, Source, field, walk

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
_LIFETIME = re.compile(r"&\s*(?:'\w+\s+)?")
_DEEP = 4


@dataclass(frozen=True, slots=True)
class Shapes:
    """How the exercise's own types are made: the fields of a struct and the first variant of an
    enum, as they stand in the tree; None for a struct without fields."""

    structs: Mapping[str, Node | None]
    enums: Mapping[str, Node]

    @classmethod
    def of(cls, src: Files) -> "Shapes":
        """Read from the sources."""
        structs: dict[str, Node | None] = {}
        enums: dict[str, Node] = {}
        for text in src.values():
            for node in walk(Source("rust", text).root):
                if node.type == "struct_item":
                    structs.setdefault(_text(field(node, "name")), field(node, "body"))
                elif node.type == "enum_item":
                    body = field(node, "body")
                    inside = body.named_children if body is not None else ()
                    for variant in (each for each in inside if each.type == "enum_variant"):
                        enums.setdefault(_text(field(node, "name")), variant)
        return cls(structs, enums)


def neutral_value(signature: str, shapes: Shapes) -> str | None:
    """The body that gives back the neutral value of `fn …(…) -> T`; "" for no value.

    None where the type is not understood.
    """
    nodes = walk(Source("rust", f"{signature} {{}}").root)
    function = next((node for node in nodes if node.type == "function_item"), None)
    if function is None:
        return None
    kind = field(function, "return_type")
    if kind is None:
        return ""
    parameters = field(function, "parameters")
    given = {
        _plain(field(each, "type")): _text(field(each, "pattern"))
        for each in (parameters.named_children if parameters is not None else ())
        if each.type == "parameter"
    }
    return _Values(shapes, given).of(kind, 0)


@dataclass(frozen=True, slots=True)
class _Values:
    """`given` are the parameters by their type."""

    shapes: Shapes
    given: Mapping[str, str]

    def of(self, kind: Node | None, depth: int) -> str | None:
        if kind is None or depth > _DEEP:
            return None
        match kind.type:
            case "reference_type":
                return self._reference(kind, depth)
            case "unit_type" | "tuple_type":
                parts = self._all(kind.named_children, depth)
                return None if parts is None else f"({''.join(f'{part}, ' for part in parts)})"
            case "array_type":
                value, count = self.of(field(kind, "element"), depth + 1), field(kind, "length")
                return f"[{value}; {_text(count)}]" if value and count is not None else None
            case "abstract_type":
                trait = field(kind, "trait")
                name = field(trait, "type") if trait is not None else None
                iterates = _text(name or trait).endswith("Iterator")
                return "std::iter::empty()" if iterates else None
            case "generic_type":
                arguments = field(kind, "type_arguments")
                inside = arguments.named_children if arguments is not None else []
                inside = [each for each in inside if each.type != "lifetime"]
                return self._named(_text(field(kind, "type")), inside, depth)
        return self._named(_text(kind), [], depth)

    def _all(self, kinds: Iterable[Node], depth: int) -> list[str] | None:
        parts = [self.of(kind, depth + 1) for kind in kinds]
        known = [part for part in parts if part is not None]
        return known if len(known) == len(parts) else None

    def _named(self, name: str, inside: list[Node], depth: int) -> str | None:
        short = name.rpartition("::")[2]
        if _INTEGER.fullmatch(short):
            return "0"
        if short in _PLAIN:
            return _PLAIN[short]
        if short in self.shapes.structs:
            return self._fields(short, self.shapes.structs[short], depth)
        if short in self.shapes.enums:
            variant = self.shapes.enums[short]
            made = f"{short}::{_text(field(variant, 'name'))}"
            return self._fields(made, field(variant, "body"), depth)
        if short in _EMPTY:
            return "Default::default()"
        first = self.of(inside[0], depth + 1) if inside else None
        if short == "Result" and first is not None:
            return f"Ok({first})"
        if short in _AROUND:
            return f"{name}::new({first})" if first is not None else None
        return "Default::default()" if not inside else None

    def _fields(self, name: str, body: Node | None, depth: int) -> str | None:
        if body is None:
            return name
        values = self._all(body.children_by_field_name("type"), depth)
        if body.type == "ordered_field_declaration_list":
            return None if values is None else f"{name}({', '.join(values)})"
        named = [each for each in body.named_children if each.type == "field_declaration"]
        values = self._all((each for n in named for each in [field(n, "type")] if each), depth)
        if values is None:
            return None
        parts = (f"{_text(field(n, 'name'))}: {v}" for n, v in zip(named, values, strict=True))
        return f"{name} {{ {', '.join(parts)} }}"

    def _reference(self, kind: Node, depth: int) -> str | None:
        mutable = any(child.type == "mutable_specifier" for child in kind.children)
        inner = field(kind, "type")
        if _text(inner) == "str" and not mutable:
            return '""'
        if inner is not None and inner.type == "array_type" and field(inner, "length") is None:
            return "&mut []" if mutable else "&[]"
        same = self.given.get(_plain(kind))
        if same is not None:
            return same
        value = self.of(inner, depth + 1)
        return f"Box::leak(Box::new({value}))" if value is not None else None


def _plain(kind: Node | None) -> str:
    return _LIFETIME.sub("&", _text(kind))


def _text(node: Node | None) -> str:
    return (node.text or b"").decode() if node is not None else ""
