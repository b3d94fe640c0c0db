"""Verbs that exist in the terminal only."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

import tutor_lsp
from tutor_lsp.cli import cost, own, params, transfer
from tutor_lsp.cli.main import ServeOptions
from tutor_lsp.cli.params import common_params
from tutor_lsp.cli.runtime import DONE, REFUSED, Invocation
from tutor_lsp.cli.verbs import options_of


def _watch() -> click.Command:
    def callback(**values: Any) -> int:
        place = values.pop("place")
        if place is not None:
            values["path"] = place
        from tutor_lsp.cli.watch import watch

        return watch(Invocation(options_of(values)))

    place = click.Argument(["place"], required=False, metavar="[PATH]")
    return click.Command(
        "watch",
        callback=callback,
        params=[place, *common_params("as_json")],
        short_help="Watch the exercise: live results",
        help="Watch an exercise: its tests run whenever you save, and the unit that you are on is "
        "shown with its first failure.\n\n"
        "Keys: h hint, n next, l list, o lesson, a attempt, q quit.\n\n\b\n"
        "Example:\n  tutor-lsp watch",
    )


def _demo() -> click.Command:
    def callback(**values: Any) -> int:
        from tutor_lsp.cli.demo.play import demo

        if values["remove"] and values["home"]:
            raise click.UsageError("--remove is for a new folder, not for one that you name.")
        return demo(
            values["home"], values["language"], plain=values["plain"], keep=not values["remove"]
        )

    return click.Command(
        "demo",
        callback=callback,
        params=[
            click.Option(["--home"], help="Folder to play in; a new one in the temporary folder."),
            click.Option(
                ["--language"], multiple=True, help="Only this language; may be given again."
            ),
            click.Option(["--remove"], is_flag=True, help="Remove the new folder at the end."),
            click.Option(["--plain"], is_flag=True, help="Plain text, no colours."),
        ],
        short_help="Play a whole learning session",
        help="Play a whole learning session against the real server and show what an editor would "
        "show. It asks nothing, takes under a minute, and leaves the folder for you to open.\n\n"
        "\b\nExample:\n  tutor-lsp demo",
    )


def _serve() -> click.Command:
    def callback(**values: Any) -> int:
        from tutor_lsp.cli.serve import serve

        return serve(ServeOptions(values["tcp"], values["home"]))

    return click.Command(
        "serve",
        callback=callback,
        params=[
            click.Option(["--stdio"], is_flag=True, help="Talk over stdin and stdout (default)."),
            click.Option(
                ["--tcp"],
                type=click.IntRange(0, 65535),
                metavar="PORT",
                help="Wait for one client on this port of 127.0.0.1.",
            ),
            params.home(),
        ],
        short_help="Be the language server (default)",
        help="Be the language server that an editor starts. The same as tutor-lsp alone.\n\n"
        "\b\nExample:\n  tutor-lsp serve --tcp 9257",
    )


def _editor_path() -> click.Command:
    def callback(editor: str, *, as_json: bool) -> int:
        path = editor_path(editor)
        if path is None:
            click.echo(f"The files for {editor} are not part of this installation.", err=True)
            return REFUSED
        import json

        click.echo(json.dumps({"path": str(path)}) if as_json else str(path))
        return DONE

    return click.Command(
        "editor-path",
        callback=callback,
        params=[
            click.Argument(["editor"], type=click.Choice(["neovim", "emacs"])),
            click.Option(["--json", "as_json"], is_flag=True, help="Print the result as JSON."),
        ],
        short_help="Print where the plugin of an editor lies",
        help="Print the folder of the plugin that ships with the tutor.\n\n\b\n"
        "Example:\n  tutor-lsp editor-path neovim",
    )


def editor_path(editor: str) -> Path | None:
    """Folder of an editor's plugin, from the wheel or the source tree; None if it is not there."""
    package = Path(tutor_lsp.__file__).parent
    for root in (package, package.parent):
        path = root / "editors" / editor
        if path.is_dir():
            return path
    return None


EXTRA: tuple[Callable[[], click.Command], ...] = (
    _watch,
    _demo,
    cost.command,
    *transfer.COMMANDS,
    *own.COMMANDS,
    _editor_path,
    _serve,
)
