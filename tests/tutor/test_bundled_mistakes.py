"""Whoever makes a known mistake of a bundled exercise is told so, under other names, too."""

import pytest
from open_kit import LIBRARY, open_exercise

from tutor_lsp.authoring.model import Candidate
from tutor_lsp.authoring.proof.mistakes import put_in_place
from tutor_lsp.authoring.proof.trial import trial_of
from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.languages.registry import dialect
from tutor_lsp.tutor.hinting.diagnosis.diagnose import Looking

KNOWN = [
    pytest.param(entry.language, entry.folder, id=entry.folder)
    for language in ("python", "rust", "c")
    for entry in LIBRARY.entries(language)
    if (entry.path / "mistakes").is_dir()
]


@pytest.mark.first(2)
@pytest.mark.parametrize(("language", "folder"), KNOWN)
def test_a_bundled_mistake_is_known_and_told(tmp_path, language, folder):
    opened = open_exercise(tmp_path / folder, language, folder)
    entry = next(e for e in LIBRARY.entries(language) if e.folder == folder)
    files, solution = opened.vault.originals, opened.vault.solution
    candidate = Candidate(language, files, files, solution, opened.exercise.units)
    trial = trial_of(candidate, opened.toolchain, dialect(language))
    untold = []
    for unit in opened.exercise.units:
        mistakes = LIBRARY.load(entry).mistakes.get(unit.id, ())
        if unit.kind in (UnitKind.TEST, UnitKind.PREDICT):
            continue
        for mistake in mistakes:
            solved = trial.solved(solution)
            text, _ = put_in_place(trial, solved, unit, mistake)
            look = Looking.of(opened, unit, mistakes, {**solved, unit.file: text}, None)
            found = look.found and look.told(look.found)
            if found is None or found.says != mistake.says:
                untold.append((unit.id, mistake.name, found and found.mistake))
    assert untold == []
