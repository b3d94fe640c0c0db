"""Which unit a command is about: named, at the cursor, else the focus."""

from types import SimpleNamespace

import pytest

from tests.tutor.open_kit import open_exercise
from tutor_lsp.core.errors import TutorError
from tutor_lsp.tutor.commands.open_place import _place
from tutor_lsp.tutor.exercise.unit_at_cursor import unit_meant
from tutor_lsp.tutor.interface.arguments import OpenArguments
from tutor_lsp.tutor.interface.place import Position

APP = SimpleNamespace(frontend=SimpleNamespace(current_document=lambda: None))
FILE, TESTS = "src/exercise/movie.py", "tests/test_movie.py"


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    folder = "python-functions-movie-night"
    return open_exercise(tmp_path_factory.mktemp("meant") / folder, "python", folder)


@pytest.fixture
def meant(opened):
    def ask(file=None, text="", *, below=0, unit=None):
        position = None
        if file is not None:
            line = opened.text(file).split(text)[0].count("\n") + below
            position = Position(line=line, character=0)
        uri = (opened.root / file).as_uri() if file is not None else None
        arguments = OpenArguments(uri=uri, position=position, unit=unit)
        return unit_meant(APP, opened, opened.view(), arguments).unit.id

    return ask


def test_the_stub_at_the_cursor_then_the_focus(meant):
    assert meant() == "ex-1"
    assert meant(FILE, "def catches_bus") == "ex-3"
    assert meant(FILE, 'NotImplementedError("ends_at")') == "ex-2"
    assert meant(FILE, "WALK = 10") == "ex-1"
    assert meant("LESSON.md", "## ", below=1) == "ex-1"


def test_a_name_counts_before_the_cursor(meant):
    assert meant(FILE, "def catches_bus", unit="ends_at") == "ex-2"
    with pytest.raises(TutorError, match="no unit ex-9"):
        meant(unit="ex-9")


def test_in_the_tests_the_unit_of_the_test(meant):
    assert meant(TESTS, "def test_ends_at_adds", below=1) == "ex-2"
    assert meant(TESTS, "def test_plan") == "ex-4"
    assert meant(TESTS, "import") == "ex-1"


def test_what_stands_above_a_test_means_that_test(opened, meant):
    name = "def test_plan"
    head, _, rest = opened.text(TESTS).partition(name)
    marked = f"{head}# Both at once.\n@mark\n{name}{rest}"
    opened.buffers[opened.root / TESTS] = marked
    try:
        assert meant(TESTS, "# Both") == "ex-4"
        assert meant(TESTS, "@mark") == "ex-4"
        assert meant(TESTS, "# Both", below=-1) == "ex-4"
        assert meant(TESTS, "# Both", below=-3) == "ex-3"
    finally:
        opened.buffers.clear()


@pytest.mark.parametrize(
    ("language", "folder", "file", "mark"),
    [
        ("rust", "rust-structs-gift-card", "tests/gift_card.rs", "#[test]"),
        ("c", "c-arrays-high-scores", "tests/test_scores.c", ""),
    ],
)
def test_code_between_and_after_tests_means_the_focus(tmp_path, language, folder, file, mark):
    opened = open_exercise(tmp_path / folder, language, folder)
    text = opened.text(file)
    last = opened.test_sites(text)[-1]
    lines = text.split("\n")
    lines[last.end_line :] = ["", "int main(void)", "{", "}"]
    lines[last.line - 1 - bool(mark) : last.line - 1] = (
        ["helper();", "", mark] if mark else ["helper();"]
    )
    opened.buffers[opened.root / file] = "\n".join(lines)
    site = opened.test_sites(opened.text(file))[-1]
    view = opened.view()
    unit = next(item.unit.id for item in view.units if site.name in item.unit.tests)
    assert unit != view.focus.unit.id

    def at(line):
        arguments = OpenArguments(
            uri=(opened.root / file).as_uri(), position=Position(line=line - 1, character=0)
        )
        return unit_meant(APP, opened, view, arguments).unit.id

    assert at(site.line) == at(site.end_line) == unit
    assert at(site.line - 1) == (unit if mark else view.focus.unit.id)
    assert at(lines.index("helper();") + 1) == view.focus.unit.id
    assert at(site.end_line + 3) == view.focus.unit.id


def test_a_test_is_found_by_its_name(opened):
    view = opened.view()
    item = view.units[0]
    name = item.unit.tests[-1]
    lines = opened.text(TESTS).split("\n")
    assert f"def {name}" in lines[_place(view, item, "test", name).line - 1]
    first = _place(view, item, "test", None)
    assert _place(view, item, "test", "test_gone") == first
