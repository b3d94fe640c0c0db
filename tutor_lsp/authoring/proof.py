"""The first proof: what an exercise must show when it is executed, before anybody sees it."""

import asyncio
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from tutor_lsp.authoring.model import Candidate, ProofFinding, ProofResult
from tutor_lsp.authoring.workspace import write_tree
from tutor_lsp.core.exercise import Proof, Unit
from tutor_lsp.core.ports import RunLimits, Toolchain
from tutor_lsp.core.report import RawReport, RawTest, RunOutcome, TestOutcome

LIMITS = RunLimits(total_s=180.0, test_s=10.0)
_FAILED = frozenset({TestOutcome.FAILED, TestOutcome.ERRORED, TestOutcome.TODO})
_EXECUTED = frozenset({RunOutcome.PASSED, RunOutcome.FAILED})


async def prove(
    candidate: Candidate,
    toolchain: Toolchain,
    *,
    known: Sequence[ProofFinding] = (),
    limits: RunLimits = LIMITS,
    scratch: Path | None = None,
) -> ProofResult:
    """Build and run the exercise in temporary copies, on its stubs and with its reference.

    It holds if the starter builds without warnings, every test is collected and fails on the
    stubs, the reference passes all of them, and nothing was found before (`known`). `scratch` is
    where the copies go (the system's temporary folder by default); they are always removed.
    Raises TutorError `TOOLCHAIN_MISSING`.
    """
    findings = [*known, *check_shape(candidate)]
    if any(finding.step == "shape" for finding in findings):
        return ProofResult(_proof(candidate, findings, None, None), tuple(findings))
    folder = Path(tempfile.mkdtemp(prefix="tutor-proof-", dir=scratch))
    try:
        stubs, reference = await _both(candidate, toolchain, limits, folder)
    finally:
        await asyncio.shield(asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True))
    findings += check_build(stubs)
    if stubs.outcome is not RunOutcome.BUILD_ERROR:
        findings += check_stubs(stubs, candidate.units)
    findings += check_reference(reference, stubs, candidate.units)
    return ProofResult(_proof(candidate, findings, stubs, reference), tuple(findings))


async def _both(
    candidate: Candidate, toolchain: Toolchain, limits: RunLimits, folder: Path
) -> tuple[RawReport, RawReport]:
    solved = {**candidate.files, **candidate.solution}
    copies = {"stubs": candidate.files, "reference": solved}
    for name, files in copies.items():
        await asyncio.to_thread(write_tree, folder / name, files)
    try:
        async with asyncio.TaskGroup() as group:
            runs = [
                group.create_task(toolchain.run(folder / name, limits=limits)) for name in copies
            ]
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return runs[0].result(), runs[1].result()


def check_shape(candidate: Candidate) -> list[ProofFinding]:
    """What must be there before anything is executed."""
    found: list[ProofFinding] = []
    if not candidate.units:
        found.append(ProofFinding("shape", "There is no stub to work on."))
    found += [
        ProofFinding("shape", f"There is no file under {base}/.")
        for base in ("src", "tests")
        if not candidate.under(base)
    ]
    found += [
        ProofFinding("shape", f"The reference does not have {path}.", path, None, unit.id)
        for unit in candidate.units
        for path in (unit.file,)
        if path not in candidate.solution
    ]
    return found


def check_build(stubs: RawReport) -> list[ProofFinding]:
    """The starter builds without warnings."""
    if stubs.outcome is RunOutcome.BUILD_ERROR:
        return _build_errors("builds", "The starter", stubs)
    if stubs.warnings:
        return [ProofFinding("builds", f"The starter builds with {stubs.warnings} warnings.")]
    return []


def _build_errors(step: str, what: str, report: RawReport) -> list[ProofFinding]:
    said = f"{what} does not build"
    if not report.build_errors:
        return [ProofFinding(step, f"{said}: {report.reason or 'no reason given'}")]
    return [
        ProofFinding(step, f"{said}: {error.message}", error.file, error.line)
        for error in report.build_errors
    ]


def check_stubs(stubs: RawReport, units: Sequence[Unit]) -> list[ProofFinding]:
    """Every test is collected, runs and fails on the stubs."""
    found = _executed("stubs", "the stubs", stubs)
    owner = {test: unit for unit in units for test in unit.tests}
    collected = {test.name for test in stubs.tests}
    found += [
        _of_test("stubs", f"The test `{name}` was not collected.", name, owner)
        for name in owner
        if name not in collected
    ]
    if not collected:
        found.append(ProofFinding("stubs", "No test was collected."))
    for test in stubs.tests:
        if test.outcome is TestOutcome.PASSED:
            said = f"The test `{test.name}` passes although nothing is written yet."
            found.append(_of_test("stubs", said, test.name, owner, test))
        elif test.outcome not in _FAILED and stubs.outcome in _EXECUTED:
            said = f"The test `{test.name}` does not end properly on the stubs ({test.outcome})."
            found.append(_of_test("stubs", said, test.name, owner, test))
    return found


def check_reference(
    reference: RawReport, stubs: RawReport, units: Sequence[Unit]
) -> list[ProofFinding]:
    """The reference passes every test that was collected on the stubs."""
    if reference.outcome is RunOutcome.BUILD_ERROR:
        if stubs.outcome is RunOutcome.BUILD_ERROR:
            return []  # said by check_build already
        return _build_errors("reference", "The reference", reference)
    found = _executed("reference", "the reference", reference)
    owner = {test: unit for unit in units for test in unit.tests}
    outcomes = {test.name: test for test in reference.tests}
    for name in dict.fromkeys([*(test.name for test in stubs.tests), *outcomes]):
        test = outcomes.get(name)
        if test is None:
            said = f"The test `{name}` is not collected with the reference."
            found.append(_of_test("reference", said, name, owner))
        elif test.outcome is not TestOutcome.PASSED and reference.outcome in _EXECUTED:
            said = f"The reference does not pass `{name}`{_sides(test)}."
            found.append(_of_test("reference", said, name, owner, test))
    return found


def _executed(step: str, what: str, report: RawReport) -> list[ProofFinding]:
    if report.outcome in _EXECUTED:
        return []
    reason = report.reason or "no reason given"
    said = f"The tests did not run through on {what}: {report.outcome}, {reason}"
    return [ProofFinding(step, said, output=report.command)]


def _of_test(
    step: str,
    message: str,
    name: str,
    owner: Mapping[str, Unit],
    test: RawTest | None = None,
) -> ProofFinding:
    unit = owner.get(name)
    place = test.location if test else None
    return ProofFinding(
        step,
        message,
        file=place.file if place else None,
        line=place.line if place else None,
        unit=unit.id if unit else None,
        output="\n".join(text for text in (test.error, test.output) if text) if test else "",
    )


def _sides(test: RawTest) -> str:
    if test.left is not None and test.right is not None:
        return f": {test.left} against {test.right}"
    return f": {test.error.splitlines()[0]}" if test.error else ""


def _proof(
    candidate: Candidate,
    findings: Sequence[ProofFinding],
    stubs: RawReport | None,
    reference: RawReport | None,
) -> Proof:
    return Proof(
        ok=not findings,
        builds=stubs is not None and stubs.outcome is not RunOutcome.BUILD_ERROR,
        tests=len(stubs.tests) if stubs else 0,
        fail_on_stub=sum(test.outcome in _FAILED for test in stubs.tests) if stubs else 0,
        pass_on_reference=sum(test.outcome is TestOutcome.PASSED for test in reference.tests)
        if reference
        else 0,
        stable_runs=1 if reference is not None and reference.outcome is RunOutcome.PASSED else 0,
        unit_map={unit.id: unit.tests for unit in candidate.units},
        at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
