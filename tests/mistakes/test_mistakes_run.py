"""Mistakes that are run by themselves: each alone, whatever the others do."""

from dataclasses import replace

import pytest
from mistakes_kit import TOOLS

from tutor_lsp.authoring.mistakes.running import run_mistakes
from tutor_lsp.authoring.own.new_exercise import new_exercise
from tutor_lsp.authoring.proof import LIMITS
from tutor_lsp.authoring.proof.trial import trial_of
from tutor_lsp.authoring.signatures.library import candidate_of
from tutor_lsp.core.exercise.mistakes import Mistake
from tutor_lsp.languages.common.proof.bench import Bench
from tutor_lsp.languages.registry import dialect
from tutor_lsp.library.loader import Library

UNIT = "ex-3"
HEADS = {
    "python": "def note(celsius: int) -> str:\n    {}\n",
    "rust": "pub fn note(celsius: i32) -> String {{\n    {}\n}}\n",
    "c": "int note(char *text, size_t room, int celsius)\n{{\n    {}\n}}\n",
}
FAILS = {
    "python": 'return str(celsius) + " C"',
    "rust": 'format!("{celsius} C")',
    "c": 'return snprintf(text, room, "%d C", celsius);',
}
BROKEN = {
    "python": ('return (str(celsius) + " C"', "SyntaxError"),
    "rust": ('format!("{celsius} C {fahrenheit}")', "E0425"),
    "c": ('return snprintf(text, room, "%d C", fahrenheit);', "undeclared"),
}


EACH = pytest.mark.parametrize(
    "language", ["python", pytest.param("rust", marks=pytest.mark.cargo), "c"]
)


def weather(folder, language):
    """A new exercise's candidate."""
    new_exercise(folder, language)
    library = Library([folder])
    (entry,) = library.entries()
    return candidate_of(library.load(entry), TOOLS[language])


@pytest.mark.first(1)
@EACH
async def test_what_does_not_hold_spoils_nothing_else(language, tmp_path):
    toolchain = TOOLS[language]
    candidate = weather(tmp_path / f"{language}-weather", language)
    code, error = BROKEN[language]
    right = candidate.solution[candidate.units[2].file]
    (site,) = (each for each in toolchain.functions(right) if each.name == "note")
    codes = {
        "fails": (HEADS[language].format(FAILS[language]), ""),
        "builds not, as it says": (HEADS[language].format(code), error),
        "builds not": (HEADS[language].format(code), ""),
        "is right": (right[site.start : site.end] + "\n", ""),
        "is none": (HEADS[language].format(FAILS[language]).replace("note", "notes"), ""),
    }
    known = tuple(Mistake(name, "", text, error=error) for name, (text, error) in codes.items())
    trial = trial_of(replace(candidate, mistakes={UNIT: known}), toolchain, dialect(language))
    ran = {r.mistake.name: r for r in await run_mistakes(trial, candidate, LIMITS, tmp_path)}
    assert {name: bool(each.fault) for name, each in ran.items()} == {
        "fails": False,
        "builds not, as it says": False,
        "builds not": True,
        "is right": True,
        "is none": True,
    }
    assert ran["fails"].gives.startswith("test_note_")
    assert error in ran["builds not, as it says"].gives
    assert "passes all tests" in ran["is right"].fault
    assert "does not define" in ran["is none"].fault


@EACH
async def test_what_is_not_to_build_runs_alone_and_all_others_as_one_program(
    language, tmp_path, monkeypatch
):
    asked, real = [], Bench.run

    async def run(bench, files, tests=None, **options):
        asked.append(tests)
        return await real(bench, files, tests, **options)

    monkeypatch.setattr(Bench, "run", run)
    candidate = weather(tmp_path / f"{language}-weather", language)
    code, error = BROKEN[language]
    fails = Mistake("Fails", "", HEADS[language].format(FAILS[language]))
    broken = Mistake("Builds not", "", HEADS[language].format(code), error=error)
    known = {UNIT: (fails, broken, fails, fails)}
    trial = trial_of(replace(candidate, mistakes=known), TOOLS[language], dialect(language))
    ran = await run_mistakes(trial, candidate, LIMITS, tmp_path)
    assert [each.fault for each in ran] == [""] * 4
    mine = sum(len(unit.tests) for unit in candidate.units[:3])
    assert sorted(map(len, asked)) == [mine, 3 * mine]
