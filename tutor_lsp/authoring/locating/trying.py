"""Trying changes of a learner's function as one program: on the tests of its unit, then on the
inputs that tell its known versions apart."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from tutor_lsp.authoring.locating.agreeing import agreed
from tutor_lsp.authoring.locating.changes import Tried, tried
from tutor_lsp.authoring.proof import mistakes as known_mistakes
from tutor_lsp.authoring.proof.mutants.trying import broken_in, marks_of
from tutor_lsp.authoring.proof.trial import EXECUTED, Trial
from tutor_lsp.authoring.signatures.candidates import Inputs
from tutor_lsp.authoring.signatures.learned import beside_reference
from tutor_lsp.authoring.signatures.running import Runner
from tutor_lsp.authoring.signatures.versions import Version
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.mistakes import Fault, Place
from tutor_lsp.core.exercise.signatures import Signatures
from tutor_lsp.core.language.mutants import Program, Tries
from tutor_lsp.core.ports import Files, FunctionSite, RunLimits
from tutor_lsp.languages.common.proof.bench import Bench
from tutor_lsp.languages.common.proof.splice import site_of
from tutor_lsp.languages.common.syntax import parameters_of, parse

LIMITS = RunLimits(total_s=8.0, test_s=8.0, output_bytes=64 * 1024)
ROUNDS = 4
"""How often to leave out what does not build."""
MOST_MENDING = 12
"""Where more changes than this pass all tests, these say too little."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A learner's function that fails, in `text`, its file beside the reference's other functions;
    `base` are the files with the reference's in its place."""

    unit: Unit
    text: str
    site: FunctionSite
    base: Files

    @classmethod
    def of(cls, trial: Trial, solution: Files, unit: Unit, mine: Files) -> "Wrong | None":
        """The function of a unit in these files; None where it cannot be put beside the
        reference's. Blocks: parses."""
        tools, grammar = trial.toolchain, trial.dialect.grammar
        solved = trial.solved(solution)
        files = beside_reference(trial.units, unit, mine, solved, tools)
        everything = replace(unit, id="")
        base = beside_reference(trial.units, everything, mine, solved, tools)
        site, theirs = (site_of(tools, each[unit.file], unit.stub) for each in (files, base))
        if unit.aside is not None or site is None or theirs is None:
            return None
        asked = [
            [token.text for token in parameters_of(parse(text[unit.file], grammar), each)]
            for text, each in ((files, site), (base, theirs))
        ]
        names = [{each for each in one if each.isidentifier()} for one in asked]
        # a learner may leave annotations away, and make a parameter a variable
        if not names[0] <= names[1] | trial.dialect.grammar.words.modifies:
            return None
        return cls(unit, files[unit.file], site, base)


async def located(
    trial: Trial, bench: Bench, solution: Files, unit: Unit, mine: Files, known: Signatures
) -> Place | None:
    """Where a unit's function is wrong in a learner's files, if all changes that mend it agree; its
    line is that of the learner's file. Raises TutorError `TOOLCHAIN_MISSING`."""
    wrong = await asyncio.to_thread(Wrong.of, trial, solution, unit, mine)
    mutations = trial.dialect.mutations
    if wrong is None or mutations is None:
        return None
    passing = await _passing(
        trial, bench, wrong, await asyncio.to_thread(_changes, trial, solution, wrong)
    )
    if not passing or len(passing) > MOST_MENDING:
        return None
    agree = partial(agreed, wrong.text, wrong.site, trial.dialect.grammar, mutations.operators)
    place = await asyncio.to_thread(agree, passing)
    if place is None or place.fault is Fault.EXPRESSION or not any(e.right for e in passing):
        alike = await _alike(trial, bench, wrong, passing, known)
        place = await asyncio.to_thread(agree, alike)
    own = site_of(trial.toolchain, mine[unit.file], unit.stub)
    if place is None or own is None:
        return None
    there = wrong.text.count("\n", 0, wrong.site.start)
    here = mine[unit.file].count("\n", 0, own.start)
    return replace(place, line=place.line - there + here)


def _changes(trial: Trial, solution: Files, wrong: Wrong) -> list[Tried]:
    unit, tools = wrong.unit, trial.toolchain
    solved = trial.solved(solution)
    right, operators = solved[unit.file], trial.dialect.mutations
    theirs = site_of(tools, right, unit.stub)
    if theirs is None or operators is None:
        return []
    placed = (
        known_mistakes.put_in_place(trial, solved, unit, each)
        for each in trial.candidate.mistakes.get(unit.id, ())
        if not each.error
    )
    texts = [each[0] for each in placed if each is not None]
    sites = ((text, site_of(tools, text, unit.stub)) for text in texts)
    others = [(text, site) for text, site in sites if site is not None]
    grammar = trial.dialect.grammar
    return tried(wrong.text, wrong.site, grammar, operators.operators, (right, theirs), others)


async def _passing(trial: Trial, bench: Bench, wrong: Wrong, made: Sequence[Tried]) -> list[Tried]:
    """Those with which all tests of the unit pass."""
    numbered = dict(enumerate(made, start=1))
    for _ in range(ROUNDS):
        if not numbered:
            return []
        program = await asyncio.to_thread(_program, trial, wrong, numbered)
        errors = await trial.dialect.check(program.files, bench)
        if not errors:
            async with bench.lane() as lane:
                await lane.put(program.files)
                report = await bench.toolchain.run(
                    lane.folder, tests=list(program.tests), limits=LIMITS
                )
            if report.outcome in EXECUTED:
                marks = marks_of(report).get(wrong.unit.id, "")
                return [
                    each
                    for mark, each in zip(marks, numbered.values(), strict=False)
                    if mark == "s"
                ]
            errors = report.build_errors
        broken = broken_in(program, errors)
        if not broken:
            return []
        numbered = {number: each for number, each in numbered.items() if number not in broken}
    return []


def _program(trial: Trial, wrong: Wrong, numbered: Mapping[int, Tried]) -> Program:
    bodies = {number: each.body for number, each in numbered.items()}
    mutations = trial.dialect.mutations
    if mutations is None:
        raise ValueError(trial.dialect.language)
    return mutations.program(wrong.base, [Tries(wrong.unit, bodies)], {}, trial.toolchain)


async def _alike(
    trial: Trial, bench: Bench, wrong: Wrong, passing: Sequence[Tried], known: Signatures
) -> list[Tried]:
    """Those that come to what the reference does on every input."""
    unit = wrong.unit
    place = next((p.file for name, p in trial.tests.items() if name in unit.tests), None)
    if place is None:
        return []
    inputs = Inputs(unit, place, list(known.inputs), 0)
    versions = [
        Version(f"change {number}", unit, each.text, each.body)
        for number, each in enumerate(passing)
    ]
    runner = Runner(trial, bench)
    found = await runner.signatures(wrong.base, [inputs], {unit.id: versions})
    rows = found.get(unit.id, {})
    return [
        each
        for version, each in zip(versions, passing, strict=True)
        if rows.get(version.key) == known.reference
    ]
