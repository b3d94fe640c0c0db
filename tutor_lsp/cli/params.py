"""Arguments and options of the terminal's verbs."""

from typing import Any

import click

from tutor_lsp.cli.paths import expanded
from tutor_lsp.core.text.translation import t

NEWEST = "latest"


def flag(name: str, text: str) -> click.Option:
    """An option without a value."""
    return click.Option([name], is_flag=True, help=text)


def language() -> click.Option:
    """`--language`, in any case: languages are shown by their names."""

    def lower(_context: click.Context, _option: click.Parameter, given: str | None) -> str | None:
        return None if given is None else given.lower()

    return click.Option(["--language"], callback=lower, help="Language, such as python or rust.")


def unit() -> click.Option:
    """`--unit`."""
    return click.Option(["--unit"], help="A unit or the name of its function; else the focus.")


def trust() -> click.Option:
    """`--trust`."""
    return flag("--trust", "Run code that came from elsewhere without asking first.")


def _from(value: str) -> dict[str, Any]:
    """`FILE:START-END` or `FILE:LINE` as a range of whole lines."""
    name, _, lines = value.rpartition(":")
    first, _, last = lines.partition("-")
    last = last or first
    numbers = first.isascii() and first.isdigit() and last.isascii() and last.isdigit()
    if not name or not numbers or not 0 < int(first) <= int(last):
        raise click.BadParameter(t("give FILE:START-END with line numbers, such as main.rs:10-24"))
    path = expanded(name).absolute()
    if not path.is_file():
        raise click.BadParameter(
            t(
                f"there is no file {path}. Give one of your own files and the lines in it, such "
                "as main.rs:10-24"
            )
        )
    return {
        "uri": path.as_uri(),
        "range": {
            "start": {"line": int(first) - 1, "character": 0},
            "end": {"line": int(last), "character": 0},
        },
    }


def start_params() -> list[click.Parameter]:
    """Of `start`."""
    return [
        language(),
        click.Option(["--node"], help="Id of a topic (tutor-lsp curriculum lists them)."),
        click.Option(["--topic"], help="A topic in your own words."),
        click.Option(
            ["--depth"],
            type=click.Choice(["D1", "D2", "D3"], case_sensitive=False),
            help="D1 first look, D2 working, D3 fluent.",
        ),
        click.Option(["--backend"], help="What makes the exercise, such as library or codex."),
        click.Option(
            ["--error-code", "errorCode"],
            help="A code of a compiler or linter to practise, such as E0382.",
        ),
        click.Option(
            ["--from", "from"],
            metavar="FILE:START-END",
            type=_from,
            help="Lines of your own code for a model to base the exercise on; you see first what "
            "would be sent.",
        ),
        flag("--fresh", "A new exercise, not a bundled one or one that was begun."),
        flag(
            "--challenge",
            "The stubs without the lesson; passed without help at once, it marks what the topic "
            "builds on as known.",
        ),
        click.Option(["--replay"], metavar="FILE", help="Replay a model's recorded answers."),
        trust(),
    ]


def hint_params() -> list[click.Parameter]:
    """Of `hint`."""
    question = click.Option(["--question"], help="Ask about your code as it is now.")
    return [unit(), question]


def ask_params() -> list[click.Parameter]:
    """Of `ask`: the question may be several words."""
    return [click.Argument(["words"], nargs=-1, metavar="[QUESTION]"), *hint_params()]


def restore_params() -> list[click.Parameter]:
    """Of `restore`."""
    record = click.Option(
        ["--record"],
        is_flag=False,
        flag_value=NEWEST,
        metavar="[DATE]",
        type=_backup,
        help="Bring back your record from the backup that has most of what is missing, or from "
        "that of a day.",
    )
    return [
        record,
        flag("--dismiss", "With --record: go on without what was lost, and hear no more about it."),
    ]


def _backup(value: str) -> str | bool:
    return value == NEWEST or (value or False)


def choices_params() -> list[click.Parameter]:
    """Of `choices`."""
    lists = click.Choice(["start", "topics", "sessions", "units", "own"])
    return [
        click.Argument(["list"], type=lists, default="start", required=False, metavar="[LIST]"),
        language(),
        flag("--all", "All topics, also those that need a model; all sessions."),
    ]


def open_params() -> list[click.Parameter]:
    """Of `open`."""
    targets = click.Choice(["lesson", "stub", "test", "coach"])
    return [click.Argument(["target"], type=targets, default="stub", required=False), unit()]


def reveal_params() -> list[click.Parameter]:
    """Of `reveal`."""
    return [unit(), flag("--confirm", "Show it now; a repeat without help is asked for later.")]


def claim_params() -> list[click.Parameter]:
    """Of `claim`."""
    return [
        click.Argument(["node"]),
        click.Option(["--known/--unknown"], default=True, help="Mark it, or undo that."),
    ]


def json() -> click.Option:
    """`--json`."""
    return flag("--json", "Print the result as JSON.")


def home() -> click.Option:
    """`--home`."""
    return click.Option(["--home"], type=_folder, metavar="TEXT", help="Tutor home to use.")


def _folder(value: str) -> str:
    """An empty name, such as that of a variable nobody set, would mean the current folder."""
    if not value:
        raise click.BadParameter(t("it is empty; name a folder, or leave --home out"))
    return value


def common_params(*left_out: str) -> list[click.Parameter]:
    """The options of every verb, but for those named."""
    params: list[click.Parameter] = [
        click.Option(["--session"], help="Id of a session, or its first letters."),
        click.Option(["--path"], help="A file or folder of the exercise."),
        home(),
        json(),
        flag("--plain", "Plain text, no colours, no bars."),
    ]
    return [param for param in params if param.name not in left_out]
