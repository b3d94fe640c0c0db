"""Waiting well: what a model is about to make is shown before its loops begin."""

import asyncio
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.stage import EXPAND_ROLES
from tutor_lsp.core.text.plain_text import told

if TYPE_CHECKING:
    from tutor_lsp.core.learner.curriculum import Node
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.services.jobs import Job

MAKE, CHANGE, CANCEL = "Make it", "Change…", "Cancel"
ANSWER_S, WISH_S = 60.0, 600.0
"""How long the plan waits for an answer before it is made, and for what should be different, in
seconds: no job hangs on it."""
USUAL_CALLS, USUAL_S = 12, 20.0
"""Calls of a set-up and seconds of a call where there are no past ones to go by."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is still to come, from past calls of the same backend."""

    calls: int
    seconds: float

    def words(self) -> str:
        """Such as `about 12 calls, 4 minutes`."""
        minutes = max(1, round(self.calls * self.seconds / 60))
        return f"about {self.calls} calls, {minutes} minute{'s' if minutes > 1 else ''}"


async def outlook(app: "App", backend: str) -> Outlook:
    """The medians over what this home has seen of that backend."""
    events = await app.db(lambda tx: tx.events(kind="stage-accepted"))
    mine = [event["data"] for event in events if event["data"].get("backend") == backend]
    seconds = [item["durationMs"] / 1000 for item in mine if "durationMs" in item]
    roles = {role.value for role in EXPAND_ROLES}
    per_setup: dict[str, int] = {}
    for item in mine:
        if item.get("role") in roles and item.get("setupId"):
            per_setup[item["setupId"]] = per_setup.get(item["setupId"], 0) + 1
    calls = round(median(per_setup.values())) if per_setup else USUAL_CALLS
    return Outlook(max(calls, 3), median(seconds) if seconds else USUAL_S)


def plan_text(scaffold: Mapping[str, Any], expected: Outlook) -> str:
    """Title, units and what it takes, in a few lines."""
    units = scaffold.get("units") or ()
    # What it takes goes before the units: editors cut long messages.
    parts = [
        told(str(scaffold["exercise_description"])).strip(),
        f"To make it: {expected.words()}.",
    ]
    if units:
        principles = "; ".join(f"{unit['stub']}: {unit['first_principle']}" for unit in units)
        parts.append(f"{len(units)} units: {principles}.")
    else:
        intents = (scaffold.get("lesson_plan") or {}).get("section_intents") or ()
        parts.append(f"{len(intents)} lesson sections.")
    return " ".join(parts)


async def agree_on_plan(
    app: "App",
    job: "Job",
    backend: str,
    scaffold: Mapping[str, Any],
    wish: str | None,
    *,
    near: "Node | None",
) -> str | None:
    """None to make it, or in words what to change. Raises TutorError `CANCELLED`.

    A question that is dismissed or not answered in `ANSWER_S` means that it is made; who declines
    it later ends what is being made. Who wants a change but says none is shown the plan again. A
    plan that was changed by a `wish` is shown once more, to be made or not.
    """
    if not app.settings.confirm_plan or not app.frontend.abilities.chooses:
        return None
    text = plan_text(scaffold, await outlook(app, backend))
    if near is not None:
        text += f' Ready now meanwhile: {near.title} (tutor.start with {{"node": "{near.id}"}}).'
    changes = app.frontend.abilities.asks_text and wish is None
    choices = [MAKE, CHANGE, CANCEL] if changes else [MAKE, CANCEL]
    while True:
        asking = asyncio.ensure_future(app.frontend.choose(text, choices))
        try:
            answer = await _within(ANSWER_S, asyncio.shield(asking))
        except asyncio.CancelledError:
            asking.cancel()
            raise
        if not asking.done():
            app.tasks.spawn(_late(app, job, asking), "wait for a late answer to a plan")
        if answer == CANCEL:
            raise TutorError(
                "CANCELLED", "The plan was declined; nothing was made.", stage="scaffold"
            )
        if answer != CHANGE or not changes:
            return None
        said = await _within(WISH_S, app.frontend.ask_text("What should be different?"))
        if said is not None and said.strip():
            return said.strip()


async def _late(app: "App", job: "Job", asking: Awaitable[str | None]) -> None:
    """What is answered when the exercise is being made already counts as far as it can."""
    answer = await asking
    if job.state != "running":
        return
    if answer == CANCEL and not app.jobs.cancel(job.id):
        app.frontend.message("The exercise is all but made: it can no longer be cancelled.")
    elif answer == CHANGE:
        app.frontend.message(
            "The exercise is being made by now, as the plan said. Cancel it to begin again with "
            "another wish."
        )


async def _within(limit_s: float, answer: Awaitable[str | None]) -> str | None:
    """The answer, or None where it takes longer."""
    try:
        async with asyncio.timeout(limit_s):
            return await answer
    except TimeoutError:
        return None
