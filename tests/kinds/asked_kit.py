"""Exercises with a unit that asks for tests: what a learner sees of what they wrote."""

import asyncio
import contextlib
from dataclasses import dataclass

from kinds_kit import DECLARED, FINE, LIMITS, TOOLS, Course, course, judged, put

from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.core.exercise.units import state_of
from tutor_lsp.languages.common.aside_run import run_of
from tutor_lsp.languages.common.programs.asked import ProgramRuns, asked
from tutor_lsp.library.loader import Library

HERE = "<-"
"""Stands in the line of the mark, in a comment."""
NOT_YET = "the tests of `span` are not written yet"


@dataclass(frozen=True)
class Asking:
    """Such an exercise, and what its tests run on; copies of programs are in a folder, and stay
    built."""

    made: Course
    units: tuple
    runs: ProgramRuns

    @property
    def file(self):
        return self.made.unit.file

    def run(self, root, **options):
        """A run as the tutor makes it."""
        exercise = self.made.exercise
        run = run_of(TOOLS[exercise.language], exercise.aside, self.units, self.runs)
        return asyncio.run(run(root, limits=LIMITS, targets=exercise.targets, **options))


def asking(folder, language):
    """The new exercise of a language that has such a unit."""
    made = course(folder, language, UnitKind.TEST)
    library = Library([folder / f"{language}-weather-notes"])
    programs = library.load(library.entries()[0]).programs

    @contextlib.asynccontextmanager
    async def place():
        yield folder / "programs"

    tool, given = TOOLS[language], made.files
    return Asking(made, asked(made.exercise.units, given, programs, tool), ProgramRuns(place))


@dataclass(frozen=True)
class Shown:
    """The unit's state, its first sentence, the line of its mark; the states of the others."""

    state: str
    said: str
    line: int
    others: tuple


def shown(it, root, text):
    """What a learner sees with this text in the file; without a text it is gone."""
    made = it.made
    texts = {**made.files, **made.solution, it.file: text}
    if text is None:
        del texts[it.file]
    put(root, texts)
    report, stubs = judged(made, texts, it.run(root))
    states = {unit.id: state_of(unit, report.tests, stubs) for unit in made.exercise.units}
    mine = [test for test in report.tests if test.unit == DECLARED and test.outcome != "passed"]
    site, first = stubs.site(DECLARED), mine[0] if mine else None
    line = first.line if first is not None and first.file == it.file else site and site.line
    assert {test.name for test in report.tests if test.unit is None} == set()
    state = states.pop(DECLARED).value
    others = tuple(each.value for each in states.values())
    return Shown(state, first.message if first else "", line, others)


def check_state(it, root, expected):
    """The mark is as expected, and no other unit loses its result. `expected` are the text after
    the comment, the state, how the sentence begins; the line is where `HERE` is, else the first."""
    code, state, said = expected
    text = it.made.written(code)
    rows = text.split("\n")
    line = next((number for number, row in enumerate(rows, 1) if HERE in row), 1)
    seen = shown(it, root, text)
    assert seen.said.startswith(said), seen.said
    assert (seen.state, seen.line, seen.others) == (state, line, FINE), seen.said
    assert bool(seen.said) == (state != "passing")
