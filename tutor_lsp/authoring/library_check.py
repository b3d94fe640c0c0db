"""Proving the bundled library: `python -m tutor_lsp.authoring.library_check --write`.

The record, `library/proofs.json`, is committed and shipped, so a learner's machine need not
prove unchanged exercises again.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tutor_lsp.authoring.content import bundled_hash
from tutor_lsp.authoring.index import build_index
from tutor_lsp.authoring.model import Candidate, ProvenExercise
from tutor_lsp.authoring.own.format_check import NO_STUB_FORM, check_format
from tutor_lsp.authoring.predict.checks import check_hints
from tutor_lsp.authoring.proof import LIMITS
from tutor_lsp.authoring.proof.lesson import check_form
from tutor_lsp.authoring.proof.spelled import spells_out
from tutor_lsp.authoring.proof.trial import ordered, trial_of
from tutor_lsp.authoring.request import AuthoringDeps, SetupRequest
from tutor_lsp.authoring.setup import set_up
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import LESSON, Proof
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.learner.curriculum import Curriculum
from tutor_lsp.core.ports import RunLimits, Toolchain
from tutor_lsp.core.stage import StageResult
from tutor_lsp.languages.registry import dialect
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.library.entry import Entry
from tutor_lsp.library.loader import (
    BUNDLED,
    BundledExercise,
    Library,
    accepts_file,
    load_curriculum,
)
from tutor_lsp.library.markdown import without_code
from tutor_lsp.stages.backends.library import LibraryBackend, planned_units
from tutor_lsp.stages.runner import Runner
from tutor_lsp.stages.subject import NodeBrief
from tutor_lsp.stages.tutoring import TutoringContext, coach_request
from tutor_lsp.wire import from_wire, to_wire

RECORDS = "proofs.json"
CHANGED = "is changed by assembly."


@dataclass(frozen=True, slots=True)
class Checked:
    """One exercise with its content hash, its proof, all findings against it, and advice."""

    entry: Entry
    content_hash: str
    proof: Proof
    findings: tuple[ProofFinding, ...]
    advice: tuple[ProofFinding, ...] = ()


class _Silent:
    def report(self, percent: int, message: str) -> None:
        pass


async def check_entry(
    library: Library,
    entry: Entry,
    toolchain: Toolchain,
    curriculum: Curriculum | None,
    limits: RunLimits = LIMITS,
    *,
    strict: bool = False,
) -> Checked:
    """Set an exercise up as for a learner, prove it, and check it strictly against the format.

    `curriculum` must contain its node; None for a user's own exercise. `strict` is as in `prove`.
    Raises TutorError `TOOLCHAIN_MISSING`, `BROKEN_EXERCISE`.
    """
    bundled = library.load(entry)
    backend = LibraryBackend(library, entry.id)
    runner = Runner(lambda _event: None)
    deps = AuthoringDeps(runner, backend, toolchain, library, shipped=lambda _: None, limits=limits)
    deps = replace(deps, strict=strict)
    request = SetupRequest(entry.language, entry.depth, NodeBrief(entry.node, entry.title))
    index = build_index(bundled.files, planned_units(entry), toolchain, strict=True)
    findings = [
        *index.findings,
        *check_format(bundled, curriculum, toolchain),
        *check_form(bundled.lesson, entry.depth),  # assembly adds a missing title
        *dialect(entry.language).completed(bundled.files, toolchain.complete(bundled.files)),
    ]
    proof = Proof(ok=False)
    advice: tuple[ProofFinding, ...] = ()
    try:
        proven = await set_up(request, deps, _Silent())
    except TutorError as error:
        if error.kind == "TOOLCHAIN_MISSING":
            raise
        findings += _findings_of(error)
        if error.kind == "PROOF_FAILED":
            proof = from_wire(Proof, error.details["proof"])
    else:
        proof, advice = proven.exercise.proof, proven.advice
        findings += _changed(bundled, proven)
        findings += await _refused_hints(proven, runner, backend)
        made, vault = proven.exercise, proven.vault
        findings += check_hints(
            made.units, made.language, proven.files, vault.solution, vault.hints
        )
        findings += await asyncio.to_thread(lambda: list(_telling_hints(proven, toolchain)))
    unique = ordered(_causes(findings))
    return Checked(entry, bundled_hash(bundled), replace(proof, ok=not unique), unique, advice)


def _causes(findings: Sequence[ProofFinding]) -> list[ProofFinding]:
    """The findings without mere consequences of others: a solved stub does not have a stub's
    form, and a lesson without a title gets one from assembly."""
    solved = {finding.unit for finding in findings if finding.step == "stubs" and finding.unit}
    untitled = any(f.step == "lesson" and f.file == LESSON and f.line == 1 for f in findings)
    return [
        finding
        for finding in findings
        if not (finding.message.endswith(NO_STUB_FORM) and finding.unit in solved)
        and not (finding.message.endswith(CHANGED) and finding.file == LESSON and untitled)
    ]


def _findings_of(error: TutorError) -> list[ProofFinding]:
    listed = error.details.get("findings") if error.kind == "PROOF_FAILED" else None
    if listed:
        return [from_wire(ProofFinding, finding) for finding in listed]
    return [ProofFinding("shape", error.message, output=json.dumps(error.details, default=str))]


def _changed(bundled: BundledExercise, proven: ProvenExercise) -> list[ProofFinding]:
    """Bundled texts that assembly does not reproduce byte for byte."""
    named = {unit.id: accepts_file(unit) for unit in bundled.entry.units}
    before = {**bundled.files, **{f"solution/{k}": v for k, v in bundled.solution.items()}}
    before |= {named[unit]: text for unit, text in bundled.accepts.items()}
    after = {**proven.files, **{f"solution/{k}": v for k, v in proven.vault.solution.items()}}
    after |= {named[unit]: text for unit, text in proven.vault.accepts.items()}
    return [
        ProofFinding("shape", f"{path} {CHANGED}", path)
        for path, text in before.items()
        if after.get(path) != text
    ]


async def _refused_hints(
    proven: ProvenExercise, runner: Runner, backend: LibraryBackend
) -> list[ProofFinding]:
    """Authored hints that the hint rules would withhold from the learner."""
    context = TutoringContext(proven.exercise, proven.vault, proven.files)
    refused: list[ProofFinding] = []
    for unit in proven.exercise.units:
        for level in (1, 2, 3):
            result = await runner.run(coach_request(context, unit.id, level), backend)
            if not result.accepted:
                file = f"hints/{unit.id}.md"
                said = f"L{level} would not be shown: {_why(result)}."
                refused.append(ProofFinding("giveaway", said, file, None, unit.id))
    return refused


def _telling_hints(proven: ProvenExercise, toolchain: Toolchain) -> Iterator[ProofFinding]:
    """First and second hints whose words hold the reference: what their code does is run."""
    made, vault = proven.exercise, proven.vault
    files, solution = dict(proven.files), dict(vault.solution)
    candidate = Candidate(made.language, files, files, solution, made.units)
    trial = trial_of(candidate, toolchain, dialect(made.language))
    for unit in made.units:
        for level, text in enumerate(vault.hints.get(unit.id, ())[:2], start=1):
            if spells_out(trial, unit, trial.solved(solution), without_code(text)):
                said = f"L{level} tells the solution of `{unit.stub}` in words."
                yield ProofFinding("giveaway", said, f"hints/{unit.id}.md", None, unit.id)


def _why(result: StageResult) -> str:
    """A clause on why the rules on hints refuse one."""
    broken = result.details.get("violations") or ()
    return f"it {broken[0]['reason']}" if broken else result.reason


async def check_all(
    library: Library,
    entries: Sequence[Entry],
    toolchains: Mapping[str, Toolchain],
    jobs: int,
) -> list[Checked]:
    """Every exercise, at most `jobs` at once (each runs two copies), in order. Their tests have to
    notice every wrong version that an input tells apart."""
    free = asyncio.Semaphore(jobs)
    curriculum = load_curriculum()

    async def one(entry: Entry) -> Checked:
        async with free:
            tools = toolchains[entry.language]
            return await check_entry(library, entry, tools, curriculum, strict=True)

    return list(await asyncio.gather(*(one(entry) for entry in entries)))


def records_text(checked: Sequence[Checked], before: Mapping[str, Any]) -> str:
    """`proofs.json` for exercises that pass. A record with unchanged content keeps its time."""
    proofs: dict[str, Any] = {}
    for each in sorted(checked, key=lambda each: each.entry.id):
        proof = each.proof
        if not proof.ok:
            continue
        old = before.get(each.content_hash)
        if old is not None:
            known = from_wire(Proof, old["proof"])
            proof = known if replace(known, at=proof.at) == proof else proof
        proofs[each.content_hash] = {"exercise": each.entry.id, "proof": to_wire(proof)}
    return json.dumps({"format": 1, "proofs": proofs}, ensure_ascii=False, indent=1) + "\n"


def read_records(root: Path) -> dict[str, Any]:
    """The existing records, by content hash; empty if there are none."""
    try:
        records: dict[str, Any] = json.loads((root / RECORDS).read_text("utf-8"))["proofs"]
    except FileNotFoundError:
        return {}
    return records


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0 if every exercise passes and, with `--check`, has its record."""
    parser = argparse.ArgumentParser(prog="library_check", description=__doc__)
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--write", action="store_true", help="write library/proofs.json")
    mode.add_argument("--check", action="store_true", help="require a record for every exercise")
    parser.add_argument("--jobs", type=int, default=2, help="exercises proven in parallel")
    parser.add_argument("--only", nargs="*", default=[], help="exercise ids; writes nothing")
    chosen = parser.parse_args(arguments)

    library = Library([BUNDLED])
    entries = [e for e in library.entries() if not chosen.only or e.id in chosen.only]
    checked = asyncio.run(check_all(library, entries, toolchains(), max(chosen.jobs, 1)))
    problems = list(library.problems)
    for each in checked:
        for finding in each.findings:
            place = ":".join(str(part) for part in (finding.file, finding.line) if part)
            said = f"{each.entry.id} [{finding.step}] {place} {finding.message}"
            problems.append(f"{said}\n{finding.output}".rstrip())
    before = read_records(BUNDLED)
    if chosen.check:
        problems += [
            f"{each.entry.id}: library/{RECORDS} has no record of this content; run --write"
            for each in checked
            if each.content_hash not in before
        ]
    if chosen.write and not chosen.only:
        (BUNDLED / RECORDS).write_text(records_text(checked, before), "utf-8")
    sys.stdout.write("".join(f"{problem}\n" for problem in problems))
    for each in checked:
        for advice in each.advice:
            sys.stdout.write(f"advice: {each.entry.id} {advice.message}\n")
    proven = sum(each.proof.ok for each in checked)
    sys.stdout.write(f"{proven} of {len(checked)} exercises pass\n")
    return 1 if problems or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
