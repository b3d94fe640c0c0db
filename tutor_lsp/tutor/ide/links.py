"""Links from the stub comment to lesson and tests, and from the lesson to the stubs."""

import re
from dataclasses import dataclass

from tutor_lsp.tutor.ide.view import Span, UnitView, View

LESSON = "LESSON.md"
_MARKDOWN_LINK = re.compile(r"\[([^\]\n]+)\]\(([^)\s#]+)(?:#[^)]*)?\)")


@dataclass(frozen=True, slots=True)
class Link:
    """A range in a file that leads to another file of the exercise at a 1-based line."""

    span: Span
    file: str
    line: int
    tooltip: str


def links(view: View, file: str) -> list[Link]:
    """All links of one file, in order."""
    if file == LESSON:
        return _in_lesson(view)
    return [link for item in view.in_file(file) for link in _in_comment(view, item)]


def _in_comment(view: View, item: UnitView) -> list[Link]:
    site = item.site
    text = view.texts.get(item.unit.file)
    if site is None or site.comment is None or text is None:
        return []
    found = []
    lines = text.splitlines() if "\r" not in text else re.split(r"\r\n|\n|\r", text)
    targets = [
        (name, *view.test_lines[name]) for name in item.unit.tests if name in view.test_lines
    ]
    heading_line = view.heading_lines.get(item.unit.lesson_heading)
    for number in range(site.comment_line, min(site.comment_end_line, len(lines)) + 1):
        line = lines[number - 1]
        at = line.find(LESSON)
        if at >= 0 and heading_line is not None:
            end = len(line.rstrip())
            span = Span(number, at + 1, number, end + 1)
            found.append(Link(span, LESSON, heading_line, f"Lesson: {item.unit.lesson_heading}"))
        for name, test_file, test_line in targets:
            for match in re.finditer(rf"\b{re.escape(name)}\b", line):
                span = Span(number, match.start() + 1, number, match.end() + 1)
                found.append(Link(span, test_file, test_line, f"Test: {name}"))
    return found


def _in_lesson(view: View) -> list[Link]:
    stubs = {item.unit.stub: item for item in view.units}
    found = []
    for number, line in enumerate(re.split(r"\r\n|\n|\r", view.texts.get(LESSON, "")), start=1):
        for match in _MARKDOWN_LINK.finditer(line):
            label, target = match.group(1).strip("`"), match.group(2)
            item = stubs.get(label.removesuffix("()"))
            if item is None or item.unit.file != target:
                continue
            span = Span(number, match.start(2) + 1, number, match.end(2) + 1)
            at = item.site.line if item.site else item.unit.line
            found.append(Link(span, target, at, f"Stub: {label}"))
    return found
