"""Whatever check-exercise runs of an exercise is kept in: builds, tests, programs of the lesson."""

import asyncio

import pytest

from tutor_lsp.authoring.check_exercise import check_exercise
from tutor_lsp.library.loader import BUNDLED
from tutor_lsp.process import child
from tutor_lsp.process.contain import Contain
from tutor_lsp.toolchains.python import _ASK
from tutor_lsp.toolchains.registry import toolchains

EXERCISES = {
    "python": "python-functions-movie-night",
    "c": "c-arrays-high-scores",
    "rust": "rust-functions-split-the-bill",
}
OWN = ("-scratch-cc-", "-scratch-exit-")
"""Folders in which the tutor tries its tools on code of its own."""


def about_a_tool(argv, cwd):
    """Whether a program is a tool asked about itself, with no code of an exercise."""
    place = " ".join((*argv, cwd))
    return argv[1:] in (("--version",), ("-c", _ASK)) or any(each in place for each in OWN)


@pytest.mark.sample("python")
@pytest.mark.parametrize("language", ["python", "c", pytest.param("rust", marks=pytest.mark.cargo)])
async def test_everything_that_is_run_of_an_exercise_is_kept_in(language, monkeypatch):
    contain = Contain()
    if not (await contain.get()).isolated:
        pytest.skip("nothing here keeps runs in")
    free, kept = [], []

    def noted(cls, started):
        make = cls.__init__

        def init(self, spec, *more):
            started.append((spec.argv, str(spec.cwd)))
            make(self, spec, *more)

        monkeypatch.setattr(cls, "__init__", init)

    noted(child.Direct, free)
    noted(child.Supervised, kept)
    async with asyncio.timeout(300):
        result = await check_exercise(
            BUNDLED / language / EXERCISES[language], toolchains=toolchains(contain=contain)
        )
    assert result.ok, result.findings
    others = [each for each in free if not each[0][0].endswith("bwrap")]
    assert len(kept) + len(free) - len(others) > 5
    assert not [each for each in others if not about_a_tool(*each)]
