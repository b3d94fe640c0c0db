"""Cutting one unit out of an exercise: the other stubs solved, the other tests removed. Pure."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from tutor_lsp.core.exercise.declared import leading_comment
from tutor_lsp.core.exercise.exercise import Unit, UnitKind, sharing
from tutor_lsp.core.exercise.files import below
from tutor_lsp.core.exercise.parts import parts, put_back, without
from tutor_lsp.core.exercise.stub_comment import parse_stub_comment, unit_of_line
from tutor_lsp.core.language.language import Lines
from tutor_lsp.core.ports import FunctionSite, Toolchain
from tutor_lsp.core.text.positions import split_lines
from tutor_lsp.languages.common.proof.splice import put_back as stub_put_back
from tutor_lsp.languages.common.proof.splice import site_of
from tutor_lsp.languages.common.proof.test_imports import uses
from tutor_lsp.languages.registry import dialect, languages
from tutor_lsp.library.markdown import split_at

UNIT = "ex-1"
"""The id of a review's only unit."""
_LINK = re.compile(r"\[([^\]\n]*)\]\(((?:src|tests)/[^)\s]+)\)")
_GAP = re.compile(r"\n{4,}")
_ASKS = {
    UnitKind.TEST: "You have written tests of `{stub}` before. Write them again from memory, in "
    "about five minutes: the program is there, and so are wrong ones that you do not see.",
    UnitKind.PREDICT: "You have said what this program gives before. Follow it once more, in "
    "about five minutes: it is as it was, and it is called with new values.",
}
_ASKS_FOR_CODE = (
    "You have written `{stub}` before. Try it again from memory, in about five minutes: everything "
    "else is there, and the values are new."
)


@dataclass(frozen=True, slots=True)
class Cut:
    """One unit as an exercise of its own: lesson, starter and tests, its reference, its hints."""

    files: dict[str, str]
    solution: dict[str, str]
    hints: tuple[str, ...]


def starter_and_reference(
    originals: Mapping[str, str],
    solution: Mapping[str, str],
    units: Collection[Unit],
    unit: Unit,
    toolchain: Toolchain,
) -> tuple[dict[str, str], dict[str, str]] | None:
    """The files below `src/` with every stub solved but that of `unit`, and the reference of the
    file that it is in, which is one of tests where it asks for them; None if the stub cannot be
    located in both.

    The other stubs' comments lose the lines that make them units; the unit becomes `UNIT`.
    """
    files = below(originals, "src")
    files |= {path: text for path, text in solution.items() if path in files}
    shared, lines = sharing(units, unit), languages()[toolchain.language].lines
    if shared:  # later declarations may need this one
        later = [each.id for each in shared[shared.index(unit) + 1 :]]
        files[unit.file] = without(files[unit.file], later, lines).rstrip() + "\n"
    for other in units:
        if other in (*shared, unit) or other.file not in files:  # tests of one's own are not kept
            continue
        if other.kind.on_request and not _named_elsewhere(files, other.file):
            del files[other.file]  # answers alone, which look like stubs in some languages
        elif sharing(units, other):
            files[other.file] = _uncommented(files[other.file], {other.id}, lines)
        elif other.aside is not None:
            files[other.file] = _no_comment(files[other.file], toolchain)
        else:
            files[other.file] = _no_unit(files[other.file], other.stub, toolchain)
    if shared:
        whole = files[unit.file]
        begun = put_back(whole, originals.get(unit.file, ""), [unit.id], lines)
        if begun is None or begun == whole or unit.id not in parts(whole, lines):
            return None
        starter, solved = (
            _file_renamed(_alone(text, shared, unit, lines), toolchain) for text in (begun, whole)
        )
        return {**files, unit.file: starter}, {unit.file: solved}
    if unit.aside is not None:
        begun = originals.get(unit.file, "")
        solved = _file_renamed(solution.get(unit.file, begun), toolchain)
        given = _file_renamed(begun, toolchain)
        return None if given == solved else ({**files, unit.file: given}, {unit.file: solved})
    files[unit.file] = _renamed(files[unit.file], unit.stub, toolchain)
    given = _renamed(originals.get(unit.file, ""), unit.stub, toolchain)
    begun = stub_put_back(toolchain, files[unit.file], given, unit.stub)
    if begun is None or begun == files[unit.file]:
        return None
    return {**files, unit.file: begun}, {unit.file: files[unit.file]}


def _alone(text: str, units: Iterable[Unit], unit: Unit, lines: Lines) -> str:
    """A file that units share as that of one of them: its comment first, then what the others have
    declared, without their comments."""
    mine = parts(text, lines)[unit.id]
    comment = split_lines(text)[mine.first : mine.code]
    rest = _uncommented(text, {each.id for each in units}, lines)
    return "\n".join((*comment, "", "", rest.strip("\n"))).rstrip() + "\n"


def _uncommented(text: str, units: Collection[str], lines: Lines) -> str:
    """A file that units share without the comments of some."""
    rows = split_lines(text)
    for unit, part in reversed(parts(text, lines).items()):
        if unit in units:
            del rows[part.first : part.code]
    return _GAP.sub("\n\n\n", "\n".join(rows)).lstrip("\n")


def _named_elsewhere(files: Mapping[str, str], file: str) -> bool:
    """Whether another file uses a source."""
    name = re.compile(rf"\b{re.escape(PurePosixPath(file).stem)}\b")
    return any(name.search(text) for path, text in files.items() if path != file)


def kept_tests(text: str, keep: Collection[str], toolchain: Toolchain) -> str:
    """A test file with only these tests, without helpers and imports that only others used."""
    own = dialect(toolchain.language)
    drop = [site.name for site in toolchain.tests(text) if site.name not in keep]
    for name in drop:
        text = _without(own.uncalled(text, name), name, toolchain)
    while True:
        kept = {site.name for site in toolchain.tests(text)} | own.grammar.words.entries
        unused = [
            site.name
            for site in toolchain.functions(text)
            if site.name not in kept and uses(text, site.name) == 1
        ]
        if not unused:
            break
        for name in unused:
            text = _without(text, name, toolchain)
    return _GAP.sub("\n\n\n", own.used_imports(text)).strip("\n") + "\n"


def lesson_of(lesson: str, unit: Unit, title: str, files: Collection[str]) -> str:
    """A page that asks to try from memory, then the unit's section of the lesson as it was. Links
    lead to `files` alone."""
    begins = f"## {unit.lesson_heading}"
    first = lesson.find("\n## ")
    pieces = split_at(lesson[first + 1 :], 2) if first >= 0 else []
    section = next((p for p in pieces if p.partition("\n")[0].strip() == begins), None)
    if section is None:
        section = f"{begins}\n\nWrite `{unit.stub}`."
    # Extra help that an earlier lesson had is not part of the section.
    section = section.partition("\n\n### More to build on: ")[0]
    section = _LINK.sub(lambda link: link[0 if link[2] in files else 1], section)
    asks = _ASKS.get(unit.kind, _ASKS_FOR_CODE).format(stub=unit.stub)
    return (
        f"# {title}\n\n{asks} The section below is for when you get stuck.\n\n{section.strip()}\n"
    )


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
    looks = languages()[toolchain.language].lines
    ends = ("}", *looks.imports)
    while first > 0 and lines[first - 1].strip() and not lines[first - 1].startswith(ends):
        first -= 1
    after = last + 1
    while after < len(lines) and not lines[after].strip():
        after += 1
    return "\n".join([*lines[:first], *lines[after:]])


def _no_unit(text: str, stub: str, toolchain: Toolchain) -> str:
    """The text without the four lines of a function's comment that make it a unit."""
    place = _head_line(text, stub, toolchain)
    if place is None:
        return text
    first, count = place
    lines = text.split("\n")
    looks = languages()[toolchain.language].lines
    if first > 0 and not lines[first - 1].strip(" \t" + "".join((*looks.comment, *looks.block))):
        first, count = first - 1, count + 1
    return "\n".join([*lines[:first], *lines[first + count :]])


def _no_comment(text: str, toolchain: Toolchain) -> str:
    """A file of a unit that asks for a declaration, without its comment."""
    rows = split_lines(text)
    _, last, _ = leading_comment(rows, languages()[toolchain.language].lines)
    return "\n".join(rows[last:]).lstrip("\n")


def _file_renamed(text: str, toolchain: Toolchain) -> str:
    """A file that is a unit's alone, with the id `UNIT` in its comment."""
    _, last, _ = leading_comment(split_lines(text), languages()[toolchain.language].lines)
    return _line_renamed(text, range(last))


def _renamed(text: str, stub: str, toolchain: Toolchain) -> str:
    place = _head_line(text, stub, toolchain)
    return text if place is None else _line_renamed(text, place[:1])


def _line_renamed(text: str, rows: Iterable[int]) -> str:
    """The text with the id `UNIT` in the first of these rows that names a unit."""
    lines = text.split("\n")
    for row in rows:
        if (named := unit_of_line(lines[row])) is not None:
            lines[row] = lines[row][: named.start("unit")] + UNIT + lines[row][named.end("unit") :]
            break
    return "\n".join(lines)


def _head_line(text: str, stub: str, toolchain: Toolchain) -> tuple[int, int] | None:
    """Index of the first of a stub's four lines, and their number."""
    site: FunctionSite | None = site_of(toolchain, text, stub)
    comment = parse_stub_comment(site.comment) if site is not None and site.comment else None
    if site is None or comment is None:
        return None
    lines = text.split("\n")
    for index in range(site.comment_line - 1, min(site.comment_end_line, len(lines))):
        if unit_of_line(lines[index]):
            return index, comment.end_line - comment.line + 1
    return None
