"""The executor of runs: cancels at any turn of the loop, storing before answering."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.report import RunOutcome, TestReport
from tutor_lsp.core.exercise.snapshot import Snapshot
from tutor_lsp.core.runs import RunKind
from tutor_lsp.tutor.running.run_queue import ExerciseRuns, RunAnswer, RunResult


class Exercise:
    """Tests, store and reviewer that take a few turns of the loop each."""

    def __init__(self, turns: int = 3) -> None:
        self.turns = turns
        self.stored: list[RunKind] = []
        self.reviewed: list[int] = []
        self.refused: list[TutorError] = []
        self.fail_storing = False
        self.runs = ExerciseRuns(self.tests, self.publish, self.review, self.refused.append)

    async def _wait(self) -> None:
        for _ in range(self.turns):
            await asyncio.sleep(0)

    async def tests(self, shot: Snapshot | None) -> RunResult:
        await self._wait()
        text = shot.hash if shot is not None else "disk"
        return RunResult(TestReport("r", RunOutcome.FAILED, text_hash=text), {}, text)

    async def attempt(self, text: str = "a", turns: int = 1) -> RunAnswer:
        async def take() -> Snapshot:
            for _ in range(turns):
                await asyncio.sleep(0)
            return Snapshot({}, (), (), text)

        return await self.runs.attempt(take)

    async def publish(self, kind: RunKind, ran: RunResult) -> int | None:
        await self._wait()
        if self.fail_storing:
            raise TutorError("STORE", "the disk is full")
        self.stored.append(kind)
        return self.stored.count(RunKind.ATTEMPT) if kind is RunKind.ATTEMPT else None

    async def review(self, number: int, texts: object) -> None:
        await self._wait()
        self.reviewed.append(number)


async def turns(number: int) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


def left_behind(exercise: Exercise) -> dict[str, object]:
    known = vars(exercise.runs).items()
    return {name: value for name, value in known if isinstance(value, dict) and value}


@pytest.mark.parametrize("when", range(20))
async def test_attempts_go_on_after_a_cancel_in_any_turn(when):
    exercise = Exercise()
    first = asyncio.ensure_future(exercise.attempt())
    await turns(when)
    exercise.runs.cancel()
    async with asyncio.timeout(5):
        await asyncio.gather(first, return_exceptions=True)
        again = await exercise.attempt()
    assert again.kind is RunKind.ATTEMPT
    assert again.attempt == exercise.stored.count(RunKind.ATTEMPT)


@pytest.mark.parametrize("when", range(20))
async def test_an_outcome_that_is_stored_is_the_answer(when):
    exercise = Exercise()
    asked = asyncio.ensure_future(exercise.runs.check())
    await turns(when)
    exercise.runs.cancel()
    await asyncio.wait([asked], timeout=5)
    await exercise.runs.drain()
    assert bool(exercise.stored) == (asked.exception() is None)


async def test_superseded_checks_leave_nothing_behind():
    exercise = Exercise()
    asked = [asyncio.ensure_future(exercise.runs.check()) for _ in range(200)]
    outcomes = await asyncio.gather(*asked)
    assert len({outcome.run for outcome in outcomes}) == 1
    await exercise.runs.drain()
    assert left_behind(exercise) == {}


async def test_a_failure_to_store_is_answered_and_the_next_run_works():
    exercise = Exercise()
    exercise.fail_storing = True
    with pytest.raises(TutorError, match="disk is full"):
        await exercise.attempt()
    exercise.fail_storing = False
    assert (await exercise.attempt()).attempt == 1


async def test_a_defect_in_the_tests_is_answered():
    exercise = Exercise()

    async def broken(shot):
        raise ZeroDivisionError

    exercise.runs = ExerciseRuns(broken, exercise.publish, exercise.review, exercise.refused.append)
    with pytest.raises(TutorError, match="ZeroDivisionError"):
        await exercise.runs.check()
    assert [error.kind for error in exercise.refused] == ["INTERNAL"]


@pytest.mark.parametrize("when", range(20))
async def test_a_cancelled_save_is_no_refusal(when):
    exercise = Exercise()
    unheard: list[TutorError] = []
    exercise.runs.save(0, lambda: True, unheard.append)
    await turns(when)
    exercise.runs.cancel()
    await exercise.runs.drain()
    await turns(5)
    assert (unheard, exercise.refused) == ([], [])


async def test_a_save_whose_result_cannot_be_kept_is_told():
    exercise = Exercise()
    exercise.fail_storing = True
    told: asyncio.Future[TutorError] = asyncio.get_running_loop().create_future()
    exercise.runs.save(0, lambda: True, told.set_result)
    async with asyncio.timeout(5):
        assert (await told).kind == "STORE"
    assert [error.kind for error in exercise.refused] == ["STORE"]


@pytest.mark.parametrize("kind", RunKind)
async def test_a_run_that_is_asked_for_after_a_save_answers_the_save_too(kind):
    exercise = Exercise()
    unheard: list[TutorError] = []
    exercise.runs.save(60, lambda: True, unheard.append)
    await (exercise.runs.check() if kind is RunKind.CHECK else exercise.attempt())
    assert not exercise.runs.pending()
    assert not exercise.runs.cancel()
    await exercise.runs.drain()
    assert (exercise.stored, unheard) == ([kind], [])


async def test_a_save_ends_the_check_of_an_older_text_at_once():
    ended = asyncio.Event()
    exercise = Exercise()

    async def endless(shot: Snapshot | None) -> RunResult:
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()
        raise AssertionError

    exercise.runs = ExerciseRuns(
        endless, exercise.publish, exercise.review, exercise.refused.append
    )
    exercise.runs.save(0, lambda: True, exercise.refused.append)
    await turns(3)
    exercise.runs.save(60, lambda: True, exercise.refused.append)
    async with asyncio.timeout(5):
        await ended.wait()
    exercise.runs.cancel()
    await exercise.runs.drain()


async def test_a_save_after_the_text_of_an_attempt_was_read_has_a_check_of_its_own():
    exercise = Exercise()
    turn = exercise.runs.turn()
    exercise.runs.save(60, lambda: True, lambda error: None)

    async def take() -> Snapshot:
        return Snapshot({}, (), (), "a")

    await exercise.runs.attempt(take, turn)
    assert exercise.runs.pending()
    exercise.runs.cancel()
    await exercise.runs.drain()
    assert exercise.stored == [RunKind.ATTEMPT]


async def test_a_run_that_another_took_the_place_of_refuses_nothing():
    exercise = Exercise()
    asked = 0

    async def refused_at_first(shot):
        nonlocal asked
        asked += 1
        if asked > 1:
            return await exercise.tests(shot)
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            raise TutorError("TOOLCHAIN_MISSING", "gone") from None

    exercise.runs = ExerciseRuns(
        refused_at_first, exercise.publish, exercise.review, exercise.refused.append
    )
    first = asyncio.ensure_future(exercise.runs.check())
    await turns(3)
    await asyncio.gather(first, exercise.runs.check())
    assert exercise.refused == []


async def test_each_attempt_carries_its_number_and_the_hash_of_its_text():
    exercise = Exercise()
    first = asyncio.ensure_future(exercise.attempt("a"))
    await turns(2)
    second, joined = exercise.attempt("b"), exercise.attempt("b")
    outcomes = await asyncio.gather(first, second, joined)
    told = [(outcome.attempt, outcome.report.text_hash) for outcome in outcomes]
    assert told == [(1, "a"), (2, "b"), (2, "b")]


async def test_snapshots_count_in_the_order_in_which_they_were_asked_for():
    exercise = Exercise(turns=30)
    asked = [exercise.attempt(text, turns) for text, turns in (("a", 9), ("b", 5), ("c", 1))]
    outcomes = await asyncio.gather(*asked)
    assert [outcome.report.text_hash for outcome in outcomes] == ["a", "c", "c"]


@pytest.mark.parametrize("when", range(8))
async def test_a_cancel_while_the_snapshot_is_taken_gives_the_attempt_up(when):
    exercise = Exercise()
    asked = asyncio.ensure_future(exercise.attempt(turns=10))
    await turns(when + 1)
    assert exercise.runs.cancel()
    with pytest.raises(TutorError, match="cancelled"):
        await asked
    await exercise.runs.drain()
    assert exercise.stored == []


async def test_a_cancel_waits_for_no_snapshot_and_the_next_attempt_neither():
    exercise = Exercise()
    never = asyncio.Event()

    async def take():
        await never.wait()
        raise AssertionError("it was given up")

    asked = [asyncio.ensure_future(exercise.runs.attempt(take)) for _ in range(3)]
    await turns(3)
    assert exercise.runs.cancel()
    await turns(3)
    assert all(each.done() for each in asked)
    for each in asked:
        with pytest.raises(TutorError, match="cancelled"):
            each.result()
    assert not exercise.runs.busy
    async with asyncio.timeout(5):
        assert (await exercise.attempt()).attempt == 1


async def test_a_task_that_is_cancelled_while_its_snapshot_is_taken_leaves_nothing():
    exercise = Exercise()
    never = asyncio.Event()
    asked = asyncio.ensure_future(exercise.runs.attempt(never.wait))
    await turns(3)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    assert not exercise.runs.busy
    assert (await exercise.attempt()).attempt == 1


async def test_a_snapshot_that_cannot_be_taken_is_answered_and_the_next_one_works():
    exercise = Exercise()

    async def broken():
        raise TutorError("HOME", "no room")

    with pytest.raises(TutorError, match="no room"):
        await exercise.runs.attempt(broken)
    assert not exercise.runs.busy
    assert (await exercise.attempt()).attempt == 1


async def test_attempts_leave_nothing_behind():
    exercise = Exercise()
    await asyncio.gather(*(exercise.attempt(text) for text in "abcabc"))
    await exercise.runs.drain()
    assert left_behind(exercise) == {}


@pytest.mark.parametrize("when", range(20))
async def test_a_task_that_is_cancelled_in_any_turn_leaves_no_run_that_nobody_asked_for(when):
    exercise = Exercise()
    asked = asyncio.ensure_future(exercise.attempt())
    await turns(when)
    was_stored = bool(exercise.stored)
    storing = bool(exercise.runs._storing)
    asked.cancel()
    again = asyncio.ensure_future(exercise.attempt())
    async with asyncio.timeout(5):
        await asyncio.wait([asked])
        outcome = await again
    assert outcome.attempt == len(exercise.stored)
    # Only what was kept already, or was being kept, is an attempt beside the second one.
    assert len(exercise.stored) == 1 or was_stored or storing
    await exercise.runs.drain()
    assert left_behind(exercise) == {}


@pytest.mark.parametrize("when", range(8))
async def test_a_task_that_is_cancelled_before_its_tests_end_leaves_nothing_counted(when):
    exercise = Exercise(turns=20)
    asked = asyncio.ensure_future(exercise.attempt(turns=3))
    await turns(when)
    asked.cancel()
    await asyncio.wait([asked])
    await turns(5)
    assert not exercise.runs.busy
    assert (exercise.stored, left_behind(exercise)) == ([], {})


ASKED = st.tuples(
    st.sampled_from(["check", "a", "b"]), st.integers(0, 6), st.none() | st.integers(0, 30)
)


@given(st.lists(ASKED, min_size=1, max_size=5), st.integers(1, 4))
def test_whoever_is_cancelled_when_all_others_are_answered(asked, each_takes):
    """`asked` says of each request what it is for, how many turns after the one before it comes,
    and how many turns later its task is cancelled."""
    defects: list[object] = []

    async def one(exercise: Exercise, what: str) -> RunAnswer:
        return await (exercise.runs.check() if what == "check" else exercise.attempt(what))

    async def played() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, said: defects.append(said))
        exercise = Exercise(each_takes)
        tasks = []
        for what, after, cancelled in asked:
            await turns(after)
            task = asyncio.ensure_future(one(exercise, what))
            tasks.append((task, cancelled))
            if cancelled is not None:
                ending = asyncio.ensure_future(turns(cancelled))
                ending.add_done_callback(lambda _, task=task: task.cancel())
        async with asyncio.timeout(5):
            for task, cancelled in tasks:
                await asyncio.wait([task])
                assert cancelled is not None or isinstance(task.result(), RunAnswer)
            last = await exercise.attempt("c")
            assert last.attempt == exercise.stored.count(RunKind.ATTEMPT)
        await exercise.runs.drain()
        assert left_behind(exercise) == {}

    asyncio.run(played())
    assert defects == []
