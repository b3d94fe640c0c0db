"""A waiting interpreter judges as a cold run does: every second trick of the test of verdicts, and
every fifth program of the proof's corpus, starters and references of defective exercises.
"""

import sys
from pathlib import Path

import pytest

from tutor_lsp.core.exercise.report import RunOutcome
from tutor_lsp.languages.python.toolchain import PythonToolchain
from tutor_lsp.process.contain import Contain

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS / "faults"), str(TESTS / "proof")]
import corpus  # noqa: E402
import trick_kit  # noqa: E402

LIMITS = trick_kit.LIMITS
STUB = trick_kit.exercises()["python"]["stub"]
LONG = pytest.mark.long("one of many programs, each run twice")


def tricks():
    cases = [case for case in trick_kit.corpus() if case.language == "python"]
    return [
        pytest.param(case.files(), id=case.id, marks=LONG if number else ())
        for number, case in enumerate(cases[::2])
    ]


def programs():
    """The starters and references of the defective exercises, each just once."""
    found = {}
    for defect in corpus.defects():
        if defect.language != "python":
            continue
        head, files = "solution/", defect.files()
        given = {n: text for n, text in files.items() if n.startswith(("src/", "tests/"))}
        solved = {n.removeprefix(head): t for n, t in files.items() if n.startswith(head)}
        for part, made in (("starter", given), ("reference", given | solved)):
            found.setdefault(tuple(sorted(made.items())), f"{defect.id}, {part}")
    return [
        pytest.param(dict(files), id=name, marks=LONG if number else ())
        for number, (files, name) in enumerate(list(found.items())[::5])
    ]


@pytest.fixture
async def tool(tmp_path):
    made = PythonToolchain(contain=Contain(home=tmp_path / "home", level="namespaces"))
    if (await made.contain.get()).level != "namespaces":
        pytest.skip("not here: namespaces")
    yield made
    await made.let_go()


async def both(tool, folder, files):
    """The reports of a cold run and of one that was waited for."""
    for name, text in tool.complete(files).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    cold = await tool.run(folder, limits=LIMITS)
    await tool.keep_ready(folder, LIMITS)
    assert folder in tool._spares._waiting
    warm = await tool.run(folder, limits=LIMITS)
    assert folder not in tool._spares._waiting
    return cold, warm


@pytest.mark.parametrize("files", tricks())
async def test_a_trick_fares_alike(tool, tmp_path, files):
    """Which of its tests show a trick that compares at random differs between any two runs; whether
    one that looks in from a thread is found or fails depends on when that thread runs."""
    cold, warm = await both(tool, tmp_path / "exercise", files)
    if "threading.Thread" in files[STUB]:
        assert RunOutcome.PASSED not in (cold.outcome, warm.outcome)
    else:
        assert warm.outcome is cold.outcome


@pytest.mark.parametrize("files", programs())
async def test_a_defective_exercise_fares_alike(tool, tmp_path, files):
    cold, warm = await both(tool, tmp_path / "exercise", files)
    assert warm.outcome is cold.outcome
    named = [[(test.name, test.outcome) for test in each.tests] for each in (cold, warm)]
    assert named[0] == named[1]
