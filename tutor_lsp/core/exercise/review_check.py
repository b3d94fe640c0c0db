"""A reviewer's payload, checked against the run and the learner's text. Pure.

What code can decide is not left to the reviewer: quotes are where they claim to be, remarks on
the learner's code concern lines that the learner wrote, tags have evidence, and the verdict
follows the run (`verdict.settle`).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tutor_lsp.core.exercise.report import TestOutcome, TestReport
from tutor_lsp.core.exercise.verdict import is_green
from tutor_lsp.core.session import Citation, Finding, Place, Review
from tutor_lsp.core.text.quotes import QuoteSpan, find_quote, is_own, own_lines

Payload = Mapping[str, Any]
_VERDICT = re.compile(r"\bFAIL(?:S|ED|URE)?\b")
"""The word that people never read."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a review is checked against: the run, the learner's files that it ran on, the same
    files in the starter, and the names of the exercise's tests."""

    report: TestReport
    texts: Mapping[str, str]
    starter: Mapping[str, str]
    tests: frozenset[str]


@dataclass(frozen=True, slots=True)
class Dropped:
    """Something of a payload that is not shown: `finding`, `improvement`, `tag`,
    `counter-example` or `question`, and why."""

    what: str
    why: str


def checked(payload: Payload, evidence: Evidence) -> tuple[Review, tuple[Dropped, ...]]:
    """The review with only what passes the checks, verdict not settled, and what was dropped."""
    checking = _Checking(evidence)
    findings = tuple(checking.findings(payload.get("findings") or ()))
    improvement, place = checking.improvement(payload)
    cited = {citation.tag: citation for citation in checking.tags(payload)}
    review = Review(
        verdict=str(payload["verdict"]),
        score=int(payload["score"]),
        summary=_VERDICT.sub("not yet", str(payload["summary"])),
        findings=findings,
        improvement=improvement,
        improvement_at=place,
        question=payload.get("question"),
        tags=tuple(cited),
        cited=tuple(cited.values()),
        dropped_findings=sum(each.what == "finding" for each in checking.dropped),
    )
    return review, tuple(checking.dropped)


def question_place(probe: Payload, evidence: Evidence) -> Place | None:
    """The learner's own lines that a question is about, None if it names none."""
    return _Checking(evidence).own_place(probe)


class _Checking:
    def __init__(self, evidence: Evidence) -> None:
        self.dropped: list[Dropped] = []
        self._evidence = evidence
        given = list(evidence.starter.values())
        self._own = {file: own_lines(text, given) for file, text in evidence.texts.items()}
        report = evidence.report
        passed = {test.name for test in report.tests if test.outcome is TestOutcome.PASSED}
        self._passing = frozenset() if is_green(report) else frozenset(passed)

    def findings(self, given: Iterable[Payload]) -> Iterable[Finding]:
        for item in given:
            span = self._find(item)
            if span is None:
                why = f"the quote is not at {item['file']}:{item['line']}"
                self.dropped.append(Dropped("finding", why))
                continue
            yield Finding(
                file=str(item["file"]),
                line=span.line,
                end_line=span.end_line,
                quote=span.quote,
                claim=str(item["claim"]),
                evidence=str(item["evidence"] or ""),
            )

    def improvement(self, payload: Payload) -> tuple[str | None, Place | None]:
        """An improvement that names a place must concern lines that the learner wrote."""
        text, at = payload.get("improvement") or None, payload.get("improvement_at")
        if text is None or at is None:
            return text, None
        place = self.own_place(at)
        if place is None:
            why = f"none of the learner's lines is at {at['file']}:{at['line']}"
            self.dropped.append(Dropped("improvement", why))
            return None, None
        return text, place

    def own_place(self, item: Payload) -> Place | None:
        """The place of a quote, if it includes a line that the learner wrote."""
        span = self._find(item)
        if span is None or not is_own(span, item["file"], self._own):
            return None
        return Place(str(item["file"]), span.line, span.end_line, span.quote)

    def tags(self, payload: Payload) -> Iterable[Citation]:
        """The tags with evidence: lines that the learner wrote, and a test that shows it, which
        must be one that did not pass if there is any. Without `tag_evidence` a finding that names
        such a test is evidence."""
        evidence: dict[str, list[Payload]] = {}
        given = payload.get("tag_evidence")
        for item in self._told(payload) if given is None else given:
            evidence.setdefault(str(item["tag"]), []).append(item)
        for tag in payload.get("tags") or ():
            why = "it has no evidence"
            for item in evidence.get(str(tag), ()):
                place = self.own_place(item)
                if place is None:
                    why = f"none of the learner's lines is at {item['file']}:{item['line']}"
                elif item["test"] not in self._evidence.tests:
                    why = f"there is no test {item['test']}"
                elif item["test"] in self._passing:
                    why = f"{item['test']} passes"
                else:
                    yield Citation(str(tag), place, str(item["test"]))
                    break
            else:
                self.dropped.append(Dropped("tag", f"{tag}: {why}"))

    def _told(self, payload: Payload) -> Iterable[Payload]:
        """Findings that name a test, as evidence of every tag."""
        for item in payload.get("findings") or ():
            for test in re.findall(r"\w+", f"{item['evidence']} {item['claim']}"):
                if test in self._evidence.tests:
                    yield from (
                        {**item, "tag": tag, "test": test} for tag in payload.get("tags") or ()
                    )
                    break

    def _find(self, item: Payload) -> QuoteSpan | None:
        text = self._evidence.texts.get(str(item["file"]))
        return find_quote(text, int(item["line"]), int(item["end_line"]), str(item["quote"]))
