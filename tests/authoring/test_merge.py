"""Merging sections and joining the lesson."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor_lsp.authoring.merge import import_statements, join_lesson, merge_sections, tidy
from tutor_lsp.languages.python.toolchain import PythonToolchain
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.library.markdown import split_at

PYTHON = PythonToolchain()
IMPORTS = [
    "import re",
    "import os.path as p",
    "from a import (\n    b,\n    c,\n)",
    "from d import *",
]
DEFINITIONS = [f"def f{n}() -> int:\n    import re\n    return {n}" for n in range(4)]

pieces = st.lists(st.sampled_from(IMPORTS + DEFINITIONS), min_size=1, max_size=6, unique=True)
sections = st.lists(pieces.map("\n\n".join), min_size=1, max_size=4)


@given(st.lists(st.sampled_from([*DEFINITIONS, *IMPORTS]), min_size=1, unique=True))
def test_one_section_stays_as_it_is(parts):
    text = "\n\n".join(parts) + "\n"
    assert merge_sections([text], PYTHON) == text


@given(sections)
def test_imports_stand_once_and_all_else_stays(contents):
    parts = merge_sections(contents, PYTHON).strip("\n").split("\n\n")
    given_parts = [part for content in contents for part in content.split("\n\n")]
    for part in DEFINITIONS:
        assert parts.count(part) == given_parts.count(part)
    for part in IMPORTS:
        assert parts.count(part) == min(given_parts.count(part), 1)


@given(sections)
def test_lines_keep_their_order(contents):
    merged = merge_sections(contents, PYTHON).split("\n")
    everything = iter("\n".join(contents).split("\n"))
    assert all(any(line == other for other in everything) for line in merged if line)


@given(sections, st.integers(1, 3))
def test_merging_in_two_steps_is_merging_at_once(contents, cut):
    first = merge_sections(contents[:cut], PYTHON)
    assert merge_sections([first, *contents[cut:]], PYTHON) == merge_sections(contents, PYTHON)


def test_an_import_inside_a_function_or_a_text_is_left_alone():
    first = "import re\n"
    second = 'def f() -> None:\n    import re\n\n\nTEXT = """\nimport re\n"""\n'
    assert merge_sections([first, second], PYTHON, gap=2) == f"{first}\n\n{second}"


def test_rust_use_lines_stand_once():
    rust = toolchains()["rust"]
    maps = "use std::collections::{\n    HashMap,\n    HashSet,\n};\n"
    first = f"use std::fmt;\nuse crate::Guest;\n{maps}\nfn a() {{}}\n"
    own = "#[cfg(test)]\nuse std::fmt;\n\nfn b() {}\n"
    second = f"{maps}use crate::Guest;\nuse std::fmt::Debug;\n\n{own}"
    assert merge_sections([first, second], rust) == (f"{first}\nuse std::fmt::Debug;\n\n{own}")


def test_a_section_of_known_imports_only_leaves_nothing():
    assert merge_sections(["import re\n\nX = 1\n", "import re\n"], PYTHON) == "import re\n\nX = 1\n"


@pytest.mark.parametrize(
    ("given_text", "tidied"),
    [("a\r\nb\r", "a\nb\n"), ("\ufeffa", "a\n"), ("a\n\n \n", "a\n"), ("  \n", ""), ("", "")],
)
def test_tidy(given_text, tidied):
    assert tidy(given_text) == tidied


def test_import_statements_reach_to_their_end():
    lines = [
        "import a, b",
        "from c import (",
        "    d,  # (",
        ")",
        "x = 1",
        "from e import \\",
        "    f",
    ]
    assert import_statements(PYTHON, lines) == [(0, 1), (1, 4), (5, 7)]


UNITS = [
    {"unit_id": "ex-1", "stub": "shout", "lesson_heading": "New text from old"},
    {"unit_id": "ex-2", "stub": "frame", "lesson_heading": "Repeating text"},
]


def lesson(*contents, ids=()):
    names = [*ids, *(f"section-{n}" for n in range(len(ids), len(contents)))]
    given_sections = [
        {"section_id": name, "content": text} for name, text in zip(names, contents, strict=True)
    ]
    return join_lesson(given_sections, UNITS, "Signs")


def test_a_section_without_heading_gets_that_of_its_unit():
    assert lesson("See [shout](src/a.py)", "About `frame`.") == (
        "# Signs\n\n## New text from old\n\nSee [shout](src/a.py)\n\n"
        "## Repeating text\n\nAbout `frame`.\n"
    )


def test_a_section_is_known_by_its_id_too():
    assert "## Repeating text\n\nWords." in lesson("Words.", ids=["ex-2"])
    assert "## Repeating text\n\nWords." in lesson("Words.", ids=["repeating-text"])


@pytest.mark.parametrize(
    "content",
    [
        "## New text from old\n\nWords.",
        "### New text from old\n\nWords.",
        "# new text  from old\n\nWords.",
        "Words.",
    ],
)
def test_a_heading_is_never_doubled(content):
    text = lesson(content, ids=["ex-1"])
    assert text == "# Signs\n\n## New text from old\n\nWords.\n"


def test_title_and_introduction_stay_above_the_first_heading():
    content = "# My signs\n\nWhy.\n\n## New text from old\n\nWords."
    assert lesson(content, ids=["ex-1"]) == content + "\n"


def test_two_sections_of_one_unit_share_a_heading():
    assert lesson("One `shout`.", "Two `shout`.").count("## New text from old") == 1


def test_a_section_with_a_heading_of_its_own_takes_none_that_is_elsewhere():
    remedial = "# Signs\n\nWhy.\n\n## Again\n\nWords.\n\n[frame](src/a.py)"
    there = "## Repeating text\n\nAbout `frame`."
    assert lesson(remedial, "About `shout`.", there).count("## Repeating text") == 1


def test_a_heading_in_a_code_fence_is_no_heading():
    text = lesson("```sh\n## New text from old\n```\n\n`shout`")
    assert text.count("\n## New text from old\n") == 2


def test_introduction_and_bridge_need_no_unit():
    text = lesson("Hello.", "About `shout`.", "## The end\n\n`shout`, `frame`.")
    assert text.startswith("# Signs\n\nHello.\n\n## New text from old\n\nAbout")
    assert text.endswith("\n\n## The end\n\n`shout`, `frame`.\n")


@given(st.lists(st.sampled_from(["## A\n\ntext", "## B\n\n```\n## no\n```", "## C"]), min_size=1))
def test_cutting_and_joining_a_lesson_gives_it_back(parts):
    text = "# T\n\nintro\n\n" + "\n\n".join(parts) + "\n"
    cut = split_at(text, 2)
    assert len(cut) == len(parts)
    named = [{"section_id": f"s{n}", "content": piece} for n, piece in enumerate(cut)]
    assert join_lesson(named, [], "T") == text
