"""Shows what a model is about to make before its loops begin."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Mapping
from statistics import median
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.learner.curriculum import Node
from tutor_lsp.core.stage import Role
from tutor_lsp.core.text.plain_text import plain_words
from tutor_lsp.core.text.translation import marked, n, t
from tutor_lsp.tutor.services.jobs import Job
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.tutor.starting.meanwhile import Meanwhile

MAKE, CHANGE, CANCEL = marked("Make it"), marked("Change…"), marked("Cancel")
ANSWER_S, WISH_S = 60.0, 600.0
"""How long the plan waits for an answer before the exercise is made, and for the wanted change, in
seconds: no job blocks on it."""
USUAL_CALLS, USUAL_S = 8, 30.0
"""Calls of a set-up and seconds of a call where there are no past ones to go by."""


async def effort(services: Services, backend: str) -> str:
    """The expected effort, such as `about 12 calls, 4 minutes`: the medians over what this home has
    seen of that backend."""
    events = await services.db(lambda tx: tx.events(kind="stage-accepted"))
    mine = [event["data"] for event in events if event["data"].get("backend") == backend]
    times = [item["durationMs"] / 1000 for item in mine if "durationMs" in item]
    setups = Counter(item.get("setupId") for item in mine)
    complete = {item.get("setupId") for item in mine if item.get("role") == Role.SOLUTION}
    per_setup = [count for setup, count in setups.items() if setup and setup in complete]
    calls = max(round(median(per_setup)) if per_setup else USUAL_CALLS, 3)
    minutes = max(1, round(calls * (median(times) if times else USUAL_S) / 60))

    return n(
        "about {calls} calls, {count} minute",
        "about {calls} calls, {count} minutes",
        minutes,
        calls=calls,
    )


def plan_text(scaffold: Mapping[str, Any], expected: str) -> str:
    """Title, units and expected effort, in a few lines."""
    units = scaffold.get("units") or ()
    # The effort goes before the units: editors cut long messages.
    about = plain_words(str(scaffold["exercise_description"])).strip()
    parts = [about, t(f"To make it: {expected}.")]
    if units:
        principles = "; ".join(f"{unit['stub']}: {unit['first_principle']}" for unit in units)
        count = n("{count} unit", "{count} units", len(units))
        parts.append(f"{count}: {principles}.")
    else:
        intents = (scaffold.get("lesson_plan") or {}).get("section_intents") or ()
        parts.append(n("{count} lesson section.", "{count} lesson sections.", len(intents)))
    return " ".join(parts)


async def agree_on_plan(
    services: Services,
    job: Job,
    backend: str,
    scaffold: Mapping[str, Any],
    wish: str | None,
    *,
    near: Node | None,
    due: Meanwhile | None = None,
) -> str | None:
    """None to make it, or what to change, in the learner's words. Raises TutorError `CANCELLED`.
    What is `due` for review is offered meanwhile, else what is `near`.

    A question that is dismissed or not answered in `ANSWER_S` means that it is made; declining it
    later cancels the job. A learner who wants a change but names none sees the plan again. A plan
    that was changed by a `wish` is shown once more, to be accepted or declined.
    """
    if not services.settings.confirm_plan or not services.frontend.abilities.chooses:
        if due is not None and wish is None:
            services.frontend.message(due.offer)
        return None
    text = plan_text(scaffold, await effort(services, backend))
    # A terminal waits for what it began: the review is for another one.
    also = [due.button] if due is not None and not services.frontend.abilities.terminal else []
    if due is not None:
        text += f" {due.offer}"
    elif near is not None:
        text += t(f' In the meantime: “{near.title}” (tutor.start with {{"node": "{near.id}"}}).')
    changes = services.frontend.abilities.asks_text and wish is None
    choices = [MAKE, *also, *([CHANGE] if changes else []), CANCEL]
    while True:
        asking = asyncio.ensure_future(services.frontend.choose(text, choices))
        try:
            answer = await _within(ANSWER_S, asyncio.shield(asking))
        except asyncio.CancelledError:
            asking.cancel()
            raise
        if not asking.done():
            late = _late(services, job, asking, due)
            services.tasks.spawn(late, "wait for a late answer to a plan")
        if answer == CANCEL:
            raise TutorError(
                "CANCELLED", "The plan was declined; nothing was made.", stage="scaffold"
            )
        if due is not None and answer in also:
            due.begin()
        if answer != CHANGE or not changes:
            return None
        said = await _within(WISH_S, services.frontend.ask_text("What should be different?"))
        if said is not None and said.strip():
            return said.strip()


async def _late(
    services: Services, job: Job, asking: Awaitable[str | None], due: Meanwhile | None
) -> None:
    """Act on an answer that comes while the exercise is already being made, as far as possible."""
    answer = await asking
    if due is not None and answer == due.button:
        due.begin()
    if job.state != "running":
        return
    if answer == CANCEL and not services.jobs.cancel(job.id):
        services.frontend.message("The exercise is almost finished: it can no longer be cancelled.")
    elif answer == CHANGE:
        services.frontend.message(
            "The exercise is already being made as planned. To change it, cancel it and start "
            "again."
        )


async def _within(limit_s: float, answer: Awaitable[str | None]) -> str | None:
    """The answer, or None if it takes longer."""
    try:
        async with asyncio.timeout(limit_s):
            return await answer
    except TimeoutError:
        return None
