"""Entry point of `tutor-lsp`. The server's path imports neither click nor rich."""

import contextlib
import json
import os
import pwd
import sys
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """How to serve: over stdin and stdout, or on `tcp`, a port of 127.0.0.1 (0 takes a free one).

    `home` is the tutor home, None for that of the settings.
    """

    tcp: int | None = None
    home: str | None = None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `tutor-lsp` with these arguments (default: those of the process) to its exit code.

    0 done, 1 refused or failed, 2 wrong usage, 3 tests not passing, 130 after Ctrl-C.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    _know_home()
    options = server_options(given)
    try:
        if options is not None:
            from tutor_lsp.cli.serve import serve

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


def _know_home() -> None:
    """Without HOME the user's folder is that of the system's users, as in a shell."""
    if not os.environ.get("HOME"):
        os.environ["HOME"] = "/"
        with contextlib.suppress(KeyError):
            os.environ["HOME"] = pwd.getpwuid(os.getuid()).pw_dir


def _stands_somewhere() -> bool:
    try:
        os.getcwd()  # noqa: PTH109 - pathlib takes a millisecond to load
    except FileNotFoundError:
        return False
    return True


def server_options(arguments: Sequence[str]) -> ServeOptions | None:
    """The server's options, or None if these arguments ask for anything but a server.

    `--stdio` may stand anywhere; `--clientProcessId`, which VS Code's client adds, is accepted.
    """
    tcp: int | None = None
    home: str | None = None
    verb_seen = False
    rest = iter(arguments)
    for argument in rest:
        name, has_value, value = argument.partition("=")
        if argument == "serve" and not verb_seen:
            verb_seen = True
        elif argument == "--stdio":
            continue
        elif name in ("--tcp", "--home", "--clientProcessId"):
            given = value if has_value else next(rest, None)
            if not given:
                return None
            if name == "--tcp":
                if not given.isascii() or not given.isdigit() or int(given) > 65535:
                    return None
                tcp = int(given)
            elif name == "--home":
                home = given
        else:
            return None
    return ServeOptions(tcp, home)
