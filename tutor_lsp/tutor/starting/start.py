"""`tutor.start`: from a wish to an open exercise, as a job."""

import asyncio
import shutil
import time
from dataclasses import replace
from functools import partial

from tutor_lsp.authoring.model import ProvenExercise
from tutor_lsp.authoring.report import STAGES, stage_at
from tutor_lsp.authoring.setup import AuthoringDeps, SetupRequest, close_record, set_up
from tutor_lsp.authoring.workspace import place
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.generation import ENDED_EVENT, often
from tutor_lsp.core.learner.curriculum import Node
from tutor_lsp.core.learner.mastery import missing_prerequisites, open_tags
from tutor_lsp.core.pace import with_run
from tutor_lsp.core.session import Event, NodeRecord
from tutor_lsp.core.text.translation import t
from tutor_lsp.library.loader import shipped_proof
from tutor_lsp.stages.backends.library import LibraryBackend
from tutor_lsp.stages.subject import LearnerState, NodeBrief
from tutor_lsp.store.transaction import Transaction
from tutor_lsp.tutor.exercise.adopt import new_session
from tutor_lsp.tutor.exercise.folder.made_here import note
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.register import OpenExercises
from tutor_lsp.tutor.hinting import diagnosing
from tutor_lsp.tutor.interface.arguments import StartArguments
from tutor_lsp.tutor.interface.results import Started
from tutor_lsp.tutor.learner.advice import recommendations
from tutor_lsp.tutor.learner.mastery import keep_own_topic
from tutor_lsp.tutor.learner.record.recover import recovered_message, take_up_lost
from tutor_lsp.tutor.services.failures import as_tutor_error
from tutor_lsp.tutor.services.frontend import ProgressHandle
from tutor_lsp.tutor.services.jobs import Job, JobProgress, Pace
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.tutor.services.tasks import load_beside, to_the_end
from tutor_lsp.tutor.starting import refresher
from tutor_lsp.tutor.starting.announce import job_failed, show_when_ready, tell_ready
from tutor_lsp.tutor.starting.confirm_plan import agree_on_plan
from tutor_lsp.tutor.starting.meanwhile import due_meanwhile
from tutor_lsp.tutor.starting.resolve_start import StartPlan, decide
from tutor_lsp.tutor.starting.resume import Continue, begin_again, wants_new


async def start(exercises: OpenExercises, arguments: StartArguments) -> Started:
    """Decide what to start, start its job, and answer at once."""
    if exercises.services.store.refusal is not None:
        # What is made could not be kept: nobody waits for it, and no model is paid.
        await exercises.services.db(Transaction.refuse_unwritable)
    try:
        plan = await decide(exercises, arguments)
    except Continue as chosen:
        session = await exercises.find_session(chosen.session)
        return begin_again(exercises, session, chosen.why)
    lost = () if wants_new(arguments) else await take_up_lost(exercises, plan.language)
    named = arguments.node or arguments.topic or arguments.error_code
    node = plan.node.id if plan.node is not None else None
    mine = next((session for session in lost if named is None or session.node == node), None)
    if mine is not None:
        return begin_again(exercises, mine, recovered_message(lost, mine.title))
    return begin(exercises, plan)


def begin(exercises: OpenExercises, plan: StartPlan) -> Started:
    """Begin the job that makes the exercise of a plan."""
    services = exercises.services
    node = plan.node.id if plan.node is not None else None
    job = Job(services.new_id(), plan.title, node, plan.language)
    services.jobs.start(job, lambda running: _work(exercises, plan, running))
    title = plan.node.title if plan.node is not None else ""
    return Started(job.id, node, plan.language, plan.depth, title=title)


async def _work(exercises: OpenExercises, plan: StartPlan, job: Job) -> None:
    """The job: set up, then place, save and open. On failure nothing of it is visible.

    Once the exercise is proven the job can no longer be cancelled: what follows takes
    milliseconds and must not be left half done.
    """
    services = exercises.services
    began = time.monotonic()
    shown, ticking = ProgressHandle(), None
    try:
        known = await services.db(lambda tx: tx.durations(_kind(plan)))
        shown = await services.frontend.progress(job.id, f"Tutor: {plan.title}")
        pace = Pace(STAGES, stage_at, known)
        progress = JobProgress(job, shown, pace)
        ticking = asyncio.create_task(progress.ticking())
        proven = await _prove(exercises, plan, job, progress)
        ticking.cancel()
        await _keep_pace(services, plan, proven, pace)
        job.committed = True
        opened = await to_the_end(_place(exercises, plan, proven))
    except asyncio.CancelledError:
        shown.done("canceled")
        job_failed(services, job, TutorError("CANCELLED", f"“{plan.title}” was cancelled."))
        raise
    except Exception as raised:
        error = as_tutor_error(raised, t(f"Setting up “{plan.title}”"))
        shown.done("failed")
        await _offer(services, plan, error)
        job_failed(services, job, error)
        raise error from raised
    finally:
        if ticking is not None:
            ticking.cancel()
    shown.done("completed")
    tell_ready(services, opened, job)
    services.tasks.spawn(_learn(exercises, opened), "looking at known mistakes", lasts=True)
    await show_when_ready(services, opened, time.monotonic() - began)


async def _learn(exercises: OpenExercises, opened: OpenExercise) -> None:
    """Begin to find out what the known mistakes come to, which ships with other exercises."""
    if not opened.vault.mistakes or not opened.session.trusted:
        return
    if await asyncio.to_thread(shipped_proof, opened.exercise.content_hash) is None:
        learn = await load_beside(lambda: diagnosing.learn)
        await learn(exercises.services, exercises.shadow_copies, opened)


def _kind(plan: StartPlan) -> str:
    """The kind of work that a plan is: what takes about as long."""
    what = "review" if plan.review is not None else plan.backend.name
    return f"{what} {plan.language} {plan.depth}"


async def _keep_pace(
    services: Services, plan: StartPlan, proven: ProvenExercise, pace: Pace
) -> None:
    """Keep how long the stages took, for the time left of later ones; not of a resumed set-up,
    which had some of them before."""
    pace.ended()
    if not proven.resumed:
        known = with_run(pace.known, pace.run)
        await services.db(lambda tx: tx.put_durations(_kind(plan), known))


async def _offer(services: Services, plan: StartPlan, error: TutorError) -> None:
    """What can be done instead of an exercise that a model could not make."""
    near = await _nearest(services, plan) if plan.backend.is_model else None
    if near is not None and error.kind != "CANCELLED":
        error.message += t(
            f' Ready now: “{near.title}” (tutor.start with {{"node": "{near.id}"}}).'
        )
        error.details["nearest"] = near.id


async def _prove(
    exercises: OpenExercises, plan: StartPlan, job: Job, progress: JobProgress
) -> ProvenExercise:
    services = exercises.services
    progress.report(1, t("getting ready"))
    if plan.review is not None:
        review = await refresher.make(services, plan.review, progress)
        if review is not None:
            return review
    node, near = await _briefs(services, plan)
    request = SetupRequest(
        language=plan.language,
        depth=plan.depth,
        node=node,
        topic=plan.topic,
        near=near,
        selection=plan.selection,
        learner=await _learner(services, plan),
        often=await _often(services, plan),
        fresh=plan.fresh,
        challenge=plan.challenge,
        minutes=plan.node.minutes if plan.node is not None else None,
    )
    backend = plan.backend
    if plan.entry is not None:
        # Of several exercises on a node, the one that was chosen.
        backend = LibraryBackend(services.library, plan.entry.id)
    own, begin = plan.node.id if plan.node is not None else None, partial(start, exercises)
    agree = partial(
        agree_on_plan,
        services,
        job,
        backend.name,
        near=await _nearest(services, plan),
        due=await due_meanwhile(services, plan.language, own, begin) if backend.is_model else None,
    )
    deps = AuthoringDeps(
        runner=services.backends.runner,
        backend=backend,
        toolchain=services.toolchain(plan.language),
        journal=services.store.journal(),
        library=services.library,
        limit_s=services.settings.stage_seconds,
        note=services.record,
        agree=agree,
    )
    return await set_up(request, deps, progress)


async def _nearest(services: Services, plan: StartPlan) -> Node | None:
    """A topic whose bundled exercise could be done in the meantime: the plan's own or the
    nearest."""
    bundled = services.library.nodes(plan.language)
    if plan.node is not None:
        return services.curriculum.nearest(plan.node.id, bundled)
    near = services.curriculum.near_topic(plan.topic or "", plan.language)
    if near is not None:
        return services.curriculum.nearest(near.id, bundled)
    advice = await recommendations(services, plan.language)
    return services.curriculum.node(advice[0].node) if advice else None


async def _often(services: Services, plan: StartPlan) -> tuple[str, ...]:
    if not plan.backend.is_model:
        return ()
    return often(await services.db(lambda tx: tx.events(kind=ENDED_EVENT)), plan.language)


async def _briefs(services: Services, plan: StartPlan) -> tuple[NodeBrief | None, NodeBrief | None]:
    """What a model is told of the plan's node, or of the one that its free topic is near, without
    prerequisites that the learner has not done."""
    node = _about(services, plan)
    if node is None:
        return None, None
    without = {each.id for each in await _not_done(services, node)}
    brief = NodeBrief.of_node(node, services.curriculum, without)
    return (brief, None) if plan.node is not None else (None, brief)


def _about(services: Services, plan: StartPlan) -> Node | None:
    if plan.node is not None:
        return plan.node
    return services.curriculum.near_topic(plan.topic or "", plan.language)


async def _not_done(services: Services, node: Node) -> tuple[Node, ...]:
    records = await services.db(lambda tx: tx.nodes(node.language))
    return missing_prerequisites(node, services.curriculum, records)


async def _learner(services: Services, plan: StartPlan) -> LearnerState:
    near = _about(services, plan)
    unknown = [each.title for each in await _not_done(services, near)] if near else []
    state = LearnerState(
        challenge=plan.challenge, unknown=tuple(unknown), error_code=plan.error_code
    )
    if plan.node is None:
        return state
    node = plan.node
    records = await services.db(lambda tx: tx.nodes(node.language))
    record = records.get(node.id, NodeRecord(node.id, node.language))
    tags: dict[str, int] = {}
    # The node's own first, then those of what it builds on: their lessons may never be seen again.
    for each in (node, *services.curriculum.requirements(node.id)):
        known = records.get(each.id, NodeRecord(each.id, node.language))
        for tag in open_tags(known):
            tags.setdefault(tag, known.tags[tag].count)
    return replace(state, mastery=record.mastery, tags=dict(list(tags.items())[:3]))


def _reviewed(plan: StartPlan, exercise_id: str) -> str:
    """The session that a short review repeats a unit of, "" where it came to an exercise."""
    due = plan.review
    return due.session.id if due is not None and exercise_id.startswith(due.prefix) else ""


async def _place(exercises: OpenExercises, plan: StartPlan, proven: ProvenExercise) -> OpenExercise:
    """Put the folder in place, save the session and open it; on failure neither is there."""
    services = exercises.services
    taken = {folder for _, folder in await services.db(lambda tx: tx.folders())}
    root = await asyncio.to_thread(place, services.home, proven, taken)
    exercise = proven.exercise
    session = replace(
        new_session(services, exercise, root),
        backend=plan.backend.name,
        challenge=plan.challenge,
        review_of=_reviewed(plan, exercise.id),
    )

    def work(tx: Transaction) -> None:
        tx.put_session(session)
        tx.put_exercise(session.id, exercise, proven.vault)
        tx.set_active(session.id)
        if plan.topic is not None:
            keep_own_topic(tx, session, plan.topic)
        data = {"node": exercise.node, "backend": plan.backend.name, "workspace": str(root)}
        tx.log(Event("session-started", data, session.id))

    try:
        await services.db(work)
    except TutorError:
        await asyncio.to_thread(shutil.rmtree, root, ignore_errors=True)
        raise
    await asyncio.to_thread(note, services.home, root, exercise, proven.files)
    await close_record(services.store.journal(), proven)
    return await exercises.open_session(session)
