"""What the compiler or linter finds suspicious in a unit that fails: looked for beside all else."""

import asyncio
from collections.abc import Iterable
from functools import partial

from tutor_lsp.core.exercise.exercise import Unit, UnitKind
from tutor_lsp.core.exercise.report import Remark, TestOutcome, TestReport
from tutor_lsp.core.ports import Files, FunctionSite
from tutor_lsp.core.text.quotes import own_lines
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies
from tutor_lsp.tutor.hinting.diagnosis.beside import Question, found_beside
from tutor_lsp.tutor.services.services import Services

LIMIT_S = 10.0
"""Longest wait for a linter, in seconds; after that nothing is known."""
MOST = 3
WRITTEN = frozenset({UnitKind.BODY, UnitKind.DECLARE, UnitKind.REPAIR})
"""Kinds of units whose learner writes code that may be wrong in known ways."""
_WRONG = frozenset({TestOutcome.FAILED, TestOutcome.ERRORED, TestOutcome.TIMEOUT})


async def warnings_about(
    services: Services,
    trials: ShadowCopies,
    opened: OpenExercise,
    unit: Unit,
    texts: Files,
    report: TestReport | None,
    patience_s: float = 0,
) -> tuple[Remark, ...]:
    """The possible defects that a linter sees on the learner's own lines of a unit that fails, in
    the order of the lines; none if that is not known within `patience_s`."""
    if unit.kind not in WRITTEN or not fails(unit, report) or unit.file not in texts:
        return ()
    files = [file for file in opened.exercise.starter if file in texts]
    question = Question("warnings", "", "\0".join(texts[file] for file in files))
    look = partial(_remarks, trials, opened, texts, files)
    found = await found_beside(services, opened, question, look, patience_s)
    return await asyncio.to_thread(_within, found, opened, unit, texts) if found else ()


async def _remarks(
    trials: ShadowCopies, opened: OpenExercise, texts: Files, files: list[str]
) -> tuple[Remark, ...]:
    return tuple(await trials.lint(opened, texts, files, LIMIT_S))


def _within(
    remarks: Iterable[Remark], opened: OpenExercise, unit: Unit, texts: Files
) -> tuple[Remark, ...]:
    """Those about the unit. Blocks: parses."""
    text, site = texts[unit.file], opened.stubs(texts).site(unit.id)
    if site is None:
        return ()
    first, last = lines_of(unit, text, site)
    own = own_lines(text, opened.exercise.starter.values())
    mine = (
        each
        for each in remarks
        if each.rank == 0 and each.file == unit.file and first <= each.line <= last
    )
    found = sorted((each for each in mine if each.line in own), key=lambda each: each.line)
    return tuple(found[:MOST])


def fails(unit: Unit, report: TestReport | None) -> bool:
    """Whether tests of a unit ran, and showed that its code is wrong."""
    return report is not None and any(
        test.unit == unit.id and test.outcome in _WRONG and test.build_error is None
        for test in report.tests
    )


def lines_of(unit: Unit, text: str, site: FunctionSite) -> tuple[int, int]:
    """The first and the last line of a unit's code, 1-based."""
    if unit.aside is not None:
        return 1, text.count("\n") + 1
    return text.count("\n", 0, site.start) + 1, text.count("\n", 0, site.end) + 1
