"""Whether a learner's code makes a known mistake: by what it is, and by what its build says."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tutor_lsp.core.exercise.diagnosis import (
    Diagnosis,
    first_error,
    first_line,
    with_error,
    with_form,
)
from tutor_lsp.core.exercise.exercise import Unit, UnitKind
from tutor_lsp.core.exercise.mistakes import Mistake
from tutor_lsp.core.exercise.report import BuildError, TestOutcome, TestReport
from tutor_lsp.core.language.syntax import Grammar
from tutor_lsp.core.ports import Files, FunctionSite
from tutor_lsp.languages.common.normal.form import (
    Form,
    form_at,
    form_of_file,
    form_of_function,
    form_of_line,
)
from tutor_lsp.languages.registry import dialect
from tutor_lsp.stages.plain_hint import in_parts
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.hinting.coach.checks import leak_of_form
from tutor_lsp.tutor.hinting.diagnosis.known import known_mistakes
from tutor_lsp.tutor.services.services import Services

_WRITTEN = frozenset({UnitKind.BODY, UnitKind.DECLARE, UnitKind.REPAIR})
"""Kinds of units whose learner writes code that may be wrong in known ways."""


async def diagnose(
    services: Services,
    opened: OpenExercise,
    unit: Unit,
    texts: Files,
    report: TestReport | None,
) -> Diagnosis | None:
    """The known mistake that a unit's code makes in these texts, if it is sure; `report` is what is
    known of them. What it says keeps the rules of hints: a mistake whose words would give the
    solution away is not told. Runs nothing."""
    if unit.kind not in _WRITTEN:
        return None
    mistakes = (await known_mistakes(services, opened)).get(unit.id, ())
    if not mistakes or unit.file not in texts:
        return None
    return await asyncio.to_thread(_diagnosed, opened, unit, mistakes, texts, report)


def _diagnosed(
    opened: OpenExercise,
    unit: Unit,
    mistakes: Sequence[Mistake],
    texts: Files,
    report: TestReport | None,
) -> Diagnosis | None:
    stubs = opened.stubs(texts)
    site = stubs.site(unit.id)
    if site is None or not stubs.touched(unit.id) or _passes(unit, report):
        return None
    looking = _Looking(opened, unit, texts, site, dialect(opened.exercise.language).grammar)
    found, line = looking.by_form(mistakes), 0
    if found is None:
        found, line = looking.by_error(mistakes, report)
    if found is None:
        return None
    made = looking.diagnosis(found, line)
    if leak_of_form(opened, unit, 1, made.says, None, texts) is not None:
        return None
    text, code = in_parts(made.hint)
    if made.hint and leak_of_form(opened, unit, 2, text, code, texts) is not None:
        return replace(made, hint="")
    return made


def _passes(unit: Unit, report: TestReport | None) -> bool:
    if report is None:
        return False
    mine = [test.outcome for test in report.tests if test.unit == unit.id]
    return bool(mine) and set(mine) == {TestOutcome.PASSED} and not report.build_errors


@dataclass(frozen=True, slots=True)
class _Looking:
    """The code of a unit in a learner's texts, where it stands at `site`."""

    opened: OpenExercise
    unit: Unit
    texts: Files
    site: FunctionSite
    grammar: Grammar

    @property
    def text(self) -> str:
        return self.texts[self.unit.file]

    def by_form(self, mistakes: Sequence[Mistake]) -> Mistake | None:
        """The mistake that is the same code."""
        mine = self._form(self.text)
        if mine is None:
            return None
        known = {mistake.name: self._form(mistake.code) for mistake in mistakes}
        right = self._form(self.opened.vault.solution.get(self.unit.file, ""))
        return with_form(mine, known, mistakes, right)

    def by_error(
        self, mistakes: Sequence[Mistake], report: TestReport | None
    ) -> tuple[Mistake | None, int]:
        """The mistake that does not build for the same reason, and the line of that."""
        read = self.opened.toolchain.syntax_error
        unread = read(self.unit.file, self.text)
        error = first_error(
            _errors(self.unit, report) if unread is None else [unread],
            self.unit.file,
            *self._lines(),
        )
        if error is None:
            return None, 0
        known: dict[str, Form | None] = {}
        if unread is not None:
            mine = form_of_line(self.text, error.line, self.grammar)
            for mistake in mistakes:
                place = read(self.unit.file, mistake.code)
                if place is not None:
                    known[mistake.name] = form_of_line(mistake.code, place.line, self.grammar)
        else:
            mine = form_at(self.text, self.site, error.line, self.grammar)
        return with_error(error, mine, known, mistakes), error.line

    def diagnosis(self, mistake: Mistake, line: int) -> Diagnosis:
        """What is said of it; without a line, where what the learner wrote begins."""
        if not line:
            given = self.opened.exercise.starter.get(self.unit.file, "")
            code = self.text[self.site.start : self.site.end]
            first = self.text.count("\n", 0, self.site.start) + 1
            line = first + first_line(code, given)
        quote = self.text.split("\n")[line - 1].strip()
        return Diagnosis(
            unit=self.unit.id,
            mistake=mistake.name,
            tag=mistake.tag,
            says=mistake.says,
            hint=mistake.hint,
            file=self.unit.file,
            line=line,
            quote=quote,
        )

    def _form(self, text: str) -> Form | None:
        """The form of the unit's code in a text."""
        if self.unit.aside is not None:
            return form_of_file(text, self.grammar)
        reader, starter = self.opened.toolchain, self.opened.exercise.starter
        given = {each.name for each in reader.functions(starter.get(self.unit.file, ""))}
        return form_of_function(reader.functions, text, self.unit.stub, given, self.grammar)

    def _lines(self) -> tuple[int, int]:
        """The first and the last line of the unit's code."""
        if self.unit.aside is not None:
            return 1, self.text.count("\n") + 1
        before = self.text.count("\n", 0, self.site.start)
        return before + 1, self.text.count("\n", 0, self.site.end) + 1


def _errors(unit: Unit, report: TestReport | None) -> list[BuildError]:
    """What the build said, also where the run did without the unit."""
    if report is None:
        return []
    aside = (test.build_error for test in report.tests if test.unit == unit.id)
    return [*report.build_errors, *(error for error in aside if error is not None)]


Diagnoses = Mapping[str, Diagnosis]
"""What is known of a learner's code, by unit."""


async def diagnose_all(
    services: Services, opened: OpenExercise, texts: Files, report: TestReport
) -> Diagnoses:
    """The diagnosis of each unit that has one, in these texts and by the report of their run."""
    found = {}
    for unit in opened.exercise.units:
        made = await diagnose(services, opened, unit, texts, report)
        if made is not None:
            found[unit.id] = made
    return found
