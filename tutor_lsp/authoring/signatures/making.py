"""The signatures of an exercise's units: inputs are tried, and those kept that tell most apart."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tutor_lsp.authoring.domain.looking import ACCEPTED, CRASHED, MARKS
from tutor_lsp.authoring.model import Candidate
from tutor_lsp.authoring.proof.trial import Trial, trial_of
from tutor_lsp.authoring.signatures.candidates import Inputs, inputs_of
from tutor_lsp.authoring.signatures.choosing import choose
from tutor_lsp.authoring.signatures.running import ROUNDS, Runner, Watched
from tutor_lsp.authoring.signatures.versions import REFERENCE, Version, versions_of
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.report import RunOutcome
from tutor_lsp.core.exercise.signatures import UNKNOWN, By, Input, Known, Signature, Signatures
from tutor_lsp.core.language.guards import NoGuard, tag_of
from tutor_lsp.core.language.watching import NoWatch
from tutor_lsp.core.ports import Files, RunLimits, Toolchain
from tutor_lsp.languages.common.proof.bench import Bench
from tutor_lsp.languages.common.proof.guard import guarded
from tutor_lsp.languages.registry import dialect
from tutor_lsp.process.scratch import scratch_folder

AGAIN = "again"
"""The reference once more: what differs between the two says nothing."""


async def make_signatures(
    trial: Trial, bench: Bench, solution: Files, accepts: Files
) -> dict[str, Signatures]:
    """The signatures of each unit that has any, by its id. Raises TutorError
    `TOOLCHAIN_MISSING`."""
    solved = trial.solved(solution)
    try:
        inputs = await asyncio.to_thread(_inputs, trial, solved, accepts)
    except NoWatch:
        return {}
    runner = Runner(trial, bench)
    inputs, domain = await _accepted(trial, runner, solved, inputs, accepts)
    versions = {
        each.unit.id: _again(await asyncio.to_thread(versions_of, trial, each.unit, solved))
        for each in inputs
    }
    first = await runner.signatures(solved, inputs, versions)
    chosen = [_chosen(each, first[each.unit.id]) for each in inputs if first[each.unit.id]]
    chosen = [each for each in chosen if each.found]
    last = await runner.signatures(solved, chosen, versions)
    found: dict[str, Signatures] = {}
    for each in chosen:
        unit = each.unit
        by = By.PROBES if unit.id in domain else By.TESTS
        made = _kept(trial, unit, by, each.found, first[unit.id], last[unit.id], versions[unit.id])
        if made is not None:
            found[unit.id] = made
    return found


def _inputs(trial: Trial, solved: Files, accepts: Collection[str]) -> list[Inputs]:
    found = (
        inputs_of(unit, solved, trial.toolchain, trial.dialect, beyond=unit.id in accepts)
        for unit in trial.units
    )
    return [each for each in found if each is not None]


def _again(versions: Sequence[Version]) -> list[Version]:
    return [*versions[:1], *(replace(each, key=AGAIN) for each in versions[:1]), *versions[1:]]


async def _accepted(
    trial: Trial, runner: Runner, solved: Files, inputs: list[Inputs], accepts: Files
) -> tuple[list[Inputs], frozenset[str]]:
    """The inputs that build and that their unit's domain takes, and the units that have one. Of a
    unit without, the inputs are those of its tests."""
    mine = [each.unit for each in inputs if each.unit.id in accepts]
    try:
        files = dict(solved)
        if mine:
            files = guarded(solved, mine, accepts, trial.toolchain, trial.dialect.guards)
    except NoGuard:
        mine, files = [], dict(solved)
        inputs = [replace(each, found=each.found[: each.own]) for each in inputs]
    domain = {unit.id for unit in mine}
    for _ in range(ROUNDS):
        look = runner.watched(files, inputs)
        texts = dict(look.files)
        tests: list[str] = []
        for each in inputs:
            if each.unit.id in domain:
                name = f"test_tutor_domain_{tag_of(each.unit.id)}"
                writer = trial.dialect.guards
                added = writer.looking(each.unit.id, name, look.cases[each.unit.id])
                texts[each.file] = writer.with_tests(texts[each.file], added)
                tests.append(name)
        # places are those before the guard's tests, which come behind all cases
        report = await runner.run(
            texts, tests or [n for u in look.tests for n in look.names(u)][:1]
        )
        if report.outcome is not RunOutcome.BUILD_ERROR:
            break
        broken = look.broken(report.build_errors)
        if not broken:
            return [], frozenset()
        inputs = [_without(each, look, broken) for each in inputs]
    marks = {u: m for test in report.tests for u, m in MARKS.findall(test.output)}
    kept: list[Inputs] = []
    for each in inputs:
        found, own = each.found, each.own
        if each.unit.id in domain:
            told = enumerate(zip(found, marks.get(each.unit.id, ""), strict=False))
            taken = {at: given for at, (given, mark) in told if mark in (ACCEPTED, CRASHED)}
            found, own = list(taken.values()), sum(at < own for at in taken)
        if found:
            kept.append(replace(each, found=found, own=own))
    return kept, frozenset(domain)


def _without(each: Inputs, look: Watched, broken: Collection[str]) -> Inputs:
    """Inputs without those that do not build; of one that looks at names afterwards these go."""
    found: list[Input] = []
    own = each.own
    for number, (name, given) in enumerate(zip(look.cases[each.unit.id], each.found, strict=True)):
        if name not in broken:
            found.append(given)
        elif given.after:
            found.append(replace(given, after=()))
        elif number < each.own:
            own -= 1
    return replace(each, found=found, own=own)


def _chosen(each: Inputs, rows: Mapping[str, Signature]) -> Inputs:
    """The inputs to keep of those on which the reference always comes to the same."""
    if REFERENCE not in rows or AGAIN not in rows:
        return replace(each, found=[])
    pairs = enumerate(zip(rows[REFERENCE], rows[AGAIN], strict=True))
    stable = [at for at, (one, other) in pairs if one == other != UNKNOWN]
    outcomes = {key: [row[at] for at in stable] for key, row in rows.items() if key != AGAIN}
    sizes = [each.found[at].size for at in stable]
    own = sum(at < each.own for at in stable)
    kept = choose(outcomes, outcomes[REFERENCE], sizes, own)
    return replace(each, found=[each.found[stable[at]] for at in kept])


def _kept(
    trial: Trial,
    unit: Unit,
    by: By,
    inputs: Sequence[Input],
    first: Mapping[str, Signature],
    last: Mapping[str, Signature],
    versions: Sequence[Version],
) -> Signatures | None:
    if REFERENCE not in last:
        return None
    pairs = enumerate(zip(last[REFERENCE], last.get(AGAIN, last[REFERENCE]), strict=True))
    same = [at for at, (one, other) in pairs if one == other != UNKNOWN]
    rows = {key: tuple(row[at] for at in same) for key, row in last.items()}
    right = rows[REFERENCE]
    mistakes: dict[str, Known] = {}
    known = trial.candidate.mistakes.get(unit.id, ())
    for version in versions:
        row = rows.get(version.key)
        if version.mistake is None or row is None or row == right or UNKNOWN in row:
            continue
        mistake = known[version.mistake]
        # one call of a test alone, of which nobody looked at the neighbours, says too little
        told = sum(mine != theirs for mine, theirs in zip(row, right, strict=True))
        alone = (by is By.PROBES or told > 1) and all(
            not _differ(first.get(key, ()), first.get(version.key, ()))
            for key, other in rows.items()
            if other == row and not key.startswith("mistake")
        )
        mistakes[mistake.name] = Known.of(mistake.tag, row, right, alone)
    return Signatures(by, tuple(inputs[at] for at in same), right, mistakes)


def _differ(one: Signature, other: Signature) -> bool:
    pairs = zip(one, other, strict=False)
    return any(mine != theirs and UNKNOWN not in (mine, theirs) for mine, theirs in pairs)


async def signatures_for(
    candidate: Candidate,
    toolchain: Toolchain,
    *,
    scratch: Path | None = None,
) -> dict[str, Signatures]:
    """`make_signatures` of an exercise whose reference passes, in temporary copies below `scratch`,
    which are removed. Raises TutorError `TOOLCHAIN_MISSING`."""
    language = dialect(candidate.language)
    trial = await asyncio.to_thread(trial_of, candidate, toolchain, language)
    async with scratch_folder("signatures", scratch) as folder:
        bench = Bench(toolchain, folder, RunLimits())
        return await make_signatures(trial, bench, candidate.solution, candidate.accepts)


async def drift(
    candidate: Candidate, toolchain: Toolchain, kept: Mapping[str, Signatures]
) -> list[str]:
    """What comes to something else by now than is kept of an exercise: units, and mistakes of
    units. Raises TutorError `TOOLCHAIN_MISSING`."""
    language = dialect(candidate.language)
    trial = await asyncio.to_thread(trial_of, candidate, toolchain, language)
    solved = trial.solved(candidate.solution)
    inputs: list[Inputs] = []
    versions: dict[str, list[Version]] = {}
    for unit in trial.units:
        place = trial.tests.get(unit.tests[0])
        if unit.id in kept and place is not None:
            inputs.append(Inputs(unit, place.file, list(kept[unit.id].inputs), 0))
            made = versions_of(trial, unit, solved)
            versions[unit.id] = [v for v in made if v.key == REFERENCE or v.mistake is not None]
    async with scratch_folder("signatures") as folder:
        runner = Runner(trial, Bench(toolchain, folder, RunLimits()))
        rows = await runner.signatures(solved, inputs, versions)
    found: list[str] = []
    for unit_id, signatures in kept.items():
        mine = rows.get(unit_id, {})
        if mine.get(REFERENCE) != signatures.reference:
            found.append(unit_id)
        names = candidate.mistakes.get(unit_id, ())
        numbers = {mistake.name: f"mistake {number}" for number, mistake in enumerate(names)}
        found += [
            f"{unit_id}: {name}"
            for name in signatures.mistakes
            if mine.get(numbers.get(name, "")) != signatures.signature_of(name)
        ]
    return found
