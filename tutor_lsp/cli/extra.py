"""Verbs that exist in the terminal only: their options and help."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import click

import tutor_lsp
from tutor_lsp.cli import params
from tutor_lsp.cli.begin import begin
from tutor_lsp.cli.exit_codes import DONE, REFUSED
from tutor_lsp.cli.init_lines import init_lines
from tutor_lsp.cli.serve_options import ServeOptions
from tutor_lsp.cli.verbs import Verb
from tutor_lsp.cli.work import functions
from tutor_lsp.core.text.translation import t

WITHOUT_PLUGIN = frozenset({"helix"})
"""Editors whose own settings are all that they need."""
SESSIONLESS = partial(params.common_params, "session", "path")
"""The common options of what is about no session."""


def _demo(**values: Any) -> int:
    if values["remove"] and values["home"]:
        raise click.UsageError(t("--remove is for a new folder, not for one that you name."))
    return begin("demo", values)


def _serve(*, stdio: bool, tcp: int | None, home: str | None) -> int:
    del stdio  # the default
    return functions.serve(ServeOptions(tcp, home))


def _editor_path(editor: str, **values: bool) -> int:
    path = editor_path(editor)
    if path is None:
        click.echo(t(f"The files for {editor} are not part of this installation."), err=True)
        return REFUSED
    lines = init_lines(editor, path)
    if values["json"]:
        click.echo(json.dumps({"path": str(path), "init": lines}))
    elif values["init"] or editor in WITHOUT_PLUGIN:
        click.echo(lines, nl=False)
    else:
        click.echo(str(path))
    return DONE


def editor_path(editor: str) -> Path | None:
    """Folder of an editor's plugin, from the wheel or the source tree; None if it is not there."""
    package = Path(tutor_lsp.__file__).parent
    paths = (root / "editors" / editor for root in (package, package.parent))
    return next((path for path in paths if path.is_dir()), None)


EXTRA = (
    Verb(
        "watch", "Watch the exercise: live results",
        "Watch an exercise: its tests run whenever you save, and the unit that you are on is "
        "shown with its first failure.\n\n"
        "Keys: c check, h hint, n next, l lesson, a attempt, f units, k all keys, q quit. An "
        "exercise that you begin elsewhere is followed, unless you name one.",
        "tutor-lsp watch",
        lambda: [click.Argument(["place"], required=False, metavar="[PATH]")],
        partial(params.common_params, "json"),
    ),
    Verb(
        "demo", "Play a whole learning session",
        "Play a whole learning session against the real server and show what an editor would "
        "show. It asks nothing, takes under a minute, and leaves the folder for you to open.",
        "tutor-lsp demo",
        lambda: [
            click.Option(["--home"], help="Folder to play in; a new one in the temporary folder."),
            click.Option(
                ["--language"], multiple=True, help="Only this language; may be given again."
            ),
            params.flag("--remove", "Remove the new folder at the end."),
            params.flag("--plain", "Plain text, no colours."),
        ],
        list, _demo,
    ),
    Verb(
        "cost", "Show what calls to a model cost",
        "Show how often a model was called for this exercise, how much was sent, and how much "
        "of that the provider's cache could reuse. --last-prompt prints what left this machine "
        "last, word for word.",
        "tutor-lsp cost --last-prompt",
        lambda: [
            click.Argument(["session_id"], required=False, metavar="[SESSION]"),
            params.flag("--last-prompt", "Print the last prompt that was sent."),
        ],
    ),
    Verb(
        "generation-report", "Show what sent generated exercises back",
        "Show, for the exercises that models made here, by rule of the proof how often it fired, "
        "how often a repair mended that, and how often it was overruled, since the exercise held "
        "in spite of it.",
        "tutor-lsp generation-report --json", list, SESSIONLESS,
    ),
    Verb(
        "export", "Write your whole record to one file",
        "Write your whole record to one JSON file: sessions with their exercises and your "
        "texts, mastery, reviews that are due, topics of your own, and the event log. Keep it as a "
        "backup, or import it on another machine. Settings are not part of it.",
        "tutor-lsp export my-record.json",
        lambda: [
            click.Argument(["file"]),
            params.flag("--force", "Replace the file if it is there."),
        ],
        SESSIONLESS,
    ),
    Verb(
        "import", "Import an exported record",
        "Import a record that was exported, here or on another machine. It is merged with "
        "what is here: nothing is overwritten, exercises get folders of their own, and importing "
        "the same file again changes nothing. A broken or newer file is refused as a whole. Of "
        "each exercise, the lesson, src and tests are imported; nothing is run until you trust "
        "it.",
        "tutor-lsp import my-record.json", lambda: [click.Argument(["file"])], SESSIONLESS,
    ),
    Verb(
        "tidy", "Make the record smaller",
        "Trim the event log to what your record needs: old texts of attempts and hints, and notes "
        "that nothing reads any more. Mastery, counts, reviews and the learning report stay "
        "exactly as they are. The record as it was is kept beside it; the path is printed. A "
        "process that stayed for your next commands is ended, too.",
        "tutor-lsp tidy", list, SESSIONLESS,
    ),
    Verb(
        "new-exercise", "Begin an exercise of your own",
        "Write a small valid exercise, to be changed into one of your own. DIR is named "
        "after its topic and a name of its own; it must be new or empty. In accepts/ it says which "
        "inputs each unit promises to take.",
        "tutor-lsp new-exercise python-strings-shop-signs",
        lambda: [
            click.Argument(["place"], metavar="DIR"),
            params.language(),
            click.Option(
                ["--kind", "kinds"], multiple=True,
                type=click.Choice(["body", "declare", "repair", "test", "predict"]),
                help="One more unit, of that kind. May be given several times.",
            ),
        ],
        SESSIONLESS,
    ),
    Verb(
        "check-exercise", "Check an exercise that you wrote",
        "Check that an exercise is valid: it builds, every test fails on the stubs for its "
        "own reason, the reference passes all of them, names and headings fit, and the lesson's "
        "code does what it says. PATH is an exercise folder, or a JSONL file of what a model made. "
        "Nothing is changed. Exit code 1 if something needs fixing.",
        "tutor-lsp check-exercise python-strings-shop-signs",
        lambda: [click.Argument(["place"], metavar="PATH"), params.language()], SESSIONLESS,
    ),
    Verb(
        "editor-path", "Print where an editor's plugin is",
        "Print the folder of the plugin that ships with the tutor, or with --init the lines for "
        "init.lua or init.el that load it. Helix needs no plugin: for it, it is the lines for "
        "languages.toml.",
        "tutor-lsp editor-path neovim --init",
        lambda: [
            click.Argument(["editor"], type=click.Choice(["neovim", "emacs", "helix"])),
            params.flag("--init", "Print the lines of a start-up file that load the plugin."),
            params.json(),
        ],
        list, _editor_path,
    ),
    Verb(
        "serve", "Run the language server (default)",
        "Run the language server, as editors do. The same as tutor-lsp alone.",
        "tutor-lsp serve --tcp 9257",
        lambda: [
            params.flag("--stdio", "Talk over stdin and stdout (default)."),
            click.Option(
                ["--tcp"], type=click.IntRange(0, 65535), metavar="PORT",
                help="Wait for one client on this port of 127.0.0.1.",
            ),
            params.home(),
        ],
        list, _serve,
    ),
)  # fmt: skip
