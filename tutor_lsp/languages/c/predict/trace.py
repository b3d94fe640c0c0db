"""A C program that tells its steps: a line after every statement that gives a name a value."""

from collections.abc import Iterator, Sequence

from tutor_lsp.core.language.predictions import SEP, STEP
from tutor_lsp.core.ports import Files
from tutor_lsp.languages.common.predict.insert import Insertions
from tutor_lsp.languages.common.treesitter import Node, Source, walk

_BLOCKS = frozenset({"compound_statement", "case_statement", "labeled_statement"})
_TYPES = (
    ("bool", "_Bool", 'value ? "true" : "false"', "%s"),
    ("char", "char", "value", "'%c'"),
    ("int", "long long", "value", "%lld"),
    ("unsigned", "unsigned long long", "value", "%llu"),
    ("real", "double", "value", "%g"),
    ("text", "const char *", 'value ? value : "NULL"', '\\"%.200s\\"'),
)
_OF = {
    "bool": ("_Bool",),
    "char": ("char",),
    "int": ("signed char", "short", "int", "long", "long long"),
    "unsigned": (
        "unsigned char", "unsigned short", "unsigned", "unsigned long", "unsigned long long",
    ),
    "real": ("float", "double", "long double"),
    "text": ("char *", "const char *"),
}  # fmt: skip


def traced(files: Files, program: Sequence[str], _test_file: str, _test: str) -> dict[str, str]:
    """The program's files, with a line after every step."""
    return {file: _told(file, files[file]) for file in program if file.endswith(".c")}


def _help(file: str) -> str:
    """What prints a value by its type, and nothing of any other type."""
    one = "static __attribute__((unused)) void told_step_"
    head = f"{STEP}{SEP}{file}{SEP}%d{SEP}%s{SEP}"
    lines = ["#include <stdio.h>"]
    lines += [
        f"{one}{name}(int line, const char *name, {kind} value) "
        f'{{ printf("{head}{form}\\n", line, name, {shown}); fflush(stdout); }}'
        for name, kind, shown, form in _TYPES
    ]
    lines.append(f"{one}none(int line, const char *name, ...) {{ (void)line; (void)name; }}")
    chosen = ", ".join(f"{kind}: told_step_{name}" for name in _OF for kind in _OF[name])
    lines.append(
        "#define TOLD_STEP(line, name, value) "
        f"_Generic((value), {chosen}, default: told_step_none)(line, name, value);"
    )
    return "\n".join(lines) + "\n"


def _told(file: str, text: str) -> str:
    source = Source("c", text)
    put = Insertions(source)
    for node in walk(source.root):
        line = node.start_point[0] + 1
        body = node.child_by_field_name("body")
        if node.type == "function_definition" and body is not None:
            steps = "".join(_step(line, source.text_of(name)) for name in _taken(node))
            put.before(body.start_byte + 1, steps)
        elif node.type == "for_statement" and body is not None:
            steps = "".join(_step(line, name) for name in _counted(source, node))
            if body.type == "compound_statement":
                put.before(body.start_byte + 1, steps)
            elif steps:
                put.before(body.start_byte, f"{{{steps} ")
                put.after(body.end_byte, "}")
        elif node.type == "declaration" and _within(node):
            steps = "".join(_step(line, name) for name in _declared(source, node))
            put.after(node.end_byte, steps)
        elif node.type == "expression_statement" and node.named_children:
            changed = _changed(source, node.named_children[0])
            if changed is None:
                continue
            if node.parent is not None and node.parent.type not in _BLOCKS:
                put.before(node.start_byte, "{ ")
                put.after(node.end_byte, f"{_step(line, changed)} }}")
            else:
                put.after(node.end_byte, _step(line, changed))
    return _help(file) + put.text()


def _step(line: int, name: str) -> str:
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    return f' TOLD_STEP({line}, "{quoted}", {name})'


def _within(node: Node) -> bool:
    return node.parent is not None and node.parent.type == "compound_statement"


def _taken(function: Node) -> Iterator[Node]:
    at = function.child_by_field_name("declarator")
    while at is not None and at.type != "function_declarator":
        at = at.child_by_field_name("declarator")
    parameters = None if at is None else at.child_by_field_name("parameters")
    for each in () if parameters is None else parameters.named_children:
        name = each.child_by_field_name("declarator")
        if name is not None and (found := _identifier(name)) is not None:
            yield found


def _identifier(declarator: Node) -> Node | None:
    """The name of a plain value or of a pointer."""
    while declarator.type == "pointer_declarator":
        inner = declarator.child_by_field_name("declarator")
        if inner is None:
            return None
        declarator = inner
    return declarator if declarator.type == "identifier" else None


def _declared(source: Source, node: Node) -> Iterator[str]:
    """The names that a declaration gives a value."""
    for each in node.named_children:
        name = each.child_by_field_name("declarator") if each.type == "init_declarator" else None
        found = _identifier(name) if name is not None else None
        if found is not None:
            yield source.text_of(found)


def _counted(source: Source, loop: Node) -> Iterator[str]:
    """The names that a loop counts with."""
    first = loop.child_by_field_name("initializer")
    if first is None:
        return
    if first.type == "declaration":
        yield from _declared(source, first)
    elif (changed := _changed(source, first)) is not None:
        yield changed


def _changed(source: Source, node: Node) -> str | None:
    """What an expression gives a new value, if that can be looked at again."""
    if node.type == "assignment_expression":
        changed = node.child_by_field_name("left")
    elif node.type == "update_expression":
        changed = node.child_by_field_name("argument")
    else:
        return None
    moving = ("call_expression", "update_expression", "assignment_expression")
    if changed is None or any(each.type in moving for each in walk(changed)):
        return None
    return source.text_of(changed)
