"""Entry point of `tutor-lsp`. The server's path imports neither click nor rich."""

import json
import os
import pwd
import sys
from collections.abc import Sequence

from tutor_lsp import __version__
from tutor_lsp.cli.serve import serve
from tutor_lsp.cli.serve_options import server_options

COMPLETE = "_TUTOR_LSP_COMPLETE"
"""The variable that a shell sets to get completions; see click.shell_completion."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `tutor-lsp` with these arguments (default: those of the process) to its exit code.

    0 done, 1 refused or failed, 2 wrong usage, 3 tests not passing, 130 after Ctrl-C.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    _know_home()
    options = None if os.environ.get(COMPLETE) else server_options(given)
    if given == ["--version"] and _printed(f"tutor-lsp {__version__}"):
        return 0
    try:
        if options is not None:
            return serve(options)
        from tutor_lsp.cli.app import run

        return run(given)
    except KeyboardInterrupt:
        # Before a loop takes care of it, while modules are loaded.
        return 130
    except FileNotFoundError:
        if _stands_somewhere():
            raise
        message = "The folder that you are in was deleted: go to another one (cd ~) and try again."
        print(message, file=sys.stderr)
        if "--json" in given:
            print(json.dumps({"message": message, "kind": "NO_FOLDER"}), file=sys.stderr)
        return 1


def _printed(line: str) -> bool:
    """Whether a line could be printed; if not, the verbs' own error handling says why."""
    try:
        print(line, flush=True)
    except OSError:
        return False
    return True


def _know_home() -> None:
    """Without HOME the user's folder is that of the system's users, as in a shell."""
    if not os.environ.get("HOME"):
        try:
            found = pwd.getpwuid(os.getuid()).pw_dir
        except KeyError:  # a user that the system does not know
            found = "/"
        os.environ["HOME"] = found


def _stands_somewhere() -> bool:
    try:
        os.getcwd()  # noqa: PTH109 - pathlib takes a millisecond to load
    except FileNotFoundError:
        return False
    return True
