"""What `new-exercise` writes with a unit of a kind holds, and its proof has the figures of that."""

import asyncio
from dataclasses import dataclass

import pytest
from kinds_kit import DECLARED, TOOLS, folder_of

from tutor_lsp.authoring.own.check_exercise import check_exercise
from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.library.loader import Library

DECLARE, REPAIR, TEST, PREDICT = (kind for kind in UnitKind if kind is not UnitKind.BODY)


@dataclass(frozen=True)
class Figures:
    """The codes of a unit's build on the starter, the tests that a program fails as it is, and how
    many tests of the exercise pass at first."""

    codes: tuple = ()
    fails: tuple = ()
    pass_before: int = 0


WARMEST = ("test_warmest_finds_a_day_below_freezing",)
SIGNPOST = ("test_signpost_frames_the_place", "test_signpost_counts_the_letters")
SHORTEN = ("test_shorten_keeps_three_letters", "test_shorten_keeps_a_short_name")
PROVEN = {
    ("python", DECLARE): Figures(("ImportError",)),
    ("rust", DECLARE): Figures(("E0432",)),
    ("c", DECLARE): Figures(("error", "implicit-function-declaration")),
    ("python", REPAIR): Figures(fails=WARMEST, pass_before=1),
    ("rust", REPAIR): Figures(("E0382",), SIGNPOST),
    ("c", REPAIR): Figures(fails=SHORTEN),
    ("python", TEST): Figures(),
    ("rust", TEST): Figures(),
    ("c", TEST): Figures(),
    ("python", PREDICT): Figures(),
    ("rust", PREDICT): Figures(),
    ("c", PREDICT): Figures(),
}


@pytest.mark.sample("python-declare")
@pytest.mark.cargo
@pytest.mark.parametrize(("language", "kind"), PROVEN)
def test_the_new_exercise_is_proven(tmp_path, language, kind):
    result = asyncio.run(check_exercise(folder_of(tmp_path, language, kind), toolchains=TOOLS))
    assert [f"{f.step} {f.file} {f.message}" for f in result.findings] == []
    figures, proof = PROVEN[language, kind], result.proof
    assert proof.codes == ({DECLARED: figures.codes} if figures.codes else {})
    assert proof.fails == ({DECLARED: figures.fails} if figures.fails else {})
    assert proof.tests - proof.fail_on_stub == figures.pass_before


@pytest.mark.parametrize("language", ["python", "rust", "c"])
def test_a_kind_named_twice_has_two_units_where_a_file_can_be_shared(tmp_path, language):
    for kind, units in ((DECLARE, 5), (REPAIR, 4)):
        folder = folder_of(tmp_path / kind, language, kind, kind, UnitKind.BODY)
        (entry,) = Library([folder]).entries()
        assert len(entry.units) == units
        shared = [unit.file for unit in entry.units if unit.kind == kind]
        assert len(set(shared)) == 1
        assert (folder / shared[0]).read_text().count("Start here:") == units - 3
