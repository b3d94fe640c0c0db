"""The steps reference, stable and units, each alone, from reports that tests make up."""

import dataclasses

import pytest
from proof_kit import (
    FAILED,
    PASSED,
    begin,
    names,
    put,
    report,
    said,
    trial,
)
from steps_kit import BROKEN, FROST, GOOD

from tutor_lsp.authoring.proof import reference_run, stable, unit_map
from tutor_lsp.core.exercise.report import (
    Location,
    RawReport,
    RawTest,
    RunOutcome,
)

# reference


def test_a_reference_that_passes():
    red, green = report(GOOD, FAILED), report(GOOD)
    assert reference_run.check(GOOD, green, red) == []
    assert reference_run.holds(green, red)


def test_a_reference_that_does_not_pass():
    wrong = report(GOOD, **{FROST: RawTest(FROST, FAILED, left="a", right="b")})
    (finding,) = reference_run.check(GOOD, wrong, report(GOOD, FAILED))
    assert (finding.step, finding.unit) == ("reference", "ex-3")
    assert finding.message.endswith(": a against b.")


def test_a_reference_with_other_tests_and_one_that_does_not_build():
    fewer = dataclasses.replace(report(GOOD), tests=report(GOOD).tests[1:])
    assert said(reference_run.check(GOOD, fewer, report(GOOD, FAILED))) == [("reference", "ex-1")]
    assert said(reference_run.check(GOOD, BROKEN, report(GOOD, FAILED))) == [("reference", None)]
    assert not reference_run.holds(fewer, report(GOOD, FAILED))


def test_the_value_that_only_the_test_knows_is_named():
    failed = RawTest(
        FROST, FAILED, location=Location("tests/test_weather.py", 30), left="'x'", right="'y 4711'"
    )
    blind = report(GOOD, **{FROST: failed})
    found = reference_run.check(GOOD, report(GOOD), report(GOOD, FAILED), blind)
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
    assert list(unit_map.compared(two)) == []


@pytest.mark.parametrize(
    ("steps", "found"),
    [
        ("degrees = 5\n    assert to_fahrenheit(degrees) == 41\n    assert note(degrees)", []),
        ("assert to_fahrenheit(FREEZING) == 32\n    assert note(FREEZING)", ["targets"]),
        ("degrees = 5\n    assert note(degrees)\n    assert is_frosty(degrees)", ["targets"]),
        ("degrees = 5\n    assert note(degrees) == is_frosty(degrees)", ["compared"]),
    ],
)
def test_a_checked_step_of_set_up_is_no_second_target(steps, found):
    made = trial("python", put("T", 'assert note(-5) == "-5 C is 23 F, frost"', steps))
    rules = {"targets": unit_map.targets, "compared": unit_map.compared}
    assert [name for name, rule in rules.items() if list(rule(made))] == found
