"""What a repair may change, what it is told of the last one, and where its answer goes."""

import authoring_kit as kit
import pytest

from tutor_lsp.authoring.repair.aims import PARTS, Part, goal, open_parts
from tutor_lsp.authoring.repair.pieces import can_stand_alone, naming, pieces, put_in
from tutor_lsp.authoring.repair.request import Earlier, directive
from tutor_lsp.authoring.repair.sections import Damage, Made, damaged
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.stage import Role
from tutor_lsp.languages.toolchains import toolchains

TOOLS = toolchains()
SOURCE, TESTS = "src/exercise/signs.py", "tests/test_signs.py"
SECTIONS = {
    role: [one["payload"] for one in kit.script() if one["stage"] == role.value]
    for role in (Role.STARTER, Role.TEST, Role.LESSON)
}
FILES = {
    SOURCE: kit.FIRST_HALF + "\n\n" + kit.SECOND_HALF,
    TESTS: kit.FIRST_TESTS + "\n\n" + kit.SECOND_TESTS,
    "LESSON.md": "\n\n".join(kit.LESSON_SECTIONS),
}
UNITS = [type("U", (), {"id": u["unit_id"], "stub": u["stub"]}) for u in kit.UNITS]
MADE = Made(SECTIONS, FILES, UNITS, kit.UNITS, TOOLS["python"])
VAGUE = "`test_frame_of_one_letter` does not say in words what it asserts."
TWO = "The test `test_frame_of_one_letter` tests two stubs, `frame`, `shout`: make two tests of it."


# what may change


@pytest.mark.parametrize(
    ("role", "finding", "part"),
    [
        (Role.TEST, ProofFinding("references", VAGUE, TESTS), Part.TEST_NAME),
        (Role.TEST, ProofFinding("units", TWO, TESTS), Part.TEST_NAME),
        (Role.TEST, ProofFinding("units", TWO, TESTS), Part.NUMBER),
        (Role.STARTER, ProofFinding("builds", "needs a type", SOURCE), Part.SIGNATURE),
        (Role.STARTER, ProofFinding("builds", "needs a type", SOURCE), Part.STUB_BODY),
        (Role.STARTER, ProofFinding("reference", "say too little", SOURCE), Part.COMMENT),
        (Role.LESSON, ProofFinding("lesson", "does not print", "LESSON.md"), Part.EXAMPLE),
        (Role.LESSON, ProofFinding("references", "ends with a link to", "LESSON.md"), Part.LINK),
    ],
)
def test_a_finding_opens_what_mends_it(role, finding, part):
    assert part in open_parts(role, [finding])
    changed, _, kept = goal(role, [finding]).partition(" Keep ")
    assert part in changed
    assert part not in kept


@pytest.mark.parametrize("role", PARTS)
def test_no_part_is_kept_and_changed(role):
    steps = ("builds", "stubs", "units", "references", "lesson", "giveaway")
    for one in steps:
        found = [ProofFinding(one, VAGUE), ProofFinding("units", TWO)]
        changed, _, kept = goal(role, found).partition(" Keep ")
        assert [part in changed for part in PARTS[role]] == [
            part not in kept for part in PARTS[role]
        ]


def test_what_is_sound_is_kept():
    said = goal(Role.STARTER, [ProofFinding("reference", "say too little about `frame`", SOURCE)])
    assert "Keep the names of stubs, signatures, stub bodies" in said


# which function


@pytest.mark.parametrize(
    ("finding", "functions"),
    [
        (ProofFinding("stubs", "The test `test_frame_of_one_letter` passes", TESTS, 9),
         ("test_frame_of_one_letter",)),
        (ProofFinding("reference", "too little", SOURCE, 30, "ex-2"), ("frame",)),
        (ProofFinding("shape", "There is no stub"), ()),
        (ProofFinding("lesson", "does not print", "LESSON.md", 9), ()),
    ],
)  # fmt: skip
def test_the_function_that_a_finding_is_about(finding, functions):
    assert damaged([finding], MADE)[0].functions == functions


def test_a_constant_that_only_tests_know_belongs_to_the_starter():
    said = "The tests compare with PRICE (7), which the starter does not define: move it there."
    (damage,) = damaged([ProofFinding("references", said, TESTS, 3, "ex-2")], MADE)
    assert (damage.role, damage.index, damage.functions) == (Role.STARTER, 1, ())


def test_a_stub_without_tests_is_for_the_tests():
    (damage,) = damaged([ProofFinding("units", "`frame` has no test.", SOURCE, 30, "ex-2")], MADE)
    assert damage.role is Role.TEST


@pytest.mark.parametrize(("heading", "role"), [
    ("Repeating text", Role.LESSON), ("Another one", Role.STARTER),
])  # fmt: skip
def test_a_missing_heading_is_for_whom_the_plan_does_not_agree_with(heading, role):
    said = f'LESSON.md has no section "{heading}".'
    (damage,) = damaged([ProofFinding("references", said, SOURCE, 30, "ex-2")], MADE)
    assert (damage.role, damage.index) == (role, 1)


# what is said


def damage(*findings, functions=()):
    return Damage(Role.TEST, 1, list(findings), functions)


def test_a_repair_of_one_test_asks_for_that_alone():
    found = ProofFinding("stubs", "The test `test_frame_of_one_letter` passes.", TESTS)
    said = directive(SECTIONS[Role.TEST][1], damage(found, functions=("test_frame_of_one_letter",)))
    assert "Write `test_frame_of_one_letter` again" in said
    assert "whole section" not in said


@pytest.mark.parametrize(
    ("before", "words"),
    [
        ("The test `t` passes.", "is still so: The test `t` passes."),
        ("The test `t` crashes.", "That was about: The test `t` crashes."),
    ],
)
def test_a_second_repair_is_told_what_came_of_the_first(before, words):
    now = damage(ProofFinding("stubs", "The test `t` passes.", TESTS))
    section = SECTIONS[Role.TEST][1]
    earlier = [Earlier(Role.TEST, 1, [ProofFinding("stubs", before, TESTS)])]
    assert words in directive(section, now, earlier)
    assert "before" not in directive(section, now)


# where the answer goes


RUST = """use exercise::width;

const WIDE: usize = 3;

#[test]
fn test_width_of_a_word() {
    assert_eq!(width("abc"), WIDE);
}

/// Twice as wide.
#[test]
#[ignore]
fn test_width_of_two_words() {
    assert_eq!(width("a b"), 3);
}
"""


def test_one_function_is_replaced_with_all_that_belongs_to_it():
    answer = '#[test]\nfn test_width_of_two_words() {\n    assert_eq!(width("ab b"), 4);\n}\n'
    made = put_in(RUST, answer, ["test_width_of_two_words"], TOOLS["rust"])
    assert made == RUST[: RUST.index("/// Twice")] + answer


def test_a_renamed_test_takes_the_place_of_the_old_one():
    old, new = "test_frame_of_one_letter", "test_frame_repeats_the_edge_once"
    answer = f'def {new}() -> None:\n    assert frame("a") == "=\\nA"\n'
    made = put_in(kit.SECOND_TESTS, answer, [old], TOOLS["python"], 2)
    assert made == kit.SECOND_TESTS.replace(old, new)


def test_one_test_becomes_two_and_brings_its_import():
    answer = (
        "import pytest\nfrom exercise.signs import frame, shout\n\n\n"
        'def test_frame_of_a() -> None:\n    assert frame("a") == "=\\nA"\n\n\n'
        "def test_frame_of_nothing() -> None:\n    with pytest.raises(ValueError):\n"
        '        frame("")\n'
    )
    made = put_in(kit.SECOND_TESTS, answer, ["test_frame_of_one_letter"], TOOLS["python"], 2)
    first = kit.SECOND_TESTS[: kit.SECOND_TESTS.index("def test_frame_of_one")]
    assert made.startswith("from exercise.signs import frame, shout\nimport pytest\n\n\ndef test")
    assert made.replace("import pytest\n", "") == first + answer[answer.index("def test") :]


def test_an_answer_with_all_of_the_section_is_the_section():
    answer = kit.SECOND_TESTS.replace('"a"', '"b"')
    made = put_in(kit.SECOND_TESTS, answer, ["test_frame_of_one_letter"], TOOLS["python"])
    assert made == answer


def test_a_helper_comes_with_the_function_that_needs_it():
    answer = "#define EDGE 3\n\nint half(int n)\n{\n    return n / EDGE;\n}\n"
    first = "int width(int n)\n{\n    return n;\n}\n\n"
    section = first + "/* Half. */\nint half(int n)\n{\n    return 0;\n}\n"
    made = put_in(section, answer, ["half"], TOOLS["c"])
    assert made == first + answer


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("X = 1\n\n\ndef a() -> None:\n    pass\n", True),
        ("X = 1\ndef a() -> None:\n    pass\n", False),
        ("class A:\n    def a(self) -> None:\n        pass\n", False),
        ("def a() -> None:\n    pass\n\n\ndef a() -> None:\n    pass\n", False),
    ],
)
def test_only_what_stands_alone_is_replaced_alone(text, alone):
    assert can_stand_alone(text, ["a"], TOOLS["python"]) is alone


def test_who_names_a_test_is_changed_with_it():
    text = "void test_a(void)\n{\n}\n\nint main(void)\n{\n    RUN_TEST(test_a);\n}\n"
    assert naming(text, "test_a", TOOLS["c"]) == ["main"]
    assert [each.name for each in pieces(text, TOOLS["c"])] == ["test_a", "main"]
