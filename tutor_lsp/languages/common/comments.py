"""The stub comment: the index from which hover, actions, links and failures are made."""

import re
from dataclasses import dataclass

_HEAD = re.compile(
    r"^\s*(?P<unit>ex-\d+)\s*(?:[-–—―:]+)\s*first\s+principle\s*:\s*(?P<rest>.*)$", re.IGNORECASE
)
_FIELD = re.compile(r"^\s*(?P<name>read|tests?|start\s+here)\s*:\s*(?P<rest>.*)$", re.IGNORECASE)
_TEST = re.compile(r"\btest_\w+")
_OPEN = "\"'“”„«‘’`"
_CLOSE = "\"'“”«»‘’`"
_LESSON = re.compile(r"^`?[\w./-]*lesson[\w-]*\.md`?\s*[:,]?\s*", re.IGNORECASE)
_SECTION = re.compile(r"^(?:§+|section\b|sect?\.)\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class StubComment:
    """A parsed stub comment. Fields that are missing are empty, their line 0.

    Lines count from 1 at the first line of the comment's text; `end_line` is the last line of the
    last field. `contract` is the text before the first field.
    """

    unit_id: str
    first_principle: str
    heading: str
    tests: tuple[str, ...]
    start_here: str
    contract: str
    line: int
    read_line: int
    test_line: int
    start_line: int
    end_line: int

    @property
    def complete(self) -> bool:
        """Whether all four fields are there."""
        return bool(self.first_principle and self.heading and self.tests and self.start_here)


def parse_stub_comment(text: str) -> StubComment | None:
    """Read a comment without its marks; None if it has no line `ex-N — First principle: …`.

    Hyphen, en dash and em dash are the same, straight and curly quotes too; a field goes on over
    further lines up to the next field or an empty line.
    """
    lines = text.splitlines()
    head = next(((i, m) for i, line in enumerate(lines) if (m := _HEAD.match(line))), None)
    if head is None:
        return None
    start, match = head
    values: dict[str, list[str]] = {"first": [match["rest"]]}
    at = {"first": start + 1}
    current: str | None = "first"
    end = start + 1
    for index, line in enumerate(lines[start + 1 :], start + 2):
        found = _FIELD.match(line)
        if found:
            current = {"r": "read", "t": "test", "s": "start"}[found["name"][0].lower()]
            values[current] = [found["rest"]]
            at[current] = index
        elif not line.strip() or _HEAD.match(line):
            current = None
            continue
        elif current is not None:
            values[current].append(line)
        else:
            continue
        end = index
    joined = {name: " ".join(part.strip() for part in parts) for name, parts in values.items()}
    return StubComment(
        unit_id=match["unit"].lower(),
        first_principle=joined["first"].strip(),
        heading=_heading(joined.get("read", "")),
        tests=tuple(dict.fromkeys(_TEST.findall(joined.get("test", "")))),
        start_here=joined.get("start", "").strip(),
        contract="\n".join(lines[:start]).strip(),
        line=at["first"],
        read_line=at.get("read", 0),
        test_line=at.get("test", 0),
        start_line=at.get("start", 0),
        end_line=end,
    )


def _heading(text: str) -> str:
    text = _LESSON.sub("", text.strip())
    text = _SECTION.sub("", text).strip()
    if len(text) > 1 and text[0] in _OPEN:
        closing = max(text.rfind(quote) for quote in _CLOSE)
        if closing > 0:
            text = text[1:closing]
    return " ".join(text.split())
