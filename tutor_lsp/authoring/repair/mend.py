"""Corrections without a model: the form of stub comments, links. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from textwrap import wrap
from typing import Any

from tutor_lsp.authoring.index import Stub, find_stubs
from tutor_lsp.core.exercise.exercise import LESSON
from tutor_lsp.core.exercise.files import below
from tutor_lsp.core.exercise.stub_comment import WIDTH, StubComment
from tutor_lsp.core.ports import Toolchain
from tutor_lsp.core.text.ascii_form import ascii_form, ascii_signs
from tutor_lsp.library.markdown import CLOSING_LINK, headings, split_at

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})([^`]*)$")
_ENDS_LINE = re.compile(r"(?<!`)(`{3,})([\w-]*)[ \t]*$")


def mend(
    authored: Mapping[str, str],
    planned: Sequence[Mapping[str, Any]] | None,
    toolchain: Toolchain,
    *,
    ends: bool = True,
) -> dict[str, str]:
    """The authored files with stub comments in the tutor's own form, which name their first test
    and the heading as it is, and lesson sections that end with a link to their stub. Correct parts
    are unchanged. The lesson `ends` unless more of it is to come."""
    files = dict(authored)
    stubs = [stub for stub in find_stubs(files, toolchain) if stub.id]
    plans = {str(plan["stub"]): plan["test_names"] for plan in planned or ()}
    sites = (site for text in below(files, "tests").values() for site in toolchain.tests(text))
    tests = _by_stub([site.name for site in sites], [stub.site.name for stub in stubs], plans)
    for stub in reversed(stubs):  # bottom up, so lines above keep their numbers
        lesson = files.get(LESSON, "")
        files[stub.file] = _in_form(files[stub.file], stub, tests[stub.site.name], lesson)
    if LESSON in files:
        others = [
            str(plan["lesson_heading"])
            for plan in planned or ()
            if plan["stub"] not in {stub.site.name for stub in stubs}
        ]
        files[LESSON] = _with_links(files[LESSON], stubs, others if ends else None)
    return files


def fenced(section: str) -> str:
    """A section of a lesson with each fence on a line of its own, and none left open, in which
    the next section would be code."""
    made: list[str] = []
    opened = ""
    for row in section.split("\n"):
        # with a sentence behind it, which is no name of a language
        closed = re.match(rf" {{0,3}}{opened}[ \t]*(?=[^\s`~]\S*(?:[ \t]+\S+){{2}})", row)
        line = row
        if opened and closed:
            made += [opened, ""]
            opened, line = "", row[closed.end() :]
        mark = _FENCE.match(line)
        before, begins = ("", "") if opened or mark else _begun(line)
        if opened and mark and mark[1].startswith(opened) and not mark[2].strip():
            opened = ""
        elif not opened and (mark or begins):
            opened = mark[1] if mark else begins[: begins.rindex("`") + 1]
        made += [before, "", begins] if begins else [line]
    if opened:
        made = [*"\n".join(made).rstrip("\n").split("\n"), opened, ""]
    return "\n".join(made)


def _begun(line: str) -> tuple[str, str]:
    """What stands before a fence that ends a line, and the fence; nothing where there is none, or
    where code within the line ends so."""
    found = _ENDS_LINE.search(line)
    before = line[: found.start()].rstrip() if found else ""
    if found is None or not before or before.count("`") % 2 or found[1] in before:
        return "", ""
    return before, f"{found[1]}{found[2]}"


def _by_stub(
    tests: Sequence[str], stubs: Sequence[str], plans: Mapping[str, Sequence[str]]
) -> dict[str, list[str]]:
    """The tests that are named after each stub, or planned for it, in file order."""
    longest = sorted(stubs, key=len, reverse=True)
    found: dict[str, list[str]] = {stub: [] for stub in stubs}
    for test in dict.fromkeys(tests):
        after = next((stub for stub in longest if test.startswith(f"test_{stub}_")), None)
        for stub in stubs:
            if after == stub or (after is None and test in plans.get(stub, ())):
                found[stub].append(test)
    return found


def _in_form(text: str, stub: Stub, wanted: Sequence[str], lesson: str) -> str:
    """The text with the lines of a stub's comment as the tutor writes them, and ASCII signs in what
    stands above them."""
    comment = _corrected(stub.comment, wanted, lesson)
    written = comment.written()
    begin = stub.site.comment_line - 1
    lines, plain = text.split("\n"), (stub.site.comment or "").split("\n")
    for name, (first, last) in sorted(comment.places.items(), key=lambda at: at[1], reverse=True):
        margin, found, _ = lines[begin + first - 1].partition(plain[first - 1].strip())
        _, ends, closing = lines[begin + last - 1].rpartition(plain[last - 1].strip())
        if not (found and ends):
            continue
        new = _wrapped(margin, written[name]) if name == "start" else [margin + written[name]]
        # A quote that is now ASCII must not join the quotes that end a docstring.
        new[-1] += f" {closing}" if closing and new[-1].endswith(closing[0]) else closing
        lines[begin + first - 1 : begin + last] = new
    for number in range(comment.line - 1):
        said = plain[number].strip()
        lines[begin + number] = lines[begin + number].replace(said, ascii_signs(said))
    return "\n".join(lines)


def _corrected(comment: StubComment, wanted: Sequence[str], lesson: str) -> StubComment:
    """The comment with its first test, and with the heading as spelled in the lesson if only its
    spelling differs."""
    there = [mark.text for mark in headings(lesson) if mark.level > 1]
    alike = [heading for heading in there if _plain(heading) == _plain(comment.heading)]
    heading = alike[0] if len(alike) == 1 else comment.heading
    tests = tuple(wanted[:1]) if "test" in comment.places and wanted else comment.tests
    return replace(comment, heading=heading, tests=tests)


def _wrapped(margin: str, text: str) -> list[str]:
    return wrap(
        text,
        WIDTH,
        initial_indent=margin,
        subsequent_indent=f"{margin}    ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _plain(heading: str) -> str:
    return "".join(re.findall(r"\w+", ascii_form(heading).casefold()))


def _with_links(lesson: str, stubs: Sequence[Stub], others: Sequence[str] | None) -> str:
    """Each section with a link to its stub at the end; the last one, which has no stub of its
    own, links to the last stub, unless `others` has its heading or is None."""
    by_heading = {_plain(stub.comment.heading): stub for stub in stubs if stub.comment.heading}
    by_name = {stub.site.name: stub for stub in stubs}
    pieces = split_at(lesson, 2)
    out: list[str] = []
    for number, piece in enumerate(pieces):
        head = next((mark.text for mark in headings(piece) if mark.level == 2), "")
        rest = piece.rstrip()
        link = CLOSING_LINK.search(rest)
        named = by_name.get(link[1]) if link else None
        last = others is not None and 0 < number == len(pieces) - 1
        own = _plain(head) in map(_plain, others or ())
        bridge = stubs[-1] if stubs and last and not own else None
        stub = by_heading.get(_plain(head)) or named or bridge
        if stub is None or (link and (link[1], link[2]) == (stub.site.name, stub.file)):
            out.append(piece)
            continue
        wanted = f"[{stub.site.name}]({stub.file})"
        if link is not None and named is not None:  # in place of the wrong one
            out.append(rest[: link.start()] + wanted)
        else:
            out.append(f"{rest}\n\n{wanted}")
    mended = "\n\n".join(out)
    return mended + "\n" if lesson.endswith("\n") else mended
