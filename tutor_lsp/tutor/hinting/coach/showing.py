"""What of a model's hint is shown: what gives nothing away and contradicts nothing that was run."""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome, TestReport
from tutor_lsp.core.language.syntax import Grammar
from tutor_lsp.core.text.plain_text import fenced
from tutor_lsp.languages.registry import dialect, fenced_as, languages
from tutor_lsp.stages.plain_hint import CODE_LINES, in_parts
from tutor_lsp.stages.plain_markdown import harmless, is_tag
from tutor_lsp.stages.tutoring import TutoringContext, coach_request
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies
from tutor_lsp.tutor.hinting.coach import grounds
from tutor_lsp.tutor.hinting.coach.checks import LAST, HintFault
from tutor_lsp.tutor.hinting.coach.claims import (
    Told,
    Whose,
    calls_in,
    holds_value,
    is_one_call,
    spelled,
    tells_of_mine,
    told,
    without_calls,
    without_claims,
)
from tutor_lsp.tutor.hinting.coach.facts import facts_of
from tutor_lsp.tutor.hinting.coach.pieces import readable, unfenced
from tutor_lsp.tutor.hinting.coach.running import Known
from tutor_lsp.tutor.hinting.coach.safe import Leaks, safe
from tutor_lsp.tutor.hinting.coach.sentences import only, says_something, sentences
from tutor_lsp.tutor.hinting.coach.tried import Gave, Once, Tried, tried
from tutor_lsp.tutor.hinting.coach.truth import AGAINST_TESTS, Facts, fault
from tutor_lsp.tutor.hinting.probing import Prober

FIX_S = 10.0
"""Time limit for running the fix of a hint, in seconds."""
BARE = 40
"""Characters beside its code of a sentence that says no more than what was run."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which hint is asked for. `question` is the learner's, if they asked one."""

    context: TutoringContext
    unit: str
    level: int
    question: str | None = None


@dataclass(frozen=True, slots=True)
class Coached:
    """A hint that may be shown; `verified` if its fix was run and made a failing test pass, and all
    that it states was run, too. `tried` says what was. `left_out` are its sentences that are not
    shown, with why; `for_author` those of them that speak against the tests. `code_left_out` is its
    code, if that is not shown, with why."""

    text: str
    code: str | None
    verified: bool
    tags: tuple[str, ...] = ()
    tried: str = ""
    left_out: tuple[tuple[str, str], ...] = ()
    for_author: tuple[str, ...] = ()
    code_left_out: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class HintRefused:
    """Why there is no hint from a model; `said` if the learner should be told."""

    reason: str
    said: bool = False


@dataclass(frozen=True, slots=True)
class Ran:
    """What was run for an answer, of which a text that is checked as it grows runs nothing
    twice."""

    versions: Known = field(default_factory=dict)
    fixes: dict[str, bool] = field(default_factory=dict)
    claims: Gave = field(default_factory=dict)


async def check(
    trials: ShadowCopies,
    opened: OpenExercise,
    wanted: Wanted,
    payload: Mapping[str, Any],
    once: Ran | None = None,
) -> Coached | HintFault:
    """The hint as far as it may be shown, or why nothing of it may. Runs code; never shows its
    fix."""
    once = once or Ran()
    unit, level = opened.unit(wanted.unit), wanted.level
    texts = dict(wanted.context.texts)
    stubs, grammar = _stubs(opened), dialect(opened.exercise.language).grammar
    text, code, given = await asyncio.to_thread(_in_fields, payload, level)
    no_code = TOO_MUCH_CODE if given and not code else ""
    left: dict[str, str] = {}
    tutoring = coach_request(wanted.context, unit.id, level).packet["tutoring"]
    seen = grounds.evidence(tutoring)
    if level == 1:

        def shows(said: str) -> str:
            bare = without_calls(without_claims(said, stubs, grammar), stubs, grammar)
            return _NO_CODE * grounds.shows_code(bare, seen)

        text = await asyncio.to_thread(_without, text, left, shows)
        if not says_something(text):
            return HintFault("code-at-level-1", _NO_CODE)
    leaks = Leaks(trials, opened, unit, level, texts, wanted.context.report, once.versions)
    before = sentences(text)
    text, code, leaked = await safe(leaks, text, code)
    if leaked is not None:
        no_code = no_code or (leaked.reason if given and not code else "")
        kept = set(sentences(text))
        left |= {said: leaked.reason for said in before if said not in kept}
    if leaked is not None and not says_something(text):
        return leaked
    fixed, (facts, ran) = await asyncio.gather(
        _fixes_once(once, trials, opened, unit, payload["fix"], texts),
        _facts(trials, opened, wanted.context, text, payload, once.claims),
    )
    facts = replace(facts, seen=f"{facts.seen} {seen} {' '.join((code or '').split())}")
    refuted = _Refuted(ran, stubs, grammar)
    untrue = partial(_untrue, facts=facts, refuted=refuted.by, fixed=fixed)
    text = await asyncio.to_thread(_without, text, left, untrue)
    if not says_something(text) and left:
        against = AGAINST_TESTS in left.values()
        return HintFault("contradiction" if against else "unfounded", next(iter(left.values())))
    if grounds.contradicts(text, failing=True):
        return HintFault("contradiction", "the hint contradicts the tests or their outcome")
    # The last hint's code is about the learner's own lines: without a ground it is a guess.
    if level == LAST and not fixed:
        no_code = no_code or (NO_GROUND if code else "")
        code = None
    told_of = ran.told
    if told_of and await leaks.found(f"{text}\n\n{told_of}", code) is not None:
        told_of = ""
    said, code = await asyncio.to_thread(shown, text, code, opened.exercise.language)
    return Coached(
        said,
        code,
        verified=fixed and _all_was_run(text, ran),
        tags=tuple(payload.get("tags") or ()),
        tried=told_of,
        left_out=tuple(left.items()),
        for_author=tuple(each for each, why in left.items() if why == AGAINST_TESTS),
        code_left_out=(given, no_code) if given and no_code else None,
    )


@dataclass(frozen=True, slots=True)
class _Refuted:
    """What runs say against sentences."""

    ran: Tried
    stubs: Collection[str]
    grammar: Grammar

    def by(self, said: str) -> bool:
        """Whether a sentence is at odds with what was run, or tells as a fact what a call does that
        was not. Blocks: parses."""
        if said not in self.ran.true and any(holds_value(said, each) for each in self.ran.wrong):
            return True
        calls = calls_in(said, self.stubs, self.grammar)
        if calls and tells_of_mine(said) and said not in self.ran.true:
            return True
        wrong = (spelled(call, self.grammar) for call in self.ran.wrong_calls) if calls else ()
        return any(call in calls for call in wrong)


def _in_fields(payload: Mapping[str, Any], level: int) -> tuple[str, str | None, str | None]:
    """Text and code of a hint, each in its place: blocks of code in the text belong to the code.
    What is too long for that is left out; the code as it was comes last. Blocks: parses."""
    text, code = in_parts(str(payload["text"]))
    code = "\n\n".join(filter(None, (payload["code"], code))) or None
    fits = code is not None and len(code.strip().splitlines()) <= CODE_LINES and level > 1
    return (text if code else str(payload["text"])), (code if fits else None), code


_NO_CODE = "a hint of level 1 shows no code, not even inline"
TOO_MUCH_CODE = f"a hint of level 1 shows no code, and none more than {CODE_LINES} lines"
NO_GROUND = "no fix passed a test, and the code of a last hint is about the learner's own lines"


def _without(text: str, left: dict[str, str], why: Callable[[str], str | None]) -> str:
    """A text without the sentences that there is a reason against, which are added to `left`."""

    def keeps(said: str) -> bool:
        reason = why(said)
        if reason:
            left[said] = reason
        return not reason

    return only(text, keeps)


def _untrue(said: str, *, facts: Facts, refuted: Callable[[str], bool], fixed: bool) -> str | None:
    """Why a sentence of a hint is not shown."""
    if refuted(said):
        return "it says that a call does what it did not do when run"
    why = fault(said, facts, is_hint=True)
    if why is None and not fixed and said not in facts.true:
        unseen = not grounds.stands(said, facts.seen, facts.tests)
        return "no fix passed a test, and the facts do not support it" if unseen else None
    return why


def _all_was_run(text: str, ran: Tried) -> bool:
    """Whether a text asks, and tells nothing but what was run."""

    def bare(said: str) -> bool:
        return len(grounds.without_spans(said)) <= BARE

    return all(
        said.endswith(("?", "？")) or (said in ran.true and bare(said)) for said in sentences(text)
    )


def _stubs(opened: OpenExercise) -> set[str]:
    return {each.stub for each in opened.exercise.units}


async def _facts(
    trials: ShadowCopies,
    opened: OpenExercise,
    context: TutoringContext,
    text: str,
    payload: Mapping[str, Any],
    gave: Gave,
) -> tuple[Facts, Tried]:
    """What the text is checked against; its claims are run. Of those beside it, and of what is
    told, only calls of stubs count: other code may be how it is done."""
    texts = {**opened.vault.originals, **context.texts}
    report = context.report or TestReport("", RunOutcome.NOT_RUN)
    facts = await asyncio.to_thread(facts_of, opened, report, texts)
    grammar = dialect(opened.exercise.language).grammar
    stubs = _stubs(opened)
    claims = await asyncio.to_thread(lambda: list(told(text, stubs, grammar)))
    claims += [
        Told("", str(each["call"]), str(each["gives"]), Whose.MINE)
        for each in payload.get("claims") or ()
        if is_one_call(str(each["call"]), stubs, grammar)
    ]
    ran = await tried(Once(Prober(trials, opened, texts), gave), claims)
    calls = tuple(each for each in ran.ran if is_one_call(each[0], stubs, grammar))
    ran = replace(ran, ran=calls)
    return replace(facts, true=ran.true, false=ran.false), ran


async def _fixes_once(
    once: Ran,
    trials: ShadowCopies,
    opened: OpenExercise,
    unit: Unit,
    fix: Sequence[Mapping[str, str]] | None,
    texts: Mapping[str, str],
) -> bool:
    key = repr(fix)
    if key not in once.fixes:
        once.fixes[key] = await fixes(trials, opened, unit, fix, texts)
    return once.fixes[key]


async def fixes(
    trials: ShadowCopies,
    opened: OpenExercise,
    unit: Unit,
    fix: Sequence[Mapping[str, str]] | None,
    texts: Mapping[str, str],
) -> bool:
    """Whether a fix, applied to the learner's files, makes a test of the unit pass that does not
    pass without it."""
    allowed = set(opened.exercise.starter)
    files = {path: each["content"] for each in fix or () if (path := _known(each, allowed))}
    if not files:
        return False
    try:
        async with asyncio.timeout(FIX_S):
            before = await trials.run(opened, tests=unit.tests, texts=texts)
            after = await trials.run(opened, files, unit.tests, texts=texts)
    except (TimeoutError, TutorError):
        return False
    was = {t.name for t in before.tests if t.outcome is TestOutcome.PASSED}
    now = {t.name for t in after.tests if t.outcome is TestOutcome.PASSED and t.unit == unit.id}
    return bool(now - was)


def _known(file: Mapping[str, str], allowed: set[str]) -> str | None:
    path = file["file_path"]
    return next((p for p in (path, f"src/{path}") if p in allowed), None)


def shown(text: str, code: str | None, language: str) -> tuple[str, str | None]:
    """Text and code of a hint. Code of another language than the exercise's becomes a block of the
    text, with the tag that the model gave it, if that is one. Blocks: parses."""
    text = harmless(text)
    if code is None or not code.strip():
        return text, None
    info, inner = unfenced(code.strip("\n"))
    tag = info.lower().partition(" ")[0]
    tag = fenced_as(tag) or tag
    if tag == language or (not is_tag(tag) and not _foreign(inner, language)):
        return text, inner
    return f"{text}\n\n{fenced(inner, tag if is_tag(tag) else '')}", None


def _foreign(code: str, language: str) -> bool:
    """Whether code cannot be read in this language, but in another one."""
    if readable(code, dialect(language).grammar):
        return False
    return any(readable(code, dialect(other).grammar) for other in languages() if other != language)
