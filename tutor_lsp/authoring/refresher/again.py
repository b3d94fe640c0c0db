"""Reviews of units that ask for no code of the program: other calls of it, or other mistakes."""

import asyncio
import random
from collections.abc import Mapping, Sequence

from tutor_lsp.authoring.predict.checks import check_hints, told_in
from tutor_lsp.authoring.proof.kinds.programs import LEAST
from tutor_lsp.authoring.refresher.calls import VARIANTS, named_calls, other_values, predicted
from tutor_lsp.authoring.refresher.pieces import Cut
from tutor_lsp.core.exercise.exercise import LESSON, Unit
from tutor_lsp.core.exercise.files import below
from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome
from tutor_lsp.core.session import WrongProgram
from tutor_lsp.languages.common.predict.program import answers_of, program_files, right_values
from tutor_lsp.languages.common.proof.bench import Bench
from tutor_lsp.languages.registry import dialect

ROUNDS = 8
"""Most runs of the reference to learn all answers."""


def some_of(mistakes: Sequence[WrongProgram], seed: int) -> tuple[WrongProgram, ...]:
    """About two thirds of the known mistakes, so that those of another seed are others."""
    number = min(len(mistakes), max(LEAST, len(mistakes) * 2 // 3))
    chance = random.Random(seed)  # noqa: S311 - variety, not secrecy
    return tuple(mistakes[at] for at in sorted(chance.sample(range(len(mistakes)), number)))


async def called_again(cut: Cut, unit: Unit, bench: Bench, seed: int) -> Cut | None:
    """The unit with other calls, for which the program gives other answers, to all of them if it
    can; None where there are none, or its comment does not name them."""
    toolchain, file = bench.toolchain, unit.file
    language, grammar = toolchain.language, dialect(toolchain.language).grammar
    tests, reference = below(cut.files, "tests"), cut.solution[file]
    calls = await asyncio.to_thread(named_calls, cut.files[file], tests, grammar, toolchain)
    if calls is None:
        return None
    solved = await asyncio.to_thread(toolchain.complete, {**cut.files, **cut.solution})
    program = [cut.files[each] for each in program_files(cut.files, {file})]
    best: tuple[int, Cut | None] = 0, None
    for variant in range(VARIANTS):
        if best[1] is not None and variant * 2 >= VARIANTS:
            break  # an answer that comes of everything
        fresh = await asyncio.to_thread(other_values, calls, program, seed, variant, grammar)
        other, asked = calls.tests(tests, fresh), calls.renamed(reference, fresh)
        if other == tests or calls.stale(asked, fresh):
            continue
        answered = await _answered({**solved, **other}, other, file, asked, bench)
        if answered is None:
            continue
        new = _others(language, asked, answered)
        if new <= best[0]:
            continue
        files = {**cut.files, **other}
        files |= {each: calls.renamed(cut.files[each], fresh) for each in (file, LESSON)}
        right = right_values(language, answered)
        if any(
            [*told_in(unit, right, program, each, files[each])] for each in (file, LESSON, *other)
        ):
            continue
        hints = tuple(calls.renamed(hint, fresh) for hint in cut.hints)
        solution = {file: answered}
        told = check_hints([unit], language, files, solution, {unit.id: hints})
        if told or any(calls.stale(hint, fresh) for hint in hints):
            hints = ()
        best = new, Cut(files, solution, hints)
        if new >= calls.changed(tests, other, toolchain):
            break
    return best[1]


def _others(language: str, one: str, other: str) -> int:
    """How many answers of two texts are different ones."""
    given = [each.text for each in answers_of(language, one).found]
    mine = [each.text for each in answers_of(language, other).found]
    return sum(a != b for a, b in zip(given, mine, strict=True))


async def _answered(
    files: Mapping[str, str], tests: Mapping[str, str], file: str, text: str, bench: Bench
) -> str | None:
    """The reference with what the program gives in these tests; None if that is unclear."""
    toolchain, grammar = bench.toolchain, dialect(bench.toolchain.language).grammar
    for _ in range(ROUNDS):
        report = await bench.run({**files, file: text})
        if report.outcome is RunOutcome.PASSED:
            return None if report.warnings else text
        if report.outcome is not RunOutcome.FAILED:
            return None
        for raw in report.tests:
            if raw.outcome is TestOutcome.PASSED:
                continue
            now = await asyncio.to_thread(predicted, tests, text, raw, grammar, toolchain)
            if now is None or now == text:
                return None
            text = now
    return None
