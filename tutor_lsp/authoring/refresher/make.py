"""Making a review: cut a unit out, change its values by execution, prove it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tutor_lsp.authoring.finish import finish
from tutor_lsp.authoring.index import build_index
from tutor_lsp.authoring.model import Candidate, ProofResult, ProvenExercise
from tutor_lsp.authoring.proof import LIMITS
from tutor_lsp.authoring.proof.prove import prove
from tutor_lsp.authoring.refresher.again import ROUNDS, called_again, some_of
from tutor_lsp.authoring.refresher.pieces import (
    UNIT,
    Cut,
    kept_tests,
    lesson_of,
    starter_and_reference,
)
from tutor_lsp.authoring.refresher.values import (
    answered,
    code_only,
    fresh_values,
    literals_of,
    with_values,
)
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import LESSON, Exercise, Unit, UnitKind
from tutor_lsp.core.exercise.files import below
from tutor_lsp.core.exercise.report import RawReport, RunOutcome, TestOutcome
from tutor_lsp.core.learner.spacing import REVIEW_MINUTES
from tutor_lsp.core.ports import Progress, Toolchain
from tutor_lsp.core.session import Programs, Vault
from tutor_lsp.core.text.translation import t
from tutor_lsp.languages.common.proof.bench import Bench
from tutor_lsp.languages.common.proof.splice import replaced
from tutor_lsp.languages.registry import dialect
from tutor_lsp.process.scratch import scratch_folder


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """What to review: an exercise with its vault, `files` as given, the ids of its
    units in order of preference, and a number that varies the values.
    """

    exercise: Exercise
    vault: Vault
    files: Mapping[str, str]
    units: Sequence[str]
    seed: int


async def make_review(
    request: ReviewRequest,
    toolchain: Toolchain,
    progress: Progress,
) -> ProvenExercise:
    """A proven exercise of one unit with fresh values, from the first unit for which that works.

    Raises TutorError `NO_REVIEW` if none does, `TOOLCHAIN_MISSING`.
    """
    known = (request.exercise.unit(name) for name in request.units)
    units = [unit for unit in known if unit is not None]
    why = t("it has no reference")
    for number, unit in enumerate(units):
        progress.report(5 + 80 * number // len(units), t(f"a review of {unit.stub}: fresh values"))
        async with scratch_folder("review") as folder:
            maker = _Maker(request, unit, toolchain, Bench(toolchain, folder, LIMITS))
            made = await maker.made()
        if made is None:
            why = t(f"{unit.stub} has no values to change")
            continue
        progress.report(10 + 80 * number // len(units), t(f"a review of {unit.stub}: proving it"))
        result = await prove(made.candidate, toolchain, depth=request.exercise.depth, mutants=False)
        if result.proof.ok:
            progress.report(98, "proven")
            return _finished(request, unit, made, result)
        why = result.findings[0].message.rstrip(".") if result.findings else t("its proof failed")
    raise TutorError(
        "NO_REVIEW", f"No short review of “{request.exercise.title}” could be made: {why}."
    )


@dataclass(frozen=True, slots=True)
class _Made:
    """A review that is not yet proven, and the hints of its unit."""

    candidate: Candidate
    hints: tuple[str, ...]


def _finished(
    request: ReviewRequest, unit: Unit, made: _Made, result: ProofResult
) -> ProvenExercise:
    exercise, candidate = request.exercise, made.candidate
    known = request.vault.accepts.get(unit.id)
    proven = finish(
        candidate if known is None else replace(candidate, accepts={UNIT: known}),
        result.proof,
        scaffold={
            "scaffold_id": f"{exercise.id}-review-{request.seed}",
            "node_id": exercise.node,
            "depth_target": exercise.depth,
            "exercise_description": f"A short review of {exercise.title}: {unit.stub}.",
        },
        title=_title(exercise),
        backend=exercise.backend,
        minutes=REVIEW_MINUTES,
    )
    mistakes = request.vault.mistakes.get(unit.id)
    vault = replace(
        proven.vault,
        hints={UNIT: made.hints} if made.hints else {},
        mistakes={UNIT: mistakes} if mistakes else {},
    )
    return replace(proven, vault=vault)


def _title(exercise: Exercise) -> str:
    return f"Review: {exercise.title}"


class _Maker:
    """Cuts out one unit, changes the values of its tests, and gets the answers from the reference,
    which it runs on a bench."""

    def __init__(
        self, request: ReviewRequest, unit: Unit, toolchain: Toolchain, bench: Bench
    ) -> None:
        self._request = request
        self._unit = unit
        self._toolchain = toolchain
        self._bench = bench
        self._grammar = dialect(request.exercise.language).grammar

    async def made(self) -> _Made | None:
        """The exercise of one unit with fresh values, not yet proven; None if nothing changes."""
        cut = await asyncio.to_thread(self._cut)
        if cut is None:
            return None
        if self._unit.kind is UnitKind.PREDICT:
            cut = await called_again(cut, self._unit, self._bench, self._request.seed)
        elif not self._unit.asks_for_tests:  # the contract of those has no values to change
            cut = await self._fresh(cut)
        if cut is None:
            return None
        complete = await asyncio.to_thread(self._toolchain.complete, cut.files)
        index = await asyncio.to_thread(build_index, complete, [self._plan()], self._toolchain)
        if index.findings or len(index.units) != 1:
            return None
        language, programs = self._request.exercise.language, self._programs()
        candidate = Candidate(
            language, cut.files, complete, cut.solution, index.units, programs=programs
        )
        return _Made(candidate, cut.hints)

    def _programs(self) -> dict[str, Programs]:
        """What tests that the unit asks for run on; other known mistakes each time."""
        known = self._request.vault.programs.get(self._unit.id)
        if known is None or not self._unit.asks_for_tests:
            return {}
        return {UNIT: replace(known, wrong=some_of(known.wrong, self._request.seed))}

    def _plan(self) -> dict[str, Any]:
        unit = self._unit
        return {
            "unit_id": UNIT,
            "stub": unit.stub,
            "file_path": unit.file,
            "first_principle": unit.first_principle,
            "lesson_heading": unit.lesson_heading,
            "test_names": unit.tests,
            "kind": unit.kind,
            "practises": unit.practises,
        }

    def _cut(self) -> Cut | None:
        """The one unit as it was; None if it has no reference."""
        request, unit, toolchain = self._request, self._unit, self._toolchain
        given, units = request.files, request.exercise.units
        both = starter_and_reference(given, request.vault.solution, units, unit, toolchain)
        if both is None:
            return None
        tests = {
            path: kept_tests(text, unit.tests, toolchain)
            for path, text in below(given, "tests").items()
            if {site.name for site in toolchain.tests(text)} & set(unit.tests)
        }
        files = {**both[0], **tests}
        lesson = lesson_of(given.get(LESSON, ""), unit, _title(request.exercise), files)
        hints = request.vault.hints.get(unit.id, ())
        return Cut({LESSON: lesson, **files}, both[1], hints)

    async def _fresh(self, cut: Cut) -> Cut | None:
        """The same with fresh values in the tests that the reference passes; None if nothing
        changed.

        First only inside tests, where one whose answer is unclear keeps its values; otherwise in
        the whole file, so that values shared by tests change with them.
        """
        given, reference = below(cut.files, "tests"), {**cut.files, **cut.solution}
        solved = await asyncio.to_thread(self._toolchain.complete, reference)
        src = [*below(reference, "src").values()]
        for whole in (False, True):
            tests = await asyncio.to_thread(self._changed, given, src, whole)
            for _ in range(ROUNDS):
                if tests == given:
                    break
                report = await self._bench.run({**solved, **tests})
                if report.outcome is RunOutcome.PASSED and not report.warnings:
                    return replace(cut, files={**cut.files, **tests})
                unused = self._grammar.unused
                if report.outcome is RunOutcome.PASSED and unused:
                    # Things that only the removed tests used.
                    marked = {path: f"{unused}\n\n{text}" for path, text in tests.items()}
                    return replace(cut, files={**cut.files, **marked})
                if report.outcome is not RunOutcome.FAILED:
                    break
                before = tests
                tests = await asyncio.to_thread(self._settled, tests, given, report, whole)
                if tests == before:
                    break
        return None

    def _changed(self, given: Mapping[str, str], src: Sequence[str], whole: bool) -> dict[str, str]:
        tokens = {
            path: literals_of(text, self._grammar, None if whole else self._toolchain.tests(text))
            for path, text in given.items()
        }
        texts = [token.text for found in tokens.values() for token in found]
        outside = [
            replaced(text, [(token.start, token.end, "") for token in tokens[path]])
            for path, text in given.items()
        ]
        known = [code_only(text, self._grammar) for text in [*src, *outside]]
        fresh = fresh_values(texts, known, self._request.seed, self._grammar.words.suffix)
        return {path: with_values(text, tokens[path], fresh) for path, text in given.items()}

    def _settled(
        self, tests: Mapping[str, str], given: Mapping[str, str], report: RawReport, whole: bool
    ) -> dict[str, str]:
        """The tests with one more answer each; those without a usable answer as given,
        unless they share changed values.
        """
        after = dict(tests)
        for raw in report.tests:
            if raw.outcome is TestOutcome.PASSED:
                continue
            path = next(
                path
                for path, text in after.items()
                if any(site.name == raw.name for site in self._toolchain.tests(text))
            )
            text = answered(after[path], raw, self._grammar, self._toolchain)
            if whole and text is None:
                return dict(tests)
            if text is None or text == after[path]:
                text = _as_given(after[path], given[path], raw.name, self._toolchain)
            after[path] = text
        return after


def _as_given(text: str, given: str, name: str, toolchain: Toolchain) -> str:
    """The text with one test's lines as in the other text."""
    mine, theirs = (
        next(site for site in toolchain.tests(each) if site.name == name) for each in (text, given)
    )
    lines, others = text.split("\n"), given.split("\n")
    lines[mine.line - 1 : mine.end_line] = others[theirs.line - 1 : theirs.end_line]
    return "\n".join(lines)
