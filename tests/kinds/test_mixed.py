"""An exercise with units of all kinds. What its units say, broken at once, is in test_states.py."""

import asyncio

import pytest
from kinds_kit import TOOLS, folder_of
from mixed_kit import KINDS

from tutor_lsp.authoring.own.check_exercise import check_exercise


@pytest.mark.long("proves a whole exercise; test_new_exercises.py proves one of a kind here")
def test_the_new_exercise_of_all_kinds_is_proven(tmp_path):
    """In the other languages test_new_exercises.py proves one of each kind."""
    folder = folder_of(tmp_path, "python", *KINDS)
    result = asyncio.run(check_exercise(folder, toolchains=TOOLS))
    assert [f"{f.step} {f.file} {f.message}" for f in result.findings] == []
