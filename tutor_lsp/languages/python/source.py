"""Python text by syntax tree: functions with their docstrings, tests, imports, syntax errors."""

import textwrap
import warnings
from dataclasses import replace

from tutor_lsp.core.exercise.report import BuildError
from tutor_lsp.core.ports import FunctionSite, TestSite
from tutor_lsp.languages.common.sites import NO_COMMENT, function_site, lines_of, named, test_site
from tutor_lsp.languages.common.treesitter import Node, Source, field, walk


def functions(text: str) -> tuple[FunctionSite, ...]:
    """Every `def` in order, methods and nested ones included."""
    source = Source("python", text)
    functions = named(source, "function_definition")
    return tuple(_site(source, node, name) for node, name in functions)


def _site(source: Source, node: Node, name: Node) -> FunctionSite:
    body = field(node, "body")
    decorated = node.parent is not None and node.parent.type == "decorated_definition"
    doc = _docstring(body)
    colon = next((child for child in node.children if child.type == ":"), None)
    parts = [] if body is None else [c for c in body.named_children if c.type != "comment"]
    comment = NO_COMMENT
    if doc is not None:
        comment = _doc_text(source, doc), source.line(doc), source.end_line(doc)
    return function_site(
        source,
        node,
        name,
        head_end=colon.start_byte if colon else name.end_byte,
        body=parts[1:] if doc is not None else parts,
        empty_at=node.end_byte,
        comment=comment,
        outer=node.parent if decorated else None,
    )


def _docstring(body: Node | None) -> Node | None:
    first = next((c for c in body.named_children if c.type != "comment"), None) if body else None
    if first is None or first.type != "expression_statement" or not first.named_children:
        return None
    inner = first.named_children[0]
    return inner if inner.type == "string" else None


def _doc_text(source: Source, doc: Node) -> str:
    """The docstring line by line as it stands, without quotes and common indentation."""
    start, end = doc.start_byte, doc.end_byte
    for child in doc.children:
        if child.type == "string_start":
            start = child.end_byte
        elif child.type == "string_end":
            end = child.start_byte
    first, *rest = source.slice(start, end).replace("\r\n", "\n").split("\n")
    return "\n".join([first.strip(), *textwrap.dedent("\n".join(rest)).split("\n")]).rstrip()


def tests(text: str) -> tuple[TestSite, ...]:
    """Every function whose name begins with `test`, with what it calls; behind its class
    (`TestA::test_x`) where several classes have one of that name."""
    source = Source("python", text)
    found = []
    for node, name in named(source, "function_definition"):
        if source.text_of(name).startswith("test"):
            called = (_called(source, inner) for inner in walk(node) if inner.type == "call")
            site = test_site(source, node, name, (call for call in called if call))
            found.append((_owner(source, node), site))
    owners = {name: {o for o, site in found if site.name == name} for name in _names(found)}
    return tuple(
        replace(site, name=owner + site.name) if len(owners[site.name]) > 1 else site
        for owner, site in found
    )


def _names(found: list[tuple[str, TestSite]]) -> set[str]:
    return {site.name for _, site in found}


def _owner(source: Source, function: Node) -> str:
    """The class of a method as in `TestA::`; nothing for a function."""
    node = function.parent
    while node is not None and node.type != "class_definition":
        node = node.parent
    name = field(node, "name") if node is not None else None
    return f"{source.text_of(name)}::" if name is not None else ""


def _called(source: Source, call: Node) -> str | None:
    function = field(call, "function")
    if function is not None and function.type == "attribute":
        function = field(function, "attribute")
    if function is None or function.type != "identifier":
        return None
    return source.text_of(function)


def syntax_error(file: str, text: str) -> BuildError | None:
    """What Python itself says about the first place that it cannot read."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # Reading alone would let a `break` outside of a loop pass.
            compile(text, file, "exec", dont_inherit=True)
    except SyntaxError as error:
        line, column = error.lineno or 1, max(error.offset or 1, 1)
        end_line, end_column = error.end_lineno or line, error.end_offset or 0
        if (end_line, end_column) <= (line, column):
            end_line, end_column = line, column + 1
        name = type(error).__name__
        return BuildError(file, line, column, end_line, end_column, name, error.msg)
    except (ValueError, MemoryError, RecursionError) as error:
        return BuildError(file, 1, 1, 1, 2, type(error).__name__, str(error) or "too deep to read")
    return None


def imports(text: str) -> tuple[tuple[int, str], ...]:
    """Line and top-level module of every import; a relative one is `.`."""
    source = Source("python", text)
    found = []
    for node in walk(source.root):
        if node.type == "import_statement":
            names = node.children_by_field_name("name")
        elif node.type in ("import_from_statement", "future_import_statement"):
            module = field(node, "module_name")
            if node.type == "future_import_statement":
                found.append((source.line(node), "__future__"))
                continue
            names = [module] if module is not None else []
        else:
            continue
        for name in names:
            inner = field(name, "name") if name.type == "aliased_import" else name
            text_of = source.text_of(inner or name)
            found.append((source.line(node), text_of.partition(".")[0].strip() or "."))
    return tuple(found)


def import_lines(text: str) -> tuple[tuple[int, int], ...]:
    """First and last line of every import."""
    kinds = ("import_statement", "import_from_statement", "future_import_statement")
    return lines_of(Source("python", text), kinds)
