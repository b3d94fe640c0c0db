"""What in a review would give a stub's solution away while its tests do not pass.

The same checks as for hints: by form, by words, and by running its code in the stub.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.report import TestOutcome, TestReport
from tutor_lsp.core.exercise.review_check import Dropped
from tutor_lsp.core.exercise.verdict import sentence
from tutor_lsp.core.session import Review
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies
from tutor_lsp.tutor.hinting.coach.checks import leak
from tutor_lsp.tutor.hinting.coach.running import Known

LEVEL = 2
"""A review may say no more than a hint that is not the last."""
LIMIT_S = 20.0
"""Longest time for checking a review, in seconds; of one that was not fully checked by then only
the summary is kept."""


async def without_leaks(
    review: Review,
    report: TestReport,
    opened: OpenExercise,
    texts: Mapping[str, str],
    trials: ShadowCopies,
) -> tuple[Review, tuple[Dropped, ...]]:
    """The review without what gives the solution of a unit away whose tests do not all pass, and
    what was left out. A summary that does is replaced by what the run says. What stands alone is
    looked at together, too: where that gives a solution away, just the summary is left."""
    units = open_units(opened.exercise.units, report)
    dropped: list[Dropped] = []
    known: Known = {}

    async def leaks(what: str, text: str | None) -> bool:
        for unit in units if text else ():
            fault = await leak(trials, opened, unit, LEVEL, text or "", None, texts, known)
            if fault is not None:
                dropped.append(Dropped(what, f"{fault.rule} of {unit.id}: {fault.reason}"))
                return True
        return False

    kept = replace(review, summary=sentence(report), findings=(), improvement=None, question=None)
    try:
        async with asyncio.timeout(LIMIT_S):
            if not await leaks("summary", review.summary):
                kept = replace(kept, summary=review.summary)
            if not await leaks("improvement", review.improvement):
                at = review.improvement_at
                kept = replace(kept, improvement=review.improvement, improvement_at=at)
            if not await leaks("question", _with_answer(review)):
                kept = replace(kept, question=review.question)
            for each in review.findings:
                if not await leaks("finding", f"{each.claim}\n\n{each.evidence}"):
                    kept = replace(kept, findings=(*kept.findings, each))
            if await leaks("review", _together(kept)):
                kept = _summary_of(kept)
    except TimeoutError:
        dropped.append(Dropped("review", f"the rest could not be checked within {LIMIT_S:g} s"))
        kept = _summary_of(kept)
    return _belonging(kept), tuple(dropped)


def _with_answer(review: Review) -> str | None:
    """The question as it reads with its answer, which a client gets, too."""
    if review.question is None or review.answer is None:
        return review.question
    return f"{review.question}\n\n{review.answer.call} gives {review.answer.value}"


def _summary_of(review: Review) -> Review:
    return replace(review, findings=(), improvement=None, question=None)


def _belonging(review: Review) -> Review:
    """The review without the place of an improvement, or the answer to a question, that is gone."""
    return replace(
        review,
        improvement_at=None if review.improvement is None else review.improvement_at,
        answer=None if review.question is None else review.answer,
    )


def _together(review: Review) -> str | None:
    """The texts of a review in the order in which they are read; None of a single one."""
    parts = [review.summary]
    for each in review.findings:
        parts += [each.claim, each.evidence]
    parts = [part for part in (*parts, review.improvement, review.question) if part]
    return "\n\n".join(parts) if len(parts) > 1 else None


def open_units(units: Sequence[Unit], report: TestReport) -> tuple[Unit, ...]:
    """The units of which a test did not pass; all where there are no results."""
    passed = {test.name for test in report.tests if test.outcome is TestOutcome.PASSED}
    return tuple(unit for unit in units if not passed.issuperset(unit.tests))
