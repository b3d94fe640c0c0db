"""Links in LESSON.md that name a line, such as `[count](src/lib.rs#L12)`, follow that line."""

import asyncio
import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from tutor_lsp.core.exercise.exercise import LESSON
from tutor_lsp.core.text.positions import split_lines
from tutor_lsp.tutor.exercise.folder.files import read_text, replace_text
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.ide.links import MARKDOWN_LINK, label_stub
from tutor_lsp.tutor.ide.view import View
from tutor_lsp.tutor.services.services import Services

_LINES = re.compile(r"L(?P<first>\d+)(?:C\d+)?(?:-L(?P<last>\d+)(?:C\d+)?)?")

Key = tuple[str, str, int]
"""Label, path, and which of several links with both."""
LineOf = Callable[[Key, int], int]


async def keep_true(services: Services, opened: OpenExercise) -> None:
    """Correct the line numbers of all such links; called when a file of the exercise was saved.

    The lesson is edited in the editor that shows it, else on the disk; a learner's text that is
    about to be saved is left alone.
    """
    view = opened.view()
    lesson = view.texts.get(LESSON)
    if lesson is None:
        return
    now, before = view.texts, opened.linked_texts
    opened.linked_texts = now
    moved = follow(lesson, _line_of(view, before))
    if moved == lesson:
        return
    opened.linked_texts = {**now, LESSON: moved}
    path = opened.path(LESSON)
    if await services.frontend.replace(path, moved):
        return
    if await asyncio.to_thread(read_text, path) == lesson:
        await asyncio.to_thread(replace_text, path, moved)


def follow(lesson: str, line_of: LineOf) -> str:
    """The lesson with every line in its links as `line_of` says; all else stays as it is."""
    parts, end = [], 0
    for key, match, place in _placed(lesson):
        first = int(place["first"])
        line = line_of(key, first)
        new = f"L{line}"
        if place["last"] is not None:
            new += f"-L{line + max(int(place['last']) - first, 0)}"
        if line != first:
            start = match.start("place")
            parts += [lesson[end : start + place.start()], new]
            end = start + place.end()
    return "".join([*parts, lesson[end:]])


def _placed(lesson: str) -> Iterator[tuple[Key, re.Match[str], re.Match[str]]]:
    seen: Counter[tuple[str, str]] = Counter()
    for match in MARKDOWN_LINK.finditer(lesson):
        place = _LINES.match(match["place"] or "")
        if place is not None and "://" not in match["path"]:
            name = match["label"], match["path"].removeprefix("./")
            yield (*name, seen[name]), match, place
            seen[name] += 1


def _line_of(view: View, before: Mapping[str, str]) -> LineOf:
    """Where a link's line is now: by the name in its label, else by what became of its line
    since `before`.
    """
    old = {key: int(place["first"]) for key, _, place in _placed(before.get(LESSON, ""))}

    def line_of(key: Key, line: int) -> int:
        label, path, _ = key
        item = label_stub(view, label, path)
        if item is not None:
            return item.name_span.line if item.site is not None else line
        test = view.test_lines.get(label.strip("`"))
        if test is not None and test[0] == path:
            return test[1]
        then = old.get(key)
        if then is None or path not in before or path not in view.texts:
            return line
        return _moved(before[path], view.texts[path], then) or line

    return line_of


def _moved(before: str, now: str, line: int) -> int | None:
    """The 1-based line that a line of an earlier text has become, None if it is gone."""
    matcher = difflib.SequenceMatcher(None, split_lines(before), split_lines(now), autojunk=False)
    for block in matcher.get_matching_blocks():
        if block.a <= line - 1 < block.a + block.size:
            return block.b + line - block.a
    return None
