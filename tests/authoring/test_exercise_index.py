"""Units from stub comments, checked against plan, lesson and tests."""

import authoring_kit as kit
import pytest

from tutor_lsp.authoring.index import build_index
from tutor_lsp.authoring.merge import merge_sections
from tutor_lsp.languages.python.toolchain import PythonToolchain
from tutor_lsp.languages.registry import languages

PYTHON = PythonToolchain()
SOURCE = merge_sections([kit.FIRST_HALF, kit.SECOND_HALF], PYTHON, gap=2)
TESTS = merge_sections([kit.FIRST_TESTS, kit.SECOND_TESTS], PYTHON, gap=2)
LESSON = "# Signs\n\n## New text from old\n\na\n\n## Repeating text\n\nb\n"


def index(units=kit.UNITS, source=SOURCE, tests=TESTS, lesson=LESSON, *, strict=False):
    files = {
        "LESSON.md": lesson,
        "src/exercise/signs.py": source,
        "tests/test_signs.py": tests,
    }
    return build_index(files, units, PYTHON, strict=strict)


def said(found):
    return [(finding.step, finding.unit) for finding in found.findings]


@pytest.mark.parametrize("units", [kit.UNITS, None])
def test_plan_and_comments_give_the_same_units(units):
    found = index(units, strict=True)
    assert found.findings == ()
    first, second = found.units
    assert (first.id, first.stub, first.file) == ("ex-1", "shout", "src/exercise/signs.py")
    assert SOURCE.split("\n")[first.line - 1].startswith("def shout(")
    assert first.tests == ("test_shout_is_in_capitals", "test_shout_keeps_digits")
    assert first.first_principle == "methods give new text"
    assert first.start_here == "which method of a text makes capitals?"
    assert (second.lesson_heading, second.lesson_line) == ("Repeating text", 7)


def test_a_stub_that_is_not_there():
    found = index(source=SOURCE.replace("def frame", "def border"))
    assert ("units", "ex-2") in said(found)
    assert ("units", None) in said(found)  # border does not belong to any unit


def test_a_stub_without_comment():
    found = index([], "def helper() -> int:\n    raise NotImplementedError('x')\n", "")
    assert found.units[0].stub == "helper"
    assert said(found) == [("units", "ex-1")]


def test_a_comment_of_another_unit():
    source = SOURCE.replace("ex-2 -", "ex-3 -")
    assert said(index(source=source)) == [("references", "ex-2")]


def test_two_stubs_of_one_unit():
    found = index(None, SOURCE.replace("ex-2 -", "ex-1 -"))
    assert ("units", "ex-1") in said(found)
    assert [unit.id for unit in found.units] == ["ex-1"]


def test_a_heading_that_the_lesson_does_not_have():
    found = index(lesson=LESSON.replace("Repeating text", "Repetition"))
    assert said(found) == [("references", "ex-2")]
    assert found.units[1].lesson_line == 1


def test_a_test_that_the_comment_names_and_nobody_wrote():
    found = index(tests=TESTS.replace("test_frame_is_as_wide_as_the_text", "test_frame_is_wide"))
    assert said(found) == [("units", "ex-2")] * 2  # one that is not there, one that is not named
    assert found.units[1].tests == ("test_frame_is_wide", "test_frame_of_one_letter")


def test_a_stub_without_test():
    tests = kit.FIRST_TESTS
    assert ("units", "ex-2") in said(index(tests=tests))


def test_a_test_of_no_stub():
    extra = TESTS + "\n\ndef test_nothing_at_all() -> None:\n    assert True\n"
    assert said(index(tests=extra)) == [("units", None)]


def test_a_test_belongs_to_the_stub_with_the_longest_name():
    source = SOURCE.replace("def width", "def frame_top").replace("width(text)", "frame_top(text)")
    source = source.replace(
        "return math.ceil(len(text))",
        'raise NotImplementedError("frame_top")',
    ).replace(
        "Return how wide `text` is. (Given.)",
        'ex-3 - First principle: len\n    Read: LESSON.md § "Repeating text"\n'
        "    Test: test_frame_top_a\n    Start here: len\n    ",
    )
    tests = TESTS + "\n\ndef test_frame_top_b() -> None:\n    assert frame_top('a') == 1\n"
    tests = tests.replace("test_frame_top_b", "test_frame_top_a") + tests[-60:]
    found = index(None, source, tests)
    assert {unit.stub: "test_frame_top_a" in unit.tests for unit in found.units} == {
        "shout": False,
        "frame": False,
        "frame_top": True,
    }


def test_a_test_named_by_two_comments():
    source = SOURCE.replace("test_frame_is_as_wide_as_the_text", "test_shout_is_in_capitals")
    assert said(index(None, source)) == [("units", "ex-2")] * 2


WHOLE = "test_frame_is_as_wide_as_the_text"


def test_a_line_test_that_names_a_later_test_only():
    found = index(source=SOURCE.replace(WHOLE, "test_frame_of_one_letter"))
    assert said(found) == [("units", "ex-2")]
    assert f"does not name `{WHOLE}`" in found.findings[0].message


@pytest.mark.parametrize(
    "named",
    [
        f"{WHOLE}, test_frame_of_one_letter",
        f"test_frame_of_one_letter,\n        {WHOLE}",
        WHOLE,
    ],
)
def test_a_line_test_that_names_the_first_test_and_perhaps_more(named):
    found = index(None, SOURCE.replace(WHOLE, named), strict=False)
    assert found.findings == ()
    assert found.units[1].tests == (WHOLE, "test_frame_of_one_letter")


def test_what_ascii_cannot_show_is_taken_from_lesson_and_plan():
    source = SOURCE.replace("Repeating text", "Naive repetition").replace(
        "text repeats", "cafe repeats"
    )
    lesson = LESSON.replace("Repeating text", "Naïve repetition")
    plan = [
        kit.UNITS[0],
        {
            **kit.UNITS[1],
            "first_principle": "café repeats with *",
            "lesson_heading": "Naïve repetition",
        },
    ]
    found = index(plan, source, lesson=lesson, strict=True)
    assert found.findings == ()
    assert (found.units[1].first_principle, found.units[1].lesson_heading) == (
        "café repeats with *",
        "Naïve repetition",
    )


def test_two_tests_of_one_name():
    twice = TESTS + "\n\ndef test_frame_of_one_letter() -> None:\n    assert frame('') == '='\n"
    found = index(tests=twice)
    assert said(found) == [("units", None)]
    assert found.findings[0].line == len(twice.split("\n")) - 2


def test_strict_wants_comment_and_plan_word_for_word():
    source = SOURCE.replace("text repeats with *", "text can repeat")
    assert index(source=source).findings == ()
    assert said(index(source=source, strict=True)) == [("references", "ex-2")]


def test_text_that_does_not_parse_gives_findings_and_no_error():
    found = index(source="def shout(:\n  '''", tests="def test_(")
    assert {step for step, _ in said(found)} == {"units"}


@pytest.mark.parametrize(
    ("body", "stub"),
    [
        ("(void)a; /* later */ return 0;", True),
        ("// your code\n return 0;", True),
        ("/* TODO */", True),
        ("/* nothing happens here */", False),
        ("return a; // TODO", False),
    ],
)
def test_a_stub_in_c_may_hold_comments(body, stub):
    assert languages()["c"].is_unwritten(body) is stub
