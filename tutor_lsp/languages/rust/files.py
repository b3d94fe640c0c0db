"""The files that a Rust exercise needs beside its sources and tests."""

import re
from pathlib import PurePosixPath

from tutor_lsp.core.exercise.snapshot import TAKEN, UNSEEN, NewFile
from tutor_lsp.core.ports import Files
from tutor_lsp.languages.common.paths import BACKUP, GIVEN_TESTS, NO_SOURCE, by_itself, in_place_of

EDITION = "2024"
IGNORED = "target/\n"
_CARGO = frozenset({"build.rs", "cargo.toml", "rust-toolchain", "rust-toolchain.toml"})
_PROGRAMS = ("src/main.rs", "src/bin/")
_CRATES = frozenset({"std", "core", "alloc", "proc_macro"})
_MODULE = re.compile(r"^[ \t]*(?:pub(?:\s*\([^)]*\))?\s+)?mod\s+(\w+)\s*;", re.MULTILINE)
_HEADER = re.compile(r"\s*(//!|#!\[|//[^/])")


def manifest(edition: str = EDITION) -> str:
    """The Cargo.toml of an exercise: no dependencies, no build script, no outer workspace."""
    return f"""\
[package]
name = "exercise"
version = "0.1.0"
edition = "{edition}"
publish = false
build = false

[lib]
doctest = false

[workspace]
"""


def complete(files: Files, edition: str = EDITION) -> dict[str, str]:
    """`files` with Cargo.toml, .gitignore, crate root and module lines; the rest stays as it is."""
    out = dict(files)
    children: dict[str, list[str]] = {"src/lib.rs": []}
    for path in sorted(files):
        parts = PurePosixPath(path).parts
        if len(parts) < 2 or parts[0] != "src" or not path.endswith(".rs") or parts[1] == "bin":
            continue
        if path in ("src/lib.rs", "src/main.rs"):
            continue
        names = [*parts[1:-1], parts[-1].removesuffix(".rs")]
        if names[-1] == "mod":
            names.pop()
        for depth in range(1, len(names) + 1):
            root = _module_file(files, names[: depth - 1])
            wanted = children.setdefault(root, [])
            if names[depth - 1] not in wanted:
                wanted.append(names[depth - 1])
    for path, modules in children.items():
        text = with_modules(out.get(path, ""), modules)
        if path == "src/lib.rs" or modules:
            out[path] = text
    out.setdefault("Cargo.toml", manifest(edition))
    out.setdefault(".gitignore", IGNORED)
    return out


def _module_file(files: Files, names: list[str]) -> str:
    if not names:
        return "src/lib.rs"
    flat = f"src/{'/'.join(names)}.rs"
    return flat if flat in files else f"src/{'/'.join(names)}/mod.rs"


def with_modules(text: str, modules: list[str]) -> str:
    """The text with a `pub mod` line for each module that it does not declare yet."""
    missing = [name for name in modules if not declares(text, name)]
    return _below_head(text, [f"pub mod {name};" for name in missing])


def with_modules_of(given: str, found: str) -> str:
    """The given text with the lines of the other one that name module files which it does not."""
    named = {match[1]: match[0].strip() for match in _MODULE.finditer(found)}
    return _below_head(given, [line for name, line in named.items() if not declares(given, name)])


def _below_head(text: str, new: list[str]) -> str:
    if not new:
        return text
    lines = "".join(f"{line}\n" for line in new)
    kept = text.splitlines(keepends=True)
    at = 0
    while at < len(kept) and (_HEADER.match(kept[at]) or not kept[at].strip()):
        at += 1
    head, rest = "".join(kept[:at]), "".join(kept[at:])
    if head.strip() and not head.endswith("\n\n"):
        head = head.rstrip("\n") + "\n\n"
    return f"{head}{lines}" + (f"\n{rest}" if rest.strip() else rest)


def declares(text: str, module: str) -> bool:
    """Whether the text has a `mod` item of that name."""
    pattern = rf"^\s*(?:pub(?:\s*\([^)]*\))?\s+)?mod\s+(?:r#)?{re.escape(module)}\s*[;{{]"
    return re.search(pattern, text, re.MULTILINE) is not None


def own_names(files: Files) -> frozenset[str]:
    """The crate, and modules beside the tests."""
    names = {"exercise"}
    for path in files:
        parts = PurePosixPath(path).parts
        if len(parts) > 1 and parts[0] == "tests" and path.endswith(".rs"):
            names.add(parts[1].removesuffix(".rs"))
    return frozenset(names)


def new_file(file: str) -> NewFile:
    """See `Toolchain.new_file`. Cargo.lock is made by every build: there are no dependencies."""
    path = PurePosixPath(file.casefold())
    top = path.parts[0]
    if path.name in _CARGO or ".cargo" in path.parts:
        return by_itself("cargo")
    if top not in ("src", "tests") or BACKUP.search(path.name):
        return UNSEEN
    if path.suffix != ".rs":
        return NO_SOURCE
    if top == "tests":
        return GIVEN_TESTS
    if str(path).startswith(_PROGRAMS):
        return NewFile(why="a program of its own is no part of the tests")
    crate = path.parts[1].removesuffix(".rs")
    return in_place_of(f"Rust's own `{crate}`") if crate in _CRATES else TAKEN
