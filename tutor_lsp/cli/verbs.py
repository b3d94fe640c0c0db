"""The verbs: their options and help. Most are commands of the tutor; `extra` has the others."""

from collections.abc import Callable
from dataclasses import dataclass

import click

from tutor_lsp.cli import params
from tutor_lsp.cli.begin import begin
from tutor_lsp.cli.params import common_params
from tutor_lsp.core.text.translation import t


@dataclass(frozen=True, slots=True)
class Verb:
    """One row.

    Parameter names are the keys of the command's argument. `common` are the options that most
    verbs share; `do` gives the exit code, by default by beginning the verb's work.
    """

    name: str
    short: str
    help: str
    example: str
    params: Callable[[], list[click.Parameter]] = list
    common: Callable[[], list[click.Parameter]] = common_params
    do: Callable[..., int] | None = None


VERBS = (
    Verb(
        "start", "Start an exercise",
        "Start an exercise. Without options it asks what you would like to do; where nobody can "
        "be asked, it takes the first recommendation.",
        "tutor-lsp start --language python", params.start_params,
    ),
    Verb(
        "check", "Run the tests",
        "Run the tests of the exercise. Nothing is counted. Exit code 3: not all tests pass yet.",
        "tutor-lsp check", lambda: [params.trust()],
    ),
    Verb(
        "hint", "Get the next hint",
        "Get the next hint for the unit that you are on. Hints go from a nudge (1) to the answer "
        "in words (3).",
        'tutor-lsp hint --unit ex-2 --question "why is it one too small?"', params.hint_params,
    ),
    Verb(
        "ask", "Ask a question about your code",
        "Ask about your code as it is now; a model answers, within the level of its hint. "
        "Without a question you are asked for it.",
        'tutor-lsp ask "why is it one too small?"\n  tutor-lsp ask --unit ex-2 "what is missing?"',
        params.ask_params,
    ),
    Verb(
        "attempt", "Run all tests, count it, get a review",
        "Run all tests, count the attempt and get a review. Exit code 3: not all tests pass yet.",
        "tutor-lsp attempt", lambda: [params.trust()],
    ),
    Verb(
        "next", "Finish this exercise and start the next",
        "Attempt if needed, end the session and start the first recommendation.",
        "tutor-lsp next", lambda: [params.trust()],
    ),
    Verb(
        "status", "Show exercise, units and backend",
        "Show the exercise that you are on, the state of its units, and what makes exercises.",
        "tutor-lsp status --json",
    ),
    Verb(
        "open", "Print where the lesson, stub, test or hints are",
        "Print the place of a unit's lesson section, stub or test, or of the hints and reviews "
        "(coach), as file:line.",
        "tutor-lsp open lesson --unit ex-2", params.open_params,
    ),
    Verb(
        "review", "Show the last review",
        "Show the last review again.",
        "tutor-lsp review",
    ),
    Verb(
        "reveal", "Show the solution of one unit",
        "Show one way to write a unit. Before 4 failing runs of it with changed text, this needs "
        "--confirm.",
        "tutor-lsp reveal --unit ex-2 --confirm", params.reveal_params,
    ),
    Verb(
        "compare", "Compare a passed unit with the reference",
        "Show how the reference differs from your code, once a unit passes. It costs nothing.",
        "tutor-lsp compare --unit ex-2", lambda: [params.unit()],
    ),
    Verb(
        "reset", "Put stubs back as they were given",
        "Put all stub files, or one stub, back as they were given. Your text is kept, and --undo "
        "brings back what the last reset or restore replaced.",
        "tutor-lsp reset --unit ex-2\n  tutor-lsp reset --undo",
        lambda: [
            click.Option(["--unit"], help="A unit or the name of its function; else all stubs."),
            params.flag("--undo", "Bring back what the last reset or restore replaced."),
        ],
    ),
    Verb(
        "restore", "Put edited tests and lesson back; bring back the record",
        "Put edited or deleted tests, headers and the lesson back as they were given, and files "
        "with stubs that are gone. What you had written there is kept: tutor-lsp reset --undo "
        "brings it back. With --record: bring back your record of sessions and mastery from a "
        "backup. Nothing is lost: what was written since stays, and the previous record is kept "
        "beside it. A loss is reported until it is restored, or dismissed with --record --dismiss.",
        "tutor-lsp restore\n  tutor-lsp restore --record\n"
        "  tutor-lsp restore --record 2026-11-22\n  tutor-lsp restore --record --dismiss",
        params.restore_params,
    ),
    Verb(
        "sessions", "List your sessions",
        "List your latest sessions, newest first; with --json all of them, like "
        "tutor-lsp choices sessions --all.",
        "tutor-lsp sessions",
    ),
    Verb(
        "choices", "List what you can choose from",
        "List what you can do (start, the default), the topics of a language, your sessions or the "
        "units of an exercise, one row each.",
        "tutor-lsp choices topics --language python", params.choices_params,
    ),
    Verb(
        "resume", "Resume a session",
        "Resume a session: the one with that id or its first letters, else the last one.",
        "tutor-lsp resume 01j9",
        lambda: [click.Argument(["session_id"], required=False)],
    ),
    Verb(
        "end", "End the session",
        "End the session; its record stays.",
        "tutor-lsp end",
    ),
    Verb(
        "curriculum", "Show topics and what comes next",
        "Show the topics that can open now, your mastery of each, and what is recommended.",
        "tutor-lsp curriculum --language rust", lambda: [params.language()],
    ),
    Verb(
        "claim", "Mark a topic as known",
        "Mark a topic as known, so that what builds on it is recommended.",
        "tutor-lsp claim python-functions", params.claim_params,
    ),
    Verb(
        "report", "Write the learning report",
        "Write the learning report, an HTML page, and print its path.",
        "tutor-lsp report",
    ),
    Verb(
        "doctor", "Check the tools",
        "Check every tool that the tutor uses and say how to fix what does not work.",
        "tutor-lsp doctor",
    ),
    Verb(
        "cancel", "Cancel the running task",
        "Cancel what this process is running. Work that an editor or another terminal started is "
        "cancelled there (Ctrl-C in a terminal).",
        "tutor-lsp cancel",
    ),
)  # fmt: skip


def verb_command(verb: Verb) -> click.Command:
    """A row as a click command; its callback returns the exit code."""
    options = [*verb.params(), *verb.common()]
    for option in options:
        if isinstance(option, click.Option) and option.help is not None:
            option.help = t(option.help)
    return click.Command(
        verb.name,
        callback=verb.do or (lambda **values: begin(verb.name, values)),
        params=options,
        short_help=t(verb.short),
        help=f"{t(verb.help)}\n\n\b\n{t('Example:')}\n  {verb.example}",
    )
