"""Whatever check-exercise runs of an exercise is kept in: builds, tests, programs of the lesson."""

import asyncio

import pytest
import pytest_asyncio
from attempt_kit import desk
from c_kit import needs_cc

from tutor_lsp.authoring.own.check_exercise import check_exercise
from tutor_lsp.authoring.own.new_exercise import new_exercise
from tutor_lsp.languages.python.toolchain import _ASK
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.process import child
from tutor_lsp.process.contain import Contain

pytestmark = pytest.mark.cold
OWN = ("-scratch-cc-", "-scratch-exit-", "-scratch-linker-", "-scratch-elsewhere-")
"""Folders in which the tutor tries its tools on code of its own."""


def about_a_tool(argv, cwd):
    """Whether a program is a tool asked about itself, with no code of an exercise."""
    place = " ".join((*argv, cwd))
    return argv[1:] in (("--version",), ("-c", _ASK)) or any(each in place for each in OWN)


@pytest_asyncio.fixture
async def started(monkeypatch):
    """What is started freely, and what kept in."""
    if not (await Contain().get()).isolated:
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
    return free, kept


def all_kept_in(started, least):
    """Whether all but questions to tools was kept in, and there was this much of it."""
    free, kept = started
    others = [each for each in free if not each[0][0].endswith("bwrap")]
    assert len(kept) + len(free) - len(others) >= least
    return not [each for each in others if not about_a_tool(*each)]


@pytest.mark.sample("python")
@pytest.mark.parametrize("language", ["python", "c", pytest.param("rust", marks=pytest.mark.cargo)])
async def test_everything_that_is_run_of_an_exercise_is_kept_in(language, started, tmp_path):
    folder = tmp_path / "own-basics-weather"
    new_exercise(folder, language)
    async with asyncio.timeout(300):
        result = await check_exercise(folder, toolchains=toolchains(contain=Contain()))
    assert result.ok, result.findings
    assert all_kept_in(started, 6)


@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("language", "least"),
    [
        pytest.param("c", 3, marks=needs_cc),
        pytest.param("rust", 3, marks=pytest.mark.cargo),
    ],
)
async def test_builds_and_tests_of_an_attempt_are_kept_in(language, least, started, tmp_path):
    async with desk(tmp_path / "home", language) as d:
        d.write(d.right)
        answer = await d.attempt()
    assert answer["report"]["outcome"] == "passed"
    programs = " ".join(" ".join(argv) for argv, _ in [*started[0], *started[1]])
    assert {"c": "-fsanitize", "rust": "cargo test"}[language] in programs
    assert all_kept_in(started, least)
