"""What is put right without a model, and that nothing else is touched."""

import authoring_kit as kit
import pytest

from tutor_lsp.authoring.index import build_index
from tutor_lsp.authoring.merge import merge_sections
from tutor_lsp.authoring.repair.mend import fenced, mend
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
    return mend({**FILES, path: FILES[path].replace(old, new)}, planned, PYTHON)


def test_what_is_in_order_comes_out_as_it_is():
    found = mend(FILES, kit.UNITS, PYTHON)
    assert found == FILES


@pytest.mark.parametrize(
    "wrong",
    [
        "test_shout_is_loud, test_shout_keeps_digits",
        "test_shout_is_in_capitals, test_shout_keeps_digits",
        "test_shout_keeps_digits",
        "test_frame_of_one_letter",
    ],
)
@pytest.mark.parametrize("planned", [kit.UNITS, None])
def test_a_wrong_line_test(wrong, planned):
    right = "test_shout_is_in_capitals"
    assert mended(f"Test: {right}", f"Test: {wrong}", planned=planned) == FILES


def test_a_line_test_that_goes_on_in_the_next_line():
    text = FILES[PATH].replace(
        "    Test: test_frame_is_as_wide_as_the_text\n",
        "    Test: test_frame_is_wide,\n        test_frame_of_one_letter\n",
    )
    assert mend({**FILES, PATH: text}, kit.UNITS, PYTHON) == FILES


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("ex-1 - First principle: methods", "ex-1 — First principle: methods"),
        ('Read: LESSON.md, "New text from old"', "Read: LESSON.md § “New text from old”"),
        (
            "ex-2 - First principle: text repeats",
            "EX-2: First principle: text\n    repeats",
        ),
        ("Return `text` in capitals.", "Return\u00a0`text` in capitals."),
        ("which method of a text makes capitals?", "which method\n      of a text makes capitals?"),
    ],
)
def test_another_form_of_a_line(right, wrong):
    assert mended(right, wrong) == FILES


def test_signs_become_ascii_and_code_stays_as_it_is():
    text = FILES[PATH].replace("what is `", "“what” — say, naïvely… — is `“é”` and `")
    text = text.replace("Return `text` in capitals.", "Return “text” – in capitals, `–` as it is.")
    found = mend({**FILES, PATH: text}, kit.UNITS, PYTHON)[PATH]
    assert '    """Return "text" - in capitals, `–` as it is.\n' in found
    assert 'Start here: "what" - say, naively... - is `“é”` and `"-" * 3`?\n' in found


@pytest.mark.parametrize("sign", ["\u2028", "\x0c", "\x85"])
def test_a_sign_that_ends_no_line_of_a_source_file(sign):
    text = FILES[PATH].replace("Return `text`", f"Return{sign * 9}`text`")
    found = mend({**FILES, PATH: text.replace("ex-1 -", "ex-1:")}, kit.UNITS, PYTHON)
    assert found == {**FILES, PATH: text}


def test_a_quote_before_the_end_of_a_docstring():
    text = FILES[PATH].replace('a text makes capitals?\n    """', 'a text makes “it”"""')
    assert text != FILES[PATH]
    found = mend({**FILES, PATH: text}, kit.UNITS, PYTHON)
    compile(found[PATH], PATH, "exec")
    assert 'a text makes "it" """\n' in found[PATH]
    assert mend(found, kit.UNITS, PYTHON) == found


@pytest.mark.parametrize("language", ["python", "rust", "c"])
def test_a_long_start_goes_on_in_the_next_line(language):
    long = "where is it, " * 7 + "and what comes before?"
    files = {**template_files(language)}
    path = next(name for name in files if "Start here" in files[name])
    said = files[path].replace('which sign means "colder than"?', long)
    assert said != files[path]
    found = mend({**files, path: said}, None, TOOLCHAINS[language])
    lines = found[path].split("\n")
    at = next(n for n, line in enumerate(lines) if "Start here: where" in line)
    assert max(map(len, lines[at : at + 2])) <= 78
    assert mend(found, None, TOOLCHAINS[language]) == found
    index = build_index(found, None, TOOLCHAINS[language])
    assert index.findings == ()
    assert index.units[1].start_here == long


@pytest.mark.parametrize(
    "spelled", ["new text from old", "New Text From Old", "New text, from old!"]
)
def test_another_spelling_of_a_heading(spelled):
    assert mended('"New text from old"', f'"{spelled}"') == FILES


def test_a_heading_that_is_another_one_is_not_for_code_to_mend():
    text = FILES[PATH].replace('"New text from old"', '"Making text"')
    assert mend({**FILES, PATH: text}, kit.UNITS, PYTHON) == {**FILES, PATH: text}


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


CODE = "```python\nprint(1)\n```\n"


@pytest.mark.parametrize(
    ("section", "mended"),
    [
        (f"Look:\n\n{CODE}\nEnd.\n", f"Look:\n\n{CODE}\nEnd.\n"),
        (f"Look: {CODE}\nEnd.\n", f"Look:\n\n{CODE}\nEnd.\n"),
        (f"Look:\n\n{CODE[:-4]}", f"Look:\n\n{CODE}"),
        ("~~~text\n```\n", "~~~text\n```\n~~~\n"),
        (f"{CODE[:-1]}That is all.\n", f"{CODE}\nThat is all.\n"),
        (f"Look: {CODE[:-1]}And `a` more: {CODE}", f"Look:\n\n{CODE}\nAnd `a` more:\n\n{CODE}"),
        (f"````md\n{CODE}````\n", f"````md\n{CODE}````\n"),
        ("```md\n```python\n1\n```\n", "```md\n```python\n1\n```\n"),
        ("Write ```a``` here.\n", "Write ```a``` here.\n"),
        (f"````text\n{CODE}````\n", f"````text\n{CODE}````\n"),
    ],
)
def test_a_fence_stands_on_its_own_line_and_is_closed(section, mended):
    assert fenced(section) == mended
    assert fenced(mended) == mended


def test_a_section_of_no_stub_gets_no_link():
    lesson = FILES["LESSON.md"].replace("## New", "## Before we start\n\nText.\n\n## New")
    assert mend({**FILES, "LESSON.md": lesson}, kit.UNITS, PYTHON)["LESSON.md"] == lesson


def template_files(language):
    from tutor_lsp.authoring.own.new_exercise import template

    made = template(language, "own-basics-weather", {})
    return {path: text for path, text in made.items() if not path.startswith(("sol", "hi", "ex"))}


@pytest.mark.parametrize("language", ["rust", "c", "python"])
def test_comments_of_every_language(language):
    files = template_files(language)
    assert mend(files, None, TOOLCHAINS[language]) == files
    wrong = {
        path: text.replace("Test: test_is_frosty_is_true_below_freezing", "Test: test_nothing")
        .replace(" - First principle:", " — First principle:")
        .replace("LESSON.md,", "LESSON.md §")
        if path.startswith("src/")
        else text
        for path, text in files.items()
    }
    assert wrong != files
    assert mend(wrong, None, TOOLCHAINS[language]) == files


def test_a_comment_of_one_line_keeps_its_marks():
    text = "/* ex-1 — First principle: dividing */\nint half(int n)\n{\n    return n;\n}\n"
    found = mend({"src/a.c": text}, None, TOOLCHAINS["c"])["src/a.c"]
    assert found == text.replace("—", "-")
