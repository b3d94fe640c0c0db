"""Runs the verbs that are commands of the tutor, and shows their results."""

import asyncio
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tutor_lsp.cli.exit_codes import DONE, NOT_PASSING, REFUSED
from tutor_lsp.cli.paths import expanded
from tutor_lsp.cli.quick.kept import RESULT
from tutor_lsp.cli.runtime import Invocation, options_of, run
from tutor_lsp.cli.screen import render
from tutor_lsp.cli.screen.out import Out
from tutor_lsp.cli.work.first_run import choose_start
from tutor_lsp.core.text.translation import marked, t
from tutor_lsp.tutor.application import calling
from tutor_lsp.tutor.application.app import App
from tutor_lsp.tutor.commands.dispatch import load
from tutor_lsp.tutor.exercise.trust import allow_recording
from tutor_lsp.tutor.interface.arguments import NoArguments

RENDER: Mapping[str, Callable[[Out, Any], None]] = MappingProxyType(
    {
        **dict.fromkeys(("start", "next", "resume"), render.ready),
        **dict.fromkeys(("sessions", "choices"), render.choices),
        "open": render.place,
        "review": render.review,
    }
)
"""How results are shown that need more than their own words."""
RUNNING, LOOKING = marked("Running the tests …"), marked("Looking at your code …")
LEARNING = marked("Trying the known mistakes of this exercise …")
KEEPS = frozenset({"start", "next", "hint"})
"""Verbs that begin what is done once for an exercise, and of use to those after them."""
KEEPS_S = 90.0
"""How long they wait for it, after their result is shown."""
WAITING = MappingProxyType({"check": RUNNING, "attempt": RUNNING, "hint": LOOKING, "ask": LOOKING})
"""What is shown while a verb runs."""


def perform(verb: str, values: dict[str, Any]) -> int:
    """Run a verb's command with the values of its parameters, to the exit code."""
    options = options_of(values)
    given = {key: value for key, value in values.items() if value not in (None, False, ())}
    if words := " ".join(given.pop("words", ())):
        given["question"] = words
    if "session_id" in given:
        given["session"] = given.pop("session_id")
    if "known" in values:
        given["known"] = values["known"]
    invocation = Invocation(options, tells_problems=verb == "doctor")
    played = given.pop("replay", None)
    record = None if played is None else expanded(played).absolute()
    argument = {**options.located(), **given}
    if verb == "start" and argument.keys() & {"node", "topic"}:
        # As the rows of the lists ask for it.
        argument["resume"] = True
    if record is not None:
        os.environ["TUTOR_LSP_SCRIPT"] = str(record)

    async def work(app: App) -> int:
        code = await performed(app)
        if verb in KEEPS and app.services.tasks.has_lasting:
            invocation.progresses.waiting(t(LEARNING))
            await app.services.tasks.settle(KEEPS_S)
        return code

    async def performed(app: App) -> int:
        if WAITING.get(verb) == RUNNING:
            # What contains the run is started while the use case loads.
            app.services.tools.begin(())
            await asyncio.to_thread(load, f"tutor.{verb}")
        if record is None:
            return await _perform(verb, invocation, app, argument)
        playing = await _replaying(record, argument)
        await allow_recording(app.services, record, agreed="trust" in argument)
        return await _perform(verb, invocation, app, playing)

    return run(invocation, work)


async def _replaying(record: Path, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a start that plays a record; given options win."""
    found: dict[str, Any] = await asyncio.to_thread(calling.replay_arguments, record)
    if "node" in given:
        del found["topic"]
    return {**found, **given}


async def _perform(verb: str, invocation: Invocation, app: App, argument: Mapping[str, Any]) -> int:
    command, shown = f"tutor.{verb}", RENDER.get(verb, render.say)
    if verb == "start" and not argument and invocation.asks:
        chosen = await choose_start(app, invocation.err)
        if chosen is None:
            return DONE
        command, argument = chosen
    if verb == "sessions" and not invocation.options.json:
        command, argument = "tutor.choices", {**argument, "list": "sessions"}
    if verb in WAITING:
        invocation.progresses.waiting(t(WAITING[verb]))
    result = await invocation.execute(app, command, argument)
    sys.audit(RESULT, result)
    report = _report(verb, result)
    outcome = report.get("outcome")
    if outcome in ("not_run", "cancelled"):
        if invocation.options.json:
            invocation.show(result, shown)
            reason = report.get("reason") or result["say"]["oneLine"]
            invocation.refused({"message": reason, "kind": outcome.upper()})
        else:
            invocation.progresses.pause()
            render.say(invocation.err, result)
        return REFUSED
    if verb == "open" and not invocation.options.json:
        # In a shell only a complete path is of use.
        result = {**result, "file": str(invocation.frontend.place or result["file"])}
    if outcome is not None and not invocation.options.json:
        await _name_exercise(app, invocation)
    invocation.show(result, shown)
    if shown == render.say and not result.get("answered", True):
        return REFUSED
    return DONE if outcome in (None, "passed") else NOT_PASSING


async def _name_exercise(app: App, invocation: Invocation) -> None:
    """The exercise that a verb was about: without an option it is that of the shell's folder."""
    opened = await app.exercises.locate(NoArguments(**invocation.options.located()))
    invocation.progresses.pause()
    invocation.out.line(("strong", opened.exercise.title), "  ", ("place", str(opened.root)))


def _report(verb: str, result: Any) -> Mapping[str, Any]:
    """How the tests ended; empty for verbs that run none."""
    report: Mapping[str, Any] = result["report"] if verb == "attempt" else result
    return report if verb in ("check", "attempt") else {}
