"""One improvement from a linter, for a review that no model makes."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.report import Remark
from tutor_lsp.core.exercise.review_check import Evidence
from tutor_lsp.core.exercise.verdict import PASS
from tutor_lsp.core.session import Place, Review
from tutor_lsp.core.text.positions import split_lines
from tutor_lsp.core.text.quotes import own_lines
from tutor_lsp.stages import explained
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies

LIMIT_S = 10.0
"""Longest wait for a linter, in seconds; after that its remark is left out."""

_NAME = re.compile(r"[^\W\d]\w+")
_CODE = re.compile(r"`([^`]*)`")


async def with_improvement(
    review: Review, evidence: Evidence, opened: OpenExercise, trials: ShadowCopies
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
    found = best(remarks, evidence, opened.vault.originals.values())
    if found is None:
        return review
    remark, place = found
    meaning = explained.of_warning(opened.exercise.language, remark.rule, remark.message)
    said = remark.message if meaning is None else meaning.means
    said = said[:1].upper() + said[1:].rstrip(".")
    return replace(review, improvement=f"{said} ({remark.rule}).", improvement_at=place)


def best(
    remarks: Sequence[Remark], evidence: Evidence, read: Iterable[str]
) -> tuple[Remark, Place] | None:
    """The first remark that begins on a line of the learner's own, what may be a defect before
    what can be written more clearly; with that line.

    What can be written more clearly is left out where that takes a name that neither the texts
    given to `read` nor the learner's own have: an exercise teaches one way, and a linter's other
    one would contradict it.
    """
    known = {name for text in (*read, *evidence.texts.values()) for name in _NAME.findall(text)}
    given = list(evidence.starter.values())
    own = {file: own_lines(text, given) for file, text in evidence.texts.items()}
    for remark in sorted(remarks, key=lambda each: (each.rank, each.file, each.line)):
        if remark.line not in own.get(remark.file, ()):
            continue
        if remark.rank == 0 or _names(remark.message) <= known:
            line = split_lines(evidence.texts[remark.file])[remark.line - 1].strip()
            return remark, Place(remark.file, remark.line, remark.line, line)
    return None


def _names(message: str) -> set[str]:
    """The names of more than one letter in the code that a remark quotes."""
    return {name for code in _CODE.findall(message) for name in _NAME.findall(code)}
