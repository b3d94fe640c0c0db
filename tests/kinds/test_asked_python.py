"""Tests that a learner writes in Python."""

import pytest
from asked_kit import NOT_YET, asking, check_state, shown
from kinds_kit import FINE, put

from tutor_lsp.core.ports import Early

FILE = "tests/test_span.py"
NONE = f"no tests are found in {FILE} yet"
USE = "from exercise.span import span\n\n\n"
GIVEN = "refuses the program that is given, in your"
RIGHT = (
    USE
    + """def test_span_in_no_order():  # <-
    assert span([3, 9, 1]) == 8


def test_span_below_zero():
    assert span([-3, -9]) == 6


def test_span_of_nothing():
    assert span([]) == 0
"""
)
STATES = {
    "right": (RIGHT, "passing", ""),
    "catches two": (
        USE + "def test_order():  # <-\n    assert span([3, 9, 1]) == 8\n", "failing",
        "accepts the right programs, catches 2 of 3: nothing notices what `span([])` gives",
    ),
    "always fails": (
        USE + "def test_never():\n    assert span([3, 9, 1]) == 7  # <-\n", "failing",
        f"{GIVEN} `test_never`: `span([3, 9, 1])` gave 8, expected 7",
    ),
    "syntax error": (
        "def test_x(:  # <-\n    pass\n", "failing",
        f"line 9 of {FILE} does not build: invalid syntax",
    ),
    "nothing": ("", "todo", NOT_YET),
    "blank": ("\n   \n\n", "todo", NOT_YET),
    "unrelated": ("LIMIT = 3\n", "failing", NONE),
    "no test function": (USE + "def check():\n    assert span([]) == 0\n", "failing", NONE),
    "always passes": (
        "def test_all_is_well():  # <-\n    assert True\n", "failing",
        "accepts the right programs, catches 0 of 3: nothing notices what `span([3, 9, 1])` gives",
    ),
    "catches one": (
        USE + "def test_nothing():  # <-\n    assert span([]) == 0\n", "failing",
        "accepts the right programs, catches 1 of 3: nothing notices what `span([3, 9, 1])` gives",
    ),
    "too strict": (
        USE + "def test_span_of_none():\n    assert span(None) == 0  # <-\n", "failing",
        "refuses a right program: your `test_span_of_none` asks for more than the contract says",
    ),
    "asks for the code": (
        "import inspect\n\nimport pytest\n\n" + USE
        + '@pytest.mark.parametrize("text", [inspect.getsource(span)])\n'
        "def test_code(text):\n    assert 'for one' not in text  # <-\n", "failing",
        "refuses a right program: your `test_code` asks for more than the contract says",
    ),
    "wrong import": (
        "from exercise.spam import span  # <-\n", "failing",
        f"line 9 of {FILE} raised ModuleNotFoundError",
    ),
    "wrong name": (
        "from exercise.span import spam  # <-\n", "failing",
        f"line 9 of {FILE} raised ImportError",
    ),
    "a loop that never ends": (
        "def test_loop():  # <-\n    while True:\n        pass\n", "failing",
        f"{GIVEN} `test_loop`: This test did not finish",
    ),
    "a loop outside": ("while True:\n    pass\n", "failing", f"line 1 of {FILE} does not build"),
    "ends the process": (
        "import os\n\n\ndef test_exit():  # <-\n    os._exit(3)\n", "failing",
        f"{GIVEN} `test_exit`: This test ended the whole run",
    ),
    "ends it at once": (
        "raise SystemExit  # <-\n", "failing", f"line 9 of {FILE} raised SystemExit",
    ),
    "an error in it": (
        USE + "def test_error():\n    span(3)  # <-\n", "failing", f"{GIVEN} `test_error`",
    ),
    "a name of another unit": (
        "def test_note_warns_of_frost():\n    assert False  # <-\n", "failing",
        f"{GIVEN} `test_note_warns_of_frost`",
    ),
    "skipped": (
        "import pytest\n\n\n@pytest.mark.skip\ndef test_later():  # <-\n    assert False\n",
        "failing", NONE,
    ),
    "a class of tests": (
        USE + "class TestSpan:\n    def test_all(self):  # <-\n"
        "        assert span([3, 9, 1]) == 8\n"
        "        assert span([-3, -9]) == 6\n        assert span([]) == 0\n", "passing", "",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def it(tmp_path_factory):
    return asking(tmp_path_factory.mktemp("asking"), "python")


@pytest.mark.first(3)
@pytest.mark.parametrize("name", STATES)
def test_each_state_has_its_mark_and_takes_nothing_from_others(it, tmp_path, name):
    check_state(it, tmp_path, STATES[name])


def test_an_import_that_fails_names_no_folder(it, tmp_path):
    seen = shown(it, tmp_path, it.made.written("from exercise.span import spam\n"))
    assert seen.said.endswith("ImportError: cannot import name 'spam' from 'exercise.span'")


def test_without_its_comment_it_passes_all_the_same(it, tmp_path):
    seen = shown(it, tmp_path, RIGHT)
    assert (seen.state, seen.others) == ("passing", FINE)


def test_a_file_that_is_gone_is_said_to_be(it, tmp_path):
    seen = shown(it, tmp_path, None)
    assert (seen.state, seen.others) == ("failing", FINE)
    assert seen.said == f"{FILE} is gone; tutor.reset or tutor.restore puts it back"


def test_results_of_others_are_told_before_programs_run(it, tmp_path, monkeypatch):
    place, order = it.runs.place, []

    def noted():
        order.append("programs")
        return place()

    monkeypatch.setattr(it.runs, "place", noted)
    made = it.made
    put(tmp_path, {**made.files, **made.solution, FILE: made.written(RIGHT + "# once more\n")})
    last = frozenset(made.exercise.unit("ex-3").tests)
    raw = it.run(tmp_path, early=Early(last, lambda tests: order.append({t.name for t in tests})))
    assert order == [last, "programs"]
    assert raw.outcome == "passed"
