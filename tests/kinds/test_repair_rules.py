"""What a unit needs that asks to mend a program, and what its proof refuses."""

import asyncio

import pytest
from kinds_kit import TOOLS, course, folder_of

from tutor_lsp.authoring.index import build_index
from tutor_lsp.authoring.model import Candidate
from tutor_lsp.authoring.own.check_exercise import check_exercise
from tutor_lsp.authoring.own.new_exercise import new_exercise
from tutor_lsp.authoring.proof import builds, shape, stubs
from tutor_lsp.authoring.proof.kinds import repaired
from tutor_lsp.authoring.proof.trial import trial_of
from tutor_lsp.authoring.refresher.make import ReviewRequest, make_review
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.core.exercise.report import BuildError, RawReport, RawTest, RunOutcome, TestOutcome
from tutor_lsp.core.language.dialect import Built
from tutor_lsp.core.session import Vault
from tutor_lsp.languages.registry import dialect
from tutor_lsp.library.loader import Library
from tutor_lsp.stages.backends.library import planned_units
from tutor_lsp.stages.reveal import reveals, solution_lines

OWN, TEST = "src/exercise/warmest.py", "tests/test_warmest.py"
ABOVE, BELOW = "test_warmest_finds_a_day_above_freezing", "test_warmest_finds_a_day_below_freezing"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return folder_of(tmp_path_factory.mktemp("rules"), "python", UnitKind.REPAIR)


def read(folder, *changes):
    """The trial of the exercise after changes to texts, and what its index finds."""
    library = Library([folder])
    (entry,) = library.entries()
    bundled, tool = library.load(entry), TOOLS[entry.language]
    files, solution = dict(bundled.files), dict(bundled.solution)
    for file, old, new in changes:
        texts = solution if file.startswith("solution/") else files
        name = file.removeprefix("solution/")
        assert old in texts[name]
        texts[name] = texts[name].replace(old, new)
    index = build_index(files, planned_units(entry), tool, strict=True)
    whole = tool.complete(files)
    made = Candidate(entry.language, files, whole, solution, index.units, {})
    return trial_of(made, tool, dialect(entry.language)), index.findings


def said(findings):
    return [f"{finding.step} {finding.file}: {finding.message}" for finding in findings]


def test_a_new_exercise_has_what_it_needs(folder):
    trial, findings = read(folder)
    assert said(findings) == []
    assert said(repaired.check_reference(trial, trial.candidate.solution)) == []
    assert said(shape.check(trial)) == []


def test_there_is_a_program_to_mend(folder):
    given = read(folder)[0].candidate.files[OWN]
    program = given[given.index("\ndef ") :]
    _, findings = read(folder, (OWN, program, ""))
    assert f"units {OWN}: There is no program below the comment of ex-4 that could be mended." in (
        said(findings)
    )


def test_its_file_is_for_it_alone(folder, tmp_path):
    made = folder_of(tmp_path, "python", UnitKind.REPAIR)
    toml = made / "exercise.toml"
    moved = toml.read_text().replace('file = "src/exercise/weather.py"', f'file = "{OWN}"', 1)
    toml.write_text(moved.replace('stub = "to_fahrenheit"', 'stub = "coldest"'))
    alone = f"{OWN} is for `warmest` alone, which is to be repaired there: `coldest` needs"
    assert any(alone in each for each in said(read(made)[1]))


def test_a_domain_is_refused_at_once(tmp_path):
    made = folder_of(tmp_path, "python", UnitKind.REPAIR)
    (made / "accepts").mkdir(exist_ok=True)
    (made / "accepts/ex-4.py").write_text("def accepts(x: int) -> bool:\n    return True\n")
    library = Library([made])
    (entry,) = library.entries()
    with pytest.raises(TutorError, match=r"accepts/ex-4\.py is for a unit that asks to repair"):
        library.load(entry)


def test_what_does_not_parse_is_no_fault_of_the_starter(folder):
    trial, findings = read(folder, (OWN, "in days:", "in days"))
    assert said(findings) == []
    assert shape.unreadable(trial) == []
    assert "def warmest" not in repaired.without_programs(trial)[OWN]
    assert "def is_frosty" in repaired.without_programs(trial)["src/exercise/weather.py"]


RAN = {
    "one fails": ({BELOW: "failed"}, []),
    "one crashes": ({BELOW: "errored"}, []),
    "none fails": (
        {}, [f"stubs {OWN}: `warmest` passes all its tests as it is given: nothing is to be "
             "mended."],
    ),
    "one hangs": (
        {BELOW: "timeout"},
        [f"stubs {TEST}: The test `{BELOW}` does not end on the starter: no reason given."],
    ),
    "one is skipped": (
        {ABOVE: "failed", BELOW: "not_run"},
        [f"stubs {TEST}: The test `{BELOW}` is skipped: no reason given."],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RAN)
def test_a_program_fails_some_of_its_tests(folder, name):
    ended, expected = RAN[name]
    trial, _ = read(folder)
    tests = [RawTest(test, TestOutcome(ended.get(test, "passed"))) for test in (ABOVE, BELOW)]
    rest = [
        RawTest(test, TestOutcome.FAILED, not_implemented=True)
        for unit in trial.units[:3]
        for test in unit.tests
    ]
    assert said(stubs.check(trial, RawReport(RunOutcome.FAILED, (*rest, *tests)))) == expected


def test_errors_and_failing_tests_are_recorded(folder):
    trial, _ = read(folder)
    error = BuildError(OWN, 11, 1, 11, 2, "SyntaxError", "expected ':'")
    broken = tuple(RawTest(t, TestOutcome.ERRORED, broken=error) for t in (ABOVE, BELOW))
    report = RawReport(RunOutcome.FAILED, broken, aside_errors=(error,))
    assert stubs.codes(trial, report) == {"ex-4": ("SyntaxError",)}
    assert repaired.fails(trial, report) == {"ex-4": (ABOVE, BELOW)}
    wrong = RawReport(
        RunOutcome.FAILED,
        (RawTest(ABOVE, TestOutcome.PASSED), RawTest(BELOW, TestOutcome.FAILED)),
    )
    assert (stubs.codes(trial, wrong), repaired.fails(trial, wrong)) == ({}, {"ex-4": (BELOW,)})


def test_warnings_are_those_of_the_mended_program():
    warned, silent = RawReport(RunOutcome.FAILED, warnings=2), RawReport(RunOutcome.PASSED)
    assert said(builds.check(Built(), warned, silent)) == []
    assert said(builds.check(Built(), silent, warned)) == [
        "builds None: The tests build with 2 warnings: mend what the compiler names."
    ]


SOLVED = f"solution/{OWN}"
REFERENCES = {
    "it changes nothing": (
        ((SOLVED, "highest = days[0]", "highest = 0"),),
        [f"reference {OWN}: The reference of ex-4 does not change the program of `warmest`."],
    ),
    "it changes empty lines": (
        ((SOLVED, "    highest = days[0]", "\n    highest = 0  "),),
        [f"reference {OWN}: The reference of ex-4 does not change the program of `warmest`."],
    ),
    "it changes the comment": (
        ((SOLVED, "what comes back", "what came back"),),
        [f"reference {OWN}: The reference of ex-4 does not begin with the comment of its file."],
    ),
    "a comment tells it": (
        ((OWN, "highest = 0", "highest = 0  # not: highest = days[0]"),),
        [f"giveaway {OWN}: A comment in {OWN} says how `warmest` is mended."],
    ),
    "a comment does not": (((OWN, "highest = 0", "highest = 0  # at first"),), []),
}


@pytest.mark.parametrize("name", REFERENCES)
def test_the_reference_mends_the_program_and_nothing_tells_how(folder, name):
    changes, expected = REFERENCES[name]
    trial, _ = read(folder, *changes)
    assert said(repaired.check_reference(trial, trial.candidate.solution)) == expected


LINES = (
    "python",
    "def f():\n    a = 0\n    return a\n",
    "def f():\n    a = list[0]\n    return a\n",
)


def test_no_hint_holds_the_lines_that_mend_it():
    lines = solution_lines(*LINES, "f", mended=True)
    assert lines == ["a=list[0]"]
    told = {"text": "Write this.", "code": "a = list[0]"}
    assert [reveals(told, level, lines) for level in (1, 2, 3)] == [True, True, False]
    assert solution_lines(*LINES, "f") == []


REFUSED = {
    "python": ((OWN, "highest = 0", "highest = days[0]"), "passes all its tests as it is given"),
    "c": (
        (
            "src/shorten.h",
            "        at++;\n    }\n",
            "        at++;\n    }\n    text[at] = '\\0';\n",
        ),
        "passes all its tests as it is given",
    ),
}


@pytest.mark.long("proves whole exercises")
@pytest.mark.parametrize("language", REFUSED)
def test_check_exercise_refuses_a_starter_that_passes(tmp_path, language):
    (file, old, new), expected = REFUSED[language]
    made = folder_of(tmp_path, language, UnitKind.REPAIR)
    text = (made / file).read_text()
    assert old in text
    (made / file).write_text(text.replace(old, new))
    result = asyncio.run(check_exercise(made, toolchains=TOOLS))
    assert any(expected in finding.message for finding in result.findings)


WARNED = {
    "rust": ("src/sign.rs", "    let sign", "    let unused = 3;\n    let sign"),
    "c": ("src/shorten.h", "    int at = 0;", "    int at = 0, unused = 3;"),
    "python": (OWN, "    highest = 0", "    import nothing_of_that_name\n    highest = 0"),
}


@pytest.mark.cargo
@pytest.mark.long("proves whole exercises")
@pytest.mark.parametrize("language", WARNED)
def test_what_a_compiler_says_of_the_program_is_no_finding(tmp_path, language):
    file, old, new = WARNED[language]
    made = folder_of(tmp_path, language, UnitKind.REPAIR)
    (made / file).write_text((made / file).read_text().replace(old, new))
    result = asyncio.run(check_exercise(made, toolchains=TOOLS))
    assert said(result.findings) == []


class Quiet:
    def report(self, percent, message):
        pass


async def review(folder, *names):
    made = course(folder, "python", UnitKind.REPAIR)
    vault = Vault(originals=made.files, solution=made.solution, hints={}, accepts={})
    library = Library([folder / "python-weather-notes"])
    (entry,) = library.entries()
    files = {**made.files, "LESSON.md": library.load(entry).files["LESSON.md"]}
    asked = ReviewRequest(made.exercise, vault, files, names, seed=1)
    return await make_review(asked, TOOLS["python"], Quiet())


@pytest.mark.long("proves a whole exercise")
def test_a_review_brings_the_broken_program_again(tmp_path):
    made = asyncio.run(review(tmp_path, "ex-4"))
    (unit,) = made.exercise.units
    assert (unit.id, unit.stub, unit.kind) == ("ex-1", "warmest", "repair")
    assert made.exercise.proof.fails["ex-1"]


@pytest.mark.long("proves a whole exercise")
def test_a_review_of_another_unit_has_the_mended_program(tmp_path):
    made = asyncio.run(review(tmp_path, "ex-1"))
    assert [unit.stub for unit in made.exercise.units] == ["to_fahrenheit"]
    assert "highest = days[0]" in made.files[OWN]
    assert "ex-4" not in made.files[OWN]


@pytest.mark.cargo
@pytest.mark.long("proves a whole exercise")
def test_two_kinds_stand_beside_each_other(tmp_path):
    made = tmp_path / "rust-weather-notes"
    new_exercise(made, "rust", kinds=[UnitKind.DECLARE, UnitKind.REPAIR])
    result = asyncio.run(check_exercise(made, toolchains=TOOLS))
    assert said(result.findings) == []
    assert result.proof.codes == {"ex-4": ("E0432",), "ex-5": ("E0382",)}
    assert list(result.proof.fails) == ["ex-5"]
