"""From sections to files: paths that are refused, imports that are mended, files that are added."""

import authoring_kit as kit
import pytest

from tutor_lsp.authoring.assembly import assemble, overlay
from tutor_lsp.authoring.model import Stages
from tutor_lsp.core.errors import TutorError
from tutor_lsp.languages.python.toolchain import PythonToolchain

PYTHON = PythonToolchain()


def stages(**changes):
    parts = {
        "starter": [("signs.py", kit.FIRST_HALF)],
        "test": [("test_signs.py", kit.FIRST_TESTS)],
    }
    made = {
        kind: [
            kit.section(kind, n, text, last=False, path=path)
            for n, (path, text) in enumerate(changes.get(kind, given), start=1)
        ]
        for kind, given in parts.items()
    }
    lesson = [kit.section("lesson", 1, kit.LESSON_SECTIONS[0], last=True)]
    return Stages(kit.scaffold(), made["starter"], made["test"], lesson)


def assembled(**changes):
    return assemble(stages(**changes), PYTHON, "Signs")


def refused(**changes):
    with pytest.raises(TutorError) as caught:
        assembled(**changes)
    error = caught.value
    assert error.kind == "POLICY_VIOLATION"
    assert error.details["path"]
    return error.details["rule"]


def test_sections_of_a_file_become_one_file():
    made = assembled(
        starter=[("signs.py", kit.FIRST_HALF), ("src/exercise/signs.py", kit.SECOND_HALF)],
        test=[("tests/test_signs.py", kit.FIRST_TESTS), ("test_signs.py", kit.SECOND_TESTS)],
    )
    assert list(made.authored) == ["LESSON.md", "src/exercise/signs.py", "tests/test_signs.py"]
    assert made.authored["src/exercise/signs.py"].count("import math") == 1
    assert made.authored["tests/test_signs.py"].count("from exercise.signs import") == 1
    assert made.files["src/exercise/__init__.py"] == ""
    assert "pyproject.toml" in made.files


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("/etc/passwd", "path-absolute"),
        ("~/.bashrc", "path-absolute"),
        ("C:/x.py", "path-absolute"),
        ("\\\\host\\x.py", "path-absolute"),
        ("../x.py", "path-parent"),
        ("src/../../x.py", "path-parent"),
        ("a/..\\x.py", "path-parent"),
        ("src/exercise/.tutor/x.py", "path-reserved"),
        (".git/config", "path-reserved"),
        ("src/.cargo/config.toml", "path-reserved"),
        ("Cargo.toml", "path-reserved"),
        ("src/pyproject.toml", "path-reserved"),
        ("target/x.py", "path-reserved"),
        ("PyProject.TOML", "path-reserved"),
        ("con.py", "path-reserved"),
        ("src/LESSON.md", "path-reserved"),
        ("a\\b.py", "path-characters"),
        ("a b.py", "path-characters"),
        ("naïve.py", "path-characters"),
        ("a\n.py", "path-characters"),
        ("-rf.py", "path-characters"),
        ("x" * 61 + ".py", "path-too-long"),
        ("/".join("abcdefgh") + ".py", "path-too-long"),
        ("a/" * 3 + "b" * 200, "path-too-long"),
        ("tests/test_x.py", "path-outside"),
    ],
)
def test_a_starter_path_that_leads_elsewhere_is_refused(path, rule):
    assert refused(starter=[(path, "x = 1\n")]) == rule


@pytest.mark.parametrize("path", ["conftest.py", "tests/conftest.py", "tests/pytest.ini"])
def test_tests_cannot_change_how_they_are_run(path):
    assert refused(test=[(path, "x = 1\n")]) == "path-reserved"


def test_tests_cannot_write_into_the_starter():
    assert refused(test=[("src/exercise/signs.py", "x = 1\n")]) == "path-outside"


@pytest.mark.parametrize("other", ["Signs.py", "signs.py/inner.py"])
def test_paths_that_cannot_stand_side_by_side_are_refused(other):
    assert refused(starter=[("signs.py", "x = 1\n"), (other, "y = 1\n")]) == "path-conflict"


def overlaid(path):
    solution = {"files": [{"file_path": path, "content": "x = 1"}]}
    return overlay({"src/exercise/signs.py": "x = 0\n"}, solution, PYTHON)


@pytest.mark.parametrize("path", ["src/exercise/signs.py"])
def test_a_solution_replaces_files_of_the_starter(path):
    assert overlaid(path) == {"src/exercise/signs.py": "x = 1\n"}


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("src/exercise/more.py", "solution-stray"),
        ("tests/test_signs.py", "path-outside"),
        ("/src/exercise/signs.py", "path-absolute"),
    ],
)
def test_a_solution_replaces_nothing_else(path, rule):
    with pytest.raises(TutorError) as caught:
        overlaid(path)
    assert caught.value.details["rule"] == rule


@pytest.mark.parametrize(
    ("given", "mended"),
    [
        ("from exercise.signs import shout", "from exercise.signs import shout"),
        ("import math\nfrom exercise import signs", "import math\nfrom exercise import signs"),
        ("from signs import shout", "from exercise.signs import shout"),
        ("from src.exercise.signs import shout", "from exercise.signs import shout"),
        ("from .signs import shout", "from exercise.signs import shout"),
        ("from word_tools import shout", "from exercise.signs import shout"),
        ("from word_tools import (\n    shout,\n)", "from exercise.signs import (\n    shout,\n)"),
        ("import signs", "from exercise import signs"),
        ("import signs as s  # it", "from exercise import signs as s  # it"),
        ('"""Tests."""', '"""Tests."""\n\nfrom exercise.signs import EDGE, shout'),
        (
            "from __future__ import annotations\nimport math",
            "from __future__ import annotations\n"
            "from exercise.signs import EDGE, shout\nimport math",
        ),
    ],
)
def test_imports_of_tests_are_mended(given, mended):
    names = ("shout", "EDGE")
    if "import signs" in mended:
        names = ("s.shout", "s.EDGE") if " as s" in mended else ("signs.shout", "signs.EDGE")
    elif "EDGE" not in mended:
        names = ("shout", '"="')
    body = f"\n\n\ndef test_shout_a() -> None:\n    assert {names[0]}({names[1]}) == {names[1]}\n"
    made = assembled(test=[("test_signs.py", given + body)])
    assert made.authored["tests/test_signs.py"] == mended + body


def test_names_that_a_test_does_not_import_are_imported():
    body = "\n\n\ndef test_shout_a() -> None:\n    assert shout(EDGE) == EDGE * math.ceil(1)\n"
    made = assembled(test=[("test_signs.py", f"from exercise.signs import shout{body}")])
    added = "import math\nfrom exercise.signs import EDGE\n"
    text = f"{added}from exercise.signs import shout{body}"
    assert made.authored["tests/test_signs.py"] == text


@pytest.mark.parametrize(
    "line", ["import numpy as np", "from hypothesis import given", "import word_tools"]
)
def test_a_test_that_imports_anything_else_is_refused(line):
    text = f"{line}\nfrom exercise.signs import shout\n\n\ndef test_shout_a() -> None:\n    pass\n"
    assert refused(test=[("test_signs.py", text)]) == "import-foreign"


def test_helpers_beside_the_tests_may_be_imported():
    made = assembled(
        test=[
            ("test_signs.py", "from samples import A\n" + kit.FIRST_TESTS),
            ("samples.py", "A = 1\n"),
        ]
    )
    assert made.authored["tests/test_signs.py"] == "from samples import A\n" + kit.FIRST_TESTS
