"""The verbs that are commands of the tutor: their options, help and how they are shown."""

import asyncio
import importlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tutor_lsp.cli import params
from tutor_lsp.cli.paths import expanded
from tutor_lsp.cli.runtime import DONE, NOT_PASSING, REFUSED, Invocation, Options, run

if TYPE_CHECKING:
    from tutor_lsp.cli.screen.out import Out
    from tutor_lsp.tutor.app import App


@dataclass(frozen=True, slots=True)
class Verb:
    """One row. `render` is `module:function` below tutor_lsp.cli, loaded when used.

    Parameter names are the keys of the command's argument.
    """

    name: str
    command: str
    short: str
    help: str
    example: str
    render: str
    params: Callable[[], list[click.Parameter]] = list
    waiting: str | None = None


VERBS = (
    Verb(
        "start", "tutor.start", "Start an exercise",
        "Start an exercise. Without options it asks what you would like to do; where nobody can "
        "be asked, it takes the first recommendation.",
        "tutor-lsp start --language python", "render:ready", params.start_params,
    ),
    Verb(
        "check", "tutor.check", "Run the tests",
        "Run the tests of the exercise. Nothing is counted. Exit code 3: not all tests pass yet.",
        "tutor-lsp check", "render_report:check", lambda: [params.trust()],
        waiting="Running the tests …",
    ),
    Verb(
        "hint", "tutor.hint", "Get the next hint",
        "Get the next hint for the unit that you are on. Hints go from a nudge (1) to the answer "
        "in words (3).",
        'tutor-lsp hint --unit ex-2 --question "why is it one too small?"',
        "render_report:hint", params.hint_params, waiting="Looking at your code …",
    ),
    Verb(
        "ask", "tutor.ask", "Ask a question about your code",
        "Ask about your code as it is now; a model answers, within the level of its hint. "
        "Without a question you are asked for it.",
        'tutor-lsp ask "why is it one too small?"\n  tutor-lsp ask --unit ex-2 "what is missing?"',
        "render_report:hint", params.ask_params, waiting="Looking at your code …",
    ),
    Verb(
        "attempt", "tutor.attempt", "Run all tests, count it, get a review",
        "Run all tests, count the attempt and get a review. Exit code 3: not all tests pass yet.",
        "tutor-lsp attempt", "render_report:attempt", lambda: [params.trust()],
        waiting="Running the tests …",
    ),
    Verb(
        "next", "tutor.next", "Finish this exercise and start the next",
        "Attempt if needed, end the session and start the first recommendation.",
        "tutor-lsp next", "render:ready", lambda: [params.trust()],
    ),
    Verb(
        "status", "tutor.status", "Show exercise, units and backend",
        "Show the exercise that you are on, the state of its units, and what makes exercises.",
        "tutor-lsp status --json", "render:status",
    ),
    Verb(
        "open", "tutor.open", "Say where lesson, stub, test or hints are",
        "Print the place of a unit's lesson section, stub or test, or of the hints and reviews "
        "(coach), as file:line.",
        "tutor-lsp open lesson --unit ex-2", "render_report:place", params.open_params,
    ),
    Verb(
        "review", "tutor.review", "Show the last review",
        "Show the last review again.",
        "tutor-lsp review", "render_report:review",
    ),
    Verb(
        "reveal", "tutor.reveal", "Show the solution of one unit",
        "Show one way to write a unit: freely after 4 failing runs of it with changed text, else "
        "with --confirm.",
        "tutor-lsp reveal --unit ex-2 --confirm", "render_report:reveal", params.reveal_params,
    ),
    Verb(
        "compare", "tutor.compare", "Compare a passed unit with the reference",
        "Show what the reference does otherwise than you, once a unit passes. It costs nothing.",
        "tutor-lsp compare --unit ex-2", "render_report:compare", lambda: [params.unit()],
    ),
    Verb(
        "polish", "tutor.polish", "Keep polishing after all tests pass",
        "Keep polishing: editors no longer offer to finish. An attempt is always possible.",
        "tutor-lsp polish", "render:polishing",
    ),
    Verb(
        "reset", "tutor.reset", "Put stubs back as they were given",
        "Put all stub files, or one stub, back as they were given. What you had written is kept, "
        "and --undo brings back what the last reset or restore took.",
        "tutor-lsp reset --unit ex-2\n  tutor-lsp reset --undo", "render:put_back",
        lambda: [
            click.Option(["--unit"], help="A unit or the name of its function; else all stubs."),
            click.Option(
                ["--undo"], is_flag=True, help="Bring back what the last reset or restore took."
            ),
        ],
    ),
    Verb(
        "restore", "tutor.restore", "Put edited tests and lesson back; bring back the record",
        "Put edited or deleted tests, headers and the lesson back as they were given. What you had "
        "written there is kept: tutor-lsp reset --undo brings it back. With --record: bring back "
        "your record of sessions and mastery from a backup. Nothing is lost by it: what was "
        "written since stays, and the record as it was is kept beside it. A loss is said until it "
        "was brought back, or dismissed with --record --dismiss.",
        "tutor-lsp restore\n  tutor-lsp restore --record\n"
        "  tutor-lsp restore --record 2026-11-22\n  tutor-lsp restore --record --dismiss",
        "render:put_back", params.restore_params,
    ),
    Verb(
        "sessions", "tutor.sessions", "List your sessions",
        "List all sessions, newest first.",
        "tutor-lsp sessions", "render:sessions",
    ),
    Verb(
        "resume", "tutor.resume", "Go on with a session",
        "Go on with a session: the one with that id or first letters of it, else the last one.",
        "tutor-lsp resume 01j9", "render:ready",
        lambda: [click.Argument(["session_id"], required=False)],
    ),
    Verb(
        "end", "tutor.end", "End the session",
        "End the session; its record stays.",
        "tutor-lsp end", "render:ended",
    ),
    Verb(
        "curriculum", "tutor.curriculum", "Show topics and what comes next",
        "Show the topics that can open now, your mastery of each, and what is recommended.",
        "tutor-lsp curriculum --language rust", "render:curriculum", lambda: [params.language()],
    ),
    Verb(
        "claim", "tutor.claim", "Mark a topic as known",
        "Mark a topic as known, so that what builds on it is recommended.",
        "tutor-lsp claim python-functions", "render:claimed", params.claim_params,
    ),
    Verb(
        "report", "tutor.report", "Write the progress report",
        "Write the progress report, an HTML page, and print its path.",
        "tutor-lsp report", "render:page",
    ),
    Verb(
        "doctor", "tutor.doctor", "Check the tools",
        "Check every tool that the tutor uses and say how to mend what does not work.",
        "tutor-lsp doctor", "render:doctor",
    ),
    Verb(
        "cancel", "tutor.cancel", "Cancel what is going on",
        "Cancel what this process has going on. Work of an editor or of another terminal is "
        "cancelled there (Ctrl-C in a terminal).",
        "tutor-lsp cancel", "render:cancelled",
    ),
)  # fmt: skip


def options_of(values: dict[str, Any]) -> Options:
    """The common options, taken out of a verb's values; it may have left some of them out."""
    return Options(
        session=values.pop("session", None),
        path=values.pop("path", None),
        home=values.pop("home", None),
        json=values.pop("as_json", False),
        plain=values.pop("plain", False),
    )


def verb_command(verb: Verb) -> click.Command:
    """A row as a click command; its callback returns the exit code."""

    def callback(**values: Any) -> int:
        options = options_of(values)
        given = {key: value for key, value in values.items() if value not in (None, False, ())}
        if words := " ".join(given.pop("words", ())):
            given["question"] = words
        if "session_id" in given:
            given["session"] = given.pop("session_id")
        if "known" in values:
            given["known"] = values["known"]
        invocation = Invocation(options)
        played = given.pop("replay", None)
        record = None if played is None else expanded(played).absolute()
        argument = {**options.located(), **given}
        if record is not None:
            os.environ["TUTOR_LSP_SCRIPT"] = str(record)

        async def work(app: "App") -> int:
            if record is None:
                return await _perform(verb, invocation, app, argument)
            playing = await _replaying(record, argument)
            await _allow(app, record, agreed="trust" in argument)
            return await _perform(verb, invocation, app, playing)

        return run(invocation, work)

    return click.Command(
        verb.name,
        callback=callback,
        params=[*verb.params(), *params.common_params()],
        short_help=verb.short,
        help=f"{verb.help}\n\n\b\nExample:\n  {verb.example}",
    )


async def _allow(app: "App", record: Path, *, agreed: bool) -> None:
    from tutor_lsp.tutor.exercise.trust import allow_recording

    await allow_recording(app, record, agreed=agreed)


async def _replaying(record: Path, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a start that plays a record; what was given counts more."""
    from tutor_lsp.tutor.services.replay import replay_arguments

    found: dict[str, Any] = await asyncio.to_thread(replay_arguments, record)
    if "node" in given:
        del found["topic"]
    return {**found, **given}


async def _perform(
    verb: Verb, invocation: Invocation, app: "App", argument: Mapping[str, Any]
) -> int:
    command = verb.command
    if verb.name == "start" and not argument and invocation.asks:
        from tutor_lsp.cli.first_run import choose_start

        chosen = await choose_start(app, invocation.err)
        if chosen is None:
            return DONE
        command, argument = chosen
    if verb.waiting is not None:
        invocation.progresses.waiting(verb.waiting)
    result = await invocation.execute(app, command, argument)
    outcome = _outcome(verb, result)
    if outcome in ("not_run", "cancelled"):
        if invocation.options.json:
            invocation.show(result, _render(verb))
        reason = _report(verb, result).get("reason") or "The tests did not run."
        invocation.refused({"message": reason, "kind": outcome.upper()})
        return REFUSED
    if verb.name == "open" and not invocation.options.json:
        # In a shell a path is of use only if it is whole.
        result = {**result, "file": str(invocation.frontend.place or result["file"])}
    if outcome is not None and not invocation.options.json:
        await _name_exercise(app, invocation)
    invocation.show(result, _render(verb))
    if verb.render == "render_report:hint" and not result.get("answered", True):
        return REFUSED
    return DONE if outcome in (None, "passed") else NOT_PASSING


async def _name_exercise(app: "App", invocation: Invocation) -> None:
    """The exercise that a verb was about: without an option it is that of the shell's folder."""
    models = await app.load("tutor_lsp.tutor.arguments")
    opened = await app.locate(models.NoArguments(**invocation.options.located()))
    invocation.progresses.pause()
    invocation.out.line(("strong", opened.exercise.title), "  ", ("place", str(opened.root)))


def _render(verb: Verb) -> "Callable[[Out, Any], None]":
    module, _, function = verb.render.partition(":")
    found = getattr(importlib.import_module(f"tutor_lsp.cli.screen.{module}"), function)
    render: Callable[[Out, Any], None] = found
    return render


def _report(verb: Verb, result: Any) -> Mapping[str, Any]:
    report: Mapping[str, Any] = result["report"] if verb.name == "attempt" else result
    return report


def _outcome(verb: Verb, result: Any) -> str | None:
    """How the tests ended, None for verbs that run none."""
    if verb.name not in ("check", "attempt"):
        return None
    return str(_report(verb, result)["outcome"])
