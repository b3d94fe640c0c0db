"""Headers that are included and were never written, made from the source files. Pure."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from tutor_lsp.core.ports import Files
from tutor_lsp.languages.c import files as c_files
from tutor_lsp.languages.c import mains
from tutor_lsp.languages.c import source as c_source
from tutor_lsp.languages.common.treesitter import Node, Source, field

_TYPES = ("struct_specifier", "union_specifier", "enum_specifier")
_BLOCKS = ("preproc_ifdef", "preproc_if", "linkage_specification", "declaration_list")
_GENERATED = ("test.h", "stub.h")

_WORD = re.compile(r"[A-Za-z_]\w*")
_STANDARD = (
    (frozenset({"bool"}), ("stdbool.h",)),
    (
        frozenset({"size_t", "ptrdiff_t", "NULL", "max_align_t"}),
        ("stddef.h", "stdio.h", "stdlib.h", "string.h", "time.h", "wchar.h"),
    ),
    (
        frozenset(f"{u}int{n}_t" for u in ("", "u") for n in (8, 16, 32, 64, "max", "ptr")),
        ("stdint.h", "inttypes.h"),
    ),
    (frozenset({"FILE", "fpos_t"}), ("stdio.h",)),
    (frozenset({"time_t", "clock_t"}), ("time.h",)),
    (frozenset({"ssize_t", "off_t", "pid_t"}), ("sys/types.h", "unistd.h")),
    (frozenset({"va_list"}), ("stdarg.h",)),
)
"""Names of the standard library that prototypes have, and the headers that bring them."""
_TAGGED = re.compile(r"^[ \t]*+(?:typedef[ \t]++)?struct[ \t]++(\w++)\s*+\{", re.MULTILINE)
_TYPEDEF = re.compile(
    r"^[ \t]*+typedef\s++(?P<kind>struct|union|enum)\b\s*+(?P<tag>\w++)?\s*+"
    r"\{[^{}]*+\}\s*+(?P<name>\w++)\s*+;",
    re.MULTILINE,
)

_USES_STUB = re.compile(r"^[^\n/\"]*\bNOT_IMPLEMENTED\s*\(", re.MULTILINE)


def missing(files: Files) -> dict[str, str]:
    """Path and text of every header in quotes that is not among the files, where there is a
    source file to make it from: the one of the same name, else all that have no header."""
    there = {PurePosixPath(path).name for path in files} | set(_GENERATED)
    wanted = dict.fromkeys(
        name
        for path, text in sorted(files.items())
        if path.startswith(("src/", "tests/"))
        for name in c_files.included_here(text)
        if name.endswith(".h") and PurePosixPath(name).name not in there and ".." not in name
    )
    out: dict[str, str] = {}
    for name in wanted:
        text = _header(name, {path: files[path] for path in _sources(name, files)})
        if text is not None:
            out[f"src/{name}"] = text
    return out


def _sources(name: str, files: Files) -> list[str]:
    mine = str(PurePosixPath("src") / PurePosixPath(name).with_suffix(".c"))
    if mine in files:
        return [mine]
    return [
        path
        for path in sorted(files)
        if path.startswith("src/")
        and path.endswith(".c")
        and path != c_files.PROGRAM
        and str(PurePosixPath(path).with_suffix(".h")) not in files
    ]


def _header(name: str, sources: Files) -> str | None:
    """None if it would declare nothing."""
    guard = re.sub(r"\W", "_", name).upper()
    includes: list[str] = []
    types: list[str] = []
    forward: list[str] = []
    prototypes: list[str] = []
    for text in sources.values():
        source = Source("c", text)
        items = list(_top(source.root))
        includes += _includes(source, items, name)
        if name not in c_files.included(text):
            # else the source file would have them twice
            types += [_definition(source, node) for node in items if _is_type(node)]
        declared = [
            f"{site.signature};"
            for site in c_source.functions(text)
            if site.name != "main" and not re.search(r"\b(?:static|inline)\b", site.signature)
        ]
        told, hidden = _named_types(text) if name in c_files.included(text) else ([], set())
        prototypes += [each for each in declared if not hidden & set(_WORD.findall(each))]
        forward += [
            line for line in told if any(line.split()[-1][:-1] in each for each in declared)
        ]
    if not types and not prototypes:
        return None
    includes += _standard(" ".join([*types, *forward, *prototypes]), includes)
    groups = [list(dict.fromkeys(group)) for group in (includes, types, forward, prototypes)]
    blocks = ["\n".join(group) for group in groups if group]
    return "\n\n".join([f"#ifndef {guard}\n#define {guard}", *blocks, "#endif"]) + "\n"


def _standard(text: str, there: list[str]) -> list[str]:
    """The includes that names of the standard library ask for, and none of those that are there
    brings."""
    words = set(_WORD.findall(text))
    return [
        f"#include <{headers[0]}>"
        for names, headers in _STANDARD
        if words & names and not any(f"#include <{header}>" in there for header in headers)
    ]


def _named_types(text: str) -> tuple[list[str], set[str]]:
    """What declares the types of a source file without defining them, and the names of those that
    cannot be declared so."""
    lines = [f"struct {name};" for name in _TAGGED.findall(text)]
    hidden: set[str] = set()
    for match in _TYPEDEF.finditer(text):
        if match["tag"] and match["kind"] != "enum":
            lines.append(f"typedef {match['kind']} {match['tag']} {match['name']};")
        else:
            hidden.add(match["name"])
    return lines, hidden


def _top(node: Node) -> Iterator[Node]:
    """Everything outside functions, including what is inside an include guard."""
    for child in node.children:
        if child.type in _BLOCKS:
            yield from _top(child)
        else:
            yield child


def _includes(source: Source, items: list[Node], name: str) -> list[str]:
    found = []
    for node in items:
        path = field(node, "path") if node.type == "preproc_include" else None
        if path is not None and source.text_of(path)[1:-1] not in (name, "stub.h"):
            found.append(f"#include {source.text_of(path)}")
    return found


def _is_type(node: Node) -> bool:
    """A type's definition, or a constant: `#define NAME value`."""
    if node.type == "preproc_def":
        return field(node, "value") is not None
    return node.type == "type_definition" or (
        node.type in _TYPES and field(node, "body") is not None
    )


def _definition(source: Source, node: Node) -> str:
    text = source.text_of(node).strip()
    return f"{text};" if node.type in _TYPES else text


def complete(files: Files) -> dict[str, str]:
    """`files` with Makefile, test.h, stub.h where it is used, what a test file lacks in its
    `main`, and headers that are included and were never written; the rest stays as it is."""
    out = dict(files)
    for path, text in files.items():
        if path.startswith("tests/") and path.endswith(".c"):
            out[path] = mains.with_main(text)
        elif _is_source(path):
            out[path] = _with_stub_header(text)
    sources = [text for path, text in out.items() if path.startswith("src/")]
    if any("stub.h" in c_files.included(text) for text in sources):
        out.setdefault(c_files.STUB_HEADER, c_files.harness("stub.h"))
    out |= missing(out)
    out[c_files.TEST_HEADER] = c_files.harness("test.h")
    out.setdefault("Makefile", c_files.makefile())
    out.setdefault("compile_flags.txt", c_files.CLANGD)
    out.setdefault(".gitignore", c_files.IGNORED)
    return out


def _is_source(path: str) -> bool:
    inside = path.startswith("src/") and path.endswith((".c", ".h"))
    return inside and path != c_files.STUB_HEADER


def _with_stub_header(text: str) -> str:
    here = "stub.h" in c_files.included(text) or "define NOT_IMPL" in text
    if here or not _USES_STUB.search(text):
        return text
    return c_files.with_includes(text, ["stub.h"])
