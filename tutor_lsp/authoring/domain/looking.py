"""The quality of a unit's domain, by execution: test inputs, their neighbours, the reference."""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from tutor_lsp.authoring.domain.inlining import inlined
from tutor_lsp.authoring.domain.neighbours import WANTED, Neighbour, neighbours
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.files import below
from tutor_lsp.core.exercise.report import RawReport, RawTest, RunOutcome, TestOutcome
from tutor_lsp.core.language.guards import NoGuard, tag_of
from tutor_lsp.core.language.syntax import Grammar
from tutor_lsp.core.ports import Toolchain
from tutor_lsp.languages.common.proof.bench import Bench
from tutor_lsp.languages.common.proof.guard import guarded
from tutor_lsp.languages.registry import guards

SPARE = 100
"""Spare neighbours, to replace those that do not build or do not reach the stub."""
ROUNDS = 8
"""How often to remove what does not build: a compiler does not report everything at once."""
TESTS_S, IN_ALL_S = 40.0, 240.0
"""Time limits for all neighbours of one unit, and of all units, in seconds."""
MARKS = re.compile(r"^tutor-domain (\S+) ([a-z]*)$", re.MULTILINE)
"""What came of a unit's cases, a letter each."""
_CRASH = re.compile(r"^tutor-crash (\S+) (\d+) (\S+) ?(.*)$", re.MULTILINE)
ACCEPTED, REFUSED, CRASHED, HANGS, BROKEN, SILENT = "arxhbn"


@dataclass(frozen=True, slots=True)
class Crash:
    """How the reference ended on an accepted input: the kinds of what it raised, the most specific
    first, its message, and the changed line of the neighbour."""

    kinds: tuple[str, ...]
    said: str
    line: str


@dataclass(frozen=True, slots=True)
class Looked:
    """The measured domain of a unit. `tried` neighbours reached the stub or were refused, `taken`
    were accepted. `hangs` and `broken` are lines of neighbours on which the reference did not end
    or the domain itself crashed; `refused` are tests of the exercise with an input that the domain
    does not accept. `why` says in one sentence why it was not measured, "" if it was."""

    tried: int = 0
    taken: int = 0
    crashes: tuple[Crash, ...] = ()
    hangs: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    refused: tuple[RawTest, ...] = ()
    why: str = ""


@dataclass(slots=True)
class _Cases:
    """The neighbours of one unit in its test file; `lines` has the place of each."""

    unit: Unit
    file: str
    made: list[Neighbour]
    lines: list[tuple[int, int]] = field(default_factory=list)

    @property
    def tag(self) -> str:
        return tag_of(self.unit.id)

    @property
    def test(self) -> str:
        return f"test_tutor_domain_{self.tag}"


async def look(
    bench: Bench,
    solved: Mapping[str, str],
    units: Sequence[Unit],
    accepts: Mapping[str, str],
    grammar: Grammar,
) -> dict[str, Looked]:
    """Measures each unit that has a domain; results by unit id. `solved` are the exercise's files
    with the reference in them. Raises TutorError `TOOLCHAIN_MISSING`."""
    mine = [unit for unit in units if unit.id in accepts]
    if not mine:
        return {}
    toolchain = bench.toolchain
    try:
        files = guarded(solved, mine, accepts, toolchain, guards(bench.toolchain.language))
    except NoGuard as none:
        return {unit.id: Looked(why=f"{none}.") for unit in mine}
    cases = [each for unit in mine if (each := _cases(unit, solved, bench, grammar)) is not None]
    limits = replace(bench.limits, test_s=TESTS_S, total_s=IN_ALL_S, plain=True)
    tests = [test for unit in mine for test in unit.tests] + [each.test for each in cases]
    report = RawReport(RunOutcome.NOT_RUN)
    async with bench.lane() as lane:
        for _ in range(ROUNDS):
            await lane.put({**files, **_with_cases(files, cases, toolchain)})
            report = await toolchain.run(lane.folder, tests=tests, limits=limits)
            if report.outcome is not RunOutcome.BUILD_ERROR or not _without_broken(cases, report):
                break
    return {unit.id: _judged(unit, cases, report) for unit in mine}


def _cases(unit: Unit, solved: Mapping[str, str], bench: Bench, grammar: Grammar) -> _Cases | None:
    toolchain = bench.toolchain
    for file, text in below(solved, "tests").items():
        sites = [site for site in toolchain.functions(text) if site.name in unit.tests]
        if sites:
            candidates = list(neighbours(text, sites, unit.stub, grammar, WANTED + SPARE))
            sources = below(solved, "src")
            items = guards(toolchain.language).definitions(text, sources, toolchain)
            for site in sites:  # what a test names: constants, and helpers that make an input
                written = inlined(text, site, items, grammar)
                if written is not None:
                    candidates += neighbours(written[0], [written[1]], unit.stub, grammar)
            random.Random(len(text)).shuffle(candidates)  # noqa: S311 - no secret, always the same
            candidates.sort(key=lambda each: each.far)
            reads = (each for each in candidates if not toolchain.syntax_error(file, each.code))
            return _Cases(unit, file, list(islice(reads, WANTED + SPARE)))
    return None


def _with_cases(
    files: Mapping[str, str], cases: Sequence[_Cases], toolchain: Toolchain
) -> dict[str, str]:
    """The test files with the neighbours added; records the place of each."""
    writer = guards(toolchain.language)
    added: dict[str, str] = {}
    texts: list[list[str]] = []
    for each in cases:
        names = [f"tutor_case_{each.tag}_{number}" for number in range(len(each.made))]
        pairs = zip(each.made, names, strict=True)
        texts.append([writer.case(made.text, made.test, name) for made, name in pairs])
        looking = writer.looking(each.unit.id, each.test, names)
        added[each.file] = added.get(each.file, "") + "".join(texts[-1]) + looking
    # a text with hundreds of them is slow to read, so each file is written once
    changed = {file: writer.with_tests(files[file], more) for file, more in added.items()}
    for each, mine in zip(cases, texts, strict=True):
        whole, after = "".join(mine), changed[each.file]
        first = after.count("\n", 0, after.index(whole)) + 1 if mine else 0
        each.lines = []
        for text in mine:
            each.lines.append((first, first + text.count("\n") - 1))
            first += text.count("\n")
    return changed


def _without_broken(cases: Sequence[_Cases], report: RawReport) -> bool:
    """Remove the neighbours with a build error; returns whether there were any."""
    some = False
    for each in cases:
        wrong = [error.line for error in report.build_errors if error.file == each.file]
        before = len(each.made)
        each.made = [
            made
            for made, (first, last) in zip(each.made, each.lines, strict=True)
            if not any(first <= line <= last for line in wrong)
        ]
        some |= len(each.made) < before
    return some


def _judged(unit: Unit, cases: Sequence[_Cases], report: RawReport) -> Looked:
    mine = next((each for each in cases if each.unit.id == unit.id), None)
    if report.outcome not in (RunOutcome.PASSED, RunOutcome.FAILED):
        first = report.build_errors[0] if report.build_errors else None
        said = f"{first.file}:{first.line}: {first.message}" if first else report.reason
        return Looked(why=f"Its domain could not be tried: {said or report.outcome.value}.")
    by_name = {test.name: test for test in report.tests}
    given = (by_name.get(test) for test in unit.tests)
    refused = tuple(t for t in given if t is not None and t.outcome is not TestOutcome.PASSED)
    if mine is None:
        return Looked(refused=refused)
    test = by_name.get(mine.test)
    output = test.output if test is not None else ""
    marks = next((marks for tag, marks in MARKS.findall(output) if tag == unit.id), None)
    if marks is None:
        said = (test.error if test is not None else None) or report.reason or "it did not end"
        return Looked(refused=refused, why=f"Its neighbours could not be tried: {said}.")
    told = [(mark, made.line) for mark, made in zip(marks, mine.made, strict=False)]
    counted = [(mark, line) for mark, line in told if mark != SILENT][:WANTED]
    crashes = {
        int(number): (tuple(kinds.split(",")), said)
        for tag, number, kinds, said in _CRASH.findall(output)
        if tag == unit.id
    }
    return Looked(
        tried=len(counted),
        taken=sum(mark in (ACCEPTED, CRASHED, HANGS) for mark, _ in counted),
        crashes=tuple(
            Crash(*crashes.get(number, ((), "")), line)
            for number, (mark, line) in enumerate(told)
            if mark == CRASHED
        ),
        hangs=tuple(line for mark, line in told if mark == HANGS),
        broken=tuple(line for mark, line in told if mark == BROKEN),
        refused=refused,
    )
