"""From comment, lesson, stub and test to each other, and lines in the lesson's links kept true."""

import pytest
from fixture import FILE, LESSON, STARTER, TESTS, UNITS, marked, opened
from hypothesis import given
from hypothesis import strategies as st

from tutor_lsp.core.text.positions import LineIndex, changed_part
from tutor_lsp.tutor.exercise.lesson_links import keep_true
from tutor_lsp.tutor.ide.hover import hover
from tutor_lsp.tutor.ide.links import definitions, links

TEXTS = {FILE: STARTER, "LESSON.md": LESSON, "tests/test_words.py": TESTS}


def leads_to(file, old, new, text=None, *, in_code=True):
    """Where the cursor `$0` leads: (file, the text there), in order."""
    text = text or TEXTS[file]
    place = marked(text.replace(old, new, 1))
    assert place.text == text
    view = opened({file: text}).view()
    found = []
    for link in definitions(view, file, *place.cursor, in_code=in_code):
        line = LineIndex(view.texts[link.file]).line(link.target.line)
        whole = link.target.column == link.target.end_column
        word = line if whole else line[link.target.column - 1 : link.target.end_column - 1]
        found.append((link.file, word))
    return found


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        (FILE, 'Read: LESSON.md, "Spl', 'Read: LESSON.md, "$0Spl',
         [("LESSON.md", "## Splitting text")]),
        (FILE, "test_count_ignores", "$0test_count_ignores",
         [("tests/test_words.py", "test_count_ignores_spaces")]),
        (FILE, "Start here: what", "Start here: $0what", []),
        (FILE, '    Read: LESSON.md, "Spl', '$0    Read: LESSON.md, "Spl',
         [("LESSON.md", "## Splitting text")]),
        (FILE, "Test: test_longest", "$0Test: test_longest",
         [("tests/test_words.py", "test_longest_prefers_first")]),
        (FILE, "Test: test_count", "Te$0st: test_count",
         [("tests/test_words.py", "test_count_ignores_spaces"),
          ("tests/test_words.py", "test_count_of_two")]),
        ("LESSON.md", "## Longest word", "## Long$0est word", [(FILE, "longest")]),
        ("LESSON.md", "`count` splits", "`co$0unt` splits", [(FILE, "count")]),
        ("LESSON.md", "(src/exercise", "(src/$0exercise", [(FILE, "count")]),
        ("LESSON.md", "# Words", "# Wo$0rds", []),
        ("tests/test_words.py", "def test_longest", "def test_$0longest", [(FILE, "longest")]),
        ("tests/test_words.py", 'assert count("a b")', 'assert co$0unt("a b")', [(FILE, "count")]),
    ],
)  # fmt: skip
def test_definition(file, old, new, expected):
    assert leads_to(file, old, new) == expected


def test_names_in_code_are_left_to_another_server():
    call = ("tests/test_words.py", 'assert count("a b")', 'assert co$0unt("a b")')
    assert leads_to(*call, in_code=False) == []
    name = ("tests/test_words.py", "def test_longest", "def test_$0longest")
    assert leads_to(*name, in_code=False) == [(FILE, "longest")]


def test_a_heading_leads_to_every_stub_that_it_is_about():
    exercise = opened()
    shared = [UNITS[0].__class__(**{f: getattr(u, f) for f in u.__slots__}) for u in UNITS]
    view = exercise.view()
    headings = {unit.lesson_heading: 3 for unit in shared}
    both = view.__class__(**{f: getattr(view, f) for f in view.__slots__} | {
        "heading_lines": headings})  # fmt: skip
    assert [link.file for link in definitions(both, "LESSON.md", 3, 4)] == [FILE, FILE]


def test_definition_follows_an_edit():
    found = leads_to(
        "LESSON.md", "`count` splits", "`cou$0nt` splits",
    )  # fmt: skip
    assert found == [(FILE, "count")]
    view = opened({FILE: "# é𝄞\n\n" + STARTER}).view()
    (link,) = definitions(view, "LESSON.md", 5, 3)
    assert (link.target.line, link.target.column) == (6, 5)


def test_links_mark_headings_and_tests_too():
    view = opened().view()
    assert [(link.span.line, link.line) for link in links(view, "LESSON.md")] == [
        (3, 4), (5, 4), (7, 15), (9, 15),
    ]  # fmt: skip
    assert [link.span.line for link in links(view, "tests/test_words.py")] == [4, 8, 12]


def test_hover_in_the_lesson_tells_how_a_stub_stands():
    view = opened().view()
    on_name = hover(view, "LESSON.md", 5, 3)
    assert "def count(text: str) -> int" in on_name.markdown
    assert "ex-1 ○ to do" in on_name.markdown
    assert "ex-2 ○ to do" in hover(view, "LESSON.md", 7, 5).markdown
    assert hover(view, "LESSON.md", 1, 3) is None
    assert hover(view, "LESSON.md", 5, 12) is None


WITH_LINES = LESSON.replace(
    "[count](src/exercise/words.py)",
    "[count](src/exercise/words.py#L4), [`longest()`](./src/exercise/words.py#L15-L18),\n"
    "[the first line](src/exercise/words.py#L1), [web](https://example.org/a.py#L4),\n"
    "[a test](tests/test_words.py#L8)",
)


class Editor:
    """A front end that has the lesson open and notes what it is told."""

    edits = ()

    def __init__(self, *, shows):
        self.shows = shows
        self.frontend = self

    async def replace(self, path, text):
        if self.shows:
            self.edits = (*self.edits, text)
        return self.shows


async def kept(texts, *, before=None, shows=True):
    """The lesson after a save, None if it was left alone."""
    exercise = opened(texts)
    if before is not None:
        exercise.linked_texts = before
    app = Editor(shows=shows)
    await keep_true(app, exercise)
    return app.edits[0] if app.edits else None


async def test_lines_in_links_follow_their_stub():
    before = {**TEXTS, "LESSON.md": WITH_LINES}
    found = await kept({FILE: "# more\n\n" + STARTER, "LESSON.md": WITH_LINES}, before=before)
    assert "[count](src/exercise/words.py#L6)" in found
    assert "[`longest()`](./src/exercise/words.py#L17-L20)" in found
    assert "[the first line](src/exercise/words.py#L3)" in found
    assert "[web](https://example.org/a.py#L4)" in found
    assert "[a test](tests/test_words.py#L8)" in found
    assert found.count("\n") == WITH_LINES.count("\n")


async def test_links_without_a_line_and_true_ones_are_left_alone():
    assert await kept({FILE: "# more\n" + STARTER}) is None
    assert await kept({"LESSON.md": WITH_LINES}, before={**TEXTS, "LESSON.md": WITH_LINES}) is None


async def test_a_stub_that_is_gone_keeps_its_line():
    gone = STARTER.replace("def count", "def other")
    assert await kept({FILE: gone, "LESSON.md": WITH_LINES}, before=TEXTS) is None


def test_a_lesson_with_moved_lines_counts_as_given():
    exercise = opened({"LESSON.md": LESSON})
    given = {**TEXTS, "LESSON.md": WITH_LINES}
    exercise.vault = exercise.vault.__class__(originals=given)
    moved = WITH_LINES.replace("#L4", "#L9").replace("#L15-L18", "#L20-L23")
    assert exercise.changed_files({**given, "LESSON.md": moved}) == ()
    assert exercise.changed_files({**given, "LESSON.md": moved + "mine"}) == ("LESSON.md",)


@given(st.text("a\r\né𝄞", max_size=12), st.text("a\r\né𝄞", max_size=12))
def test_the_changed_part_is_all_that_differs(old, new):
    first, last, middle = changed_part(old, new)
    assert old[:first] + middle + old[last:] == new
    index = LineIndex(old)
    for offset in (first, last):
        place = index.position(offset)
        assert index.offset(place.line, place.column) == offset
