"""Reading what a C compiler and linker say: pure, tested from recorded output of gcc and clang."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from tutor_lsp.core.exercise.report import BuildError
from tutor_lsp.core.ports import Files
from tutor_lsp.languages.c.files import STUB_HEADER, TEST_HEADER

MOST = 20
_GUESSES = ("maybe-uninitialized",)
"""Warnings that one version of a compiler gives and the next does not."""
_GIVEN = (STUB_HEADER, TEST_HEADER)
_LOCATED = re.compile(
    r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?:(?P<column>\d+):)?"
    r" (?P<kind>fatal error|error|warning): (?P<text>.*?)(?: \[(?P<flag>-W[^\]]+)\])?$"
)
_FROM = re.compile(r"^(?:In file included from|\s+from) (?P<file>[^:\n]+):(?P<line>\d+)")
_STRAY = re.compile(r"stray `\\\d+` in program")
_OURS = re.compile(r"passing argument \d of `tutor_(?P<name>run|text)_`")
_MACROS = {
    "run": "RUN_TEST takes the name of a test: a `void` function without parameters",
    "text": "TEST_ASSERT_STR_EQ compares texts, which this is not",
}
_QUOTED = re.compile(r"[‘'`]([^‘’'`\s][^‘’'`]*)[’']")
_OPEN_TYPE = re.compile(
    r"^(?P<kind>struct|union|enum) (?P<name>\w+)\s*\{[^{}]*(?P<brace>\})\s[^;{}()=]*\Z",
    re.MULTILINE,
)
"""A type whose closing brace is followed by another declaration."""
_AFTER_OPEN_TYPE = re.compile(r"expected .;., identifier or|two or more data types in declaration")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_WORD = re.compile(r"[^\W\d]\w*|\.?\d[\w.]*|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'")
_UNDEFINED = re.compile(
    r"^(?:\S*ld\S*: )?(?:\S+: )?(?:(?P<file>[^\s:][^:\n]*\.[ch]):(?P<line>\d+):)?.*"
    r"undefined (?:reference to|symbol:?) [`'\"]?(?P<name>\w+)"
)
_REFERENCED = re.compile(r'^\s*"_(?P<name>\w+)", referenced from:')
_BY = re.compile(r"^>>> referenced by .*\((?P<file>[^\s:()]+\.[ch]):(?P<line>\d+)\)")
_TWICE = re.compile(
    r"^(?:\S*ld\S*: )?(?:(?P<file>[^\s:][^:\n]*\.[ch]):(?P<line>\d+): )?.*"
    r"(?:multiple definition of|duplicate symbol:?) [`'\"]?_?(?P<name>\w+)"
)
_DEFINED = re.compile(r"^>>> defined at .*\((?P<file>[^\s:()]+\.[ch]):(?P<line>\d+)\)")
_SUMMARY = re.compile(r"^(?:collect2|clang|ld|cc1|\S*ld): (?:error: )?(?:ld returned|linker comm)")
_TOOL = re.compile(r"^(?:cc1|cc|gcc|clang|as|\S*/ld|ld\S*|collect2): (?:fatal )?(?:error: )?(.+)$")


@dataclass(slots=True)
class Build:
    """What a build said. `unplaced` are errors without a place."""

    errors: list[BuildError] = field(default_factory=list)
    warnings: list[BuildError] = field(default_factory=list)
    unplaced: list[str] = field(default_factory=list)

    def add(self, other: "Build") -> None:
        """Take over what is new: a header's errors come once for every file that includes it."""
        for mine, theirs in ((self.errors, other.errors), (self.warnings, other.warnings)):
            mine += [error for error in theirs if error not in mine]
        self.unplaced += [text for text in other.unplaced if text not in self.unplaced]


def compiler_said(text: str, files: Files, *, guesses: bool = False) -> Build:
    """Errors and warnings of one compilation. `files` are the workspace's texts; with `guesses`
    also what another version of the compiler may not warn of.

    Columns are counted in bytes by the compiler and in code points here. Errors in files of the
    system, and in those that we give, belong to the line that includes them, and are told only
    where there is no other.
    """
    build = Build()
    foreign: list[BuildError] = []
    last: tuple[str, int] | None = None
    for line in text.splitlines():
        if (include := _FROM.match(line)) is not None:
            path = relative(include["file"], files)
            is_own = path in files and path not in _GIVEN
            last = (path, int(include["line"])) if is_own else last
            continue
        match = _LOCATED.match(line)
        if match is None:
            continue
        path = relative(match["file"], files)
        error = _error(match, path, files.get(path, ""))
        is_own = path in files and path not in _GIVEN
        if match["kind"] == "warning":
            is_told = guesses or error.code not in _GUESSES
            if is_own and is_told and error not in build.warnings:
                build.warnings.append(error)
        elif is_own:
            build.errors.append(error)
        elif last is not None:
            said = f"{PurePosixPath(path).name} cannot be read from here on: {error.message}"
            foreign.append(BuildError(last[0], last[1], 1, last[1], 2, error.code, said))
    build.errors = (build.errors or foreign[:1])[:MOST]
    return build


def _error(match: re.Match[str], path: str, text: str) -> BuildError:
    line = int(match["line"])
    lines = text.split("\n")
    source = lines[line - 1] if 0 < line <= len(lines) else ""
    data = source.encode("utf-8", "surrogateescape")[: int(match["column"] or 1) - 1]
    before = data.decode("utf-8", "ignore")
    column = len(before) + 1
    word = _WORD.match(source, column - 1)
    end = word.end() + 1 if word is not None else column + 1
    flag = (match["flag"] or "").removeprefix("-W").removeprefix("error=") or None
    said = match["text"]
    open_type = _OPEN_TYPE.search("\n".join([*lines[: line - 1], before]))
    if open_type is not None and _AFTER_OPEN_TYPE.match(said):
        line = open_type.string.count("\n", 0, open_type.start("brace")) + 1
        column = open_type.start("brace") - open_type.string.rfind(
            "\n", 0, open_type.start("brace")
        )
        named = f"`{open_type['kind']} {open_type['name']}`"
        said = f"the `;` is missing after the `}}` of {named}"
        return BuildError(path, line, column, line, column + 1, flag, said)
    said = _in_its_words(quoted(said), source[column - 1 : column])
    return BuildError(path, line, column, line, max(end, column + 1), flag, said)


def _in_its_words(said: str, char: str) -> str:
    """The message without what stands in no text of the exercise: bytes, and our own names."""
    if _STRAY.match(said) and not char.isascii():
        return f"stray `{char}` in program"
    ours = _OURS.match(said)
    return said if ours is None else _MACROS[ours["name"]]


def quoted(text: str) -> str:
    """The message with code in backticks."""
    return _QUOTED.sub(r"`\1`", text)


def relative(path: str, files: Files) -> str:
    """The workspace path, where the compiler gave a longer one for a file of the workspace."""
    plain = str(PurePosixPath(path))
    if plain in files:
        return plain
    return next((name for name in files if plain.endswith(f"/{name}")), plain)


def linker_said(text: str, files: Files, program: str = "tests") -> Build:
    """What stopped the linker: functions that are used and defined nowhere, or defined twice.
    `program` is the test file that was linked."""
    build = Build()
    missing: dict[str, tuple[str, int] | None] = {}
    twice: dict[str, tuple[str, int] | None] = {}
    name = ""
    for line in text.splitlines():
        found = _UNDEFINED.match(line) or _REFERENCED.match(line)
        if found is not None:
            name = found["name"]
            missing[name] = missing.get(name) or _place(found.groupdict(), files)
        elif (by := _BY.match(line)) is not None and name in missing:
            missing[name] = missing[name] or _place(by.groupdict(), files)
        elif (double := _TWICE.match(line)) is not None:
            name = double["name"]
            twice.setdefault(name, _place(double.groupdict(), files))
        elif (at := _DEFINED.match(line)) is not None and name in twice:
            twice[name] = _place(at.groupdict(), files) or twice[name]
    for each, used in missing.items():
        place = (program, 1) if each == "main" else used
        build.errors.append(_undefined(each, place, files))
    for each, again in twice.items():
        said = f"`{each}` is defined more than once"
        build.errors.append(_at(each, again or _named(each, files), files, said))
    build.errors = build.errors[:MOST]
    return build


def _undefined(name: str, used: tuple[str, int] | None, files: Files) -> BuildError:
    """At its prototype in the learner's own files, if there is one, else where it is used."""
    declared = re.compile(rf"^[^\n#/]*\b{re.escape(name)}\s*\([^;{{}}]*\)\s*;", re.MULTILINE)
    for file, text in files.items():
        plain = _COMMENT.sub(lambda comment: re.sub(r"[^\n]", " ", comment[0]), text)
        found = declared.search(plain) if file.startswith("src/") else None
        if found is not None and not found[0].lstrip().startswith("return"):
            line = text.count("\n", 0, text.index(name, found.start())) + 1
            said = f"`{name}` is declared here, but its definition is missing"
            return _at(name, (file, line), files, said)
    said = f"`{name}` is used, but defined nowhere"
    if name == "main":
        said = "There is no `main` that runs the tests"
    return _at(name, used or _named(name, files), files, said)


def _at(name: str, place: tuple[str, int] | None, files: Files, message: str) -> BuildError:
    file, line = place or ("tests", 1)
    lines = files.get(file, "").split("\n")
    source = lines[line - 1] if 0 < line <= len(lines) else ""
    found = re.search(rf"\b{re.escape(name)}\b", source)
    column, end = (found.start() + 1, found.end() + 1) if found else (1, 2)
    return BuildError(file, line, column, line, end, None, message)


def _place(found: Mapping[str, str | None], files: Files) -> tuple[str, int] | None:
    if not found.get("file"):
        return None
    path = relative(str(found["file"]), files)
    return (path, int(str(found["line"]))) if path in files else None


def _named(name: str, files: Files) -> tuple[str, int] | None:
    """The first line of the learner's files that has the name, else of the tests."""
    pattern = re.compile(rf"\b{re.escape(name)}\b")
    for file in sorted(files, key=lambda file: not file.startswith("src/")):
        found = pattern.search(files[file])
        if found is not None:
            return file, files[file].count("\n", 0, found.start()) + 1
    return None


def tools_said(text: str) -> list[str]:
    """Errors of the tools themselves, else the last thing that was said, if anything."""
    said = [line.strip() for line in text.splitlines() if line.strip()]
    found = [
        match[1]
        for line in said
        if not _SUMMARY.match(line) and (match := _TOOL.match(line)) is not None
    ]
    return [quoted(line) for line in found or said[-1:]][:MOST]
