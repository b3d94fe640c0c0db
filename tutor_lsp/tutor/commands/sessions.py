"""`tutor.resume`, `tutor.end` and `tutor.next`."""

from dataclasses import replace

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.standing import finished, passed_of
from tutor_lsp.core.exercise.verdict import not_counted
from tutor_lsp.core.session import Event, NodeRecord, Session
from tutor_lsp.core.text.clock import local_day
from tutor_lsp.core.text.translation import n, t
from tutor_lsp.files.uris import uri_to_path
from tutor_lsp.store.transaction import Transaction
from tutor_lsp.tutor.commands.attempt import attempt_on, claimed_by, titles_of, until_saved
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.register import OpenExercises
from tutor_lsp.tutor.exercise.trust import allow
from tutor_lsp.tutor.hinting.reveal import forget_comparisons
from tutor_lsp.tutor.interface.arguments import NoArguments, RunArguments, StartArguments
from tutor_lsp.tutor.interface.learner import Ended, Ready
from tutor_lsp.tutor.interface.results import NextStarted
from tutor_lsp.tutor.learner.advice import LOOK_S, recommendations, what_next
from tutor_lsp.tutor.learner.mastery import keep_end
from tutor_lsp.tutor.learner.record.recover import recovered_message, take_up_lost
from tutor_lsp.tutor.running.runs import Runs
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.tutor.starting.announce import show_exercise, tell_what_is_missing
from tutor_lsp.tutor.starting.resolve_start import decide
from tutor_lsp.tutor.starting.resume import begin_again, begun_before, reopen
from tutor_lsp.tutor.starting.start import begin, start
from tutor_lsp.wire import filled_from


async def resume(exercises: OpenExercises, arguments: NoArguments) -> Ready:
    """Make a session the active one and show it: the one named, else that of the exercise which
    the place lies in, else the last not ended."""
    services = exercises.services
    if arguments.session is not None:
        session = await exercises.find_session(arguments.session)
    else:
        session = await _of_place(exercises, arguments) or await _last_open(exercises)
    opened, payload = await reopen(exercises, session, None)
    await tell_what_is_missing(services, opened, LOOK_S)
    await show_exercise(services, opened)
    return payload


async def _of_place(exercises: OpenExercises, arguments: NoArguments) -> Session | None:
    """The session of the exercise that `uri` lies in, else of the one that a shell stands in."""
    frontend = exercises.services.frontend
    if arguments.uri is not None:
        path = uri_to_path(arguments.uri)
    else:
        path = frontend.current_document() if frontend.abilities.terminal else None
    opened = await exercises.adopt(path) if path is not None else None
    return opened.session if opened is not None else None


async def _last_open(exercises: OpenExercises) -> Session:
    services = exercises.services
    active = await exercises.active_session()
    if active is not None and not finished(active):
        return active
    last = await services.db(_last_going_on)
    if last is None:
        lost = [await take_up_lost(exercises, language) for language in services.toolchains]
        found = [session for sessions in lost for session in sessions]
        if not found:
            raise TutorError("NO_SESSION", "There is no session yet. Start an exercise first.")
        services.frontend.message(recovered_message(found, found[0].title))
        return next((each for each in found if not finished(each)), active or found[0])
    return last if active is None or not finished(last) else active


def _last_going_on(tx: Transaction) -> Session | None:
    """The newest session that goes on, else the newest one; None if there is none."""
    rows = tx.rows(going_on=True)
    return tx.session(rows[0].id) if rows else next(tx.newest(), None)


async def end(runs: Runs, arguments: NoArguments) -> Ended:
    """End the session; its record stays. Summary and recommendations with reasons."""
    opened = await runs.exercises.locate(arguments)
    summary = await end_session(runs, opened)
    done = opened.session.node if opened.session.passed else None
    session = opened.session
    advice = await recommendations(
        runs.services, session.language, leave_out=done, ending=session.id
    )
    return Ended(summary, advice)


async def end_session(runs: Runs, opened: OpenExercise) -> str:
    """End a session in one transaction with what it means for mastery; the summary."""
    runs.of(opened).cancel()
    runs.ready.let_go(opened.root)
    at = runs.services.now()
    units = [unit.id for unit in opened.exercise.units]

    def work(tx: Transaction) -> tuple[Session, NodeRecord, tuple[str, ...]]:
        session = tx.session(opened.session.id) or opened.session
        session = keep_end(tx, session, units, at)
        after = tx.node(session.language, session.node)
        session = replace(session, ended_at=at, updated_at=at)
        tx.put_session(session)
        if tx.active() == session.id:
            tx.set_active(None)
        tx.log(Event("session-ended", {"mastery": after.mastery}, session.id))
        return session, after, claimed_by(tx, session)

    opened.session, record, claimed = await runs.services.db(work)
    runs.services.frontend.exercise_opened(None)
    await runs.exercises.shadow_copies.remove(opened)
    await runs.copies.remove(opened)
    await forget_comparisons(runs.exercises, opened)
    titles = titles_of(runs.services, claimed)
    built_on = t(f" What it built on counts as known: {titles}.") if titles else ""
    return _summary(runs.services, opened, record) + built_on


def _summary(services: Services, opened: OpenExercise, record: NodeRecord) -> str:
    session = opened.session
    stands = opened.standing()
    attempts = n("{count} attempt", "{count} attempts", session.attempt_count)
    hints = t("no hint") if not session.hints else t(f"hints up to level {session.hint_level_used}")
    node = services.curriculum.node(session.node)
    topic = session.node if node is None else node.title
    mastery = t(f"Mastery of “{topic}”: {record.mastery} of 3.{_ahead(session, record)}")
    passing = passed_of(stands.units_passing, len(stands.units), old=False)
    if session.passed and stands.old:
        done = t(f"“{session.title}”: passed before, changed since; {attempts}, {hints}.")
    elif session.passed and not stands.all_green:
        done = t(f"“{session.title}”: passed before; {passing} pass now, {attempts}, {hints}.")
    else:
        state = t("passed") if session.passed else t("not passed yet")
        count = len(stands.units)
        units = n("{passing} unit passes", "{passing} units pass", count, passing=passing)
        done = t(f"“{session.title}”: {units}, {attempts}, {hints}; {state}.")
    return f"{done} {mastery}"


def _ahead(session: Session, record: NodeRecord) -> str:
    """When a passed topic is next due."""
    if not session.passed or record.card is None:
        return ""
    return t(f" A short review is due on {local_day(record.card.due)}.")


async def next_exercise(runs: Runs, arguments: RunArguments) -> NextStarted:
    """Attempt what was written since the last attempt, end the session, start the next one.

    An existing exercise on that topic that is not passed is opened again instead of a copy.
    After `tutor.end` there is nothing to end, `ended` says so and the next one starts.
    Raises TutorError `REFUSED` if the attempt could not be counted, so that nothing is skipped.
    """
    try:
        opened = await runs.exercises.locate(arguments)
    except TutorError as error:
        last = await _last(runs.services, arguments) if error.kind == "NO_SESSION" else None
        if last is None:
            raise
        begun = await start(
            runs.exercises,
            StartArguments(language=last.language, trust=arguments.trust),
        )
        ended = t(f"“{last.title}” had already ended.")
        return filled_from(NextStarted, begun, ended=ended)
    await until_saved(opened)
    if needs_attempt(opened):
        await allow(runs.exercises, opened, agreed=arguments.trust, command="tutor.next")
        result = await attempt_on(runs, opened)
        if result.attempt is None:
            why = result.report.reason or t("The tests could not be run.")
            why = not_counted(result.report) or why
            raise TutorError("REFUSED", f"{why} To leave it as it is, end the session (tutor.end).")
    advice = await what_next(runs.services, opened.session)
    if not advice:
        summary = await end_session(runs, opened)
        raise TutorError(
            "NO_EXERCISE",
            f"{summary} You have done everything available in {opened.session.language}: well "
            "done.",
            details={"ended": summary},
        )
    there = await begun_before(runs.services, opened.session.language, advice[0].node)
    if there is not None:
        summary = await end_session(runs, opened)
        begun = begin_again(runs.exercises, there, _why(there, opened))
    else:
        language = opened.session.language
        wish = StartArguments(language=language, node=advice[0].node, trust=arguments.trust)
        plan = await decide(runs.exercises, wish)
        summary = await end_session(runs, opened)
        begun = begin(runs.exercises, plan)
    return filled_from(NextStarted, begun, ended=summary)


async def _last(services: Services, arguments: RunArguments) -> Session | None:
    """The session last worked on, if none is named."""
    if arguments.session is not None or arguments.uri is not None:
        return None
    return await services.db(lambda tx: next(tx.newest(), None))


def needs_attempt(opened: OpenExercise) -> bool:
    """Whether something was written that no attempt has been reviewed on yet."""
    session = opened.session
    if session.passed or not opened.started():
        return False
    last = session.attempts[-1] if session.attempts else None
    return last is None or last.review is None or last.files_hash != opened.text_hash()


def _why(there: Session, left: OpenExercise) -> str:
    if there.id == left.session.id:
        return t(
            f"“{there.title}” is not passed yet and what comes after it builds on it, so it is "
            "open again as you left it. Another topic: tutor.start."
        )
    return t(f"You began “{there.title}” before: it is open again as you left it.")
