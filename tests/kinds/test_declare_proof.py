"""What the proof asks of the tests of a declaration."""

import asyncio

import pytest
from kinds_kit import TOOLS, folder_of

from tutor_lsp.authoring.own.check_exercise import check_exercise

WEAK = """from exercise.reading import Reading


def test_reading_keeps_its_values() -> None:
    assert isinstance(Reading(21, "kitchen"), Reading)


def test_reading_says_where_it_is_warm() -> None:
    assert callable(Reading(21, "kitchen").label)
"""
TWICE = '        return f"{self.place}: {self.celsius} C" if self.celsius < 99 else "hot"\n'


@pytest.mark.long("proves a whole exercise")
def test_tests_that_any_declaration_passes_are_refused(tmp_path):
    folder = folder_of(tmp_path, "python")
    (folder / "tests/test_reading.py").write_text(WEAK)
    reference = folder / "solution/src/exercise/reading.py"
    once = '        return f"{self.place}: {self.celsius} C"\n'
    assert once in reference.read_text()
    reference.write_text(reference.read_text().replace(once, TWICE))
    result = asyncio.run(check_exercise(folder, toolchains=TOOLS))
    assert [f"{finding.unit}: {finding.message}" for finding in result.findings] == [
        "ex-4: The tests of ex-4 pass on 3 wrong versions of `Reading`: none checks what it does."
    ]
