"""What can be put right without a model: `Test:` lines, headings in comments, links. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tutor_lsp.authoring.model import LESSON
from tutor_lsp.core.ports import FunctionSite, Toolchain
from tutor_lsp.languages.common.comments import StubComment, parse_stub_comment
from tutor_lsp.library.markdown import CLOSING_LINK, headings, split_at

_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Mended:
    """The files, and one sentence for each thing that was put right."""

    files: Mapping[str, str]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Stub:
    file: str
    site: FunctionSite
    comment: StubComment


def mend(
    authored: Mapping[str, str],
    planned: Sequence[Mapping[str, Any]] | None,
    toolchain: Toolchain,
) -> Mended:
    """The authored files with comments that name the right tests and headings, and lesson
    sections that end with a link to their stub. What is in order comes out as it is."""
    files = dict(authored)
    notes: list[str] = []
    stubs = _stubs(files, toolchain)
    plans = {str(plan["stub"]): plan for plan in planned or ()}
    for stub in reversed(stubs):  # from below, so that lines above keep their numbers
        text = files[stub.file]
        text = _with_tests(text, stub, _own_tests(stub, stubs, plans, files, toolchain), notes)
        files[stub.file] = _with_heading(text, stub, files.get(LESSON, ""), notes)
    if LESSON in files:
        files[LESSON] = _with_links(files[LESSON], stubs, notes)
    return Mended(files, tuple(notes))


def _stubs(files: Mapping[str, str], toolchain: Toolchain) -> list[_Stub]:
    found = []
    for path, text in files.items():
        if path.startswith("src/"):
            for site in toolchain.functions(text):
                comment = parse_stub_comment(site.comment) if site.comment else None
                if comment is not None:
                    found.append(_Stub(path, site, comment))
    return found


def _own_tests(
    stub: _Stub,
    stubs: Sequence[_Stub],
    plans: Mapping[str, Mapping[str, Any]],
    files: Mapping[str, str],
    toolchain: Toolchain,
) -> list[str]:
    """The tests that are named after the stub, or planned for it, in file order."""
    names = sorted((other.site.name for other in stubs), key=len, reverse=True)
    planned = {str(name) for name in plans.get(stub.site.name, {}).get("test_names", ())}
    found = []
    for path, text in files.items():
        if not path.startswith("tests/"):
            continue
        for test in toolchain.tests(text):
            after = next((n for n in names if test.name.startswith(f"test_{n}_")), None)
            if after == stub.site.name or (after is None and test.name in planned):
                found.append(test.name)
    return list(dict.fromkeys(found))


def _with_tests(text: str, stub: _Stub, wanted: list[str], notes: list[str]) -> str:
    comment = stub.comment
    if not wanted or set(comment.tests) == set(wanted) or not comment.test_line:
        return text
    lines = text.split("\n")
    first = stub.site.comment_line + comment.test_line - 2
    mark = re.match(r"(.*?)tests?\s*:", lines[first], re.IGNORECASE)
    if mark is None:
        return text
    after = [comment.read_line, comment.start_line, comment.line, comment.end_line + 1]
    last = min(line for line in after if line > comment.test_line)
    end = stub.site.comment_line + last - 2
    notes.append(f"The line Test of `{stub.site.name}` names its tests now.")
    return "\n".join([*lines[:first], *_wrapped(mark[1], wanted), *lines[end:]])


def _wrapped(margin: str, names: Sequence[str]) -> list[str]:
    lines = [f"{margin}Test: {names[0]}"]
    for name in names[1:]:
        if len(lines[-1]) + len(name) + 2 > _WIDTH:
            lines[-1] += ","
            lines.append(f"{margin}    {name}")
        else:
            lines[-1] += f", {name}"
    return lines


def _with_heading(text: str, stub: _Stub, lesson: str, notes: list[str]) -> str:
    """The line Read with the heading as it stands in the lesson, where only its spelling
    differs."""
    said = stub.comment.heading
    there = [mark.text for mark in headings(lesson) if mark.level > 1]
    if not said or said in there:
        return text
    alike = [heading for heading in there if _plain(heading) == _plain(said)]
    lines = text.split("\n")
    number = stub.site.comment_line + stub.comment.read_line - 2
    if len(alike) != 1 or said not in lines[number]:
        return text
    notes.append(f"The line Read of `{stub.site.name}` spells its heading as the lesson does.")
    lines[number] = lines[number].replace(said, alike[0])
    return "\n".join(lines)


def _plain(heading: str) -> str:
    return "".join(re.findall(r"\w+", heading.casefold()))


def _with_links(lesson: str, stubs: Sequence[_Stub], notes: list[str]) -> str:
    """Each section with a link to its stub at the end; the last one, which has no stub of its
    own, leads to the last stub."""
    by_heading = {_plain(stub.comment.heading): stub for stub in stubs if stub.comment.heading}
    by_name = {stub.site.name: stub for stub in stubs}
    pieces = split_at(lesson, 2)
    out: list[str] = []
    for number, piece in enumerate(pieces):
        head = next((mark.text for mark in headings(piece) if mark.level == 2), "")
        rest = piece.rstrip()
        link = CLOSING_LINK.search(rest)
        named = by_name.get(link[1]) if link else None
        bridge = stubs[-1] if stubs and 0 < number == len(pieces) - 1 else None
        stub = by_heading.get(_plain(head)) or named or bridge
        if stub is None or (link and (link[1], link[2]) == (stub.site.name, stub.file)):
            out.append(piece)
            continue
        wanted = f"[{stub.site.name}]({stub.file})"
        if link is not None and named is not None:  # in place of the wrong one
            out.append(rest[: link.start()] + wanted)
        else:
            out.append(f"{rest}\n\n{wanted}")
        notes.append(f'"{head}" ends with a link to `{stub.site.name}` now.')
    mended = "\n\n".join(out)
    return mended + "\n" if lesson.endswith("\n") else mended
