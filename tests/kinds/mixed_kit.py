"""An exercise with units of all kinds, and what each of them says of any texts."""

import asyncio
import contextlib
from dataclasses import dataclass

from kinds_kit import LIMITS, TOOLS, Course, course, judged, put

from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.core.exercise.units import state_of
from tutor_lsp.languages.common.aside_run import run_of
from tutor_lsp.languages.common.programs.asked import ProgramRuns, asked
from tutor_lsp.library.loader import Library

KINDS = [kind for kind in UnitKind if kind is not UnitKind.BODY]


@dataclass(frozen=True)
class Mark:
    """What a learner sees of a unit: its state, its first sentence, the line of its mark."""

    state: str
    said: str
    line: int


@dataclass(frozen=True)
class Mixed:
    """Such an exercise, and how it runs."""

    made: Course
    run: object

    @property
    def right(self):
        """All texts, with every unit solved."""
        return {**self.made.files, **self.made.solution}

    def unit(self, kind):
        """The unit of a kind; of those that ask for bodies the last, which no other calls."""
        return next(unit for unit in reversed(self.made.exercise.units) if unit.kind == kind)

    def head(self, file):
        """The comment that comes first in a file, as it is given."""
        given = self.made.files[file]
        end = given.index("\n", given.index("Start here:"))
        return given[:end] + ("\n */" if given.startswith("/*") else "")

    def text(self, file, code):
        """The file with this code below its comment."""
        return None if code is None else f"{self.head(file)}\n\n{code}"

    def edited(self, texts, file, edit):
        """The texts after an edit of a file: what stands below its comment, or pieces of the right
        one, each followed by what is in its place; None where it is gone, and of several files by
        name."""
        if isinstance(edit, dict):
            for name, each in edit.items():
                texts = self.edited(texts, name, each)
            return texts
        if not isinstance(edit, tuple):
            return {**texts, file: self.text(file, edit)}
        text = texts[file]
        for old, new in zip(edit[::2], edit[1::2], strict=True):
            assert old in text, old
            text = text.replace(old, new)
        return {**texts, file: text}

    def raw(self, root, texts):
        """The report of a run on these texts alone, and those that are there."""
        files = place(root, texts)
        return asyncio.run(self.ran(root)), files

    async def ran(self, root):
        """The report of a run on what is there."""
        return await self.run(root, limits=LIMITS, targets=self.made.exercise.targets)

    def marks(self, raw, files):
        """The report of these texts, and the mark of each unit."""
        report, stubs = judged(self.made, files, raw)
        return report, {
            unit.id: self._mark(unit, report, stubs) for unit in self.made.exercise.units
        }

    def _mark(self, unit, report, stubs):
        mine = [test for test in report.tests if test.unit == unit.id and test.message]
        site, first = stubs.site(unit.id), mine[0] if mine else None
        line = site.line if site else 0
        if unit.kind is UnitKind.TEST and first is not None and first.file == unit.file:
            line = first.line
        state = state_of(unit, report.tests, stubs).value
        return Mark(state, first.message if first else "", line)


def place(root, texts):
    """Make the folder hold these texts alone; those that are there."""
    files = {file: text for file, text in texts.items() if text is not None}
    for file in texts.keys() - files.keys():
        (root / file).unlink(missing_ok=True)
    put(root, files)
    return files


def mixed(folder, language, tool=None):
    """Such an exercise in a new folder; `tool` runs it."""
    made = course(folder, language, *KINDS)
    library = Library([folder / f"{language}-weather-notes"])
    programs = library.load(library.entries()[0]).programs

    @contextlib.asynccontextmanager
    async def copies():
        yield folder / "programs"

    tool, exercise = tool or TOOLS[language], made.exercise
    units = asked(exercise.units, made.files, programs, tool)
    return Mixed(made, run_of(tool, exercise.aside, units, ProgramRuns(copies)))
