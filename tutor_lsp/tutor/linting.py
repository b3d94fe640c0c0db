"""One improvement from a linter, for a review that no model makes."""

from collections.abc import Sequence
from dataclasses import replace

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.positions import split_lines
from tutor_lsp.core.quotes import own_lines
from tutor_lsp.core.report import Remark
from tutor_lsp.core.review_check import Evidence
from tutor_lsp.core.session import Place, Review
from tutor_lsp.core.verdict import PASS
from tutor_lsp.tutor.opened import OpenExercise
from tutor_lsp.tutor.trial import Trials

LIMIT_S = 10.0
"""Longest that a linter is waited for, in seconds; its remark is left out then."""


async def with_improvement(
    review: Review, evidence: Evidence, opened: OpenExercise, trials: Trials
) -> Review:
    """A review of a pass with the linter's most useful remark on lines that the learner wrote.

    It stays as it is if it has an improvement, where there is no linter, and if all is well.
    """
    if review.verdict != PASS or review.improvement is not None:
        return review
    try:
        remarks = await trials.lint(opened, evidence.texts, sorted(evidence.texts), LIMIT_S)
    except TutorError:
        return review
    found = best(remarks, evidence)
    if found is None:
        return review
    remark, place = found
    said = remark.message[:1].upper() + remark.message[1:].rstrip(".")
    return replace(review, improvement=f"{said} ({remark.rule}).", improvement_at=place)


def best(remarks: Sequence[Remark], evidence: Evidence) -> tuple[Remark, Place] | None:
    """The first remark that begins on a line of the learner's own, what may be a defect before
    what can be written more clearly; with that line."""
    given = list(evidence.starter.values())
    own = {file: own_lines(text, given) for file, text in evidence.texts.items()}
    for remark in sorted(remarks, key=lambda each: (each.rank, each.file, each.line)):
        if remark.line in own.get(remark.file, ()):
            line = split_lines(evidence.texts[remark.file])[remark.line - 1].strip()
            return remark, Place(remark.file, remark.line, remark.line, line)
    return None
