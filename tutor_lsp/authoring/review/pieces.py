"""Cutting one unit out of an exercise: the other stubs solved, the other tests gone. Pure."""

import re
from collections.abc import Collection, Mapping

from tutor_lsp.authoring.model import LESSON
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.ports import FunctionSite, Toolchain
from tutor_lsp.languages.common.comments import parse_stub_comment
from tutor_lsp.languages.common.proof.splice import put_back, site_of
from tutor_lsp.library.markdown import split_at

UNIT = "ex-1"
"""What the one unit of a review is called."""
_HEAD = re.compile(r"ex-\d+(?=\s*[-–—―:]+\s*first\s+principle)", re.IGNORECASE)
_IMPORTS = (
    re.compile(r"^(?P<head>use [\w:]+::)\{(?P<names>[\w\s,]+)\};$", re.MULTILINE),
    re.compile(r"^(?P<head>from [\w.]+ import )\((?P<names>[\w\s,]+)\)$", re.MULTILINE),
    re.compile(r"^(?P<head>from [\w.]+ import )(?P<names>\w[\w ,]*)$", re.MULTILINE),
)
_SINGLE_IMPORT = re.compile(r"^(?:use [\w:]+::(\w+);|import (\w+))\n", re.MULTILINE)
_CALLED = r"(?m)^[ \t]*RUN_TEST\({}\);\n"
_GAP = re.compile(r"\n{4,}")


def starter_and_reference(
    originals: Mapping[str, str],
    solution: Mapping[str, str],
    units: Collection[Unit],
    unit: Unit,
    toolchain: Toolchain,
) -> tuple[dict[str, str], dict[str, str]] | None:
    """The files below `src/` with every stub solved but that of `unit`, and the reference of the
    file that it is in; None where the stub cannot be found on both sides.

    The other stubs' comments lose the lines that make them units; the unit becomes `UNIT`.
    """
    files = {path: text for path, text in originals.items() if path.startswith("src/")}
    files |= {path: text for path, text in solution.items() if path in files}
    for other in units:
        if other.id != unit.id:
            files[other.file] = _no_unit(files[other.file], other.stub, toolchain)
    files[unit.file] = _renamed(files[unit.file], unit.stub, toolchain)
    given = _renamed(originals.get(unit.file, ""), unit.stub, toolchain)
    starter = put_back(toolchain, files[unit.file], given, unit.stub)
    if starter is None or starter == files[unit.file]:
        return None
    return {**files, unit.file: starter}, {unit.file: files[unit.file]}


def kept_tests(text: str, keep: Collection[str], toolchain: Toolchain) -> str:
    """A test file with these tests only, and without helpers and imports that only others used."""
    drop = [site.name for site in toolchain.tests(text) if site.name not in keep]
    for name in drop:
        text = _without(re.sub(_CALLED.format(name), "", text), name, toolchain)
    while True:
        tests = {site.name for site in toolchain.tests(text)}
        unused = [
            site.name
            for site in toolchain.functions(text)
            if site.name not in {*tests, "main"} and _uses(text, site.name) == 1
        ]
        if not unused:
            break
        for name in unused:
            text = _without(text, name, toolchain)
    whole = text
    for form in _IMPORTS:
        text = form.sub(lambda found: _used_names(found, whole), text)
    text = _SINGLE_IMPORT.sub(
        lambda found: found[0] if _uses(text, found[1] or found[2]) > 1 else "", text
    )
    return _GAP.sub("\n\n\n", text).strip("\n") + "\n"


def lesson_of(lesson: str, unit: Unit, title: str) -> str:
    """A page that asks to try from memory, then the unit's section of the lesson as it was."""
    begins = f"## {unit.lesson_heading}"
    first = lesson.find("\n## ")
    pieces = split_at(lesson[first + 1 :], 2) if first >= 0 else []
    section = next((p for p in pieces if p.partition("\n")[0].strip() == begins), None)
    if section is None:
        section = f"{begins}\n\nWrite `{unit.stub}`."
    # What an earlier round added for somebody who was stuck is no part of the section.
    section = section.partition("\n\n### More to build on: ")[0]
    return (
        f"# {title}\n\nYou have written `{unit.stub}` before. Try it again from memory, in about "
        "five minutes: everything else is there, and the values are new. The section below is for "
        f"when you get stuck.\n\n{section.strip()}\n"
    )


def authored(files: Mapping[str, str]) -> dict[str, str]:
    """Of an exercise's files those that somebody wrote: lesson, sources, tests."""
    return {
        path: text
        for path, text in files.items()
        if path == LESSON or path.startswith(("src/", "tests/"))
    }


def _without(text: str, name: str, toolchain: Toolchain) -> str:
    """The text without a function and what stands right above it (attributes, comments)."""
    site = site_of(toolchain, text, name)
    lines = text.split("\n")
    if site is not None:
        first, last = text.count("\n", 0, site.start), text.count("\n", 0, max(site.end - 1, 0))
    else:
        found = next((test for test in toolchain.tests(text) if test.name == name), None)
        if found is None:
            return text
        first, last = found.line - 1, found.end_line - 1
    while first > 0 and lines[first - 1].strip() and not lines[first - 1].startswith(("}", "#inc")):
        first -= 1
    after = last + 1
    while after < len(lines) and not lines[after].strip():
        after += 1
    return "\n".join([*lines[:first], *lines[after:]])


def _uses(text: str, name: str) -> int:
    return len(re.findall(rf"(?<!\w){re.escape(name)}(?!\w)", text))


def _used_names(found: re.Match[str], text: str) -> str:
    names = [name.strip() for name in found["names"].split(",") if name.strip()]
    used = [name for name in names if _uses(text, name.split()[-1]) > 1]
    if not used:
        return ""
    if used == names:
        return found[0]
    listed = ", ".join(used)
    if not found["head"].startswith("use "):
        return f"{found['head']}{listed}"
    return f"{found['head']}{{{listed}}};" if len(used) > 1 else f"{found['head']}{listed};"


def _no_unit(text: str, stub: str, toolchain: Toolchain) -> str:
    """The text with a function's comment less the four lines that make it a unit."""
    place = _head_line(text, stub, toolchain)
    if place is None:
        return text
    first, count = place
    lines = text.split("\n")
    if first > 0 and not lines[first - 1].strip(" \t/*#"):
        first, count = first - 1, count + 1
    return "\n".join([*lines[:first], *lines[first + count :]])


def _renamed(text: str, stub: str, toolchain: Toolchain) -> str:
    place = _head_line(text, stub, toolchain)
    if place is None:
        return text
    lines = text.split("\n")
    lines[place[0]] = _HEAD.sub(UNIT, lines[place[0]])
    return "\n".join(lines)


def _head_line(text: str, stub: str, toolchain: Toolchain) -> tuple[int, int] | None:
    """Index of the line that begins a stub's four lines, and how many lines they are."""
    site: FunctionSite | None = site_of(toolchain, text, stub)
    comment = parse_stub_comment(site.comment) if site is not None and site.comment else None
    if site is None or comment is None:
        return None
    lines = text.split("\n")
    for index in range(site.comment_line - 1, min(site.comment_end_line, len(lines))):
        if _HEAD.search(lines[index]):
            return index, comment.end_line - comment.line + 1
    return None
