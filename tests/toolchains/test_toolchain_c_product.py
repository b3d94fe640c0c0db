"""A small C exercise through the product: made, proven, worked on by a learner."""

from pathlib import Path

import pytest
from c_kit import LIMITS, TOOL, needs_cc, write

from tutor_lsp.authoring.library_check import check_entry
from tutor_lsp.authoring.request import AuthoringDeps, SetupRequest
from tutor_lsp.authoring.setup import set_up
from tutor_lsp.core.exercise.exercise import UnitState
from tutor_lsp.core.exercise.judge import judge
from tutor_lsp.core.exercise.report import RunOutcome
from tutor_lsp.core.exercise.units import Stubs, broken_units, state_of
from tutor_lsp.library.loader import Library
from tutor_lsp.stages.backends.library import LibraryBackend
from tutor_lsp.stages.runner import Runner
from tutor_lsp.stages.subject import NodeBrief

pytestmark = [needs_cc, pytest.mark.xdist_group("cc")]

SEATS = "src/seats.c"
FOLDER = Path(__file__).parent / "c_exercise" / "c-strings-seat-row"


class Quiet:
    def report(self, percent, message):
        pass


async def made():
    library = Library([FOLDER])
    entry = library.entries()[0]
    backend = LibraryBackend(library, entry.id)
    deps = AuthoringDeps(Runner(lambda event: None), backend, TOOL, library)
    request = SetupRequest("c", entry.depth, NodeBrief(entry.node, entry.title))
    return await set_up(request, deps, Quiet())


@pytest.mark.long("proves an exercise")
async def test_it_holds_in_every_step_of_the_proof():
    library = Library([FOLDER])
    checked = await check_entry(library, library.entries()[0], TOOL, None)
    assert checked.findings == ()
    assert (checked.proof.tests, checked.proof.fail_on_stub, checked.proof.pass_on_reference) == (
        6,
        6,
        6,
    )


@pytest.mark.long("plays a whole session; test_toolchain_c_run.py stands for its parts")
async def test_a_learner_sees_each_unit_as_it_is(tmp_path):
    proven = await made()
    exercise = proven.exercise
    workspace = write(tmp_path, proven.files)

    async def report_on(text):
        texts = {**proven.files, SEATS: text}
        (workspace / SEATS).write_text(text)
        stubs = Stubs(exercise, texts, TOOL.functions)
        raw = await TOOL.run(workspace, limits=LIMITS)
        report = judge(raw, exercise, texts, stubs, explain=TOOL.explain, run_id="1")
        states = {unit.id: state_of(unit, report.tests, stubs) for unit in exercise.units}
        return report, states, {test.name: test.message for test in report.tests}

    starter = proven.files[SEATS]
    report, states, said = await report_on(starter)
    assert set(states.values()) == {UnitState.TODO}
    assert {test.outcome.value for test in report.tests} == {"todo"}
    assert said["test_take_seat_marks_the_seat"] == "`take_seat` is not written yet"

    wrong = starter.replace(
        '(void)mark;\n    NOT_IMPLEMENTED("is_free");', "return mark == TAKEN;"
    ).replace('(void)row;\n    NOT_IMPLEMENTED("count_free");', "return is_free(row[0]);")
    report, states, said = await report_on(wrong)
    assert list(states.values()) == [UnitState.FAILING, UnitState.FAILING, UnitState.TODO]
    first = "test_is_free_tells_a_free_seat_from_a_taken_one"
    assert said[first] == "`is_free(FREE)` gave false, expected true, where `FREE` is '.'"
    assert "needs `is_free` (ex-1)" in said["test_count_free_counts_free_seats"]

    unwritten = starter.replace(
        '(void)row;\n    NOT_IMPLEMENTED("count_free");', "return (size_t)is_free(row[0]);"
    )
    _, states, said = await report_on(unwritten)
    assert next(iter(states.values())) is UnitState.TODO
    assert said["test_count_free_counts_free_seats"] == (
        "needs `is_free` (ex-1), which does not pass yet"
    )

    broken = starter.replace('NOT_IMPLEMENTED("is_free");', "return mark == ;")
    report, _, _ = await report_on(broken)
    assert report.outcome is RunOutcome.BUILD_ERROR
    assert report.build_errors[0].file == SEATS
    stubs = Stubs(exercise, {**proven.files, SEATS: broken}, TOOL.functions)
    assert broken_units(report.build_errors, stubs) == {"ex-1"}

    solved = {**proven.files, **proven.vault.solution}[SEATS]
    report, states, _ = await report_on(solved)
    assert report.outcome is RunOutcome.PASSED
    assert set(states.values()) == {UnitState.PASSING}
