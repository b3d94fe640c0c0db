"""Each step alone, from reports that tests make up."""

import dataclasses

import pytest
from proof_kit import (
    FAILED,
    PASSED,
    add,
    begin,
    candidate,
    names,
    put,
    report,
    said,
    trial,
)

from tutor_lsp.authoring.model import Candidate
from tutor_lsp.authoring.proof import (
    builds,
    contradictions,
    literals,
    reference,
    references,
    shape,
    stable,
    stubs,
    unit_map,
)
from tutor_lsp.authoring.proof.languages import Built
from tutor_lsp.authoring.proof.trial import trial_of
from tutor_lsp.core.report import (
    BuildError,
    Location,
    RawReport,
    RawTest,
    RunOutcome,
    TestOutcome,
)

GOOD = trial()
FROST = "test_note_warns_of_frost"
ERROR = BuildError("src/exercise/weather.py", 3, 1, 3, 2, "E1", "no such name")
BROKEN = RawReport(RunOutcome.BUILD_ERROR, build_errors=(ERROR,))


def changed(**changes):
    return trial_of(dataclasses.replace(GOOD.candidate, **changes), GOOD.toolchain, GOOD.dialect)


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
        (RawTest(FROST, TestOutcome.TIMEOUT, error="did not finish"), "come to an end"),
        (RawTest(FROST, TestOutcome.NOT_RUN, error="skipped"), "is skipped"),
        (RawTest(FROST, TestOutcome.ERRORED, error="exit code 0"), "breaks off"),
        (RawTest(FROST, FAILED, error="KeyError: 'x'"), "for a reason of its own"),
        (RawTest(FROST, FAILED, error="called `Option::unwrap()` on a `None`"), "of its own"),
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
    red = report(GOOD, FAILED, **{FROST: PASSED})
    (finding,) = stubs.check_neutral(GOOD, unit, red, 'return ""')
    assert 'only gives back `""`' in finding.message
    assert "does nothing" in stubs.check_neutral(GOOD, unit, red, "")[0].message
    assert stubs.check_neutral(GOOD, unit, red, "", told={FROST}) == []
    assert stubs.check_neutral(GOOD, GOOD.units[0], red, "") == []


def test_wrong_versions_that_no_test_notices():
    unit = GOOD.units[2]
    red, other = report(GOOD, FAILED, **{FROST: PASSED}), report(GOOD, PASSED)
    assert said(stubs.check_mutants(GOOD, unit, [red, other])) == [("stubs", "ex-3")]
    assert stubs.check_mutants(GOOD, unit, [other]) == []  # one is not enough to tell
    assert stubs.check_mutants(GOOD, unit, [red, report(GOOD, FAILED)]) == []


# reference


def test_a_reference_that_passes():
    red, green = report(GOOD, FAILED), report(GOOD)
    assert reference.check(GOOD, green, red) == []
    assert reference.holds(green, red)


def test_a_reference_that_does_not_pass():
    wrong = report(GOOD, **{FROST: RawTest(FROST, FAILED, left="a", right="b")})
    (finding,) = reference.check(GOOD, wrong, report(GOOD, FAILED))
    assert (finding.step, finding.unit) == ("reference", "ex-3")
    assert finding.message.endswith(": a against b.")


def test_a_reference_with_other_tests_and_one_that_does_not_build():
    fewer = dataclasses.replace(report(GOOD), tests=report(GOOD).tests[1:])
    assert said(reference.check(GOOD, fewer, report(GOOD, FAILED))) == [("reference", "ex-1")]
    assert said(reference.check(GOOD, BROKEN, report(GOOD, FAILED))) == [("reference", None)]
    assert not reference.holds(fewer, report(GOOD, FAILED))


def test_the_value_that_only_the_test_knows_is_named():
    failed = RawTest(
        FROST, FAILED, location=Location("tests/test_weather.py", 30), left="'x'", right="'y 4711'"
    )
    blind = report(GOOD, **{FROST: failed})
    found = reference.check_solved(GOOD, blind, report(GOOD), report(GOOD, FAILED))
    assert [(f.step, f.unit, f.file) for f in found] == [
        ("reference", "ex-3", "src/exercise/weather.py")
    ]
    assert "only the test knows" in found[0].message


# stable


def test_runs_that_are_alike():
    runs = [report(GOOD)] * 3
    assert stable.check(GOOD, runs) == []
    assert stable.runs_alike(runs) == 3
    assert stable.check(GOOD, []) == []


def test_runs_that_differ():
    red = report(GOOD, **{FROST: RawTest(FROST, FAILED, left="1", right="2")})
    found = stable.check(GOOD, [report(GOOD), red, red])
    assert said(found) == [("stable", "ex-3")]
    assert "passed, then failed" in found[0].message
    fewer = dataclasses.replace(report(GOOD), tests=report(GOOD).tests[1:])
    assert said(stable.check(GOOD, [report(GOOD), fewer])) == [("stable", "ex-1")]
    assert said(stable.check(GOOD, [report(GOOD), BROKEN])) == [("stable", None)]


def test_shuffling_moves_tests_and_nothing_else():
    text = GOOD.candidate.files["tests/test_weather.py"]
    (turned,) = stable.shuffled({"a": text}, GOOD.toolchain, 1).values()
    (mixed,) = stable.shuffled({"a": text}, GOOD.toolchain, 2).values()
    order = [site.name for site in GOOD.toolchain.tests(turned)]
    assert order == names(GOOD)[::-1]
    assert sorted(mixed.split("\n")) == sorted(text.split("\n"))
    assert stable.shuffled({"a": text}, GOOD.toolchain, 2) == {"a": mixed}


# units


def put_back(made, **passing):
    return {
        unit.id: report(made, PASSED, **dict.fromkeys(unit.tests, FAILED)) for unit in made.units
    } | passing


def mapped(made, reports):
    return unit_map.check(made, made.solved(made.candidate.solution), reports)


def test_each_stub_has_its_tests():
    assert list(unit_map.targets(GOOD)) == []
    assert mapped(GOOD, put_back(GOOD)) == ([], {})


def test_needs_come_from_what_fails_and_calls():
    first = report(GOOD, FAILED, **dict.fromkeys(GOOD.units[1].tests, PASSED))
    assert mapped(GOOD, put_back(GOOD, **{"ex-1": first})) == ([], {"ex-3": ("ex-1",)})


def test_a_test_that_passes_without_its_stub():
    found, _ = mapped(GOOD, put_back(GOOD, **{"ex-3": report(GOOD)}))
    assert said(found) == [("units", "ex-3")] * 2


def test_a_test_that_needs_a_later_stub():
    found, _ = mapped(GOOD, put_back(GOOD, **{"ex-2": report(GOOD, FAILED)}))
    early = [finding for finding in found if finding.unit == "ex-1"]
    assert len(early) == 2
    assert "comes later" in early[0].message


def test_a_need_that_no_call_explains():
    whole = report(GOOD, FAILED)
    found, needs = mapped(GOOD, put_back(GOOD, **{"ex-1": whole}))
    assert {f.unit for f in found} == {"ex-2"}
    assert needs == {"ex-3": ("ex-1",)}


def test_a_stub_that_cannot_be_put_back():
    reports = {unit.id: RawReport(RunOutcome.BUILD_ERROR, reason="no") for unit in GOOD.units}
    del reports["ex-2"]
    found, _ = mapped(GOOD, reports)
    assert [finding.unit for finding in found] == [None, "ex-2", None]


def test_targets_are_read_from_assertions():
    helper = begin(
        "T", "def asked(c):\n    from exercise import weather\n    return weather.note(c)\n\n\n"
    )
    through = trial("python", helper, put("T", "assert note(20)", "assert asked(20)"))
    assert list(unit_map.targets(through)) == []
    nested = trial("python", put("T", "note(5) ==", "note(to_fahrenheit(5)) =="))
    assert list(unit_map.targets(nested)) == []  # setting up
    two = trial(
        "python",
        put("T", "    assert note(5)", "    assert is_frosty(1) is False\n    assert note(5)"),
    )
    assert said(unit_map.targets(two)) == [("units", "ex-3")]


# references


def test_names_and_links_fit():
    assert references.check(GOOD) == []


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
    said_ = [f for f in references.check(trial("python", edit)) if words in f.message]
    assert said_
    assert unit is None or said_[0].unit == unit
    assert {finding.step for finding in said_} == {"references"}


def test_a_stub_without_its_comment():
    text = GOOD.candidate.files["src/exercise/weather.py"].replace("ex-2 —", "now —")
    files = {**GOOD.candidate.files, "src/exercise/weather.py": text}
    found = references.check(changed(files=files))
    assert said(found) == [("references", "ex-2")]
    assert "has none of the lines" in found[0].message


def test_a_lesson_without_headings():
    found = references.check(trial("python", put("L", "## ", "")))
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
