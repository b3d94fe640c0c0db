"""What is put right without a model, and that nothing else is touched."""

import authoring_kit as kit
import pytest

from tutor_lsp.authoring.index import build_index
from tutor_lsp.authoring.merge import merge_sections
from tutor_lsp.authoring.repair.mend import mend
from tutor_lsp.languages.toolchains import toolchains

TOOLCHAINS = toolchains()
PYTHON = TOOLCHAINS["python"]
PATH = "src/exercise/signs.py"
FILES = {
    "LESSON.md": "# Signs\n\n"
    "## New text from old\n\nNow `shout`.\n\n[shout](src/exercise/signs.py)\n\n"
    "## Repeating text\n\nNow `frame`.\n\n[frame](src/exercise/signs.py)\n\n"
    "## Together\n\nBoth.\n\n[frame](src/exercise/signs.py)\n",
    PATH: merge_sections([kit.FIRST_HALF, kit.SECOND_HALF], PYTHON, gap=2),
    "tests/test_signs.py": merge_sections([kit.FIRST_TESTS, kit.SECOND_TESTS], PYTHON, gap=2),
}


def mended(old, new, path=PATH, planned=kit.UNITS):
    assert old in FILES[path]
    found = mend({**FILES, path: FILES[path].replace(old, new)}, planned, PYTHON)
    assert found.notes
    return found.files


def test_what_is_in_order_comes_out_as_it_is():
    found = mend(FILES, kit.UNITS, PYTHON)
    assert (found.files, found.notes) == (FILES, ())


@pytest.mark.parametrize(
    "wrong",
    [
        "test_shout_is_loud, test_shout_keeps_digits",
        "test_shout_keeps_digits",
        "test_frame_of_one_letter",
    ],
)
@pytest.mark.parametrize("planned", [kit.UNITS, None])
def test_a_wrong_line_test(wrong, planned):
    right = "test_shout_is_in_capitals, test_shout_keeps_digits"
    assert mended(f"Test: {right}", f"Test: {wrong}", planned=planned) == FILES


def test_a_line_test_that_goes_on_in_the_next_line():
    text = FILES[PATH].replace(
        "    Test: test_frame_is_as_wide_as_the_text, test_frame_of_one_letter\n",
        "    Test: test_frame_is_wide,\n        test_frame_of_one_letter\n",
    )
    assert mend({**FILES, PATH: text}, kit.UNITS, PYTHON).files == FILES


def test_a_long_line_test_is_wrapped():
    names = [f"test_frame_of_{letter * 30}" for letter in "abc"]
    tests = "".join(f"\n\ndef {name}():\n    assert frame('a')\n" for name in names)
    files = {**FILES, "tests/test_signs.py": FILES["tests/test_signs.py"] + tests}
    text = mend(files, None, PYTHON).files[PATH]
    assert max(map(len, text.split("\n"))) <= 100
    index = build_index({**files, PATH: text}, None, PYTHON)
    assert index.findings == ()
    assert index.units[1].tests[2:] == tuple(names)


@pytest.mark.parametrize(
    "spelled", ["new text from old", "New Text From Old", "New text, from old!"]
)
def test_another_spelling_of_a_heading(spelled):
    assert mended('"New text from old"', f'"{spelled}"') == FILES


def test_a_heading_that_is_another_one_is_not_for_code_to_mend():
    text = FILES[PATH].replace('"New text from old"', '"Making text"')
    assert mend({**FILES, PATH: text}, kit.UNITS, PYTHON).notes == ()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n\n[shout](src/exercise/signs.py)", ""),
        ("[shout](src/exercise/signs.py)", "[shout](signs.py)"),
        ("[shout](src/exercise/signs.py)", "[frame](src/exercise/signs.py)"),
        ("Both.\n\n[frame](src/exercise/signs.py)", "Both."),
    ],
)
def test_a_link_at_the_end_of_a_section(old, new):
    assert mended(old, new, "LESSON.md") == FILES


def test_a_section_of_no_stub_gets_no_link():
    lesson = FILES["LESSON.md"].replace("## New", "## Before we start\n\nText.\n\n## New")
    assert mend({**FILES, "LESSON.md": lesson}, kit.UNITS, PYTHON).files["LESSON.md"] == lesson


@pytest.mark.parametrize("language", ["rust", "c"])
def test_comments_of_other_languages(language):
    from tutor_lsp.authoring.own.new_exercise import template

    made = template(language, "own-basics-weather", {})
    files = {path: text for path, text in made.items() if not path.startswith(("sol", "hi", "ex"))}
    assert mend(files, None, TOOLCHAINS[language]).files == files
    wrong = {
        path: text.replace("Test: test_is_frosty_is_true_below_freezing", "Test: test_nothing")
        if path.startswith("src/")
        else text
        for path, text in files.items()
    }
    assert wrong != files
    assert mend(wrong, None, TOOLCHAINS[language]).files == files
