"""What steps read from texts alone: references, known values, contradictions."""

import re

import pytest
from proof_kit import (
    FAILED,
    TOOLCHAINS,
    add,
    candidate,
    put,
    said,
    trial,
)
from steps_kit import FROST, GOOD, changed

from tutor_lsp.authoring.index import build_index
from tutor_lsp.authoring.proof import contradictions, cross_references, literals
from tutor_lsp.core.exercise.report import (
    RawReport,
    RawTest,
    RunOutcome,
)

# references


def test_names_and_links_fit():
    assert cross_references.check(GOOD) == []


@pytest.mark.parametrize(
    ("edit", "unit", "words"),
    [
        (put("S", "Start here: which", "Hm: which"), "ex-2", "lacks the line Start here"),
        (put("S", "which sign means", "the learner must know what means"), "ex-2", "orders"),
        (put("T", "test_note_warns_of_frost", "test_note_case_2"), "ex-3", "in words"),
        (put("T", "test_note_warns_of_frost", "test_frost"), "ex-3", "is not named"),
        (put("L", "`is_frosty` asks", "It asks"), None, "names no stub"),
        (put("L", "`is_frosty` asks", "`note` asks"), "ex-2", "does not name its stub"),
        (put("L", "[is_frosty]", "[note]"), "ex-2", "ends with a link to `note`"),
        (put("L", "[is_frosty](src/exercise/weather.py)", "[a](b.py)"), "ex-2", "leads nowhere"),
        (put("L", "## All", "Text\n\n## All"), "ex-3", "does not end with a link"),
    ],
)  # fmt: skip
def test_each_rule_of_references(edit, unit, words):
    made = trial("python", edit)
    found = [*cross_references.check(made), *cross_references.of_words(made)]
    said_ = [f for f in found if words in f.message]
    assert said_
    assert unit is None or said_[0].unit == unit
    assert {finding.step for finding in said_} == {"references"}


@pytest.mark.parametrize(
    "question",
    ["what do you need to know first?", "how far up do you have to look, and how far down?"],
)
def test_a_question_orders_nothing(question):
    made = trial("python", put("S", "which sign means", f"{question} which sign means"))
    assert [f for f in cross_references.check(made) if "orders" in f.message] == []


def test_an_order_before_a_question_is_one():
    orders = "you have to compare. which sign means"
    made = trial("python", put("S", "which sign means", orders))
    assert [f.unit for f in cross_references.check(made) if "orders" in f.message] == ["ex-2"]


@pytest.mark.parametrize(
    ("opening", "words"),
    [
        ("", []),
        ("[a](b.py)\n\n", ["leads nowhere"]),
        ("[is_frosty](src/exercise/weather.py)\n\n", []),
    ],
)
def test_a_lesson_may_open_with_a_section_about_no_stub(opening, words):
    heading = re.search(r"^## ", GOOD.candidate.authored["LESSON.md"], re.MULTILINE)[0]
    text = GOOD.candidate.authored["LESSON.md"]
    program = "## Once more\n\nA list is shared.\n\n```python\nprint(1)\n```\n\n```text\n1\n```\n\n"
    lesson = text.replace(heading, program + opening + heading, 1)
    found = list(
        cross_references.sections(
            changed(authored={**GOOD.candidate.authored, "LESSON.md": lesson})
        )
    )
    told = [f.message for f in found if "names no stub" not in f.message]
    assert [word for word in words if any(word in each for each in told)] == words
    assert bool(told) is bool(words)


def test_only_the_first_section_is_about_no_stub():
    text = GOOD.candidate.authored["LESSON.md"] + "\n## Once more\n\nA list is shared.\n"
    found = cross_references.sections(
        changed(authored={**GOOD.candidate.authored, "LESSON.md": text})
    )
    assert any('"Once more" names no stub' in each.message for each in found)


@pytest.mark.parametrize(
    "rest", ["correct", "first", "one_two", "ok", "all", "good", "edge", "result"]
)
def test_a_value_may_be_what_a_test_is_named_for(rest):
    made = trial("python", put("T", "test_note_warns_of_frost", f"test_note_{rest}"))
    assert cross_references.of_words(made) == []


def test_a_stub_without_its_comment():
    text = GOOD.candidate.files["src/exercise/weather.py"].replace("ex-2 -", "now -")
    files = {**GOOD.candidate.files, "src/exercise/weather.py": text}
    found = cross_references.check(changed(files=files))
    assert said(found) == [("references", "ex-2")]
    assert "has none of the lines" in found[0].message


@pytest.mark.parametrize("planned", [False, True])
def test_stubs_without_comments_are_told_once_each(planned):
    path = "src/exercise/weather.py"
    text = re.sub(r'\n    """.*?"""', "", GOOD.candidate.files[path], flags=re.DOTALL)
    files = {**GOOD.candidate.files, path: text}
    plan = [
        {
            "unit_id": unit.id, "stub": unit.stub, "file_path": path, "test_names": unit.tests,
            "first_principle": unit.first_principle, "lesson_heading": unit.lesson_heading,
        }
        for unit in GOOD.units
    ]  # fmt: skip
    index = build_index(files, plan if planned else None, TOOLCHAINS["python"], strict=True)
    found = cross_references.check(changed(files=files, units=index.units))
    told = [each for each in (*index.findings, *found) if each.file in (path, None)]
    assert [each.unit for each in told] == [unit.id for unit in GOOD.units]
    assert all("has none of the lines" in each.message for each in told)


def test_a_lesson_without_headings():
    found = cross_references.check(trial("python", put("L", "## ", "")))
    first = next(finding for finding in found if finding.file == "LESSON.md")
    assert "no section headings" in first.message


# values that only tests know


ONLY = [
    put("*", "def is_frosty(celsius: int) -> bool:", "def is_frosty() -> int:"),
    put("T", "FREEZING - 1) is True\n    assert is_frosty(-20) is True", ") == 4_711"),
]


def test_a_value_that_has_no_input_to_come_from():
    (finding,) = literals.unguessable(trial("python", *ONLY))
    assert (finding.step, finding.unit) == ("reference", "ex-2")
    assert "4_711" in finding.message


@pytest.mark.parametrize(
    "edit",
    [
        put("S", "FREEZING = 0", "FREEZING = 0\nRECORD = 4711"),
        put("L", "Three small", "4711 small"),
        put("T", "is_frosty() == 4_711", "is_frosty() == 1"),
        put("T", "    assert is_frosty() ==", "    is_frosty()\n    assert is_frosty() =="),
    ],
)
def test_values_that_can_be_known(edit):
    assert literals.unguessable(trial("python", *ONLY, edit)) == []


def test_numbers_are_compared_by_value():
    known = literals.Known.of('0x10 1_000 2.50 "twelve"')
    assert all(known.has(text) for text in ("16", "1000u32", "2.5", '"twelve"', "1", '""'))
    assert not any(known.has(text) for text in ("17", '"eleven"'))
    assert literals.number("915_000") == 915_000
    assert literals.number("x") is None


def test_the_first_value_that_nobody_told():
    known = literals.Known.of("3 blue boxes")
    assert literals.only_the_test_knows("[3, 4711]", known) == "4711"
    assert literals.only_the_test_knows('"blue"', known) is None
    assert literals.only_the_test_knows(None, known) is None


# contradictions


ASSERTED = 'assert note(-5) == "-5 C is 23 F, frost"'


def assumed(*edits):
    made = trial("python", *edits)
    return made, contradictions.assume(made)


def test_an_answer_is_taken_for_granted():
    code = 'text = note(-5)\n    assert text == "-5 C"\n    assert text[0] == "x"'
    variable = put("T", ASSERTED, code)
    made, found = assumed(variable)
    assert found.tests == {FROST: 'assert text == "-5 C"'}
    assert '    text = ("-5 C")\n' in found.files["tests/test_weather.py"]
    wrong = RawReport(RunOutcome.FAILED, (RawTest(FROST, FAILED, left="'-'", right="'x'"),))
    (finding,) = contradictions.check(made, found, wrong)
    assert (finding.step, finding.unit) == ("reference", "ex-3")
    assert "contradicts itself" in finding.message


def test_what_may_be_changed_by_the_call_is_left_alone():
    code = "box = [1]\n    text = note(box)\n    assert text == box\n    assert text[0] == 2"
    changing = put("T", ASSERTED, code)
    assert assumed(changing)[1].tests == {}
    assert assumed()[1].tests == {}


def test_two_tests_that_want_different_answers():
    other = add("T", '\n\ndef test_note_of_five_again() -> None:\n    assert note(5) == "five"\n')
    (finding,) = contradictions.among(trial("python", other))
    assert "where `test_note_shows_both_temperatures` wants" in finding.message
    assert contradictions.among(GOOD) == []


def test_a_candidate_without_reference_has_no_figures_of_one():
    assert candidate(solved=False).solution == {}


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("static const int level2 = 7;", {"level2": "7"}),
        ("const double x2 = 5.0;", {"x2": "5.0"}),
        ("static const int days[2] = {31, 28};", {"days": "{31, 28}"}),
        ("#define TWICE(x) ((x) * 2)", {"TWICE": "((x) * 2)"}),
        ("enum { low = 3 };", {"low": "3 "}),
    ],
)
def test_constants_of_a_test_file_are_read_by_their_own_names(line, named):
    found = literals._fixed_values(line, trial("c").lines)
    assert {name: value.strip() for name, value in found.items()} == {
        name: value.strip() for name, value in named.items()
    }
