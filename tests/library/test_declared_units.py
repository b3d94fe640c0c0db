"""Plausible wrong declarations in bundled exercises: each fails, in a sentence that helps."""

import tomllib
from pathlib import Path

import pytest
from declared_kit import DECLARED, course, look

WRONG = tomllib.loads(Path(__file__).with_name("declared_wrong.toml").read_text("utf-8"))
LONG = pytest.mark.long("builds an exercise for each; one in each language stands for them")
FEW = {folder.partition("-")[0]: folder for folder in WRONG}.values()


def cases():
    for folder, listed in WRONG.items():
        for number, case in enumerate(listed):
            marks = LONG if number > 0 or folder not in FEW else ()
            yield pytest.param(folder, case, id=f"{folder}: {case['name']}", marks=marks)


@pytest.fixture(scope="module")
def courses():
    return {folder: course(folder) for folder in WRONG}


@pytest.fixture(scope="module")
def roots(tmp_path_factory):
    return {folder: tmp_path_factory.mktemp(folder) for folder in WRONG}


@pytest.mark.parametrize(("folder", "case"), list(cases()))
def test_a_wrong_declaration_fails_and_says_why(courses, roots, folder, case):
    made = courses[folder]
    code = made.reference
    for old, new in case["edits"]:
        assert old in code
        code = code.replace(old, new)
    shown = look(made, roots[folder], code)
    assert (shown.state, shown.others) == ("failing", {"passing"})
    assert shown.said.startswith(case["said"])


@pytest.mark.long("builds an exercise that its proof built; a wrong declaration stands for it here")
@pytest.mark.parametrize("folder", WRONG)
def test_the_reference_passes_and_practises_what_the_unit_is_about(courses, roots, folder):
    made = courses[folder]
    shown = look(made, roots[folder], made.reference)
    assert (shown.state, shown.said, shown.others) == ("passing", "", {"passing"})
    assert made.unit.practises
    assert shown.without == ()


def test_all_but_the_first_exercise_of_the_kind_are_tried():
    assert {*WRONG, "rust-structs-gift-card"} == {*DECLARED}
