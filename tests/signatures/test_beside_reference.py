"""A learner's code of one unit runs beside the reference's other units."""

import pytest

from tutor_lsp.authoring.signatures.learned import beside_reference
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.languages.toolchains import toolchains

TOOLS = toolchains()


def unit(number, stub, file):
    return Unit(f"ex-{number}", stub, file, 1, "", "", 1, (f"test_{stub}_is",))


TEXTS = {
    "python": (
        "src/exercise/a.py",
        '"""Given."""\n\nimport math\n\n\ndef one(n):\n    return math.floor(n)\n\n\n'
        "def two(n):\n    return one(n) + 1\n",
        '"""Given."""\n\n\ndef mine(n):\n    return n\n\n\ndef one(n):\n    return nothing\n\n\n'
        "def two(n):\n    return mine(n)\n",
        ("import math", "return math.floor(n)", "def mine(n):", "return mine(n)"),
        ("nothing", "return one(n) + 1"),
    ),
    "rust": (
        "src/lib.rs",
        "use std::cmp::max;\n\npub fn one(n: u8) -> u8 {\n    max(n, 1)\n}\n\n"
        "pub fn two(n: u8) -> u8 {\n    one(n) + 1\n}\n",
        "fn mine(n: u8) -> u8 {\n    n\n}\n\npub fn one(n: u8) -> u8 {\n    nothing\n}\n\n"
        "pub fn two(n: u8) -> u8 {\n    mine(n)\n}\n",
        ("use std::cmp::max;", "max(n, 1)", "fn mine(n: u8)", "    mine(n)\n"),
        ("nothing", "one(n) + 1"),
    ),
    "c": (
        "src/a.c",
        "#include <stdlib.h>\n\nint one(int n)\n{\n    return abs(n);\n}\n\n"
        "int two(int n)\n{\n    return one(n) + 1;\n}\n",
        "static int mine(int n)\n{\n    return n;\n}\n\n"
        "int one(int n)\n{\n    return nothing;\n}\n\n"
        "int two(int n)\n{\n    return mine(n);\n}\n",
        ("#include <stdlib.h>", "return abs(n);", "static int mine(int n)", "return mine(n);"),
        ("nothing", "one(n) + 1"),
    ),
}


@pytest.mark.parametrize("language", TEXTS)
def test_the_other_units_are_those_of_the_reference(language):
    file, right, mine, there, gone = TEXTS[language]
    units = (unit(1, "one", file), unit(2, "two", file))
    toolchain = TOOLS[language]
    made = beside_reference(units, units[1], {file: mine}, {file: right}, toolchain)[file]
    assert all(each in made for each in there)
    assert not any(each in made for each in gone)
    assert toolchain.syntax_error(file, made) is None


@pytest.mark.parametrize("language", TEXTS)
def test_other_files_are_those_of_the_reference_as_a_whole(language):
    file, right, mine, _, _ = TEXTS[language]
    other = file.replace("a.", "b.").replace("lib", "b")
    units = (unit(1, "one", other), unit(2, "two", file))
    solved = {file: right, other: right}
    made = beside_reference(units, units[1], {file: mine, other: mine}, solved, TOOLS[language])
    assert made[other] == right
    assert "nothing" in made[file]
