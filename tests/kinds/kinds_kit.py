"""Exercises with a unit that has files of its own, beside units that ask for bodies."""

import asyncio
import re
from dataclasses import dataclass, replace

from tutor_lsp.authoring.index import build_index
from tutor_lsp.authoring.own.new_exercise import new_exercise
from tutor_lsp.core.exercise.declared import leading_comment
from tutor_lsp.core.exercise.exercise import LESSON, Exercise, Proof, UnitKind
from tutor_lsp.core.exercise.judge import judge
from tutor_lsp.core.exercise.units import Stubs, state_of
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.languages.common.aside_run import run_of
from tutor_lsp.languages.registry import languages
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.library.loader import Library
from tutor_lsp.process.contain import Contain
from tutor_lsp.stages.backends.library import planned_units

LIMITS = RunLimits(total_s=60, test_s=4)
"""Time for a process to start on a machine under load."""
TOOLS = toolchains(contain=Contain(enabled=False))
DECLARED = "ex-4"
SECOND = "ex-5"


@dataclass(frozen=True)
class Course:
    """An exercise with all its texts; the bodies of its other units are written."""

    exercise: Exercise
    files: dict[str, str]
    solution: dict[str, str]

    @property
    def unit(self):
        return self.exercise.unit(DECLARED)

    def texts(self, declared):
        """All files, the reference's but for that of the declaration."""
        return {**self.files, **self.solution, self.unit.file: declared}

    def written(self, code):
        """The unit's own file with code below its comment."""
        given = self.files[self.unit.file]
        rows = given.split("\n")
        last = leading_comment(rows, languages()[self.exercise.language].lines)[1]
        return "\n".join((*rows[:last], "", code))

    @property
    def given(self):
        """What stands below the comment as it is given."""
        return self.files[self.unit.file].removeprefix(self.written("").rstrip())


def folder_of(folder, language, *kinds):
    """A new exercise's folder."""
    made = folder / f"{language}-weather-notes"
    new_exercise(made, language, kinds=kinds or [UnitKind.DECLARE])
    return made


def course(folder, language, *kinds):
    """The new exercise of a language that has units of those kinds, else one of a declaration."""
    return course_of(folder_of(folder, language, *kinds), language)


def course_of(folder, language):
    """The exercise in a folder."""
    library = Library([folder])
    (entry,) = library.entries()
    bundled = library.load(entry)
    tool = TOOLS[language]
    files = tool.complete(bundled.files)
    index = build_index(files, planned_units(entry), tool, strict=True)
    assert not index.findings
    starter = {unit.file: files[unit.file] for unit in index.units}
    made = Exercise(
        id=entry.id,
        node=entry.node,
        title=entry.title,
        language=language,
        depth=entry.depth,
        description=entry.description,
        units=index.units,
        files=tuple(sorted(files)),
        starter=starter,
        proof=Proof(ok=True),
    )
    del files[LESSON]
    return Course(made, files, dict(bundled.solution))


def with_second(made, stub, file, given, test_file, tests, name=SECOND):
    """The same with one more unit that asks for a declaration; its tests are all in a text."""
    names = tuple(re.findall(r"\b(test_\w+)\(.*\)", tests.partition("int main")[0]))
    unit = replace(made.unit, id=name, stub=stub, file=file, test_file=test_file, tests=names)
    exercise = replace(
        made.exercise,
        units=(*made.exercise.units, unit),
        starter={**made.exercise.starter, file: given},
    )
    return Course(exercise, {**made.files, file: given, test_file: tests}, made.solution)


@dataclass(frozen=True)
class Seen:
    """What a learner sees of the unit: its state, its first sentence, the line of its mark, where
    the sentence's cause is; and the states of the others."""

    state: str
    said: str
    line: int
    cause: tuple
    others: tuple


def put(root, texts):
    """Make the folder hold these texts."""
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


async def run(tool, root, exercise, **options):
    """A run as the tutor makes it."""
    return await run_of(tool, exercise.aside)(
        root, limits=LIMITS, targets=exercise.targets, **options
    )


def judged(made, texts, raw):
    """The report, and where the stubs are."""
    language = made.exercise.language
    tool, lines = TOOLS[language], languages()[language].lines
    stubs = Stubs(made.exercise, texts, tool.functions, lines)
    report = judge(raw, made.exercise, texts, stubs, explain=tool.explain, run_id="r")
    return report, stubs


def seen(made, texts, raw):
    """What a learner sees after a run."""
    report, stubs = judged(made, texts, raw)
    states = {unit.id: state_of(unit, report.tests, stubs) for unit in made.exercise.units}
    mine = [test for test in report.tests if test.unit == DECLARED and test.outcome != "passed"]
    error = mine[0].build_error if mine else None
    site = stubs.site(DECLARED)
    return Seen(
        states.pop(DECLARED).value,
        mine[0].message if mine else "",
        site.line,
        (error.file, error.code) if error else (),
        tuple(state.value for state in states.values()),
    )


def look(made, root, declared, tool=None):
    """What a learner sees with this text in the file of the declaration."""
    texts = made.texts(declared)
    put(root, texts)
    language = made.exercise.language
    raw = asyncio.run(run(tool or TOOLS[language], root, made.exercise))
    return seen(made, texts, raw)


def marks(made, root, texts):
    """The state of each unit with these texts, and the first sentence of each that has one."""
    put(root, texts)
    raw = asyncio.run(run(TOOLS[made.exercise.language], root, made.exercise))
    report, stubs = judged(made, texts, raw)
    states = {unit.id: state_of(unit, report.tests, stubs).value for unit in made.exercise.units}
    said = {test.unit: test.message for test in reversed(report.tests) if test.message}
    return states, said


def states(**others):
    """The states of all units: passing, but for `others`."""
    fine = dict.fromkeys(("ex-1", "ex-2", "ex-3", DECLARED, SECOND), "passing")
    return {**fine, **{name.replace("_", "-"): state for name, state in others.items()}}


FINE = ("passing", "passing", "passing")
"""The states of the other units."""


def check_state(made, root, expected):
    """The mark of the unit is as expected, and no other unit loses its result. `expected` are the
    text after its comment, its state, how its sentence begins, the line of its mark, the cause."""
    code, state, said, line, cause = expected
    shown = look(made, root, made.written(code))
    assert (shown.state, shown.line, shown.cause, shown.others) == (state, line, cause, FINE)
    assert shown.said.startswith(said)
    assert bool(shown.said) == (state != "passing")


def check_gone(made, root, texts, file):
    """Without one of the two files that ask for a declaration only its unit fails, and says so."""
    shown, said = marks(made, root, {name: text for name, text in texts.items() if name != file})
    gone = DECLARED if file == made.unit.file else "ex-5"
    assert shown == states(**{gone: "failing"})
    assert said == {gone: f"{file} is gone; tutor.reset or tutor.restore puts it back"}
