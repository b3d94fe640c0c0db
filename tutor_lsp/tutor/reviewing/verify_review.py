"""From a reviewer's payload to the displayed review: claims are looked up or executed, and checked
against the facts of the attempt."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tutor_lsp.core.exercise.review_check import Dropped, Evidence, checked, question_place
from tutor_lsp.core.exercise.verdict import PASS, case_sentence, is_green, settle
from tutor_lsp.core.session import Answer, Attempt, CounterExample, Finding, Review
from tutor_lsp.core.text.plain_text import spoken
from tutor_lsp.core.text.positions import split_lines
from tutor_lsp.core.text.translation import marked
from tutor_lsp.languages.registry import dialect, languages
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.hinting.coach.claims import told
from tutor_lsp.tutor.hinting.coach.facts import facts_of
from tutor_lsp.tutor.hinting.coach.tried import LIMIT_S, MOST, tried
from tutor_lsp.tutor.hinting.probing import Prober, Refuted
from tutor_lsp.tutor.reviewing.grounds import as_suggestions, grounded

Notes = tuple[Dropped, ...]
Payload = Mapping[str, Any]
COUNTS = marked(
    "This was run on your code and on the reference, and is now a test of this exercise."
)
REMARK = marked(
    "This was run on your code and on the reference; the exercise does not promise anything for "
    "such an input, so it does not count."
)
ASKS_AT = "D3"
"""The depth at which a passed exercise ends with a question."""


class Settling:
    """Settles the review of one attempt on the texts that it ran on."""

    def __init__(
        self, opened: OpenExercise, attempt: Attempt, texts: Mapping[str, str], prober: Prober
    ) -> None:
        self._opened = opened
        self._attempt = attempt
        self._texts = texts
        self._prober = prober
        self._dropped: list[Dropped] = []
        self._shown: set[str] = set()
        exercise = opened.exercise
        self.evidence = Evidence(
            report=attempt.report,
            texts={file: texts[file] for file in opened.stub_files() if file in texts},
            starter=exercise.starter,
            tests=frozenset(test for unit in exercise.units for test in unit.tests),
        )

    async def settled(self, payload: Payload) -> tuple[Review, Notes]:
        """The review with only what is supported and holds when executed, and what was dropped."""
        payload = await self._shown_by_probes(payload)
        review, dropped = checked(payload, self.evidence)
        review, fallen = await self._grounded(review)
        name = languages()[self._opened.exercise.language].name
        review, unseen = as_suggestions(review, self._shown, name)
        self._dropped += [*dropped, *fallen, *unseen]
        example, promised = None, False
        claim = payload.get("counter_example")
        if is_green(self._attempt.report) and claim is not None:
            example, promised = await self._counter_example(claim)
        review = settle(review, self._attempt.report, example if promised else None)
        if example is not None:
            found = self._at_stub(example, COUNTS if promised else REMARK)
            review = replace(review, findings=(*found, *review.findings))
        review = await self._asked(review, payload.get("question_probe"))
        return review, tuple(self._dropped)

    async def _shown_by_probes(self, payload: Payload) -> Payload:
        """The payload without the findings whose calls give something else; those of which that is
        not known in time stay."""
        findings = list(payload.get("findings") or ())
        probed = [each for each in findings if each.get("probe")][:MOST]
        if not probed:
            return payload
        told = [(str(each["probe"]["call"]), str(each["probe"]["gives"])) for each in probed]
        try:
            async with asyncio.timeout(LIMIT_S):
                given = await self._prober.give(told, reference=False)
        except TimeoutError:
            return payload
        tried_out = list(zip(probed, given, strict=True))
        wrong = [each for each, gives in tried_out if gives is False]
        self._shown |= {str(each["claim"]) for each, gives in tried_out if gives}
        self._dropped += [Dropped("finding", "its call gives something else")] * len(wrong)
        return {**payload, "findings": [each for each in findings if each not in wrong]}

    async def _grounded(self, review: Review) -> tuple[Review, Notes]:
        """The review with just what run and code support; what it tells of calls is tried."""
        report = self._attempt.report
        facts = await asyncio.to_thread(facts_of, self._opened, report, self._texts)
        texts = [review.summary, review.improvement or ""]
        for each in review.findings:
            texts += [each.claim, each.evidence]
        stubs = {unit.stub for unit in self._opened.exercise.units}
        grammar = dialect(self._opened.exercise.language).grammar
        claims = await asyncio.to_thread(
            lambda: [each for text in texts for each in told(text, stubs, grammar)]
        )
        ran = await tried(self._prober, claims)
        facts = replace(facts, true=ran.true, false=ran.false)
        self._shown |= ran.true
        return await asyncio.to_thread(grounded, review, facts)

    async def _counter_example(self, claim: Payload) -> tuple[CounterExample | None, bool]:
        """The reviewer's input if the codes differ on it, and whether it counts."""
        try:
            return await self._prober.counter_example(claim)
        except Refuted as refuted:
            self._dropped.append(Dropped("counter-example", str(refuted)))
            return None, False

    def _at_stub(self, example: CounterExample, evidence: str) -> tuple[Finding, ...]:
        """The counter-example as a finding on the name line of its stub."""
        unit = self._opened.exercise.unit(example.unit)
        site = self._opened.stubs(self._texts).site(example.unit)
        if unit is None or site is None:
            return ()
        line = split_lines(self._texts[unit.file])[site.line - 1].strip()
        claim = spoken(case_sentence(example))
        return (Finding(unit.file, site.line, site.line, line, claim, evidence),)

    async def _asked(self, review: Review, probe: Payload | None) -> Review:
        """The review with its question only if its answer holds when executed."""
        if review.question is None:
            return review
        try:
            return replace(review, answer=await self._answer(review, probe))
        except Refuted as refuted:
            self._dropped.append(Dropped("question", str(refuted)))
            return replace(review, question=None)

    async def _answer(self, review: Review, probe: Payload | None) -> Answer:
        """Raises Refuted with why there is no question."""
        if review.verdict != PASS or self._opened.exercise.depth != ASKS_AT:
            raise Refuted(f"questions follow a pass at {ASKS_AT}")
        if probe is None:
            raise Refuted("its answer is not known")
        place = question_place(probe, self.evidence)
        if place is None:
            raise Refuted("the lines that it is about are not the learner's")
        setup, call, value = tuple(probe["setup"]), str(probe["call"]), str(probe["answer"])
        await self._prober.holds(setup, call, value)
        return Answer(place, setup, call.strip(), value.strip())
