"""Which unit a command is about: named, at the cursor, else the focus."""

from types import SimpleNamespace

import pytest

from tests.tutor.open_kit import open_exercise
from tutor_lsp.core.errors import TutorError
from tutor_lsp.tutor.arguments import OpenArguments, Position
from tutor_lsp.tutor.meant import unit_meant
from tutor_lsp.tutor.open import _place

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


def test_a_test_is_found_by_its_name(opened):
    view = opened.view()
    item = view.units[0]
    name = item.unit.tests[-1]
    lines = opened.text(TESTS).split("\n")
    assert f"def {name}" in lines[_place(view, item, "test", name).line - 1]
    first = _place(view, item, "test", None)
    assert _place(view, item, "test", "test_gone") == first
