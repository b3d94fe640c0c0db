"""Whether a learner's code makes a known mistake: by what it is, and by what its build says."""

import asyncio
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from tutor_lsp.core.exercise.diagnosis import (
    first_error,
    first_line,
    with_error,
    with_form,
)
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.mistakes import Diagnosis, Mistake
from tutor_lsp.core.exercise.report import BuildError, TestOutcome, TestReport
from tutor_lsp.core.exercise.signatures import Signature, Signatures
from tutor_lsp.core.language.syntax import Grammar
from tutor_lsp.core.ports import Files, FunctionSite
from tutor_lsp.languages.common.normal.form import (
    Form,
    form_of_error,
    form_of_file,
    form_of_function,
    form_of_unread,
)
from tutor_lsp.languages.registry import dialect
from tutor_lsp.stages.backends.select import LIBRARY
from tutor_lsp.stages.plain_hint import in_parts
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies
from tutor_lsp.tutor.hinting.coach.checks import leak_of_form
from tutor_lsp.tutor.hinting.diagnosis.beside import Question, found_beside
from tutor_lsp.tutor.hinting.diagnosis.built import Statements, hashed, statements
from tutor_lsp.tutor.hinting.diagnosis.known import known_mistakes
from tutor_lsp.tutor.hinting.diagnosis.recognised import recognised
from tutor_lsp.tutor.hinting.diagnosis.warned import WRITTEN, fails, lines_of
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.tutor.services.tasks import load_beside

if TYPE_CHECKING:
    from tutor_lsp.tutor.hinting.diagnosis.signature import SignatureRuns

MOST_DIFFERENCES = 3
"""Most inputs on which code differs that a model is told."""
PATIENCE_S = 2.0
"""How long a hint waits for what must be run for a diagnosis, in seconds."""
Diagnoses = Mapping[str, Diagnosis]
"""What is known of a learner's code, by unit."""


async def diagnose(
    services: Services,
    trials: ShadowCopies,
    opened: OpenExercise,
    unit: Unit,
    texts: Files,
    report: TestReport | None,
    *,
    patience_s: float | None = PATIENCE_S,
) -> Diagnosis | None:
    """The known mistake that a unit's code makes in these texts, if it is sure; `report` is what is
    known of them. What it says keeps the rules of hints: a mistake whose words would give the
    solution away is not told. What has to be run for it is waited for with `patience_s`."""
    if unit.kind not in WRITTEN:
        return None
    mistakes = (await known_mistakes(services, opened)).get(unit.id, ())
    if not mistakes or unit.file not in texts:
        return None
    looking = await asyncio.to_thread(Looking.of, opened, unit, mistakes, texts, report)
    if looking is None:
        return None
    found = looking.found
    if found is None and looking.may_stumble and opened.session.trusted:
        unbuilt = [mistake for mistake in mistakes if mistake.error]
        question = Question("statements", unit.id)
        find = partial(statements, services, trials, opened, unit, unbuilt)
        found = looking.by_statement(
            await found_beside(services, opened, question, find, patience_s) or {}
        )
    elif found is None and looking.error is None and fails(unit, report):
        comes_to = await looked_at(services, trials, opened, unit, texts, patience_s)
        names = () if comes_to is None else comes_to.names
        found = await recognised(services, opened, unit, texts, names)
    return None if found is None else await asyncio.to_thread(looking.told, found)


async def diagnose_all(
    services: Services,
    trials: ShadowCopies,
    opened: OpenExercise,
    texts: Files,
    report: TestReport,
    *,
    patience_s: float | None = PATIENCE_S,
) -> Diagnoses:
    """The diagnosis of each unit that has one, in these texts and by the report of their run. All
    together are waited for with `patience_s`."""
    found = await asyncio.gather(
        *(
            diagnose(services, trials, opened, unit, texts, report, patience_s=patience_s)
            for unit in opened.exercise.units
        )
    )
    return {each.unit: each for each in found if each is not None}


class ComesTo(NamedTuple):
    """What a unit's code comes to on the inputs of which that is `known` for others, too."""

    known: Signatures
    signature: Signature

    @property
    def names(self) -> tuple[str, ...]:
        """The known mistakes that come to the same on every input, and nothing else that is
        known."""
        return self.known.names(self.signature)


async def looked_at(
    services: Services,
    trials: ShadowCopies,
    opened: OpenExercise,
    unit: Unit,
    texts: Files,
    patience_s: float | None,
) -> ComesTo | None:
    """What a unit's code comes to; None where that cannot be told within `patience_s`."""
    question = Question("signature", unit.id, texts[unit.file])
    look = partial(_look_at, services, trials, opened, unit, texts)
    return await found_beside(services, opened, question, look, patience_s)


async def _look_at(
    services: Services, trials: ShadowCopies, opened: OpenExercise, unit: Unit, texts: Files
) -> ComesTo | None:
    """Raises TutorError as `SignatureRuns.signature_of` does."""
    runs = await runs_of(services, trials, opened)
    known = (await runs.known(opened, await known_mistakes(services, opened))).get(unit.id)
    if known is None:
        return None
    signature = await runs.signature_of(opened, unit, texts, known)
    return None if signature is None else ComesTo(known, signature)


async def differing(
    services: Services, trials: ShadowCopies, opened: OpenExercise, unit: Unit, texts: Files
) -> list[dict[str, str]]:
    """The shortest inputs on which a unit's code differs from the reference, with what it gives and
    should give; none where that is not known within `PATIENCE_S`."""
    if unit.kind not in WRITTEN:
        return []
    comes_to = await looked_at(services, trials, opened, unit, texts, PATIENCE_S)
    if comes_to is None:
        return []
    return [
        {
            "call": "; ".join((*each.input.setup, each.input.call)),
            "gives": each.got.removeprefix("= "),
            "should give": each.expected.removeprefix("= "),
        }
        for each in comes_to.known.differences(comes_to.signature)[:MOST_DIFFERENCES]
    ]


async def runs_of(
    services: Services, trials: ShadowCopies, opened: OpenExercise
) -> "SignatureRuns":
    """The looks at what an exercise's code comes to, which load with the first one."""

    def signatures() -> "Callable[..., SignatureRuns]":
        from tutor_lsp.tutor.hinting.diagnosis.signature import SignatureRuns

        return SignatureRuns

    made = await load_beside(signatures)
    runs: SignatureRuns = opened.beside.setdefault("signatures", made(services, trials))
    return runs


def _passes(unit: Unit, report: TestReport | None) -> bool:
    if report is None:
        return False
    mine = [test.outcome for test in report.tests if test.unit == unit.id]
    return bool(mine) and set(mine) == {TestOutcome.PASSED} and not report.build_errors


@dataclass(frozen=True, slots=True)
class Looking:
    """A look at the code of a unit in a learner's texts, where it stands at `site`. `found` is the
    mistake that it is, if that can be seen, `error` why the unit does not build, and `stumbles` the
    form of the statement with that error and what is said of it."""

    opened: OpenExercise
    unit: Unit
    mistakes: Sequence[Mistake]
    texts: Files
    site: FunctionSite
    grammar: Grammar
    found: Mistake | None = None
    error: BuildError | None = None
    stumbles: Form | None = None

    @classmethod
    def of(
        cls,
        opened: OpenExercise,
        unit: Unit,
        mistakes: Sequence[Mistake],
        texts: Files,
        report: TestReport | None,
    ) -> "Looking | None":
        """A look, None where there is nothing to see. Blocks: parses."""
        stubs = opened.stubs(texts)
        site = stubs.site(unit.id)
        if site is None or not stubs.touched(unit.id) or _passes(unit, report):
            return None
        grammar = dialect(opened.exercise.language).grammar
        look = cls(opened, unit, mistakes, texts, site, grammar)
        found = look._by_form()
        if found is not None:
            return replace(look, found=found)
        text, lines = look.text, look._lines()
        read = partial(opened.toolchain.syntax_error, unit.file)
        unread = read(text)
        errors = _errors(unit, report) if unread is None else [unread]
        error = first_error(errors, unit.file, *lines)
        if error is None:
            return look
        if unread is None:
            stumbles = form_of_error(text, site, error, grammar)
            return replace(look, error=error, stumbles=stumbles)
        stumbles = form_of_unread(text, error, grammar)
        places = ((mistake, read(mistake.code)) for mistake in mistakes if mistake.error)
        known = {
            mistake.name: form_of_unread(mistake.code, place, grammar)
            for mistake, place in places
            if place is not None
        }
        return replace(look, error=error, found=with_error(error, stumbles, known, mistakes))

    @property
    def text(self) -> str:
        """The file of the unit."""
        return self.texts[self.unit.file]

    @property
    def may_stumble(self) -> bool:
        """Whether one of the mistakes does not build because of the same error."""
        said = "" if self.error is None or self.stumbles is None else self.error.labelled.lower()
        return any(each.error and each.error.lower() in said for each in self.mistakes)

    def by_statement(self, known: Statements) -> Mistake | None:
        """The mistake that stumbles over the same statement."""
        if self.error is None or self.stumbles is None:
            return None
        return with_error(self.error, hashed(self.stumbles), known, self.mistakes)

    def told(self, mistake: Mistake) -> Diagnosis | None:
        """What is said of a mistake, as far as the rules of hints allow it. Blocks: parses."""
        opened, unit, texts = self.opened, self.unit, self.texts
        leaks = partial(leak_of_form, opened, unit, by_author=opened.exercise.backend == LIBRARY)
        if leaks(1, mistake.says, None, texts) is not None:
            return None
        hint = mistake.hint
        text, code = in_parts(hint)
        if hint and leaks(2, text, code, texts) is not None:
            hint = ""
        line = self._line()
        return Diagnosis(
            unit=unit.id,
            mistake=mistake.name,
            tag=mistake.tag,
            says=mistake.says,
            hint=hint,
            file=unit.file,
            line=line,
            quote=self.text.split("\n")[line - 1].strip(),
        )

    def _by_form(self) -> Mistake | None:
        """The mistake that is the same code."""
        mine = self._form(self.text)
        if mine is None:
            return None
        kept: dict[Hashable, tuple[dict[str, Form | None], Form | None]]
        kept = self.opened.beside.setdefault("forms", {})
        about = (self.unit.id, tuple(self.mistakes))
        if about not in kept:
            known = {mistake.name: self._form(mistake.code) for mistake in self.mistakes}
            kept[about] = known, self._form(self.opened.vault.solution.get(self.unit.file, ""))
        known, right = kept[about]
        return with_form(mine, known, self.mistakes, right)

    def _form(self, text: str) -> Form | None:
        """The form of the unit's code in a text."""
        if self.unit.aside is not None:
            return form_of_file(text, self.grammar)
        reader, starter = self.opened.toolchain, self.opened.exercise.starter
        given = {each.name for each in reader.functions(starter.get(self.unit.file, ""))}
        return form_of_function(reader.functions, text, self.unit.stub, given, self.grammar)

    def _line(self) -> int:
        """Where it shows: at the error, or where what the learner wrote begins."""
        if self.error is not None:
            return self.error.line
        starter, solution = self.opened.exercise.starter, self.opened.vault.solution
        start = self.site.body_start if self.unit.aside is None else self.site.start
        given, right = starter.get(self.unit.file, ""), solution.get(self.unit.file, "")
        first = self.text.count("\n", 0, start) + 1
        return first + first_line(self.text[start : self.site.end], given, right)

    def _lines(self) -> tuple[int, int]:
        """The first and the last line of the unit's code."""
        return lines_of(self.unit, self.text, self.site)


def _errors(unit: Unit, report: TestReport | None) -> list[BuildError]:
    """What the build said, also where the run did without the unit."""
    if report is None:
        return []
    aside = (test.build_error for test in report.tests if test.unit == unit.id)
    return [*report.build_errors, *(error for error in aside if error is not None)]
