"""An exercise with units of all kinds, several of which are broken at once: each says of itself
what it says where all others are solved."""

import asyncio

import pytest
from kinds_kit import TOOLS, folder_of
from mixed_kit import KINDS, mixed

from tutor_lsp.authoring.own.check_exercise import check_exercise

USE_C = '#include "span.h"\n#include "test.h"\n\n'
STATES = {
    "python": {
        "src/exercise/reading.py": ["class Reading:\n    def __init__(self, x\n", "1/0\n", None],
        "src/exercise/warmest.py": ["def warmest(:\n", "", "import os\n\nos._exit(3)\n"],
        "tests/test_span.py": ["", "from exercise.span import span\n", "def test_a(:\n"],
        "src/exercise/answers.py": ["import os\n\nos._exit(0)\n", "WATER = 35\n", "WATER = (\n"],
    },
    "rust": {
        "src/reading.rs": ["pub struct Reading {\n", "pub struct Readin;\n", None],
        "src/sign.rs": ["pub fn signpost(\n", "", "use crate::reading::nothing;\n"],
        "tests/span.rs": ["", "#[test]\nfn test_a( {\n", "#[test]\nfn test_a() { panic!() }\n"],
        "src/answers.rs": ["pub fn water() -> u32 { 35 }\n", "pub fn water( {\n", ""],
    },
    "c": {
        "src/reading.h": ["struct reading {\n", "#error no\n", None],
        "src/shorten.h": ["/* open\n", "", "static inline void shorten(\n"],
        "tests/test_span.c": [USE_C + "void test_a(void) { TEST_ASSERT(1); }\n", "", "int (\n"],
        "src/answers.c": ["int water(void) { return 35; }\n", "int water(void {\n", None],
    },
}
"""What stands below the comment of each file; None where the file is gone."""
TURNS = [(0, 0, 0, 0), (1, 2, 1, 0), (2, 1, 2, 2), (1, 0, 1, 1)]
"""Which of them come together."""


@pytest.mark.first(1)
@pytest.mark.parametrize("language", ["python", pytest.param("rust", marks=pytest.mark.cargo), "c"])
def test_units_that_are_broken_at_once_say_what_each_says_alone(tmp_path, language):
    it, states = mixed(tmp_path / "library", language), STATES[language]
    solved = it.said(tmp_path / "root", {})
    assert {state for state, _ in solved.values()} == {"passing"}
    alone = {}
    for file, codes in states.items():
        for number, code in enumerate(codes):
            text = it.text(file, code)
            alone[file, number] = (text, said := it.said(tmp_path / "root", {file: text}))
            assert {each for each in said if said[each] != solved[each]} == {file}
    for turn in TURNS:
        picked = {file: alone[file, number] for file, number in zip(states, turn, strict=True)}
        said = it.said(tmp_path / "root", {file: text for file, (text, _) in picked.items()})
        assert said == {**solved, **{file: said[file] for file, (_, said) in picked.items()}}


@pytest.mark.first(1)
@pytest.mark.parametrize("language", ["python", pytest.param("rust", marks=pytest.mark.cargo), "c"])
def test_the_new_exercise_of_all_kinds_is_proven(tmp_path, language):
    folder = folder_of(tmp_path, language, *KINDS)
    result = asyncio.run(check_exercise(folder, toolchains=TOOLS))
    assert [f"{f.step} {f.file} {f.message}" for f in result.findings] == []
