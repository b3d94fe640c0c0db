"""Entry point of `tutor-lsp`. The server's path imports neither click nor rich."""

import gc
import os
import sys
import time
from collections.abc import Callable, Sequence

from tutor_lsp import __version__
from tutor_lsp.cli.serve_options import ServeOptions, server_options

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
    return _ended(given, lambda: _done(given, options, whole=arguments is None))


def _done(given: Sequence[str], options: ServeOptions | None, *, whole: bool) -> int:
    if options is not None:
        from tutor_lsp.cli.serve import serve

        return serve(options)
    if whole:
        return _whole_process(given)
    from tutor_lsp.cli.app import run

    return run(given)


def _whole_process(given: Sequence[str]) -> int:
    """Do a verb in a process that is there for nothing else, and end it.

    Loading is faster where no garbage is looked for, which `runtime` turns on again, and where
    what few verbs need comes when it is used.
    """
    begun = time.time()
    answer = None
    if given[:1] == ["status"]:
        from tutor_lsp.cli.quick import kept

        answer = kept.answer(given)
        if answer is not None and answer.again():
            return 0
    from tutor_lsp.process.hand_over import served

    code = served(given)
    if code is not None:
        os._exit(code)
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
    return _alone(given, begun, None if answer is None else answer.keep)


def _alone(given: Sequence[str], begun: float, keep: Callable[[int], None] | None = None) -> int:
    """Do a verb and end this process, as the interpreter would, but without taking each module and
    object down first, which takes a fifth of the time of a short verb. `begun` is a time before
    anything was loaded.

    Returns only where output is left that cannot be written: the interpreter then says so.
    """
    import atexit
    import threading

    # What is defined before all is put off that can be would be compiled at once.
    from tutor_lsp.cli.app import run
    from tutor_lsp.process.hand_over import Here, may_leave

    code = _ended(given, lambda: run(given))
    if keep is not None:
        keep(code)
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        return code
    if may_leave(given):
        from tutor_lsp.process.resident.staying import STAYING

        asked = STAYING.branch(given[0], begun)
        if asked is not None:
            asked.become()
            return _alone(asked.given, begun)
    atexit._run_exitfuncs()  # noqa: SLF001 - no public way
    if Here.tell is not None:
        Here.tell(code)
    os._exit(code)


def _ended(given: Sequence[str], do: Callable[[], int]) -> int:
    """The exit code of what is done for a command line."""
    try:
        return do()
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
