"""One invocation of a verb: the application, signals, errors and exit codes."""

import asyncio
import contextlib
import gc
import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from tutor_lsp.cli.exit_codes import DONE, REFUSED, USAGE
from tutor_lsp.cli.frontend import TerminalFrontend
from tutor_lsp.cli.paths import expanded
from tutor_lsp.cli.screen.make_out import make_out
from tutor_lsp.cli.screen.out import Out, is_rich, tolerant_streams
from tutor_lsp.cli.screen.print_line import print_line
from tutor_lsp.cli.screen.progress import Progresses, someone_is_there
from tutor_lsp.cli.screen.words import in_terminal
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.text.translation import t
from tutor_lsp.process.hand_over import Here
from tutor_lsp.tutor.application.app import App
from tutor_lsp.tutor.application.compose import compose
from tutor_lsp.tutor.application.ending import run_to_end
from tutor_lsp.tutor.commands.dispatch import execute

WRONG_USE = frozenset({"BAD_ARGUMENT", "NO_NODE", "NO_LANGUAGE", "UNKNOWN_BACKEND"})
"""Kinds of refusals of a value that does not exist."""
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals that end an invocation in order, with exit code 128 + number."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of every verb."""

    session: str | None = None
    path: str | None = None
    home: str | None = None
    json: bool = False
    plain: bool = False

    def located(self) -> dict[str, Any]:
        """The keys that say which session is meant."""
        found: dict[str, Any] = {}
        if self.session is not None:
            found["session"] = self.session
        if self.path is not None:
            found["uri"] = expanded(self.path).absolute().as_uri()
        return found


def options_of(values: dict[str, Any]) -> Options:
    """The common options, taken out of a verb's values; it may have left some of them out."""
    names = [field.name for field in fields(Options) if field.name in values]
    return Options(**{name: values.pop(name) for name in names})


class Invocation:
    """What a verb works with. `asks` says whether questions may be put, `tells_problems` whether
    its result has what is wrong with the settings."""

    def __init__(self, options: Options, *, tells_problems: bool = False) -> None:
        tolerant_streams()
        self.tells_problems = tells_problems
        self.options = options
        self.out = make_out(sys.stdout, plain=options.plain)
        self.err = make_out(sys.stderr, plain=options.plain)
        self.asks = someone_is_there() and not options.json
        self.progresses = Progresses(
            self.err, silent=options.json and not is_rich(sys.stderr, plain=options.plain)
        )
        self.frontend = TerminalFrontend(self.err, self.progresses, asks=self.asks)
        self.leave_screen: Callable[[], None] = self.progresses.pause
        self.plain = options.plain

    def use_plain(self) -> None:
        """No colours and bars from now on, as the setting `plain` demands."""
        self.plain = True
        self.out, self.err = Out(sys.stdout), Out(sys.stderr)
        self.progresses.err = self.frontend.err = self.err
        self.progresses.silent = self.options.json

    async def execute(self, app: App, command: str, argument: Mapping[str, Any]) -> Any:
        """A command's JSON result; a set-up is waited for and gives sessionReady's payload.

        Raises TutorError, JobFailed for a set-up that did not succeed.
        """
        result = await execute(app, command, [dict(argument)])
        if command not in ("tutor.start", "tutor.next"):
            return result
        if command == "tutor.next" and not self.options.json:
            self.frontend.message(result["ended"])
        return await self._ready(app, result["jobId"])

    async def _ready(self, app: App, job_id: str | None) -> Mapping[str, Any]:
        job = app.services.jobs.get(job_id) if job_id is not None else None
        if job is not None and job.task is not None:
            await asyncio.wait([job.task])
            if job.error is not None:
                raise JobFailed(job.id, job.error)
            job.task.result()
        return self.frontend.ready[job_id]

    def show(self, result: Any, render: Callable[[Out, Any], None]) -> None:
        """Print a result: for people, or exactly as JSON; as much of it as is read.

        Raises TutorError `OUTPUT`.
        """
        self.progresses.pause()
        with contextlib.suppress(BrokenPipeError):
            if self.options.json:
                print_line(json.dumps(result, ensure_ascii=False), sys.stdout)
            else:
                render(self.out, result)

    def refused(self, error: Mapping[str, Any]) -> None:
        """Print an error on stderr: a line for people, with `--json` a JSON object after it."""
        self.progresses.pause()
        self.err.line(str(error["message"]))
        details = error.get("details", {})
        if details.get("confirm"):
            self.err.line(f"To confirm: tutor-lsp reveal --confirm --unit {details['unit']}")
        if self.options.json:
            self.err.data(json.dumps(error, ensure_ascii=False))


class JobFailed(Exception):  # noqa: N818 - what happened to the job, told by its own error
    """A set-up that failed or was cancelled; `error` is its machine-readable form."""

    def __init__(self, job_id: str, error: Mapping[str, Any]) -> None:
        super().__init__(error["message"])
        self.error = {"jobId": job_id, **error}


Work = Callable[[App], Awaitable[int]]


def run(invocation: Invocation, work: Work) -> int:
    """Run `work` on an application put together for it, to the exit code.

    Signals cancel it; all jobs, runs and their processes have ended when this returns.
    """
    if invocation.options.home is not None:
        home = expanded(invocation.options.home).absolute()
        os.environ["TUTOR_LSP_HOME"] = str(home)
    return run_to_end(_guarded(invocation, work))


def run_shown(
    invocation: Invocation,
    work: Callable[[App], Awaitable[Any]],
    render: Callable[[Out, Any], None],
) -> int:
    """Run `work` as `run` does and show its result, to the exit code."""

    async def shown(app: App) -> int:
        invocation.show(await work(app), render)
        return DONE

    return run(invocation, shown)


async def _guarded(invocation: Invocation, work: Work) -> int:
    stopped: list[int] = []
    this = asyncio.current_task()

    def stop(number: int) -> None:
        if stopped:
            invocation.leave_screen()
            os._exit(128 + number)
        stopped.append(number)
        if this is not None:
            this.cancel()

    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        loop.add_signal_handler(number, stop, number)
    try:
        return await _with_app(invocation, work)
    except BrokenPipeError:
        # The reader of our output has closed it.
        return DONE
    except asyncio.CancelledError:
        if not stopped:
            raise
        invocation.progresses.pause()
        invocation.err.line("Stopped.")
        return 128 + stopped[0]


async def _with_app(invocation: Invocation, work: Work) -> int:
    app: App | None = None
    try:
        # What tells of problems is there to tell of this one, too.
        reachable = not invocation.tells_problems
        app = await asyncio.to_thread(compose, invocation.frontend, reachable=reachable)
        Here.wish = app.services.settings.resident
        if app.services.settings.plain:
            invocation.use_plain()
        if not invocation.tells_problems:
            app.start()
        if not gc.isenabled():
            gc.freeze()  # what was loaded stays, and is not searched for garbage
            gc.enable()
        code = await work(app)
        if Here.tell is not None:
            # What is closed after that is in nobody's way.
            await app.end_work()
            invocation.progresses.pause()
            Here.tell(code)
        return code  # noqa: TRY300 - else would be behind all that is refused
    except TutorError as error:
        invocation.refused({"message": _once(app, error.message), **error.data()})
        return USAGE if error.kind in WRONG_USE else REFUSED
    except JobFailed as error:
        invocation.refused({**error.error, "message": _once(app, str(error))})
        return REFUSED
    finally:
        invocation.progresses.pause()
        if app is not None:
            await app.close()


def _once(app: App | None, message: str) -> str:
    """The message of a refusal, unless its sentence was said when the application began."""
    problems = app.services.problems if app is not None else ()
    said = any(in_terminal(each).startswith(message) for each in problems)
    return t("It was not done: see above.") if said else message
