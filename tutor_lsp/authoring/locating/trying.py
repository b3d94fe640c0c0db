"""Trying changes of a learner's function as one program: on the tests of its unit, then on the
inputs that tell its known versions apart."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from tutor_lsp.authoring.locating.agreeing import agreed
from tutor_lsp.authoring.locating.changes import MOST, Tried, tried
from tutor_lsp.authoring.proof import mistakes as known_mistakes
from tutor_lsp.authoring.proof.mutants.choice import parts
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
class Part:
    """A function that is changed, as a unit, where it stands in the learner's code and in the
    reference."""

    unit: Unit
    site: FunctionSite
    right: tuple[str, FunctionSite]


Changes = Mapping[int, tuple[Part, Tried]]
"""What is tried, by its number."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A learner's code of a unit that fails, in `text`, its file beside the reference's other
    functions: one function, or those of a file of its own. `base` are the files that the changed
    functions are put into."""

    unit: Unit
    text: str
    parts: tuple[Part, ...]
    base: Files

    @classmethod
    def of(cls, trial: Trial, solution: Files, unit: Unit, mine: Files) -> "Wrong | None":
        """The code of a unit in these files; None where it cannot be put beside the reference's.
        Blocks: parses."""
        if unit.aside is not None:
            return cls._of_file(trial, solution, unit, mine)
        tools, grammar = trial.toolchain, trial.dialect.grammar
        solved = trial.solved(solution)
        files = beside_reference(trial.units, unit, mine, solved, tools)
        everything = replace(unit, id="")
        base = beside_reference(trial.units, everything, mine, solved, tools)
        site, theirs = (site_of(tools, each[unit.file], unit.stub) for each in (files, base))
        right = site_of(tools, solved[unit.file], unit.stub)
        if site is None or theirs is None or right is None:
            return None
        asked = [
            [token.text for token in parameters_of(parse(text[unit.file], grammar), each)]
            for text, each in ((files, site), (base, theirs))
        ]
        names = [{each for each in one if each.isidentifier()} for one in asked]
        # a learner may leave annotations away, and make a parameter a variable
        if not names[0] <= names[1] | trial.dialect.grammar.words.modifies:
            return None
        part = Part(unit, site, (solved[unit.file], right))
        return cls(unit, files[unit.file], (part,), base)

    @classmethod
    def _of_file(cls, trial: Trial, solution: Files, unit: Unit, mine: Files) -> "Wrong | None":
        """The functions of a file that both have. They stay among the learner's own others, as
        what they work on is the learner's, too."""
        tools, text = trial.toolchain, mine[unit.file]
        solved = trial.solved(solution)
        right = solved[unit.file]
        found: list[Part] = []
        for part in parts(trial, solved, unit):
            site, theirs = (site_of(tools, each, part.stub) for each in (text, right))
            if site is not None and theirs is not None:
                found.append(Part(part, site, (right, theirs)))
        base = tools.complete({**solved, unit.file: text})
        return cls(unit, text, tuple(found), base) if found else None


async def located(
    trial: Trial, bench: Bench, solution: Files, unit: Unit, mine: Files, known: Signatures
) -> Place | None:
    """Where a unit's code is wrong in a learner's files, if all changes that mend it agree; its
    line is that of the learner's file. Raises TutorError `TOOLCHAIN_MISSING`."""
    wrong = await asyncio.to_thread(Wrong.of, trial, solution, unit, mine)
    mutations = trial.dialect.mutations
    if wrong is None or mutations is None:
        return None
    made = await asyncio.to_thread(_changes, trial, solution, wrong)
    passing = await _passing(trial, bench, wrong, made)
    if not passing or len(passing) > MOST_MENDING:
        return None
    part, mends = passing[0][0], [each for _, each in passing]
    if any(other is not part for other, _ in passing):
        return None
    grammar = trial.dialect.grammar
    agree = partial(agreed, wrong.text, part.site, grammar, mutations.operators)
    place = await asyncio.to_thread(agree, mends)
    vague = place is None or place.fault is Fault.EXPRESSION or not any(e.right for e in mends)
    if vague and unit.aside is None:  # of a file of its own the inputs are those of the tests
        alike = await _alike(trial, bench, wrong, mends, known)
        place = await asyncio.to_thread(agree, alike)
    own = site_of(trial.toolchain, mine[unit.file], part.unit.stub)
    if place is None or own is None:
        return None
    there = wrong.text.count("\n", 0, part.site.start)
    here = mine[unit.file].count("\n", 0, own.start)
    return replace(place, line=place.line - there + here)


def _changes(trial: Trial, solution: Files, wrong: Wrong) -> dict[int, tuple[Part, Tried]]:
    unit, tools, operators = wrong.unit, trial.toolchain, trial.dialect.mutations
    if operators is None:
        return {}
    solved = trial.solved(solution)
    placed = (
        known_mistakes.put_in_place(trial, solved, unit, each)
        for each in trial.candidate.mistakes.get(unit.id, ())
        if not each.error
    )
    texts = [each[0] for each in placed if each is not None]
    found: list[tuple[Part, Tried]] = []
    for part in wrong.parts:
        sites = ((text, site_of(tools, text, part.unit.stub)) for text in texts)
        others = [(text, site) for text, site in sites if site is not None]
        given = (trial.dialect.grammar, operators.operators, part.right, others)
        made = tried(wrong.text, part.site, *given)
        found += [(part, each) for each in made[: MOST // len(wrong.parts)]]
    return dict(enumerate(found, start=1))


async def _passing(
    trial: Trial, bench: Bench, wrong: Wrong, made: Changes
) -> list[tuple[Part, Tried]]:
    """Those with which all tests of the unit pass."""
    for _ in range(ROUNDS):
        if not made:
            return []
        program = await asyncio.to_thread(_program, trial, wrong, made)
        errors = await trial.dialect.check(program.files, bench)
        if not errors:
            async with bench.lane() as lane:
                await lane.put(program.files)
                report = await bench.toolchain.run(
                    lane.folder, tests=list(program.tests), limits=LIMITS
                )
            if report.outcome in EXECUTED:
                return list(_passed(wrong, made, marks_of(report)))
            errors = report.build_errors
        broken = broken_in(program, errors)
        if not broken:
            return []
        made = {number: each for number, each in made.items() if number not in broken}
    return []


def _passed(wrong: Wrong, made: Changes, marks: Mapping[str, str]) -> Iterator[tuple[Part, Tried]]:
    for part in wrong.parts:
        mine = [each for each in made.values() if each[0] is part]
        told = zip(marks.get(part.unit.id, ""), mine, strict=False)
        yield from (each for mark, each in told if mark == "s")


def _program(trial: Trial, wrong: Wrong, made: Changes) -> Program:
    mutations = trial.dialect.mutations
    if mutations is None:
        raise ValueError(trial.dialect.language)
    tries: list[Tries] = []
    for part in wrong.parts:
        bodies = {number: each.body for number, (other, each) in made.items() if other is part}
        if bodies:
            whole = part.unit is not wrong.unit
            tries.append(Tries(part.unit, bodies, anew=whole, fails=whole))
    return mutations.program(wrong.base, tries, {}, trial.toolchain)


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
