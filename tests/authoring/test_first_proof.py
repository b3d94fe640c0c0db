"""What an exercise must show: each way not to hold, and the real thing."""

import asyncio
import dataclasses

import authoring_kit as kit
import pytest

from tutor_lsp.authoring.assembly import assemble
from tutor_lsp.authoring.index import build_index
from tutor_lsp.authoring.model import Candidate, ProofFinding, Stages
from tutor_lsp.authoring.proof import prove
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.report import BuildError, RawReport, RawTest, RunOutcome, TestOutcome
from tutor_lsp.toolchains.python import PythonToolchain

NAMES = [name for unit in kit.UNITS for name in unit["test_names"]]


def candidate(**changes):
    payloads = [line["payload"] for line in kit.script()]
    stages = Stages(
        payloads[0],
        *(
            [p for p in payloads if p["role"] == role]
            for role in ("starter-expand", "test-expand", "lesson-expand")
        ),
    )
    made = assemble(stages, PythonToolchain(), "Signs")
    units = build_index(made.files, kit.UNITS, PythonToolchain()).units
    solution = {"src/exercise/signs.py": kit.SOLUTION}
    whole = Candidate("python", made.authored, made.files, solution, units)
    return dataclasses.replace(whole, **changes)


class Reports(PythonToolchain):
    """Answers a run on the stubs and one on the reference."""

    def __init__(self, stubs, reference):
        super().__init__()
        self.reports = {"stubs": stubs, "reference": reference}
        self.folders = []

    async def run(self, workspace, *, tests=None, limits=None):
        self.folders.append(workspace)
        report = self.reports[workspace.name]
        if isinstance(report, Exception):
            raise report
        return report


def report(outcome, **changes):
    tests = tuple(RawTest(name, changes.get(name, outcome)) for name in changes.pop("names", NAMES))
    whole = RunOutcome.PASSED if outcome is TestOutcome.PASSED else RunOutcome.FAILED
    return RawReport(whole, tests)


RED, GREEN = report(TestOutcome.FAILED), report(TestOutcome.PASSED)
BROKEN = RawReport(
    RunOutcome.BUILD_ERROR,
    build_errors=(BuildError("src/exercise/signs.py", 3, 1, 3, 2, "E1", "no such name"),),
)


async def found(stubs, reference, **changes):
    result = await prove(candidate(**changes), Reports(stubs, reference))
    assert result.proof.ok == (not result.findings)
    return [(finding.step, finding.unit) for finding in result.findings]


async def test_what_holds():
    result = await prove(candidate(), Reports(RED, GREEN))
    assert result.findings == ()
    proof = result.proof
    assert (proof.ok, proof.builds, proof.tests) == (True, True, 4)
    assert (proof.fail_on_stub, proof.pass_on_reference, proof.stable_runs) == (4, 4, 1)
    assert proof.unit_map == {unit["unit_id"]: tuple(unit["test_names"]) for unit in kit.UNITS}
    assert proof.at


async def test_a_test_that_passes_on_the_stubs():
    red = report(TestOutcome.FAILED, test_shout_keeps_digits=TestOutcome.PASSED)
    assert await found(red, GREEN) == [("stubs", "ex-1")]


@pytest.mark.parametrize("outcome", [TestOutcome.TIMEOUT, TestOutcome.NOT_RUN])
async def test_a_test_that_does_not_end_on_the_stubs(outcome):
    assert await found(report(TestOutcome.FAILED, **{NAMES[2]: outcome}), GREEN) == [
        ("stubs", "ex-2")
    ]


async def test_a_test_that_was_not_collected():
    assert await found(report(TestOutcome.FAILED, names=NAMES[:3]), GREEN) == [("stubs", "ex-2")]


async def test_no_test_at_all():
    empty = RawReport(RunOutcome.NOT_RUN, reason="no tests were found")
    assert ("stubs", None) in await found(empty, empty)


async def test_a_reference_that_does_not_pass():
    green = report(TestOutcome.PASSED, test_frame_of_one_letter=TestOutcome.FAILED)
    assert await found(RED, green) == [("reference", "ex-2")]


async def test_a_reference_with_other_tests():
    assert await found(RED, report(TestOutcome.PASSED, names=NAMES[1:])) == [("reference", "ex-1")]


async def test_a_starter_that_does_not_build_is_said_once():
    assert await found(BROKEN, BROKEN) == [("builds", None)]


async def test_a_reference_that_does_not_build():
    assert await found(RED, BROKEN) == [("reference", None)]


async def test_a_starter_with_warnings():
    assert await found(dataclasses.replace(RED, warnings=2), GREEN) == [("builds", None)]


async def test_a_run_that_did_not_end():
    late = dataclasses.replace(RED, outcome=RunOutcome.TIMEOUT, reason="180 s were not enough")
    assert ("stubs", None) in await found(late, GREEN)


async def test_a_reference_without_the_stub_file_is_not_run():
    toolchain = Reports(RED, GREEN)
    result = await prove(candidate(solution={}), toolchain)
    assert {finding.step for finding in result.findings} == {"shape"}
    assert toolchain.folders == []


async def test_what_was_found_before_counts():
    known = ProofFinding("references", "No such heading.", unit="ex-1")
    result = await prove(candidate(), Reports(RED, GREEN), known=[known])
    assert result.findings == (known,)
    assert not result.proof.ok


async def test_copies_are_apart_and_removed(tmp_path):
    toolchain = Reports(RED, GREEN)
    await prove(candidate(), toolchain, scratch=tmp_path)
    assert len({folder.parent for folder in toolchain.folders}) == 1
    assert sorted(folder.name for folder in toolchain.folders) == ["reference", "stubs"]
    assert list(tmp_path.iterdir()) == []


async def test_a_missing_toolchain_is_told_as_such(tmp_path):
    missing = TutorError("TOOLCHAIN_MISSING", "Install it.")
    with pytest.raises(TutorError) as caught:
        await prove(candidate(), Reports(missing, GREEN), scratch=tmp_path)
    assert caught.value.kind == "TOOLCHAIN_MISSING"
    assert list(tmp_path.iterdir()) == []


async def test_a_cancelled_proof_ends_both_runs_and_leaves_nothing(tmp_path):
    class Endless(Reports):
        started, ended = 0, 0
        both = asyncio.Event()

        async def run(self, workspace, *, tests=None, limits=None):
            self.started += 1
            if self.started == 2:
                self.both.set()
            try:
                await asyncio.Event().wait()
            finally:
                self.ended += 1

    toolchain = Endless(RED, GREEN)
    task = asyncio.create_task(prove(candidate(), toolchain, scratch=tmp_path))
    async with asyncio.timeout(10):
        await toolchain.both.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (toolchain.started, toolchain.ended) == (2, 2)
    assert list(tmp_path.iterdir()) == []


async def test_a_real_exercise_is_executed(tmp_path):
    result = await prove(candidate(), PythonToolchain(), scratch=tmp_path)
    assert result.findings == ()
    assert (result.proof.fail_on_stub, result.proof.pass_on_reference) == (4, 4)
    assert list(tmp_path.iterdir()) == []


async def test_a_wrong_real_reference_is_told_with_both_values(tmp_path):
    wrong = kit.SOLUTION.replace("return text.upper()", "return text")
    result = await prove(
        candidate(solution={"src/exercise/signs.py": wrong}), PythonToolchain(), scratch=tmp_path
    )
    assert {finding.step for finding in result.findings} == {"reference"}
    assert "plums" in result.findings[0].message
    assert result.findings[0].file == "tests/test_signs.py"
