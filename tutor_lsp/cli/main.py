"""Entry point of `tutor-lsp`. The server's path imports neither click nor rich."""

import gc
import os
import sys
from collections.abc import Sequence

from tutor_lsp import __version__
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
            from tutor_lsp.cli.serve import serve

            return serve(options)
        if arguments is None:
            return _whole_process(given)
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
            import json

            print(json.dumps({"message": message, "kind": "NO_FOLDER"}), file=sys.stderr)
        return 1


def _whole_process(given: Sequence[str]) -> int:
    """Do a verb in a process that is there for nothing else, and end it.

    Loading is faster where no garbage is looked for, which `runtime` turns on again, and where
    what few verbs need comes when it is used.
    """
    from tutor_lsp.cli.quick import kept

    answer = kept.answer(given)
    if answer is not None and answer.again():
        return 0
    from tutor_lsp.cli.quick import modules

    gc.disable()
    if answer is not None:
        answer.listen()
    modules.install()
    # What is imported before that would load some of them.
    from tutor_lsp.cli import lazy_methods
    from tutor_lsp.cli.quick import patterns

    patterns.install()
    lazy_methods.install()
    # What is defined before that would be compiled at once.
    from tutor_lsp.cli.app import run

    code = run(given)
    if answer is not None:
        answer.keep(code)
    return _leave(code)


def _leave(code: int) -> int:
    """End this process as the interpreter would, but without taking each module and object down
    first, which takes a fifth of the time of a short verb. Returns only where output is left that
    cannot be written: the interpreter then says so.
    """
    import atexit
    import threading

    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()
    atexit._run_exitfuncs()  # noqa: SLF001 - no public way
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        return code
    os._exit(code)


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
        import pwd

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
