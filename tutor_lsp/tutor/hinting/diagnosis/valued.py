"""What the learner's function gave in a condition that was false and says no value."""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from tutor_lsp.core.exercise.exercise import Unit, UnitKind
from tutor_lsp.core.exercise.files import below
from tutor_lsp.core.exercise.report import TestOutcome, TestReport, TestResult
from tutor_lsp.core.exercise.signatures import VALUE, By, Input, Signatures
from tutor_lsp.core.ports import Files
from tutor_lsp.core.text.plain_text import clip
from tutor_lsp.core.text.translation import t
from tutor_lsp.languages.registry import dialect
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies
from tutor_lsp.tutor.hinting.diagnosis.beside import Question, found_beside
from tutor_lsp.tutor.hinting.diagnosis.diagnose import runs_of
from tutor_lsp.tutor.services.services import Services

LONGEST = 80
_TRUTHS = frozenset({"true", "false"})
_QUOTED = re.compile(r"`([^`]+)`")


class Value(NamedTuple):
    """What a `call` in the condition of a `test` gave."""

    test: str
    call: str
    value: str

    def told(self, report: TestReport) -> TestReport:
        """The report with it in the sentence of the test, unless the run has told it."""
        said = t(f"`{self.call}` is {self.value}")
        tests = (
            replace(each, message=f"{each.message}: {said}")
            if each.name == self.test and f"`{self.call}` is " not in str(each.message)
            else each
            for each in report.tests
        )
        return replace(report, tests=tuple(tests))


async def value_in_condition(
    services: Services,
    trials: ShadowCopies,
    opened: OpenExercise,
    unit: Unit,
    texts: Files,
    report: TestReport | None,
    patience_s: float,
) -> Value | None:
    """What the unit's function gave in the first test of it that failed by a mere condition, if
    that is known within `patience_s`."""
    failed = None if report is None else _first_failed(unit, report)
    if unit.kind is not UnitKind.BODY or failed is None or unit.file not in texts:
        return None
    asked = await asyncio.to_thread(_asked, opened, unit, failed)
    if asked is None:
        return None
    code = below(texts, "src").values()
    question = Question("value", unit.id, "\0".join([failed.name, *code]))
    look = partial(_look, services, trials, opened, unit, texts, asked)
    said = await found_beside(services, opened, question, look, patience_s)
    if said is None or not said.startswith(f"{VALUE} "):
        return None
    value = said.removeprefix(f"{VALUE} ")
    return Value(failed.name, asked.call, clip(value, LONGEST)) if "`" not in value else None


def _first_failed(unit: Unit, report: TestReport) -> TestResult | None:
    mine = {each.name: each for each in report.tests if each.unit == unit.id}
    ordered = (mine[name] for name in unit.tests if name in mine)
    first = next((each for each in ordered if each.outcome is not TestOutcome.PASSED), None)
    return first if first is not None and first.outcome is TestOutcome.FAILED else None


def _asked(opened: OpenExercise, unit: Unit, failed: TestResult) -> Input | None:
    """The call of the unit's function in the condition that was false, with what it needs; None
    where the test has the same call after other statements, too. Blocks: parses."""
    if {str(failed.expected).lower(), str(failed.actual).lower()} != _TRUTHS:
        return None
    quoted = [found[1] for found in _QUOTED.finditer(failed.message or "")]
    calls: dict[str, dict[tuple[str, ...], Input]] = {}
    for given in _inputs(opened, unit, failed.name):
        call = " ".join(given.call.split())
        if any(call in text and call != text for text in quoted):
            calls.setdefault(call, {}).setdefault(_what_leads_to(given, unit), given)
    first = next(iter(calls.values()), {})
    return replace(*first.values(), after=()) if len(first) == 1 else None


def _what_leads_to(given: Input, unit: Unit) -> tuple[str, ...]:
    """The statements before it that may change what it gives: earlier calls of the function change
    nothing where none of the names in this one can have another value."""
    name = unit.plain_stub
    return given.setup if given.after else tuple(s for s in given.setup if f"{name}(" not in s)


def _inputs(opened: OpenExercise, unit: Unit, test: str) -> Iterator[Input]:
    """What a test looks at that is nothing but a call of the unit's function."""
    watch, name = dialect(opened.exercise.language).watch, unit.plain_stub
    called = re.compile(rf"[\w.:]*\b{re.escape(name)}\([^()]*(?:\([^()]*\)[^()]*)*\)")
    for text in below(opened.vault.originals, "tests").values():
        for site in opened.toolchain.functions(text):
            if site.name == test:
                looked = watch.inputs(text[site.start : site.end], unit.stub)
                yield from (each for each in looked if called.fullmatch(each.call))


async def _look(
    services: Services,
    trials: ShadowCopies,
    opened: OpenExercise,
    unit: Unit,
    texts: Files,
    asked: Input,
) -> str | None:
    runs = await runs_of(services, trials, opened)
    inputs = Signatures(By.TESTS, (asked,), ())
    found = await runs.signature_of(opened, unit, texts, inputs, beside_own=True)
    return found[0] if found else None
