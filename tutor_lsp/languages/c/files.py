"""The files that a C exercise needs beside what it is made of."""

import re
from collections.abc import Collection
from functools import cache
from pathlib import Path, PurePosixPath

from tutor_lsp.core.ports import Files

TEST_HEADER = "tests/test.h"
STUB_HEADER = "src/stub.h"
PROGRAM = "src/main.c"
"""A program of the exercise's own; it is no part of the tests."""
ERRORS = (
    "-Werror=implicit-function-declaration",
    "-Werror=implicit-int",
    "-Werror=int-conversion",
    "-Werror=incompatible-pointer-types",
    "-Werror=return-type",
)
"""Warnings that are errors: with newer compilers most of them are anyway."""
FLAGS = ("-std=c17", "-D_XOPEN_SOURCE=700", "-g", "-O0", "-Wall", "-Wextra", *ERRORS)
"""C17 with all of POSIX, the same here and in the Makefile."""
SANITIZE = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
OPTIONS = (
    "detect_leaks=0:detect_stack_use_after_return=1:allocator_may_return_null=1:"
    "max_allocation_size_mb=1024:hard_rss_limit_mb=1024"
)
"""Of the address sanitizer: what it looks for, and how much memory a test may take."""
LIBRARIES = ("-lm",)
IGNORED = "build/\n"
CLANGD = "-xc\n-std=c17\n-D_XOPEN_SOURCE=700\n-Wall\n-Wextra\n-Isrc\n-Itests\n"

_HARNESS = Path(__file__).parent / "harness"
_INCLUDE = re.compile(
    r"^[ \t]*#[ \t]*include[ \t]*(?P<open>[\"<])(?P<name>[^\">\n]+)", re.MULTILINE
)


@cache
def harness(name: str) -> str:
    """The text of `test.h`, `stub.h`, `serve.c` or `Makefile`."""
    return (_HARNESS / name).read_text(encoding="utf-8")


@cache
def makefile() -> str:
    """The Makefile of an exercise."""
    text = harness("Makefile").replace("@SANITIZE@", " ".join(SANITIZE))
    return text.replace("@ERRORS@", " ".join(ERRORS)).replace("@OPTIONS@", OPTIONS)


def put_in_place(given: Collection[str]) -> dict[str, str]:
    """See `Toolchain.put_in_place`; a stub.h that was given stays as it is."""
    names = [TEST_HEADER, *({STUB_HEADER} - set(given))]
    return {name: harness(PurePosixPath(name).name) for name in names}


def included(text: str) -> tuple[str, ...]:
    """The names in all includes, in quotes or angle brackets, in order, once each."""
    return tuple(dict.fromkeys(match["name"].strip() for match in _INCLUDE.finditer(text)))


def included_here(text: str) -> tuple[str, ...]:
    """The names in quotes only."""
    found = (match for match in _INCLUDE.finditer(text) if match["open"] == '"')
    return tuple(dict.fromkeys(match["name"].strip() for match in found))


def with_includes(text: str, names: list[str]) -> str:
    """The text with these includes after its last own include, else its last, else at the top,
    below an opening comment and an include guard."""
    lines = text.split("\n")
    numbers: dict[str, list[int]] = {name: [] for name in ('"', "<")}
    for match in _INCLUDE.finditer(text):
        numbers[match["open"]].append(text.count("\n", 0, match.start()) + 1)
    new = [f'#include "{name}"' for name in names]
    own, system = numbers['"'], numbers["<"]
    if own:
        at = own[-1]
    elif system:
        at, new = system[-1], ["", *new]
    else:
        at = _head_end(lines)
        new = [*new, ""]
    return "\n".join([*lines[:at], *new, *lines[at:]])


def _head_end(lines: list[str]) -> int:
    """The line (0-based) below an opening comment that stands apart, and an include guard."""
    at = 0
    text = "\n".join(lines)
    opening = re.match(r"\s*(?:/\*.*?\*/[ \t]*\n|(?://[^\n]*\n)+)(?=\s*\n)\s*", text, re.DOTALL)
    if opening is not None:
        at = text.count("\n", 0, opening.end())
    rest = "\n".join(lines[at:])
    guard = re.match(r"\s*#ifndef\s+(\w+)\s*\n\s*#define\s+\1[^\n]*\n\s*", rest)
    return at + rest.count("\n", 0, guard.end()) if guard is not None else at


def own_names(files: Files) -> frozenset[str]:
    """What a test may include: headers of the exercise, written or not, and beside the tests."""
    names = {"test.h", "stub.h"}
    for path in files:
        pure = PurePosixPath(path)
        if len(pure.parts) < 2 or pure.parts[0] not in ("src", "tests"):
            continue
        inner = "/".join(pure.parts[1:])
        if pure.suffix == ".h":
            names |= {inner, pure.name}
        elif pure.suffix == ".c" and pure.parts[0] == "src":
            names.add(str(PurePosixPath(inner).with_suffix(".h")))
    return frozenset(names)
