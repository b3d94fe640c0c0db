"""What can be said of a unit that fails where no known mistake is sure: where its code is wrong,
which is found by mending it, or else the shortest call that shows it. What would mend it is told to
nobody."""

import asyncio
import re
from functools import partial
from typing import NamedTuple

from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.mistakes import Diagnosis, Fault, Place
from tutor_lsp.core.exercise.report import TestReport, TestResult
from tutor_lsp.core.ports import Files
from tutor_lsp.core.text.plain_text import clip_pair, code_span
from tutor_lsp.core.text.translation import marked, t
from tutor_lsp.languages.common.explain import gave
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies
from tutor_lsp.tutor.hinting.coach.checks import leak_of_form
from tutor_lsp.tutor.hinting.diagnosis.beside import Question, found_beside
from tutor_lsp.tutor.hinting.diagnosis.diagnose import ComesTo, looked_at, runs_of
from tutor_lsp.tutor.hinting.diagnosis.known import known_mistakes
from tutor_lsp.tutor.hinting.diagnosis.recognised import recognised
from tutor_lsp.tutor.hinting.diagnosis.warned import WRITTEN, fails
from tutor_lsp.tutor.services.services import Services

LONGEST_CALL, LONGEST_VALUE = 60, 80
"""Characters of a call, and of a value, that are short enough to be told."""
_TOLD = {
    Fault.COMPARISON: marked("the comparison there"),
    Fault.NUMBER: marked("the number there"),
    Fault.LIMIT: marked("the limit there"),
    Fault.VALUE: marked("the value written there"),
    Fault.OPERATOR: marked("the operator there"),
    Fault.ORDER: marked("the order there"),
    Fault.CALL: marked("the call there"),
    Fault.NAME: marked("the name used there"),
    Fault.CONDITION: marked("the condition there"),
    Fault.LACKS: marked("something is missing there"),
    Fault.MOVED: marked("it stands in the wrong place"),
    Fault.EXPRESSION: marked("the mistake is there"),
}
_QUOTED = re.compile(r"`([^`]+)`")


class Unsure(NamedTuple):
    """`located` says where the code is wrong, `shorter` is a fact about another call."""

    located: Diagnosis | None = None
    shorter: str = ""


class Searched(NamedTuple):
    """What a search for the place came to."""

    place: Place | None


NOTHING = Unsure()


async def unsure(
    services: Services,
    trials: ShadowCopies,
    opened: OpenExercise,
    unit: Unit,
    texts: Files,
    report: TestReport | None,
    patience_s: float,
) -> Unsure:
    """What is known within `patience_s` of a unit that makes no mistake for sure; what takes longer
    goes on, for the next who asks."""
    if report is None or unit.kind not in WRITTEN or not fails(unit, report):
        return NOTHING
    if unit.file not in texts or not opened.session.trusted:
        return NOTHING
    question = Question("place", unit.id, texts[unit.file])
    search = partial(_search, services, trials, opened, unit, texts)
    searched = await found_beside(services, opened, question, search, patience_s)
    if searched is not None and searched.place is not None:
        located = await asyncio.to_thread(told, opened, unit, texts, searched.place)
        if located is not None:
            return Unsure(located)
    comes_to = await looked_at(services, trials, opened, unit, texts, 0)
    if comes_to is None or unit.aside is not None:
        return NOTHING
    if await recognised(services, opened, unit, texts, comes_to.names) is not None:
        return NOTHING
    return Unsure(shorter=shorter_fact(comes_to, unit, report))


async def _search(
    services: Services, trials: ShadowCopies, opened: OpenExercise, unit: Unit, texts: Files
) -> Searched | None:
    """Raises TutorError as `SignatureRuns.place` does."""
    comes_to = await looked_at(services, trials, opened, unit, texts, None)
    if comes_to is None:
        return None
    if comes_to.signature == comes_to.known.reference:
        return Searched(None)
    if await recognised(services, opened, unit, texts, comes_to.names) is not None:
        return Searched(None)
    runs = await runs_of(services, trials, opened)
    mistakes = await known_mistakes(services, opened)
    return Searched(await runs.place(opened, unit, texts, comes_to.known, mistakes))


def told(opened: OpenExercise, unit: Unit, texts: Files, found: Place) -> Diagnosis | None:
    """What is said of a place, if that keeps the rules of hints. Blocks: parses."""
    says = said_of(found)
    if leak_of_form(opened, unit, 1, says, None, texts, by_author=False) is not None:
        return None
    line = texts[unit.file].split("\n")[found.line - 1].strip()
    return Diagnosis(unit.id, "", "", says, "", unit.file, found.line, line, sure=False)


def said_of(found: Place) -> str:
    """A place in one sentence."""
    line, code = found.line, code_span(found.quote)
    if found.fault is Fault.MISSING:
        if code:
            return t(f"Look below line {line}, {code}: something is missing there.")
        return t(f"Look below line {line}: something is missing there.")
    what = t(_TOLD[found.fault])
    if code:
        return t(f"Look at line {line}, {code}: {what}.")
    return t(f"Look at line {line}: {what}.")


def shorter_fact(comes_to: ComesTo, unit: Unit, report: TestReport) -> str:
    """The shortest call that shows what is wrong, with both values, if it is shorter than the one
    in the first test that fails and none of the others says it."""
    mine = {test.name: test for test in report.tests if test.unit == unit.id}
    ordered = [mine[name] for name in unit.tests if name in mine]
    failed = next((each for each in ordered if each.message), None)
    if failed is None:
        return ""
    own = _call_in(failed, unit)
    said = {" ".join(text.split()) for test in ordered for text in _quotes(test)}
    for each in comes_to.known.differences(comes_to.signature):
        call, values = " ".join(each.input.call.split()), each.values
        if each.input.setup or values is None or len(call) > LONGEST_CALL:
            continue
        if call in said or "`" in call:
            continue
        if own and len(call) >= len(own):
            return ""
        return gave(call, *clip_pair(*values, LONGEST_VALUE))
    return ""


def _call_in(failed: TestResult, unit: Unit) -> str:
    return next((text for text in _quotes(failed) if f"{unit.plain_stub}(" in text), "")


def _quotes(test: TestResult) -> list[str]:
    return _QUOTED.findall(test.message or "")
