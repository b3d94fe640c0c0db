"""What is known of mistakes in bundled exercises: enough of them in every unit, each with a tag of
its language and a sentence to who made it."""

import pytest

from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.library.loader import BUNDLED, Library, load_curriculum

LIBRARY = Library([BUNDLED])
FEWEST, LONGEST = 4, 28  # mistakes of a unit, words of a sentence


@pytest.mark.parametrize("entry", LIBRARY.entries(), ids=lambda entry: entry.id)
def test_every_unit_that_is_written_knows_its_mistakes(entry):
    exercise = LIBRARY.load(entry)
    tags = {tag for node in load_curriculum().of(entry.language) for tag in node.tags}
    for unit in entry.units:
        if unit.kind in (UnitKind.PREDICT, UnitKind.TEST):
            continue
        mistakes = exercise.mistakes[unit.id]
        assert len(mistakes) >= FEWEST, unit.id
        assert len({mistake.name for mistake in mistakes}) == len(mistakes)
        for mistake in mistakes:
            where = f"{unit.id}, {mistake.name}"
            assert mistake.tag in {"", *tags}, where
            assert mistake.says.startswith(("You ", "Your ")), where
            assert mistake.says.endswith("."), where
            assert len(mistake.says.split()) <= LONGEST, where
