"""What in a review is consistent with the run and the code that it is about. Pure.

A finding falls with any sentence of its claim or evidence that does not stand (`truth.fault`), the
summary loses the sentence. What remains is checked once more as one text.
"""

import re
from collections.abc import Collection
from dataclasses import replace

from tutor_lsp.core.exercise.review_check import Dropped
from tutor_lsp.core.exercise.verdict import is_green, sentence
from tutor_lsp.core.session import Review
from tutor_lsp.core.text.translation import t
from tutor_lsp.tutor.hinting.coach import grounds
from tutor_lsp.tutor.hinting.coach.sentences import says, sentences
from tutor_lsp.tutor.hinting.coach.truth import AGAINST_TESTS, Facts, fault

FOR_AUTHOR = "author-note"
"""What is said against a test: it is for who wrote that, and stands in the record alone."""


def grounded(review: Review, facts: Facts) -> tuple[Review, tuple[Dropped, ...]]:
    """The review with only what holds, and what was dropped."""
    dropped: list[Dropped] = []

    def drop(what: str, said: str, why: str) -> None:
        dropped.append(Dropped(what, why))
        if why == AGAINST_TESTS:
            dropped.append(Dropped(FOR_AUTHOR, said))

    def first(what: str, text: str, *, suggests: bool = False) -> str | None:
        for said in sentences(text):
            if why := fault(said, facts, suggests=suggests):
                drop(what, said, why)
                return why
        return None

    findings = tuple(
        each
        for each in review.findings
        if first("finding", each.claim) is None and first("finding", each.evidence) is None
    )
    kept = []
    for said in sentences(review.summary):
        if why := fault(said, facts):
            drop("summary", said, why)
        else:
            kept.append(said)
    changed = replace(review, summary=" ".join(kept) or sentence(facts.report), findings=findings)
    if review.improvement and first("improvement", review.improvement, suggests=True):
        changed = replace(changed, improvement=None, improvement_at=None)
    if review.question and first("question", review.question, suggests=True):
        changed = replace(changed, question=None, answer=None)
    if together_against(changed, facts):
        dropped.append(Dropped("review", "taken as a whole it contradicts the tests"))
        changed = replace(
            changed,
            summary=sentence(facts.report),
            findings=(),
            improvement=None,
            improvement_at=None,
            question=None,
            answer=None,
        )
    return changed, tuple(dropped)


def as_suggestions(
    review: Review, shown: Collection[str], language: str
) -> tuple[Review, tuple[Dropped, ...]]:
    """The review whose findings tell as facts only what runs have shown: the claims and sentences
    in `shown`. What else says something of the code is worded as a suggestion, without the reason
    that the model gave for it, and praise is left out. What a language also has is no such."""
    also = re.compile(rf"{re.escape(language)}\s+(?:\w+\s*)?also")
    dropped: list[Dropped] = []
    findings = []
    for each in review.findings:
        claim, bare = each.claim, grounds.without_spans(each.claim)
        denies = says("not_so").search(bare) or says("negated").search(bare)
        open_to = claim.endswith(("?", "？")) or says("suggests").search(bare) or also.search(claim)
        if open_to or claim in shown or all(said in shown for said in sentences(claim)):
            findings.append(each)
        elif says("praise").search(bare) and not denies:
            dropped.append(Dropped("finding", "it praises what no run shows"))
        else:
            claim = t(f"Not tried out, so look for yourself: {claim}")
            findings.append(replace(each, claim=claim, evidence=""))
    return replace(review, findings=tuple(findings)), tuple(dropped)


def together_against(review: Review, facts: Facts) -> bool:
    """Whether the parts of a review, read one after the other, say what none of them says: where
    one does not end a sentence, the next one goes on with it."""
    claims = [each.claim for each in review.findings]
    parts = [review.summary, *claims, review.improvement or "", review.question or ""]
    whole = " ".join(part.strip() for part in parts if part.strip())

    def against(text: str) -> bool:
        return grounds.contradicts(text, failing=not is_green(facts.report))

    return against(whole) and not any(against(part) for part in parts)
