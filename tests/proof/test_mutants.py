"""Wrong versions that code makes: each language tries them, and says what the tests let pass."""

import asyncio
from dataclasses import replace

import pytest
from mutants_kit import EACH, PYTHON, RUST, trial, tried
from proof_kit import TOOLCHAINS, needing

from tutor_lsp.authoring.own.new_exercise import new_exercise
from tutor_lsp.authoring.proof import LIMITS
from tutor_lsp.authoring.proof.mutants import choice
from tutor_lsp.authoring.proof.mutants.choice import MOST, mutants
from tutor_lsp.authoring.proof.mutants.inputs import INPUTS, inputs
from tutor_lsp.authoring.proof.mutants.judging import figures, judged
from tutor_lsp.authoring.proof.mutants.trying import Trying
from tutor_lsp.authoring.proof.trial import trial_of
from tutor_lsp.authoring.signatures.library import candidate_of
from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.core.exercise.report import RawReport, RawTest, RunOutcome, TestOutcome
from tutor_lsp.languages.common.proof.bench import Bench
from tutor_lsp.languages.registry import dialect
from tutor_lsp.library.loader import Library

pytestmark = pytest.mark.first(3)


@pytest.mark.first(1)
@pytest.mark.parametrize("small", needing(EACH, name=lambda each: each.language))
def test_what_tests_let_pass_is_told_apart_by_an_input(small, tmp_path):
    first, second = found = asyncio.run(tried(small, tmp_path))
    assert first.tried > 10
    apart = [each for each in first.survivors if each.difference is not None]
    said = [(each.mutant.says, each.difference.call) for each in apart]
    assert any("<=" in says and call.startswith("fare(") for says, call in said), said
    assert figures(found)["tried"] == first.tried + second.tried
    assert figures(found)["killed"] < first.tried + second.tried
    findings, advice = judged(found, small.accepts, strict=False)
    assert [each.unit for each in findings] == ["ex-2"]
    assert "for every input passes all tests of ex-2" in findings[0].message
    assert {each.unit for each in advice} == {"ex-1", "ex-2"}
    strict, rest = judged(found, small.accepts, strict=True)
    assert len(strict) == len(findings) + len(advice)
    assert rest == []
    without, told = judged(found, {}, strict=True)
    assert (len(without), len(told)) == (len(findings), len(advice))


@pytest.mark.parametrize("small", needing(EACH, name=lambda each: each.language))
def test_versions_are_few_and_different(small):
    made = trial(small)
    for unit in made.units:
        found = mutants(made, made.candidate.files, unit, made.dialect.mutations)
        assert 0 < len(found) <= MOST
        assert len({each.body for each in found}) == len(found)
        assert all(each.text != made.candidate.files[unit.file] for each in found)


def test_where_only_values_are_wanted_no_other_version_is_made(tmp_path, monkeypatch):
    def none(*_):
        raise AssertionError("made for nothing")

    monkeypatch.setattr(choice, "edits", none)
    found = asyncio.run(tried(PYTHON, tmp_path, values_only=True))
    alike = [each.mutant.constant for mine in found for each in mine.survivors]
    assert [(mine.tried, mine.killed) for mine in found] == [(3, 3), (1, 0)]
    assert alike == ['"Hello Ada"']


@pytest.mark.parametrize("small", needing(EACH, name=lambda each: each.language))
def test_inputs_are_tests_with_other_literals_in_them(small):
    made = trial(small)
    unit = made.units[0]
    found = inputs(made, made.candidate.files, unit, made.dialect.mutations)
    assert len(unit.tests) < len(found.cases) <= INPUTS
    assert len(set(found.cases)) == len(found.cases)
    told = {found.told(at, record) for at in range(len(found.cases)) for record in (1, 2)}
    assert "fare(30, 2)" in {call for call, _ in told}
    assert any(call == "fare(5, 2)" for call, _ in told)  # the reference names 6
    lines = {line for _, lines in told for line in lines}
    assert any("age = 5" in line for line in lines)


def test_what_does_not_build_is_left_out_of_inputs():
    made = trial(RUST)
    found = inputs(made, made.candidate.files, made.units[0], made.dialect.mutations)
    rows = found.seen[0].watched.code.split("\n")
    arm = next(at for at, row in enumerate(rows) if "/*1:1*/" in row)
    less = found.without(0, [arm], made.dialect.mutations)
    assert len(less.seen[0].picks[1]) == len(found.seen[0].picks[1]) - 1
    assert len(less.seen) == len(found.seen)
    pick = next(at for at, row in enumerate(rows) if "tutor_pick(1)" in row and "/*" not in row)
    assert 1 not in found.without(0, [pick], made.dialect.mutations).seen[0].picks
    bare = found
    for _ in range(3):  # an error that is in no pick
        bare = bare.without(0, [len(rows) - 1], made.dialect.mutations)
    assert len(bare.seen) < len(found.seen)


def test_a_reference_that_does_not_pass_again_is_no_evidence(tmp_path):
    """Tests that pass only once would seem to notice every version."""
    once = "SEEN = []\n\n\ndef fare(age: int, zones: int) -> int:"
    text = PYTHON.files["src/exercise/trip.py"].replace(
        "def fare(age: int, zones: int) -> int:", once
    )
    text = text.replace(
        "    total = 0\n", "    SEEN.append(age)\n    total = 9 * (len(SEEN) > 3)\n"
    )
    files = {**PYTHON.files, "src/exercise/trip.py": text}
    first, second = asyncio.run(tried(replace(PYTHON, files=files), tmp_path))
    assert (first.tried, first.killed) == (0, 0)
    assert first.why == "Wrong versions of `fare` cannot be tried in one program."
    assert second.tried > 0
    _, advice = judged([first, second], PYTHON.accepts, strict=True)
    assert first.why in {each.message for each in advice}


GIVEN = {
    "python": (
        '"Hello " + name.strip()',
        'name.strip() or "?"',
        'assert greeting("Ada") == "Hello Ada"\n    assert greeting(" Ada") == "Hello Ada"',
        'assert greeting("Ada") == "Ada"\n    assert greeting("Bo") == "Bo"',
        "name",
    ),
    "rust": (
        '(name: &str) -> String {\n    format!("Hello {}", name.trim())',
        "(name: &str) -> &str {\n    name.trim()",
        'assert_eq!(greeting("Ada"), String::from("Hello Ada"));\n'
        '    assert_eq!(greeting(" Ada"), "Hello Ada");',
        'assert_eq!(greeting("Ada"), "Ada");\n    assert_eq!(greeting("Bo"), "Bo");',
        "name",
    ),
    "c": (
        "return number * 2;",
        "return number < 2 ? 2 : number;",
        "TEST_ASSERT_EQ(4, twice(2));",
        "TEST_ASSERT_EQ(4, twice(4));\n    TEST_ASSERT_EQ(5, twice(5));",
        "number",
    ),
}
HELD = {
    "python": (
        'assert greeting("Ada") == "Hello Ada"\n    assert greeting(" Ada") == "Hello Ada"',
        'wanted = "Hello Ada"\n    said = greeting(" Ada")\n    assert said == wanted',
        '"Hello Ada"',
    ),
    "rust": (
        'assert_eq!(greeting("Ada"), String::from("Hello Ada"));\n'
        '    assert_eq!(greeting(" Ada"), "Hello Ada");',
        'let said = greeting(" Ada");\n    assert_eq!(said, "Hello Ada");',
        '"Hello Ada".to_string()',
    ),
    "c": (
        "TEST_ASSERT_EQ(4, twice(2));",
        "int said = twice(2);\n    TEST_ASSERT_EQ(4, said);",
        "4",
    ),
}


def altered(small, *changes):
    files = dict(small.files)
    for old, new in changes:
        (path,) = [path for path, text in files.items() if old in text]
        files[path] = files[path].replace(old, new)
    return replace(small, files=files)


@pytest.mark.sample("python", "c")
@pytest.mark.parametrize("small", needing(EACH, name=lambda each: each.language))
def test_a_unit_that_its_own_parameter_solves_is_a_finding(small, tmp_path):
    *changed, value = GIVEN[small.language]
    made = altered(small, tuple(changed[:2]), tuple(changed[2:]))
    before, after = asyncio.run(tried(made, tmp_path))
    findings, _ = judged([before, after], small.accepts, strict=False)
    assert [each.unit for each in findings] == ["ex-2"], after
    assert f"`{value}` for every input passes all tests of ex-2" in findings[0].message


@pytest.mark.sample("rust")
@pytest.mark.parametrize("small", needing(EACH, name=lambda each: each.language))
def test_a_value_that_a_test_holds_in_a_variable_is_tried(small, tmp_path):
    old, new, value = HELD[small.language]
    before, after = asyncio.run(tried(altered(small, (old, new)), tmp_path))
    findings, _ = judged([before, after], small.accepts, strict=False)
    assert [each.unit for each in findings] == ["ex-2"], after
    assert f"`{value}` for every input" in findings[0].message


COLD = {
    "python": (
        "    def cold(self) -> bool:\n        return self.celsius < 3\n",
        "\n\nWARM = Reading(4, 'hall').cold()\n",
        "\n    assert not WARM\n",
    ),
    "rust": (
        "\nimpl Reading {\n    pub fn cold(&self) -> bool {\n        self.celsius < 3\n    }\n}\n",
        "",
        '    assert!(!Reading { celsius: 4, place: "hall".into() }.cold());\n'
        '    assert!(Reading { celsius: 1, place: "hall".into() }.cold());\n}\n',
    ),
    "c": (
        "\nstatic inline int cold(struct reading one)\n{\n    return one.celsius < 3;\n}\n",
        "",
        '    struct reading attic = {4, "attic"};\n    TEST_ASSERT_EQ(0, cold(attic));\n'
        "    attic.celsius = 1;\n    TEST_ASSERT_EQ(1, cold(attic));\n}\n",
    ),
}
"""One more function of what is declared, what a test file makes of it when it loads, and the end of
its last test: whether 3 is cold is asked by none."""


@pytest.mark.long("proves a whole exercise; the others here try functions")
@pytest.mark.first(1)
@pytest.mark.parametrize("language", needing(COLD, str, str))
def test_each_function_of_a_declaration_and_of_a_program_is_tried(language, tmp_path):
    folder = tmp_path / f"{language}-basics-weather"
    new_exercise(folder, language, {}, [UnitKind.DECLARE, UnitKind.REPAIR])
    library = Library([folder])
    (entry,) = library.entries()
    toolchain = TOOLCHAINS[language]
    candidate = candidate_of(library.load(entry), toolchain)
    *_, declared, repaired = candidate.units
    function, top, end = COLD[language]
    last = next(s for s in toolchain.functions(candidate.files[declared.test_file])
                if s.name == declared.tests[-1])  # fmt: skip
    tests = candidate.files[declared.test_file]
    told = tests[: last.end].rstrip("\n}") + "\n" + end.lstrip("\n")
    files = {**candidate.files, declared.test_file: told + tests[last.end :]}
    if top:
        at = tests.index("def test_")
        files[declared.test_file] = tests[:at].rstrip() + top + "\n\n" + told[at:]
    solution = candidate.solution
    solution = {**solution, declared.file: solution[declared.file] + function}
    candidate = replace(candidate, files=files, authored=files, solution=solution)
    made = trial_of(candidate, toolchain, dialect(language))
    tried = Trying(made, made.solved(solution), {}, made.dialect.mutations)

    async def run():
        await toolchain.probe()
        return await tried.run(Bench(toolchain, tmp_path / "runs", LIMITS))

    found = {each.unit.id: each for each in asyncio.run(run())}
    assert found[repaired.id].killed > 0
    mine = found[declared.id]
    assert mine.killed > 0
    left = {each.mutant.says for each in mine.survivors}
    assert any("<=" in says for says in left), left
    assert not any("> 3" in says for says in left), left


def test_of_what_ends_within_a_test_no_call_is_named_that_may_be_another():
    made = trial(PYTHON)
    unit = made.units[0]
    mine = inputs(made, made.candidate.files, unit, made.dialect.mutations)
    tried = Trying(made, made.candidate.files, {}, made.dialect.mutations)
    assert tried._begin() is not None
    number = next(iter(tried._jobs[0].bodies))
    case = next(at for at, (test, picks) in enumerate(mine.cases) if picks and test == 0)
    output = f"tutor-mutants ex-1 s\ntutor-apart {number} {case} 1\t4\tno result: it crashes\n"
    passed = RawTest("t", TestOutcome.PASSED, output=output)
    (found, _) = tried._found(RawReport(RunOutcome.PASSED, (passed,)))
    told = found.survivors[0].difference
    assert (told.call, told.wanted) == ("test_fare_a", "one")
    assert told.before
    assert all("fare(" in line for line in told.before)
