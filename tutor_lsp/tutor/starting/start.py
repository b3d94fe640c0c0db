"""`tutor.start`: from a wish to an open exercise, as a job."""

import asyncio
import logging
import shutil
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.learner.curriculum import Node
from tutor_lsp.core.learner.mastery import open_tags
from tutor_lsp.core.ports import Transaction
from tutor_lsp.core.session import Event, NodeRecord
from tutor_lsp.tutor.exercise.adopt import new_session
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.learner.advice import LOOK_S, recommendations
from tutor_lsp.tutor.learner.mastery import keep_own_topic
from tutor_lsp.tutor.record.made_here import note
from tutor_lsp.tutor.record.recover import said, take_up_lost
from tutor_lsp.tutor.services.jobs import Job, JobProgress
from tutor_lsp.tutor.services.tasks import to_the_end
from tutor_lsp.tutor.starting import refresher
from tutor_lsp.tutor.starting.announce import (
    job_failed,
    ready_payload,
    show_when_ready,
    tell_what_is_missing,
)
from tutor_lsp.tutor.starting.confirm_plan import agree_on_plan
from tutor_lsp.tutor.starting.decision import Continue, Plan
from tutor_lsp.tutor.starting.resolve_start import decide
from tutor_lsp.tutor.starting.resume import Started, begin_again, wants_new

if TYPE_CHECKING:
    from tutor_lsp.authoring.model import ProvenExercise
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.arguments import StartArguments

log = logging.getLogger("tutor_lsp")


async def start(app: "App", arguments: "StartArguments") -> Started:
    """Decide what to start, begin its job, and answer at once."""
    try:
        plan = await decide(app, arguments)
    except Continue as chosen:
        session = await app.find_session(chosen.session)
        return begin_again(app, session, chosen.why)
    lost = () if wants_new(arguments) else await take_up_lost(app, plan.language)
    named = arguments.node or arguments.topic or arguments.error_code
    node = plan.node.id if plan.node is not None else None
    mine = next((session for session in lost if named is None or session.node == node), None)
    return begin_again(app, mine, said(lost, mine.title)) if mine else begin(app, plan)


def begin(app: "App", plan: Plan) -> Started:
    """Begin the job that makes the exercise of a plan."""
    node = plan.node.id if plan.node is not None else None
    job = Job(app.new_id(), plan.title, node, plan.language)
    app.jobs.start(job, lambda running: _work(app, plan, running))
    return Started(job.id, node, plan.language, plan.depth)


async def _work(app: "App", plan: Plan, job: Job) -> None:
    """The job: set up, then place, save and open. On failure nothing of it is visible.

    Once the exercise is proven the job can no longer be cancelled: what follows takes
    milliseconds and must not be left half done.
    """
    began = time.monotonic()
    shown = await app.frontend.progress(job.id, f"Tutor: {plan.title}")
    try:
        proven, authoring = await _prove(app, plan, job, JobProgress(job, shown))
        job.committed = True
        opened = await to_the_end(_place(app, plan, proven, authoring))
    except asyncio.CancelledError:
        shown.done("canceled")
        job_failed(app, job, TutorError("CANCELLED", f"“{plan.title}” was cancelled."))
        raise
    except TutorError as error:
        shown.done("failed")
        await _offer(app, plan, error)
        job_failed(app, job, error)
        raise
    except Exception as error:
        # A defect of ours must end the job visibly, not leave it running for ever.
        log.exception("a set-up failed")
        shown.done("failed")
        wrapped = TutorError(
            "INTERNAL", f"“{plan.title}” could not be set up: {error!r}. tutor.doctor may help."
        )
        job_failed(app, job, wrapped)
        raise wrapped from error
    shown.done("completed")
    job.succeed(opened.session.id)
    app.frontend.exercise_opened(opened.root / opened.exercise.units[0].file)
    app.frontend.notify("tutor/sessionReady", ready_payload(opened, job.id))
    app.frontend.exercise_changed(opened)
    waited = time.monotonic() - began
    await tell_what_is_missing(app, opened, LOOK_S)
    app.tasks.spawn(show_when_ready(app, opened, waited), "show an exercise")


async def _offer(app: "App", plan: Plan, error: TutorError) -> None:
    """What can be done instead of an exercise that a model could not make."""
    near = await _nearest(app, plan) if plan.backend.name != "library" else None
    if near is not None and error.kind != "CANCELLED":
        error.message += f' Ready now: {near.title} (tutor.start with {{"node": "{near.id}"}}).'
        error.details["nearest"] = near.id


async def _prove(
    app: "App", plan: Plan, job: Job, progress: JobProgress
) -> "tuple[ProvenExercise, Any]":
    authoring = await app.load("tutor_lsp.authoring.setup")
    subject = await app.load("tutor_lsp.stages.subject")
    progress.report(1, "getting ready")
    if plan.review is not None:
        review = await refresher.make(app, plan.review, progress)
        if review is not None:
            return review, authoring
    request = authoring.SetupRequest(
        language=plan.language,
        depth=plan.depth,
        node=subject.NodeBrief.of_node(plan.node, app.curriculum) if plan.node else None,
        topic=plan.topic,
        selection=plan.selection,
        learner=await _learner(app, plan, subject),
        fresh=plan.fresh,
        challenge=plan.challenge,
        minutes=plan.node.minutes if plan.node is not None else None,
    )
    backend = plan.backend
    if plan.entry is not None:
        # Of several exercises of a node the one that was chosen.
        library = await app.load("tutor_lsp.stages.backends.library")
        backend = library.LibraryBackend(app.library, plan.entry.id)
    deps = authoring.AuthoringDeps(
        runner=app.backends.runner,
        backend=backend,
        toolchain=app.toolchain(plan.language),
        journal=app.store.journal(),
        library=app.library,
        limit_s=app.settings.stage_seconds,
        agree=partial(agree_on_plan, app, job, plan.backend.name, near=await _nearest(app, plan)),
    )
    return await authoring.set_up(request, deps, progress), authoring


async def _nearest(app: "App", plan: Plan) -> Node | None:
    """A topic whose bundled exercise could be done meanwhile: the plan's own or the nearest."""
    bundled = {entry.node for entry in app.library.entries(plan.language)}
    if plan.node is not None:
        own = plan.node if plan.node.id in bundled else None
        return own or app.curriculum.nearest(plan.node.id, bundled)
    fitting = app.curriculum.match_topic(plan.topic or "", plan.language)
    if fitting:
        return app.curriculum.nearest(fitting[0][0].id, bundled)
    advice = await recommendations(app, plan.language)
    return app.curriculum.node(advice[0].node) if advice else None


async def _learner(app: "App", plan: Plan, subject: Any) -> Any:
    if plan.node is None:
        return subject.LearnerState(challenge=plan.challenge)
    node = plan.node
    records = await app.db(lambda tx: tx.nodes(node.language))
    record = records.get(node.id, NodeRecord(node.id, node.language))
    tags: dict[str, int] = {}
    # The node's own first, then those of what it builds on: their lessons may never be seen again.
    for each in (node, *app.curriculum.requirements(node.id)):
        known = records.get(each.id, NodeRecord(each.id, node.language))
        for tag in open_tags(known):
            tags.setdefault(tag, known.tags[tag].count)
    return subject.LearnerState(record.mastery, dict(list(tags.items())[:3]), plan.challenge)


def _reviewed(plan: Plan, exercise_id: str) -> str:
    """The session that a short review repeats a unit of, "" where it came to an exercise."""
    due = plan.review
    return due.session.id if due is not None and exercise_id.startswith(due.prefix) else ""


async def _place(app: "App", plan: Plan, proven: "ProvenExercise", authoring: Any) -> OpenExercise:
    """Put the folder in place, save the session and open it; on failure neither is there."""
    workspaces = await app.load("tutor_lsp.authoring.workspace")
    root = await asyncio.to_thread(workspaces.place, app.home, proven)
    exercise = proven.exercise
    session = replace(
        new_session(app, exercise, root),
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
        await app.db(work)
    except TutorError:
        await asyncio.to_thread(shutil.rmtree, root, ignore_errors=True)
        raise
    await asyncio.to_thread(note, app.home, root, exercise, proven.files)
    await authoring.close_record(app.store.journal(), proven)
    return await app.open_session(session)
