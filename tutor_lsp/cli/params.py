"""What the verbs of the terminal take: arguments and options."""

from typing import Any

import click

from tutor_lsp.cli.paths import expanded

NEWEST = "latest"


def language() -> click.Option:
    """`--language`."""
    return click.Option(["--language"], help="Language, such as python or rust.")


def unit() -> click.Option:
    """`--unit`."""
    return click.Option(["--unit"], help="A unit or the name of its function; else the focus.")


def trust() -> click.Option:
    """`--trust`."""
    return click.Option(
        ["--trust"], is_flag=True, help="Agree to run what came from elsewhere, without a question."
    )


def _from(context: click.Context, option: click.Parameter, value: str | None) -> Any:
    """`FILE:START-END` or `FILE:LINE` as a range of whole lines."""
    del context, option
    if value is None:
        return None
    name, _, lines = value.rpartition(":")
    first, _, last = lines.partition("-")
    last = last or first
    numbers = first.isascii() and first.isdigit() and last.isascii() and last.isdigit()
    if not name or not numbers or not 0 < int(first) <= int(last):
        raise click.BadParameter("give FILE:START-END with line numbers, such as main.rs:10-24")
    path = expanded(name).absolute()
    if not path.is_file():
        raise click.BadParameter(
            f"there is no file {path}. Give a file of your own with the lines that are meant, such "
            "as main.rs:10-24"
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
            callback=_from,
            help="Lines of your own code that a model makes the exercise from; shown before.",
        ),
        click.Option(["--fresh"], is_flag=True, help="A new exercise, not a bundled one."),
        click.Option(
            ["--challenge"],
            is_flag=True,
            help="The stubs without the lesson; passed without help at once, it marks what the "
            "topic builds on as known.",
        ),
        click.Option(["--replay"], metavar="FILE", help="Play recorded answers of a model."),
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
        callback=_backup,
        help="Bring back your record from the backup that has most of what is missing, or from "
        "that of a day.",
    )
    dismiss = click.Option(
        ["--dismiss"],
        is_flag=True,
        help="With --record: go on without what was lost, and be told of it no more.",
    )
    return [record, dismiss]


def _backup(context: click.Context, option: click.Parameter, value: str | None) -> str | bool:
    del context, option
    return value == NEWEST or (value or False)


def open_params() -> list[click.Parameter]:
    """Of `open`."""
    targets = click.Choice(["lesson", "stub", "test", "coach"])
    return [click.Argument(["target"], type=targets, default="stub", required=False), unit()]


def reveal_params() -> list[click.Parameter]:
    """Of `reveal`."""
    confirm = click.Option(
        ["--confirm"], is_flag=True, help="Show it now; a repeat without help is asked for later."
    )
    return [unit(), confirm]


def claim_params() -> list[click.Parameter]:
    """Of `claim`."""
    return [
        click.Argument(["node"]),
        click.Option(["--known/--unknown"], default=True, help="Mark it, or take that back."),
    ]


def home() -> click.Option:
    """`--home`."""
    return click.Option(["--home"], callback=_folder, help="Tutor home to use.")


def _folder(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """An empty name, such as that of a variable nobody set, would mean the current folder."""
    del context, option
    if value == "":
        raise click.BadParameter("it is empty; name a folder, or leave --home out")
    return value


def common_params(*left_out: str) -> list[click.Parameter]:
    """The options of every verb, but for those named."""
    params: list[click.Parameter] = [
        click.Option(["--session"], help="Id of a session, or the first letters of it."),
        click.Option(["--path"], help="A file or folder of the exercise that is meant."),
        home(),
        click.Option(["--json", "as_json"], is_flag=True, help="Print the result as JSON."),
        click.Option(["--plain"], is_flag=True, help="Plain text, no colours, no bars."),
    ]
    return [param for param in params if param.name not in left_out]
