"""Bundled exercises with a unit that asks for a declaration, and what a learner sees of it."""

import asyncio
from dataclasses import dataclass

from tutor_lsp.authoring.content import bundled_hash
from tutor_lsp.authoring.index import build_index
from tutor_lsp.core.exercise.declared import leading_comment
from tutor_lsp.core.exercise.exercise import LESSON, Exercise, Proof, UnitKind
from tutor_lsp.core.exercise.judge import judge
from tutor_lsp.core.exercise.units import Stubs, state_of
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.languages.practises import left_out
from tutor_lsp.languages.registry import languages
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.library.loader import BUNDLED, Library, shipped_proof
from tutor_lsp.process.contain import Contain
from tutor_lsp.stages.backends.library import planned_units

LIMITS = RunLimits(total_s=60, test_s=4)
LIBRARY = Library([BUNDLED])
TOOLS = toolchains(contain=Contain(enabled=False))
DECLARED = tuple(
    entry.folder
    for entry in LIBRARY.entries()
    if any(unit.kind == UnitKind.DECLARE for unit in entry.units)
)


@dataclass(frozen=True)
class Course:
    """An exercise as a learner has it, and its reference."""

    exercise: Exercise
    files: dict[str, str]
    solution: dict[str, str]

    @property
    def unit(self):
        (unit,) = (each for each in self.exercise.units if each.kind is UnitKind.DECLARE)
        return unit

    @property
    def reference(self):
        """What is to be written below the comment."""
        lines = languages()[self.exercise.language].lines
        rows = self.solution[self.unit.file].split("\n")
        return "\n".join(rows[leading_comment(rows, lines)[1] :]).strip("\n") + "\n"

    def texts(self, code):
        """All files, with the reference's bodies and this declaration."""
        written = f"{self.files[self.unit.file].rstrip()}\n\n{code}"
        return {**self.files, **self.solution, self.unit.file: written}


@dataclass(frozen=True)
class Seen:
    """A learner's view of the unit: its state, its first sentence, the code of the error behind
    it, the constructs that it does without; and the states of the other units."""

    state: str
    said: str
    code: str | None
    without: tuple
    others: frozenset


def course(folder):
    """A bundled exercise by its folder's name."""
    (entry,) = (each for each in LIBRARY.entries() if each.folder == folder)
    bundled = LIBRARY.load(entry)
    tool = TOOLS[entry.language]
    files = dict(tool.complete(bundled.files))
    units = build_index(files, planned_units(entry), tool).units
    exercise = Exercise(
        id=entry.id,
        node=entry.node,
        title=entry.title,
        language=entry.language,
        depth=entry.depth,
        description=entry.description,
        units=units,
        files=tuple(sorted(files)),
        starter={unit.file: files[unit.file] for unit in units},
        proof=shipped_proof(bundled_hash(bundled)) or Proof(ok=False),
    )
    del files[LESSON]
    return Course(exercise, files, dict(bundled.solution))


def look(made, root, code):
    """What a learner sees with this declaration."""
    texts = made.texts(code)
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    exercise, language = made.exercise, made.exercise.language
    tool = TOOLS[language]
    aside, targets = exercise.aside, exercise.targets
    raw = asyncio.run(tool.run(root, limits=LIMITS, targets=targets, aside=aside))
    stubs = Stubs(exercise, texts, tool.functions, languages()[language].lines)
    report = judge(raw, exercise, texts, stubs, explain=tool.explain, run_id="r")
    states = {unit.id: state_of(unit, report.tests, stubs).value for unit in exercise.units}
    unit = made.unit
    mine = [test for test in report.tests if test.unit == unit.id and test.outcome != "passed"]
    error = mine[0].build_error if mine else None
    return Seen(
        states.pop(unit.id),
        mine[0].message or "" if mine else "",
        error.code if error else None,
        left_out(language, unit, texts, tool.functions),
        frozenset(states.values()),
    )
