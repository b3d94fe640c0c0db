"""The proof finds every defect of the corpus at its step, and nothing in what is good.

`make corpus` tries all of them; else one of each step is tried.
"""

import os
import re

import corpus
import pytest
from proof_kit import TOOLCHAINS, needing

from tutor_lsp.authoring.library_check import check_entry
from tutor_lsp.authoring.own.check_exercise import check_exercise
from tutor_lsp.authoring.own.new_exercise import new_exercise
from tutor_lsp.authoring.proof import STEPS
from tutor_lsp.authoring.workspace import write_tree
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.languages.common.build_cache import BuildCache
from tutor_lsp.languages.registry import dialect, languages
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.library.loader import BUNDLED, Library, load_curriculum

pytestmark = [pytest.mark.cold, pytest.mark.first(3)]

ALL = os.environ.get("TUTOR_CORPUS") == "all"
LIMITS = RunLimits(total_s=60.0, test_s=3.0)
ROOM_BYTES = 512 * 1024 * 1024
"""For all that is built of an exercise."""
DEFECTS = corpus.defects()
OTHERS = [step for step in STEPS if step != "mistakes"]
"""The steps that have defects here; tests/mistakes has those of the other one."""
FEW = [
    next(d for d in DEFECTS if d.step == step and d.language == corpus.LANGUAGES[number % 3])
    for number, step in enumerate(OTHERS)
]


@pytest.fixture(scope="session")
def tried():
    """What became of the lesson's code, for all defects that leave the lesson as it is."""
    return {}


@pytest.fixture
def blocks_once(tried, monkeypatch):
    """The same code of a lesson is built and run just once."""
    for language in languages():
        kind = type(dialect(language))

        async def try_blocks(self, blocks, reference, bench, really=kind.try_blocks):
            used = any(re.search(r"\bexercise\b|#include \"", code) for code in blocks)
            files = tuple(sorted(reference.items())) if used else ()
            key = (self.language, tuple(blocks), files)
            if key not in tried:
                tried[key] = await really(self, blocks, reference, bench)
            return tried[key]

        monkeypatch.setattr(kind, "try_blocks", try_blocks)


@pytest.mark.first(1)
@pytest.mark.parametrize("defect", needing(DEFECTS if ALL else FEW))
async def test_a_defect_is_found_at_its_step(defect, tmp_path, blocks_once):
    folder = tmp_path / corpus.NAME
    write_tree(folder, defect.files())
    result = await check_exercise(folder, toolchains=TOOLCHAINS, limits=LIMITS)
    assert result.findings, "it was not found"
    assert result.findings[0].step == defect.step, result.findings[0].message
    assert (result.ok, result.proof.ok) == (False, False)


@pytest.mark.long("test_check_exercise.py proves a new exercise of Python too")
@pytest.mark.parametrize("language", needing(languages(), str, str))
async def test_a_new_exercise_holds(language, tmp_path):
    folder = tmp_path / corpus.NAME
    new_exercise(folder, language)
    result = await check_exercise(folder, toolchains=TOOLCHAINS, limits=LIMITS)
    assert result.findings == ()
    assert result.ok


if ALL:

    @pytest.mark.parametrize("entry", needing(Library([BUNDLED]).entries()))
    async def test_no_false_alarm(entry, monkeypatch):
        """In three turns. What was built in the first one is run again in the others."""
        monkeypatch.setattr(BuildCache.__init__, "__defaults__", (ROOM_BYTES,))
        library, toolchain = Library([BUNDLED]), toolchains()[entry.language]
        for _ in range(3):
            checked = await check_entry(library, entry, toolchain, load_curriculum())
            assert checked.findings == ()


def test_every_step_has_defects_in_every_language_that_can_have_them():
    there = {(defect.language, defect.step) for defect in DEFECTS}
    assert there == {(language, step) for language in corpus.LANGUAGES for step in OTHERS}
    assert len(DEFECTS) == len({defect.id for defect in DEFECTS}) >= 60
