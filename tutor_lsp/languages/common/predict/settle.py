"""Runs of units that ask what a program gives: nothing that a run says has the right value in it.

Here alone: whatever is made of a run afterwards has what is said here instead. A test of such a
unit passes if it passed and its answers are values; of one that did not, only that is kept, with
what the learner's own answer is.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tutor_lsp.core.exercise.exercise import Aside
from tutor_lsp.core.exercise.judge import names
from tutor_lsp.core.exercise.report import Failure, Location, RawReport, RawTest, TestOutcome
from tutor_lsp.core.language.predictions import Answer, Answers
from tutor_lsp.core.ports import Early, Files, Toolchain
from tutor_lsp.core.text.plain_text import clip
from tutor_lsp.languages.common.explain import VALUE_LIMIT
from tutor_lsp.languages.common.syntax import parse
from tutor_lsp.languages.common.treesitter import one_line
from tutor_lsp.languages.registry import dialect


async def run_settled(
    toolchain: Toolchain, aside: Sequence[Aside], workspace: Path, **options: Any
) -> RawReport:
    """A run of an exercise with such units among `aside`. Raises what `Toolchain.run` raises."""
    read = await asyncio.to_thread(_read, toolchain, aside, workspace)
    early: Early | None = options.get("early")
    if early is not None:
        heard = early.heard
        options["early"] = replace(early, heard=lambda tests: heard(settled(tests, read)))
    raw = await toolchain.run(workspace, aside=aside, **options)
    return replace(raw, tests=settled(raw.tests, read))


@dataclass(frozen=True, slots=True)
class Asked:
    """What a unit asks, as it stands in its files: its `answers`, and which of their names each of
    its tests uses. It is not `there` where the unit's file is gone."""

    unit: Aside
    answers: Answers
    uses: Mapping[str, Sequence[str]]
    there: bool = True


def settled(tests: Sequence[RawTest], read: Sequence[Asked]) -> tuple[RawTest, ...]:
    """The tests of a run, without anything that tells a right value."""
    owners = {name: each for each in read for name in each.unit.tests}
    return tuple(_settled(test, owners) for test in tests)


def _settled(test: RawTest, owners: Mapping[str, Asked]) -> RawTest:
    name = next((each for each in names(test.name) if each in owners), None)
    if name is None:
        return test
    unit = owners[name]
    about, unwritten = _fault(unit, unit.uses.get(name, ()))
    broken = test.broken is not None and test.broken.file == unit.unit.file
    # What does not build as it is code is refused for that, whatever the compiler says of it.
    told = about is None or unwritten or unit.answers.broken
    if not unit.there or (broken and told):
        return replace(test, output="", left=None, right=None)
    passed = test.outcome is TestOutcome.PASSED
    if passed and (about is None or unwritten):  # a test that takes no answer is its author's
        return replace(test, output="")
    if test.outcome is TestOutcome.NOT_RUN:
        return replace(test, output="", error=None)
    # It names the types that do not fit, or says that the test had no turn.
    if about is None and (test.broken is not None or test.said is not None):
        return replace(test, output="")
    said = about or _wrong(unit, unit.uses.get(name, ()))
    answer = next(filter(None, map(unit.answers.named, unit.uses.get(name, ()))), None)
    place = None if answer is None else Location(unit.unit.file, answer.line)
    return RawTest(
        test.name,
        TestOutcome.FAILED,
        place or (test.location if test.broken is None else None),
        error=said.message,
        not_implemented=unwritten,
        duration_ms=test.duration_ms,
        said=said,
    )


def _fault(of: Asked, wanted: Sequence[str]) -> tuple[Failure | None, bool]:
    """What is wrong with the answers of a test before any value is compared, and whether that is
    only that one of them is open."""
    file, found = of.unit.file, [of.answers.named(name) for name in wanted]
    for name, answer in zip(wanted, found, strict=True):
        if answer is None:
            return Failure(f"`{name}` is gone from {file}; tutor.reset puts it back"), False
        if answer.open:
            return Failure(f"`{name}` is not answered yet"), True
        if not answer.literal:
            said = f"`{name}`: write what it gives as a value, not as code that computes it"
            return Failure(said), False
    if of.answers.strays:
        line = of.answers.strays[0]
        said = f"line {line} of {file} is code; nothing but your answers belongs there, as values"
        return Failure(said), False
    return None, False


def _wrong(of: Asked, wanted: Sequence[str]) -> Failure:
    found = [each for name in wanted if (each := of.answers.named(name)) is not None]
    if not found:
        return Failure("This does not hold")
    shown = shown_answer(found[0])
    return Failure(f"`{found[0].name}` is not `{shown}`: follow the program once more")


def shown_answer(answer: Answer) -> str:
    """A learner's answer in one short line."""
    return clip(one_line(answer.text), VALUE_LIMIT)


def _read(toolchain: Toolchain, aside: Sequence[Aside], workspace: Path) -> list[Asked]:
    """What the units ask, as it stands on the disk. Blocks."""
    return [
        asked(
            toolchain,
            unit,
            {file: _text(workspace / file) for file in (unit.file, unit.test_file)},
            there=(workspace / unit.file).exists(),
        )
        for unit in aside
        if unit.predicts
    ]


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def asked(toolchain: Toolchain, unit: Aside, texts: Files, *, there: bool = True) -> Asked:
    """What a unit asks, in these texts. Blocks: parses."""
    known = dialect(toolchain.language)
    names = [each.name for each in known.predictions.answers(unit.given).found]
    tests = texts.get(unit.test_file, "")
    tokens = parse(tests, known.grammar).tokens
    uses: dict[str, Sequence[str]] = {}
    for site in toolchain.tests(tests):
        inside = [t.text for t in tokens if site.line <= t.line <= site.end_line]
        uses[site.name] = [name for name in names if name in inside] or names
    return Asked(unit, known.predictions.answers(texts.get(unit.file, "")), uses, there)
