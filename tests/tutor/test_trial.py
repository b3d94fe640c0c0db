"""Trying texts in the hidden copy: what it says, and what it must not touch."""

import asyncio
import os
import time
from dataclasses import replace

import pytest
from open_kit import open_exercise, reference
from processes import no_process_left, shown

from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome
from tutor_lsp.tutor.exercise.copies import UNUSED_S
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies

__all__ = ["no_process_left"]

EXERCISES = [
    ("python", "python-loops-bike-tour", ()),
    ("c", "c-pointers-robot-orders", ()),
    ("rust", "rust-functions-split-the-bill", pytest.mark.cargo),
]


def state(root):
    return {
        path: path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }  # fmt: skip


@pytest.fixture
def opened(tmp_path):
    return open_exercise(tmp_path / "work" / "one", "python", "python-loops-bike-tour")


@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("language", "folder"),
    [pytest.param(one, two, marks=marks) for one, two, marks in EXERCISES],
)
async def test_a_trial_answers_for_the_asked_tests_and_touches_nothing(tmp_path, language, folder):
    opened = open_exercise(tmp_path / "work" / "one", language, folder)
    before = state(opened.root)
    trials = ShadowCopies(tmp_path / "home")
    unit = opened.exercise.units[0]
    stub = await trials.run(opened, tests=unit.tests)
    assert {test.outcome for test in stub.tests} == {TestOutcome.TODO}
    solved = await trials.run(opened, {unit.file: reference(opened, unit.id)}, unit.tests)
    assert solved.outcome is RunOutcome.PASSED
    assert {test.name for test in solved.tests} == set(unit.tests)
    assert {test.unit for test in solved.tests} == {unit.id}
    assert state(opened.root) == before


async def test_a_test_file_of_ones_own_is_run(tmp_path, opened):
    trials = ShadowCopies(tmp_path / "home")
    unit = opened.exercise.units[0]
    module = unit.file.removeprefix("src/").removesuffix(".py").replace("/", ".")
    text = (
        f"from {module} import {unit.stub}\n\ndef test_extra():\n    assert callable({unit.stub})\n"
    )
    report = await trials.run(opened, {"tests/test_extra.py": text}, ["test_extra"])
    assert [(test.name, test.outcome, test.unit) for test in report.tests] == [
        ("test_extra", TestOutcome.PASSED, None)
    ]
    again = await trials.run(opened, tests=["test_extra"])
    assert again.tests == ()
    assert again.outcome is not RunOutcome.PASSED


async def test_unsaved_text_and_modules_of_the_learner_count_and_edited_tests_do_not(
    tmp_path, opened
):
    trials = ShadowCopies(tmp_path / "home")
    unit = opened.exercise.units[0]
    tests = next(file for file in opened.exercise.files if file.startswith("tests/test_"))
    (opened.root / tests).write_text("def test_nothing():\n    pass\n")
    (opened.root / "src/exercise/mine.py").write_text("MINE = 1\n")
    text = reference(opened, unit.id)
    opened.buffers[opened.root / unit.file] = text.replace(
        "from ", "from exercise.mine import MINE\nfrom ", 1
    ) if "\nfrom " in text else f"{text}\n\nfrom exercise.mine import MINE\n"  # fmt: skip
    report = await trials.run(opened, tests=unit.tests)
    assert report.outcome is RunOutcome.PASSED, report


@pytest.mark.long("waits for a limit")
async def test_code_that_hangs_ends_with_the_limit_and_cancelling_ends_it_at_once(
    tmp_path, opened, no_process_left
):
    trials = ShadowCopies(tmp_path / "home")
    unit = opened.exercise.units[0]
    hanging = {unit.file: "while True:\n    pass\n"}
    report = await trials.run(opened, hanging, unit.tests, limit_s=1.5)
    assert report.outcome is RunOutcome.TIMEOUT
    task = asyncio.ensure_future(trials.run(opened, hanging, unit.tests))
    await shown("run_tests.py", no_process_left)
    task.cancel()
    begun = time.monotonic()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert time.monotonic() - begun < 10
    fine = await trials.run(opened, {unit.file: reference(opened, unit.id)}, unit.tests)
    assert fine.outcome is RunOutcome.PASSED


async def test_a_python_in_the_folder_does_not_run_the_tests(tmp_path, opened):
    own = opened.root / ".venv" / "bin" / "python"
    own.parent.mkdir(parents=True)
    own.write_text("#!/bin/sh\nexit 3\n")
    own.chmod(0o755)
    report = await ShadowCopies(tmp_path / "home").run(opened)
    assert report.outcome is RunOutcome.FAILED


async def test_a_folder_that_is_not_trusted_is_not_run(tmp_path, opened):
    opened.session = replace(opened.session, trusted=False)
    trials = ShadowCopies(tmp_path / "home")
    report = await trials.run(opened)
    assert report.outcome is RunOutcome.NOT_RUN
    await trials.warm(opened)
    assert not trials.of(opened).exists()


async def test_nothing_is_built_in_advance_on_battery(tmp_path, opened):
    trials = ShadowCopies(tmp_path / "home", on_battery=lambda: True)
    await trials.warm(opened)
    assert not trials.of(opened).exists()
    plugged_in = ShadowCopies(tmp_path / "home", on_battery=lambda: False)
    await plugged_in.warm(opened)
    assert plugged_in.of(opened).is_dir()


async def test_a_copy_goes_with_its_session_and_old_ones_with_time(tmp_path, opened):
    trials = ShadowCopies(tmp_path / "home", on_battery=lambda: False)
    await trials.warm(opened)
    copy = trials.of(opened)
    assert copy.is_dir()
    old = copy.parent / "old"
    (old / ".tutor").mkdir(parents=True)
    past = time.time() - UNUSED_S - 60
    os.utime(old / ".tutor", (past, past))
    await trials.remove(opened)
    assert not copy.exists()
    await ShadowCopies(tmp_path / "home", on_battery=lambda: False).warm(opened)
    assert copy.is_dir()
    assert not old.exists()


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_several_at_once_do_not_mix(tmp_path, opened):
    trials = ShadowCopies(tmp_path / "home"), ShadowCopies(tmp_path / "home")
    unit = opened.exercise.units[0]
    solved = {unit.file: reference(opened, unit.id)}
    reports = await asyncio.gather(
        trials[0].run(opened, solved, unit.tests),
        trials[1].run(opened, tests=unit.tests),
        trials[0].run(opened, solved, unit.tests),
    )
    outcomes = [report.outcome for report in reports]
    assert outcomes == [RunOutcome.PASSED, RunOutcome.FAILED, RunOutcome.PASSED]
