"""`tutor-lsp export` and `tutor-lsp import`: the whole learner record as one file."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from tutor_lsp.cli.params import common_params
from tutor_lsp.cli.paths import expanded
from tutor_lsp.cli.runtime import DONE, Invocation, run
from tutor_lsp.cli.screen.out import Out
from tutor_lsp.cli.verbs import options_of
from tutor_lsp.core.learner.loss import counted

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App


NAMED = 8
"""Most files that are named."""


def export_command() -> click.Command:
    """The verb `export`."""

    def callback(file: str, *, force: bool, **values: Any) -> int:
        invocation = Invocation(options_of(values))
        path = expanded(file).absolute()

        async def work(app: "App") -> int:
            from tutor_lsp.tutor.record.transfer.export import export

            invocation.show(await export(app, path, force=force), _exported)
            return DONE

        return run(invocation, work)

    return click.Command(
        "export",
        callback=callback,
        params=[
            click.Argument(["file"]),
            click.Option(["--force"], is_flag=True, help="Replace the file if it is there."),
            *common_params("session", "path"),
        ],
        short_help="Write your whole record to one file",
        help="Write your whole record to one JSON file: sessions with their exercises and your "
        "texts, mastery, reviews that are due, topics of your own, and the event log. Keep it as a "
        "backup, or import it on another machine. Settings are not part of it.\n\n\b\n"
        "Example:\n  tutor-lsp export my-record.json",
    )


def import_command() -> click.Command:
    """The verb `import`."""

    def callback(file: str, **values: Any) -> int:
        invocation = Invocation(options_of(values))
        path = expanded(file).absolute()

        async def work(app: "App") -> int:
            from tutor_lsp.tutor.record.transfer.take_in import take_in

            invocation.show(await take_in(app, path), _imported)
            return DONE

        return run(invocation, work)

    return click.Command(
        "import",
        callback=callback,
        params=[click.Argument(["file"]), *common_params("session", "path")],
        short_help="Take in a record that was exported",
        help="Take in a record that was exported, here or on another machine. It joins what is "
        "here: nothing is overwritten, exercises get folders of their own, and importing the same "
        "file again changes nothing. A broken or newer file is refused as a whole. Of each "
        "exercise lesson, src and tests are taken in; nothing is run until you trust it.\n\n\b\n"
        "Example:\n  tutor-lsp import my-record.json",
    )


def _said(out: Out, what: str, names: list[str]) -> None:
    if names:
        more = f" and {len(names) - NAMED} more (--json names all)" if len(names) > NAMED else ""
        out.line(("bad", "! "), f"{what}: {', '.join(names[:NAMED])}{more}.")


COMMANDS: tuple[Callable[[], click.Command], ...] = (export_command, import_command)


def _exported(out: Out, result: dict[str, Any]) -> None:
    out.line(("good", "Written: "), result["path"])
    out.line(f"{_counts(result)}.")
    for path in result["leftOut"]:
        out.line(("bad", "! "), f"Left out, too large or not readable: {path}")


def _counts(result: dict[str, Any]) -> str:
    kinds = (("sessions", "session"), ("topics", "topic"), ("folders", "exercise folder"))
    found = [counted(result[key], what) for key, what in (*kinds, ("events", "event"))]
    return ", ".join(part for part in found if part) or "nothing"


def _imported(out: Out, result: dict[str, Any]) -> None:
    if not any(result.values()):
        out.line("Everything in it is here already.")
        return
    _said(out, "Left out, not part of an exercise", result["leftOut"])
    _said(out, "Build files that were others, written anew", result["writtenAnew"])
    out.line(f"New: {_counts(result)}.")
    if result["placed"]:
        out.line(f"Exercises are now in {', '.join(result['placed'][:NAMED])}.")
        out.line(
            "Nothing of them is run until you trust it: tutor-lsp check --path FOLDER asks for "
            "that."
        )
    if result["textsKept"]:
        out.line(
            f"Other than yours here: {counted(result['textsKept'], 'text')}. Yours stay; what "
            "the file has is kept in the event log."
        )
