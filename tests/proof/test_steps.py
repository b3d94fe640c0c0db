"""The steps shape, builds and stubs, each alone, from reports that tests make up."""

import dataclasses

import pytest
from proof_kit import (
    FAILED,
    PASSED,
    put,
    report,
    said,
    trial,
)
from steps_kit import BROKEN, ERROR, FROST, GOOD, changed

from tutor_lsp.authoring.model import Candidate
from tutor_lsp.authoring.proof import (
    builds,
    shape,
    stubs,
)
from tutor_lsp.authoring.proof.trial import trial_of
from tutor_lsp.authoring.proof.wrong import Wrongs
from tutor_lsp.core.exercise.report import (
    Location,
    RawReport,
    RawTest,
    RunOutcome,
    TestOutcome,
)
from tutor_lsp.core.language.dialect import Built

# shape


def test_all_parts_are_there():
    assert shape.check(GOOD) == []
    assert shape.executable(GOOD)


def test_an_exercise_without_parts():
    empty = trial_of(
        Candidate("python", {"LESSON.md": ""}, {}, {}, ()), GOOD.toolchain, GOOD.dialect
    )
    texts = [finding.message for finding in shape.check(empty)]
    assert len(texts) == 3
    assert not shape.executable(empty)


def test_a_reference_must_replace_every_stub_file_and_nothing_else():
    strange = {"src/exercise/other.py": "", "tests/test_weather.py": ""}
    found = shape.check(changed(solution=strange))
    assert [finding.file for finding in found] == [
        *["src/exercise/weather.py"] * 3,
        "src/exercise/other.py",
    ]


@pytest.mark.parametrize(
    ("language", "path"), [("rust", "src/lib.rs"), ("c", "tests/test_weather.c")]
)
def test_what_could_be_completed_is_told_apart(language, path):
    made = trial(language)
    authored = {p: t for p, t in made.candidate.authored.items() if p != path}
    if language == "c":
        authored[path] = made.candidate.authored[path].replace(
            "    RUN_TEST(test_note_warns_of_frost);\n", ""
        )
    files = made.toolchain.complete(authored)
    found = made.dialect.completed(authored, files)
    assert [(finding.step, finding.file) for finding in found] == [("shape", path)]
    assert made.dialect.completed(made.candidate.authored, made.candidate.files) == []


# builds


def test_a_starter_that_builds():
    assert builds.check(Built(), report(GOOD, FAILED)) == []


def test_an_error_is_said_once():
    found = builds.check(Built(errors=(ERROR,)), BROKEN)
    assert [(f.step, f.file, f.line) for f in found] == [("builds", ERROR.file, 3)]
    assert "no such name" in found[0].message


def test_an_error_of_the_tests_is_said_too():
    theirs = dataclasses.replace(ERROR, file="tests/test_weather.py")
    both = RawReport(RunOutcome.BUILD_ERROR, build_errors=(ERROR, theirs))
    found = builds.check(Built(errors=(ERROR,)), both)
    assert [f.file for f in found] == [ERROR.file, theirs.file]


def test_a_build_error_without_a_place():
    (finding,) = builds.check(Built(), RawReport(RunOutcome.BUILD_ERROR, reason="no linker"))
    assert "no linker" in finding.message


def test_warnings_of_starter_and_tests():
    found = builds.check(Built(warnings=(ERROR,)), dataclasses.replace(report(GOOD), warnings=3))
    assert ["warning" in finding.message for finding in found] == [True, True]
    assert "2 warnings" in found[1].message


# stubs


def test_tests_that_fail_as_they_should():
    assert stubs.check(GOOD, report(GOOD, FAILED)) == []


@pytest.mark.parametrize(
    ("test", "words"),
    [
        (RawTest(FROST, PASSED), "passes although"),
        (RawTest(FROST, TestOutcome.TIMEOUT, error="did not finish"), "does not end"),
        (RawTest(FROST, TestOutcome.NOT_RUN, error="skipped"), "is skipped"),
        (RawTest(FROST, TestOutcome.ERRORED, error="exit code 0"), "crashes"),
        (RawTest(FROST, FAILED, error="KeyError: 'x'"), "not because something is missing"),
        (
            RawTest(FROST, FAILED, error="called `Option::unwrap()` on a `None`"),
            "not because something is missing",
        ),
    ],
)
def test_tests_that_do_not_fail_as_they_should(test, words):
    (finding,) = stubs.check(GOOD, report(GOOD, FAILED, **{FROST: test}))
    assert (finding.step, finding.unit) == ("stubs", "ex-3")
    assert words in finding.message


@pytest.mark.parametrize(
    "test",
    [
        RawTest(FROST, FAILED, not_implemented=True, error="NotImplementedError: note"),
        RawTest(FROST, FAILED, left="1", right="2", error="with a note"),
        RawTest(FROST, FAILED, error="AssertionError"),
        RawTest(FROST, FAILED, error="Failed: DID NOT RAISE ValueError"),
        RawTest(FROST, FAILED, error="too warm", location=Location("tests/test_weather.py", 30)),
    ],
)
def test_failures_that_are_as_they_should_be(test):
    assert stubs.check(GOOD, report(GOOD, FAILED, **{FROST: test})) == []


def test_a_test_that_was_not_collected():
    some = dataclasses.replace(report(GOOD, FAILED), tests=report(GOOD, FAILED).tests[1:])
    assert said(stubs.check(GOOD, some)) == [("stubs", "ex-1")]


def test_no_test_at_all():
    found = stubs.check(GOOD, RawReport(RunOutcome.NOT_RUN, reason="nothing there"))
    assert [finding.message for finding in found][-1] == "No test was collected."


def test_a_run_that_did_not_end():
    late = dataclasses.replace(report(GOOD, FAILED), outcome=RunOutcome.TIMEOUT, reason="late")
    assert said(stubs.check(GOOD, late)) == [("stubs", None)]


def test_neutral_values_and_what_is_known_already():
    unit = GOOD.units[2]
    red = report(GOOD, FAILED, **dict.fromkeys(unit.tests, PASSED))
    (finding, *_) = stubs.check_neutral(GOOD, unit, red, 'return ""')
    assert 'only returns `""`' in finding.message
    assert "does nothing" in stubs.check_neutral(GOOD, unit, red, "")[0].message
    assert stubs.check_neutral(GOOD, unit, red, "", told=unit.tests) == []
    assert stubs.check_neutral(GOOD, GOOD.units[0], red, "") == []


@pytest.mark.parametrize(
    ("language", "old", "new", "settled"),
    [
        ("python", 'note(-5) == "-5 C is 23 F, frost"', 'note(-300) == ""', True),
        ("python", 'note(-5) == "-5 C is 23 F, frost"', "not note(-300)", True),
        ("python", 'note(-5) == "-5 C is 23 F, frost"', "len(note(-5)) >= 0", False),
        ("python", 'note(-5) == "-5 C is 23 F, frost"', "note(-5) is not None", False),
        ("python", 'note(-5) == "-5 C is 23 F, frost"', '"x" not in note(-5)', False),
        ("python", 'note(-5) == "-5 C is 23 F, frost"', "isinstance(note(-5), str)", False),
        ("rust", '_eq!(note(-5), "-5 C is 23 F, frost")', "!(note(-5).len() < 9)", False),
        ("rust", '_eq!(note(-5), "-5 C is 23 F, frost")', '_eq!(note(-5), "")', True),
        ("rust", '_eq!(note(-5), "-5 C is 23 F, frost")', "!(note(-300).is_empty())", True),
        ("rust", '_eq!(note(-5), "-5 C is 23 F, frost")', "!(note(-300).is_ascii())", False),
    ],
)  # fmt: skip
def test_a_neutral_value_may_be_right_where_another_test_notices_it(language, old, new, settled):
    made = trial(language, put("T", old, new))
    unit = next(unit for unit in made.units if FROST in unit.tests)
    seen = report(made, FAILED, **{FROST: PASSED})
    assert len(unit.tests) > 1
    assert (stubs.check_neutral(made, unit, seen, "return 0") == []) is settled


@pytest.mark.parametrize(
    ("error", "notices"),
    [("AssertionError: assert 'x' not in 'x'", True), ("TypeError: no text", False), ("", False)],
)
def test_a_test_that_a_neutral_value_passes_may_notice_something_else(error, notices):
    made = trial("python", put("T", 'note(-5) == "-5 C is 23 F, frost"', '"x" not in note(-5)'))
    unit = next(unit for unit in made.units if FROST in unit.tests)
    wrongs = Wrongs(made, made.solved(made.candidate.solution), ())
    wrongs.neutral()
    reports = {f"{unit.id} neutral": report(made, FAILED, **{FROST: PASSED})}
    tried = wrongs.unsettled(reports)
    assert {each.key.split()[0] for each in tried} == {unit.id}
    seen = RawTest(FROST, FAILED if error else PASSED, error=error or None)
    reports |= {each.key: report(made, FAILED, **{FROST: seen}) for each in tried}
    assert (wrongs.judge(reports, ())[0] == []) is notices


@pytest.mark.parametrize(
    ("asserted", "settled"),
    [
        ("station.note is False", True),
        ("not station.note", True),
        ("station.notes is False", False),
        ("station.note is not 5", False),
        ("station.note or True", False),
    ],
)
def test_a_stub_that_is_an_attribute_may_have_a_neutral_value_as_well(asserted, settled):
    made = trial("python", put("T", 'note(-5) == "-5 C is 23 F, frost"', asserted))
    unit = next(unit for unit in made.units if FROST in unit.tests)
    seen = report(made, FAILED, **{FROST: PASSED})
    assert (stubs.check_neutral(made, unit, seen, "return False") == []) is settled


@pytest.mark.parametrize(
    ("lines", "watched"),
    [
        ("note(cold)\n    assert cold == -5", True),
        ("note(cold)\n    assert True", False),
        ("said = note(cold)\n    assert said[:0] == str(cold)[:0]", False),
        ("assert note(cold)[:0] == str(cold)[:0]", False),
    ],
)
def test_a_test_may_be_about_what_the_stub_leaves_alone(lines, watched):
    asserted = 'assert note(-5) == "-5 C is 23 F, frost"'
    made = trial("python", put("T", asserted, f"cold = -5\n    {lines}"))
    unit = next(unit for unit in made.units if FROST in unit.tests)
    seen = report(made, FAILED, **{FROST: PASSED})
    assert (stubs.check_neutral(made, unit, seen, 'return ""') == []) is watched


@pytest.mark.parametrize(
    ("then", "watched"),
    [
        ("TEST_ASSERT(text[0] == 'x');", True),
        ('TEST_ASSERT_STR_EQ("x", text);', True),
        ("TEST_ASSERT(1 == 1);", False),
        ("", False),
    ],
)
def test_a_stub_that_does_nothing_may_be_right_where_another_test_notices_it(then, watched):
    asserted = """    TEST_ASSERT_EQ(19, note(text, sizeof text, -5));
    TEST_ASSERT_STR_EQ("-5 C is 23 F, frost", text);
"""
    made = trial("c", put("T", asserted, f"    note(text, sizeof text, -5);\n    {then}\n"))
    unit = next(unit for unit in made.units if FROST in unit.tests)
    seen = report(made, FAILED, **{FROST: PASSED})
    assert (stubs.check_neutral(made, unit, seen, "return;") == []) is watched


def test_wrong_versions_that_no_test_notices():
    unit = GOOD.units[2]
    red, other = report(GOOD, FAILED, **{FROST: PASSED}), report(GOOD, PASSED)
    assert said(stubs.check_mutants(GOOD, unit, [red, other])) == [("stubs", "ex-3")]
    assert stubs.check_mutants(GOOD, unit, [other]) == []  # one is not enough to tell
    assert stubs.check_mutants(GOOD, unit, [red, report(GOOD, FAILED)]) == []
