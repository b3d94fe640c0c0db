"""Links between stub comment, lesson, stubs and tests, in both directions."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tutor_lsp.core.exercise.exercise import LESSON
from tutor_lsp.core.text.positions import line_index, split_lines
from tutor_lsp.tutor.ide.view import Span, UnitView, View

MARKDOWN_LINK = re.compile(r"\[(?P<label>[^\]\n]+)\]\((?P<path>[^)\s#]+)(?:#(?P<place>[^)\s]*))?\)")
LINE_OF_PLACE = re.compile(r"L(\d+)(?:C\d+)?")
_WORD = re.compile(r"\w+")
_EDGE_MARKS = "`*_~ \t"


@dataclass(frozen=True, slots=True)
class Link:
    """A range in a file that leads to a range in a file of the exercise."""

    span: Span
    file: str
    target: Span
    tooltip: str

    @property
    def line(self) -> int:
        """The 1-based line that it leads to."""
        return self.target.line


def links(view: View, file: str) -> list[Link]:
    """All links of one file, in order: what editors mark as such."""
    if file == LESSON:
        found = [*_headings(view), *_markdown_links(view)]
    elif _is_given_test(view, file):
        found = list(_test_names(view, file))
    else:
        found = [link for item in view.in_file(file) for link in _in_comment(view, item)]
    return sorted(found, key=lambda link: (link.span.line, link.span.column))


def _is_given_test(view: View, file: str) -> bool:
    """Whether a file has tests, and none that the learner is to write."""
    return file.startswith("tests/") and file not in view.exercise.starter


def definitions(
    view: View, file: str, line: int, column: int, *, in_code: bool = True
) -> list[Link]:
    """Where the text at a 1-based place leads: the links there, else in a stub's comment those of
    the line, else the stub that is named there in the lesson or, with `in_code`, in a test. A
    heading leads to every stub that it is about, as the beginning of a `Test:` line to all tests.
    """
    known = links(view, file)
    here = [link for link in known if _covers(link.span, line, column)]
    if not here and file != LESSON and not _is_given_test(view, file):
        return _of_line(view, file, [link for link in known if link.span.line == line])
    if here or (file != LESSON and not in_code):
        return here
    named = stub_named(view, file, line, column)
    return [_to_stub(named[0], named[1])] if named is not None else []


def _of_line(view: View, file: str, found: list[Link]) -> list[Link]:
    """Where a line of a stub's comment leads: its links, and from a test to all of that unit's."""
    first = next((link for link in found if link.file.startswith("tests/")), None)
    item = view.unit_at(file, first.span.line) if first else None
    if first is None or item is None:
        return found
    tests = item.unit.tests
    return [_to_test(view, first.span, name) for name in tests if name in view.test_lines]


def stub_named(view: View, file: str, line: int, column: int) -> tuple[Span, UnitView] | None:
    """The stub whose name stands at a 1-based place of the lesson or a test, and where."""
    if file != LESSON and not _is_given_test(view, file):
        return None
    for match in _WORD.finditer(line_index(view.texts.get(file, "")).line(line)):
        if match.start() < column <= match.end() + 1:
            for item in view.units:
                if item.unit.stub == match.group():
                    return Span(line, match.start() + 1, line, match.end() + 1), item
    return None


def label_stub(view: View, label: str, path: str) -> UnitView | None:
    """The unit whose stub a Markdown link names, such as `count()` in `src/lib.rs`, or None."""
    name = label.strip(_EDGE_MARKS).removesuffix("()")
    path = path.removeprefix("./")
    return next((i for i in view.units if (i.unit.stub, i.unit.file) == (name, path)), None)


def _covers(span: Span, line: int, column: int) -> bool:
    return span.line == line and span.column <= column <= span.end_column


def _to_stub(span: Span, item: UnitView) -> Link:
    return Link(span, item.unit.file, item.name_span, f"Stub: {item.unit.stub}")


def _to_test(view: View, span: Span, name: str) -> Link:
    file, line = view.test_lines[name]
    return Link(span, file, _word_span(view, file, line, name), f"Test: {name}")


def _word_span(view: View, file: str, line: int, word: str) -> Span:
    """Where a word stands on a line, or the line's beginning."""
    text = line_index(view.texts.get(file, "")).line(line)
    match = re.search(rf"\b{re.escape(word)}\b", text)
    first, last = (match.start() + 1, match.end() + 1) if match else (1, 1)
    return Span(line, first, line, last)


def _in_comment(view: View, item: UnitView) -> Iterator[Link]:
    site = item.site
    if site is None or site.comment is None:
        return
    index = line_index(view.texts.get(item.unit.file, ""))
    heading_line = view.heading_lines.get(item.unit.lesson_heading)
    for number in range(site.comment_line, min(site.comment_end_line, index.line_count) + 1):
        line = index.line(number)
        at = line.find(LESSON)
        if at >= 0 and heading_line is not None:
            span = Span(number, at + 1, number, len(line.rstrip()) + 1)
            place = Span(heading_line, 1, heading_line, 1)
            yield Link(span, LESSON, place, f"Lesson: {item.unit.lesson_heading}")
        for match in _WORD.finditer(line):
            name = match.group()
            if name in item.unit.tests and name in view.test_lines:
                span = Span(number, match.start() + 1, number, match.end() + 1)
                yield _to_test(view, span, name)


def _headings(view: View) -> Iterator[Link]:
    index = line_index(view.texts.get(LESSON, ""))
    for item in view.units:
        number = view.heading_lines.get(item.unit.lesson_heading)
        if number is not None:
            yield _to_stub(Span(number, 1, number, len(index.line(number).rstrip()) + 1), item)


def _markdown_links(view: View) -> Iterator[Link]:
    for number, line in enumerate(split_lines(view.texts.get(LESSON, "")), start=1):
        for match in MARKDOWN_LINK.finditer(line):
            end = match.end("path") if match["place"] is None else match.end("place")
            span = Span(number, match.start("path") + 1, number, end + 1)
            item = label_stub(view, match["label"], match["path"])
            if item is not None:
                yield _to_stub(span, item)
                continue
            file = match["path"].removeprefix("./")
            given = LINE_OF_PLACE.match(match["place"] or "")
            if file in view.texts:
                at = int(given.group(1)) if given else 1
                yield Link(span, file, Span(at, 1, at, 1), file)


def _test_names(view: View, file: str) -> Iterator[Link]:
    for item in view.units:
        for name in item.unit.tests:
            place = view.test_lines.get(name)
            if place is not None and place[0] == file:
                yield _to_stub(_word_span(view, file, place[1], name), item)
