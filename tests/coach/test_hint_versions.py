"""Versions of a stub that run as one program, told apart as if each had run on its own."""

import pytest
from open_kit import open_exercise, with_body

from tutor_lsp.languages.common.proof.splice import put_back
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies
from tutor_lsp.tutor.hinting.coach.running import green

EXERCISES = [
    pytest.param(
        "rust",
        "rust-functions-split-the-bill",
        ["bill * percent / {n}00", "bill + missing{n}", "let x: String = {n}; 1", "loop {{}}"],
        id="rust",
        marks=pytest.mark.cargo,
    ),
    pytest.param(
        "c",
        "c-functions-kitchen-timer",
        ["return minutes * {n};", "return missing{n};", "int x = ;", "while (minutes) {{}}"],
        id="c",
    ),
    pytest.param(
        "python",
        "python-functions-movie-night",
        ["return hours * {n}", "return missing{n}", "raise ValueError", "return None"],
        id="python",
    ),
]


class Counted(ShadowCopies):
    """How often something was built and run."""

    runs = 0

    async def execute(self, *args):
        self.runs += 1
        return await super().execute(*args)


@pytest.mark.sample("c")
@pytest.mark.parametrize(("language", "folder", "bodies"), EXERCISES)
async def test_many_versions_take_a_few_programs(tmp_path, language, folder, bodies):
    opened = open_exercise(tmp_path / "work", language, folder)
    unit = opened.exercise.units[0]
    blank = put_back(
        opened.toolchain, opened.vault.solution[unit.file], opened.text(unit.file), unit.stub
    )
    texts = {**opened.exercise.starter, **opened.vault.solution, unit.file: blank}
    opened.buffers[opened.root / unit.file] = blank
    wrong = [with_body(opened, unit.id, body.format(n=n)) for n in range(2, 11) for body in bodies]
    versions = [*dict.fromkeys(wrong), opened.vault.solution[unit.file]]
    trials = Counted(tmp_path / "home")
    found = await green(
        trials, opened, unit, texts, versions, enough=lambda _: False, limit_s=120.0
    )
    last = len(versions) - 1
    assert found.keys() == set(range(last + 1))
    assert found[last] == frozenset(unit.tests)
    assert [at for at, tests in found.items() if tests == frozenset(unit.tests)] == [last]
    assert trials.runs <= 12
