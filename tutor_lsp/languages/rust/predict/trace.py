"""A Rust program that tells its steps: a line after every statement that gives a name a value."""

from collections.abc import Iterator, Sequence

from tutor_lsp.core.language.predictions import SEP, STEP
from tutor_lsp.core.ports import Files
from tutor_lsp.languages.common.predict.insert import Insertions
from tutor_lsp.languages.common.treesitter import Node, Source, walk
from tutor_lsp.languages.rust.source import below_attributes

_CHANGES = frozenset(
    {"push", "push_str", "push_back", "push_front", "insert", "remove", "pop", "pop_back",
     "pop_front", "extend", "clear", "sort", "sort_by", "sort_by_key", "sort_unstable", "reverse",
     "dedup", "truncate", "swap", "retain", "append", "drain", "rotate_left", "rotate_right"}
)  # fmt: skip
_HELP = (
    "#[allow(unused_macros)] macro_rules! tutor_step { ($line:expr, $name:expr, $value:expr) => {{"
    " #[allow(unused_imports)] use self::tutor_shown::Other as _;"
    " let shown = self::tutor_shown::Value(&$value).shown();"
    ' if !shown.is_empty() { println!("{}{}{}", concat!("STEP", "SEP", "FILE", "SEP"), $line,'
    ' format!("SEP{}SEP{}", $name, shown)); } }}; }\n'
    "#[allow(dead_code, unused_imports)] mod tutor_shown {"
    " pub struct Value<'a, T: ?Sized>(pub &'a T);"
    " impl<T: ?Sized + std::fmt::Debug> Value<'_, T> {"
    ' pub fn shown(&self) -> String { format!("{:?}", self.0) } }'
    " pub trait Other { fn shown(&self) -> String; }"
    " impl<T: ?Sized> Other for Value<'_, T> { fn shown(&self) -> String { String::new() } } }\n"
)
"""Shows what can be shown, and nothing of any other type: the method of the type itself is found
before that of the trait."""


def traced(files: Files, program: Sequence[str], _test_file: str, _test: str) -> dict[str, str]:
    """The program's files, with a line after every step; functions of constants have none."""
    return {file: _told(file, files[file]) for file in program if "fn " in files[file]}


def _told(file: str, text: str) -> str:
    source = Source("rust", text)
    put = Insertions(source)
    for node in walk(source.root, lambda each: not _is_const(source, each)):
        if _is_const(source, node):
            continue
        line = node.start_point[0] + 1
        body = node.child_by_field_name("body")
        if node.type == "function_item" and body is not None:
            taken = node.child_by_field_name("parameters")
            for each in () if taken is None else taken.named_children:
                pattern = each.child_by_field_name("pattern")
                if each.type == "parameter" and pattern is not None:
                    put.before(body.start_byte + 1, _steps(source, line, _names(pattern)))
        elif node.type == "for_expression" and body is not None:
            pattern = node.child_by_field_name("pattern")
            if pattern is not None:
                put.before(body.start_byte + 1, _steps(source, line, _names(pattern)))
        elif node.type == "let_declaration":
            pattern = node.child_by_field_name("pattern")
            if pattern is not None and node.child_by_field_name("value") is not None:
                put.after(node.end_byte, _steps(source, line, _names(pattern)))
        elif node.type == "expression_statement" and node.children[-1].type == ";":
            changed = _changed(source, node.named_children[0])
            if changed is not None:
                put.after(node.end_byte, _steps(source, line, [changed]))
    head = _HELP.replace("STEP", STEP).replace("SEP", SEP).replace("FILE", file)
    whole = put.text()
    at = below_attributes(source)
    return whole[:at] + head + whole[at:]


def _steps(source: Source, line: int, names: Sequence[Node] | Iterator[Node]) -> str:
    shown = (source.text_of(name) for name in names)
    return "".join(f' tutor_step!({line}, "{name}", {name});' for name in shown)


def _names(pattern: Node) -> Iterator[Node]:
    """The names that a pattern binds."""
    if pattern.type == "identifier":
        yield pattern
    elif pattern.type in ("tuple_pattern", "mut_pattern", "reference_pattern"):
        for child in pattern.named_children:
            yield from _names(child)


def _changed(source: Source, node: Node) -> Node | None:
    """What a statement gives a new value, if that can be looked at again."""
    if node.type in ("assignment_expression", "compound_assignment_expr"):
        left = node.child_by_field_name("left")
        plain = left is not None and not any(
            each.type in ("call_expression", "macro_invocation", "block") for each in walk(left)
        )
        return left if plain and left is not None and source.text_of(left) != "_" else None
    called = node.child_by_field_name("function") if node.type == "call_expression" else None
    if called is None or called.type != "field_expression":
        return None
    owner, name = called.child_by_field_name("value"), called.child_by_field_name("field")
    if owner is None or name is None or source.text_of(name) not in _CHANGES:
        return None
    return owner if owner.type in ("identifier", "field_expression") else None


def _is_const(source: Source, node: Node) -> bool:
    if node.type != "function_item":
        return node.type in ("const_item", "static_item", "macro_definition")
    words = [source.text_of(each) for each in node.children if each.type == "function_modifiers"]
    return any("const" in each for each in words)
