"""The stub comment, the index from which hover, actions, links and failures are made: its form is
written and read here. Pure.

Written are four short lines of ASCII:

    ex-2 - First principle: bump pointer advance
    Read: LESSON.md, "Arena layout and bump pointers"
    Test: test_arena_alloc_advances_offset
    Start here: compute the aligned size

Read is also what earlier versions and models write: other dashes and quotes, a section sign, all of
a unit's tests, fields that go on over further lines.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tutor_lsp.core.text.ascii_form import ascii_form

WIDTH = 78
"""Columns that its lines have: a window of 80 with a sign column does not break them."""
_LINE_END = re.compile(r"\r?\n")
"""What ends a line of a source file, of which `str.splitlines` knows more."""
_HEAD = re.compile(
    r"\b(?P<unit>ex-\d+)\s*(?:[-–—―:]+)\s*first\s+principle\s*:\s*(?P<rest>.*)$", re.IGNORECASE
)
_FIELD = re.compile(r"^\s*(?P<name>read|tests?|start\s+here)\s*:\s*(?P<rest>.*)$", re.IGNORECASE)
_TEST = re.compile(r"\btest_\w+")
_OPEN = "\"'“”„«‘’`"
_CLOSE = "\"'“”«»‘’`"
_LESSON = re.compile(r"^`?[\w./-]*lesson[\w-]*\.md`?\s*[:,]?\s*", re.IGNORECASE)
_SECTION = re.compile(r"^(?:§+|section\b|sect?\.)\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class StubComment:
    """A parsed stub comment. Fields that are missing are empty.

    `places` has the first and last line of each field that is there, by its name (`first`, `read`,
    `test`, `start`), counted from 1 at the first line of the comment's text. `contract` is the text
    before the first field.
    """

    unit_id: str = ""
    first_principle: str = ""
    heading: str = ""
    tests: tuple[str, ...] = ()
    start_here: str = ""
    contract: str = ""
    places: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def line(self) -> int:
        """The line that names the unit."""
        return self.places["first"][0]

    @property
    def end_line(self) -> int:
        """The last line of the last field."""
        return max(last for _, last in self.places.values())

    @property
    def complete(self) -> bool:
        """Whether all four fields are there."""
        return bool(self.first_principle and self.heading and self.tests and self.start_here)

    def written(self) -> dict[str, str]:
        """The line of each field that is there, in order and by its name, in the form above: in
        ASCII but for letters that have none and for code and names in quotes, with one test."""
        texts = {
            "first": f"{self.unit_id} - First principle: {ascii_form(self.first_principle)}",
            "read": f'Read: LESSON.md, "{ascii_form(self.heading)}"',
            "test": f"Test: {''.join(self.tests[:1])}",
            "start": f"Start here: {ascii_form(self.start_here)}",
        }
        return {name: text for name, text in texts.items() if name in self.places}


NO_COMMENT = StubComment()


def unit_of_line(line: str) -> re.Match[str] | None:
    """Whether a line of a source file, comment marks included, says which unit a stub is: a match
    with the id as its group `unit`."""
    return _HEAD.search(line)


def parse_stub_comment(text: str) -> StubComment | None:
    """Read a comment without its marks; None if it has no line `ex-N - First principle: …`.

    Hyphen, en dash and em dash are the same, straight and curly quotes too; a field goes on over
    further lines up to the next field or an empty line.
    """
    lines = _LINE_END.split(text)
    head = next(((i, m) for i, line in enumerate(lines) if (m := _head(line))), None)
    if head is None:
        return None
    start, match = head
    found = dict(_fields(lines, start, match["rest"]))
    texts = {name: " ".join(part.strip() for part in parts) for name, (_, parts) in found.items()}
    return StubComment(
        unit_id=match["unit"].lower(),
        first_principle=texts["first"].strip(),
        heading=_heading(texts.get("read", "")),
        tests=tuple(dict.fromkeys(_TEST.findall(texts.get("test", "")))),
        start_here=texts.get("start", "").strip(),
        contract="\n".join(lines[:start]).strip(),
        places={name: (line, line + len(parts) - 1) for name, (line, parts) in found.items()},
    )


def _head(line: str) -> re.Match[str] | None:
    return _HEAD.match(line.strip())


def _fields(
    lines: list[str], start: int, principle: str
) -> Iterator[tuple[str, tuple[int, list[str]]]]:
    """Each field's name with its first line and the texts of its lines; of two with the same name
    the last one counts."""
    name: str | None = "first"
    begins, parts = start + 1, [principle]
    for number, line in enumerate(lines[start + 1 :], start + 2):
        found = _FIELD.match(line)
        if found is None and line.strip() and not _head(line):
            parts.append(line)
            continue
        if name:
            yield name, (begins, parts)
        name = found["name"][0].lower() if found else None
        name = {"r": "read", "t": "test", "s": "start"}[name] if name else None
        begins, parts = number, [found["rest"] if found else ""]
    if name:
        yield name, (begins, parts)


def _heading(text: str) -> str:
    text = _LESSON.sub("", text.strip())
    text = _SECTION.sub("", text).strip()
    if len(text) > 1 and text[0] in _OPEN:
        closing = max(text.rfind(quote) for quote in _CLOSE)
        if closing > 0:
            text = text[1:closing]
    return " ".join(text.split())
