"""Making a review: cut a unit out, change its values by execution, prove it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tutor_lsp.authoring.content import content_hash
from tutor_lsp.authoring.finish import finish
from tutor_lsp.authoring.index import build_index
from tutor_lsp.authoring.model import LESSON, Candidate, ProofResult, ProvenExercise
from tutor_lsp.authoring.proof import LIMITS
from tutor_lsp.authoring.proof.prove import prove
from tutor_lsp.authoring.review.pieces import (
    UNIT,
    authored,
    kept_tests,
    lesson_of,
    starter_and_reference,
)
from tutor_lsp.authoring.review.values import (
    answered,
    fresh_values,
    literals_of,
    meant,
    with_values,
)
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Exercise, Unit
from tutor_lsp.core.exercise.report import RawTest, RunOutcome, TestOutcome
from tutor_lsp.core.learner.spacing import REVIEW_MINUTES
from tutor_lsp.core.ports import Progress, RunLimits, Toolchain
from tutor_lsp.core.session import Vault
from tutor_lsp.languages.common.proof.bench import Bench
from tutor_lsp.languages.common.syntax import Token
from tutor_lsp.languages.registry import dialect
from tutor_lsp.process.scratch import scratch_folder

ROUNDS = 8
"""Runs of the reference until all answers are known."""


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """What is reviewed: an exercise with its vault, `files` as they were given, the ids of its
    units in the order in which they are best taken, and a number that makes the values differ.
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
    *,
    limits: RunLimits = LIMITS,
    scratch: Path | None = None,
) -> ProvenExercise:
    """A proven exercise of one unit with fresh values, of the first unit that gives one.

    Raises TutorError `NO_REVIEW` if none does, `TOOLCHAIN_MISSING`.
    """
    why = "it has no reference"
    units = [unit for name in request.units if (unit := request.exercise.unit(name)) is not None]
    for number, unit in enumerate(units):
        progress.report(5 + 80 * number // len(units), f"a review of {unit.stub}: fresh values")
        candidate = await _candidate(request, unit, toolchain, limits, scratch)
        if candidate is None:
            why = f"{unit.stub} has no values that could be changed"
            continue
        progress.report(10 + 80 * number // len(units), f"a review of {unit.stub}: proving it")
        result = await prove(
            candidate, toolchain, depth=request.exercise.depth, limits=limits, scratch=scratch
        )
        if result.proof.ok:
            progress.report(98, "it holds")
            known = request.vault.accepts.get(unit.id)
            accepts = {} if known is None else {candidate.units[0].id: known}
            return _finished(request, unit, replace(candidate, accepts=accepts), result)
        why = result.findings[0].message if result.findings else "it does not hold"
    raise TutorError(
        "NO_REVIEW", f"No short review of “{request.exercise.title}” could be made: {why}."
    )


def _finished(
    request: ReviewRequest, unit: Unit, candidate: Candidate, result: ProofResult
) -> ProvenExercise:
    exercise = request.exercise
    made = finish(
        candidate,
        result.proof,
        content_hash(candidate.language, candidate.authored, candidate.solution, candidate.accepts),
        scaffold={
            "scaffold_id": f"{exercise.id}-review-{request.seed}",
            "node_id": exercise.node,
            "depth_target": exercise.depth,
            "exercise_description": f"A short review of {exercise.title}: {unit.stub}.",
        },
        title=_title(exercise),
        backend=exercise.backend,
        bundled=None,
        minutes=REVIEW_MINUTES,
        challenge=False,
    )
    hints = request.vault.hints.get(unit.id)
    vault = replace(made.vault, hints={UNIT: hints} if hints else {})
    return replace(made, vault=vault)


def _title(exercise: Exercise) -> str:
    return f"Review: {exercise.title}"


async def _candidate(
    request: ReviewRequest,
    unit: Unit,
    toolchain: Toolchain,
    limits: RunLimits,
    scratch: Path | None,
) -> Candidate | None:
    """The exercise of one unit with fresh values, not yet proven; None where nothing changes."""
    cut = await asyncio.to_thread(_cut, request, unit, toolchain)
    if cut is None:
        return None
    files, solution = cut
    async with scratch_folder("review", scratch) as folder:
        values = _Values(request, unit, toolchain, Bench(toolchain, folder, limits))
        tests = await values.fresh(files, solution)
    if tests is None:
        return None
    whole = {**files, **tests}
    complete = await asyncio.to_thread(toolchain.complete, whole)
    index = await asyncio.to_thread(build_index, complete, None, toolchain)
    if index.findings or len(index.units) != 1:
        return None
    return Candidate(request.exercise.language, whole, complete, solution, index.units)


def _cut(
    request: ReviewRequest, unit: Unit, toolchain: Toolchain
) -> tuple[dict[str, str], dict[str, str]] | None:
    given, exercise = authored(request.files), request.exercise
    both = starter_and_reference(given, request.vault.solution, exercise.units, unit, toolchain)
    if both is None:
        return None
    src, solution = both
    tests = {
        path: kept_tests(text, unit.tests, toolchain)
        for path, text in given.items()
        if path.startswith("tests/")
        and {site.name for site in toolchain.tests(text)} & set(unit.tests)
    }
    lesson = lesson_of(given.get(LESSON, ""), unit, _title(exercise))
    return {LESSON: lesson, **src, **tests}, solution


class _Values:
    """Changes the values of a unit's tests and asks the reference for the answers."""

    def __init__(
        self, request: ReviewRequest, unit: Unit, toolchain: Toolchain, bench: Bench
    ) -> None:
        self._seed = request.seed
        self._unit = unit
        self._toolchain = toolchain
        self._bench = bench
        self._grammar = dialect(request.exercise.language).grammar

    async def fresh(
        self, files: Mapping[str, str], solution: Mapping[str, str]
    ) -> dict[str, str] | None:
        """Test files with fresh values that the reference passes; None if nothing changed.

        First just inside of tests, where one whose answer cannot be told keeps its values; else in
        the whole file, so that what tests share changes with them.
        """
        given = {path: text for path, text in files.items() if path.startswith("tests/")}
        src = [text for path, text in {**files, **solution}.items() if path.startswith("src/")]
        solved = await asyncio.to_thread(self._toolchain.complete, {**files, **solution})
        for whole in (False, True):
            tests = await asyncio.to_thread(self._changed, given, src, whole=whole)
            held = await self._held(solved, given, tests, whole=whole)
            if held is not None:
                return held
        return None

    async def _held(
        self,
        solved: Mapping[str, str],
        given: Mapping[str, str],
        tests: dict[str, str],
        *,
        whole: bool,
    ) -> dict[str, str] | None:
        """The tests with every answer of the reference; None where they come to be as given."""
        for _ in range(ROUNDS):
            if tests == given:
                return None
            report = await self._bench.run({**solved, **tests})
            if report.outcome is RunOutcome.PASSED and not report.warnings:
                return tests
            if report.outcome is RunOutcome.PASSED and self._grammar.unused:
                # What only the tests that are gone had used.
                return {path: f"{self._grammar.unused}\n\n{text}" for path, text in tests.items()}
            if report.outcome is not RunOutcome.FAILED:
                return None
            failing = [test for test in report.tests if test.outcome is not TestOutcome.PASSED]
            before = tests
            tests = await asyncio.to_thread(self._settled, tests, given, failing, whole=whole)
            if tests == before:
                return None
        return None

    def _changed(
        self, given: Mapping[str, str], src: Sequence[str], *, whole: bool
    ) -> dict[str, str]:
        tokens = {
            path: literals_of(text, self._grammar, None if whole else self._toolchain.tests(text))
            for path, text in given.items()
        }
        texts = [token.text for found in tokens.values() for token in found]
        outside = [_without(text, tokens[path]) for path, text in given.items()]
        known = [meant(text, self._grammar) for text in [*src, *outside]]
        fresh = fresh_values(texts, known, self._seed)
        return {path: with_values(text, tokens[path], fresh) for path, text in given.items()}

    def _settled(
        self,
        tests: Mapping[str, str],
        given: Mapping[str, str],
        failing: Sequence[RawTest],
        *,
        whole: bool,
    ) -> dict[str, str]:
        """The tests with one more answer each; those without a way to one as they were given,
        unless they share values that are not.
        """
        after = dict(tests)
        for raw in failing:
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


def _without(text: str, tokens: Sequence[Token]) -> str:
    pieces, at = [], 0
    for token in tokens:
        pieces.append(text[at : token.start])
        at = token.end
    return "".join([*pieces, text[at:]])


def _as_given(text: str, given: str, name: str, toolchain: Toolchain) -> str:
    """The text with one test's lines as they stand in the other."""
    mine = next(site for site in toolchain.tests(text) if site.name == name)
    theirs = next(site for site in toolchain.tests(given) if site.name == name)
    lines, others = text.split("\n"), given.split("\n")
    return "\n".join(
        [
            *lines[: mine.line - 1],
            *others[theirs.line - 1 : theirs.end_line],
            *lines[mine.end_line :],
        ]
    )
