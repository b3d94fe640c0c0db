"""`tutor-lsp watch`: results of every save, live, with the tutor's verbs on single keys."""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tutor_lsp.cli.frontend import TerminalFrontend
from tutor_lsp.cli.runtime import DONE, Invocation, JobFailed, run
from tutor_lsp.cli.screen import render_report, watch_view
from tutor_lsp.cli.screen.out import Lines
from tutor_lsp.cli.screen.watch_screen import Line, Screen, make_screen
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import UnitState
from tutor_lsp.tutor.running.saving import saved
from tutor_lsp.tutor.services.frontend import ProgressHandle

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
    from tutor_lsp.tutor.ide.view import View

POLL_S = 0.2
"""How often the files' times are looked at, in seconds."""
TWICE_S = 5.0
"""How soon `n` must be pressed again to leave an exercise that is not passed, in seconds."""

Stamps = dict[str, tuple[int, int] | None]


def watch(invocation: Invocation) -> int:
    """Watch the exercise that the invocation means until `q` or a signal. Gives the exit code."""
    frontend = WatchFrontend(invocation.err, invocation.progresses, asks=False)
    invocation.frontend = frontend

    async def work(app: "App") -> int:
        app.settings = replace(app.settings, run_on_save=True)
        screen = make_screen(invocation.out, plain=invocation.plain)
        invocation.leave_screen = screen.leave
        models = await app.load("tutor_lsp.tutor.arguments")
        located = models.NoArguments(**invocation.options.located())
        watching = Watch(app, invocation, screen, await app.locate(located))
        frontend.watching = watching
        try:
            return await watching.run()
        finally:
            frontend.watching = None
            await watching.stop()
            screen.leave()

    return run(invocation, work)


class WatchFrontend(TerminalFrontend):
    """Shows messages, progress and results in the view."""

    watching: "Watch | None" = None

    def message(self, text: str, *, warning: bool = False) -> None:
        if self.watching is None:
            super().message(text, warning=warning)
        else:
            self.watching.say([(text,)])

    def exercise_changed(self, exercise: "OpenExercise") -> None:
        if self.watching is not None:
            self.watching.changed(exercise)

    async def progress(self, job_id: str, title: str) -> ProgressHandle:
        if self.watching is None:
            return await super().progress(job_id, title)
        return _Doing(self.watching, title)


class _Doing:
    """Progress in the view's last line."""

    def __init__(self, watching: "Watch", title: str) -> None:
        self._watching = watching
        self._title = title

    def report(self, percent: int, message: str) -> None:
        self._watching.doing(f"{self._title}: {percent} %  {message}")

    def done(self, message: str) -> None:
        del message
        self._watching.doing("")


class Watch:
    """One exercise under watch; `n` may put another in its place."""

    def __init__(
        self, app: "App", invocation: Invocation, screen: Screen, opened: "OpenExercise"
    ) -> None:
        self._app = app
        self._invocation = invocation
        self._screen = screen
        self._opened = opened
        self._stamps: Stamps = {}
        self._body: list[Line] = []
        self._doing = ""
        self._busy = False
        self._leaving_asked = 0.0
        self._action: asyncio.Task[None] | None = None
        self._end: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._keys: Mapping[str, Callable[[], None]] = {
            "h": lambda: self._begin("Looking at your code …", self._hint),
            "a": lambda: self._begin("Running the tests …", self._attempt),
            "n": self._next_key,
            "l": lambda: self.say(watch_view.unit_lines(self._opened.view())),
            "o": lambda: self.say(watch_view.lesson_lines(self._opened.view())),
            "q": lambda: self._finish(DONE),
        }

    async def run(self) -> int:
        """Show and check until the learner quits."""
        self._screen.enter(self._key, self._draw)
        self._stamps = self._look()
        self._draw()
        self._check_all()
        poll = asyncio.create_task(self._poll())
        ends: list[asyncio.Future[Any]] = [poll, self._end]
        try:
            done, _ = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if poll in done:
                poll.result()
            return self._end.result()
        finally:
            poll.cancel()

    async def stop(self) -> None:
        """End what a key began."""
        if self._action is not None:
            self._action.cancel()
            await asyncio.wait([self._action])

    def changed(self, exercise: "OpenExercise") -> None:
        """Results of an exercise changed."""
        if exercise is self._opened:
            self._draw()

    def say(self, lines: list[Line]) -> None:
        """Show a text below the focus."""
        self._body = lines
        self._screen.say(lines)
        self._draw()

    def doing(self, text: str) -> None:
        """Say what goes on."""
        self._doing = text
        self._draw()

    def _key(self, key: str) -> None:
        action = self._keys.get(key.lower())
        if action is not None:
            action()

    def _finish(self, code: int) -> None:
        if not self._end.done():
            self._end.set_result(code)

    def _draw(self) -> None:
        running = "running the tests …" if self._busy else ""
        view = self._opened.view()
        if self._screen.by_line and self._check_follows(view):
            return  # the line would be on results that the next one replaces
        self._screen.show(watch_view.frame(view, self._body, self._doing or running))

    def _check_follows(self, view: "View") -> bool:
        if self._app.runs(self._opened).testing:
            return True
        # While a result is kept those before it are not called old, though nothing is tested.
        behind = view.standing.old or UnitState.STALE in view.standing.states.values()
        return view.session.trusted and behind and view.build_error is None

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(POLL_S)
            now = self._look()
            changed = [file for file, stamp in now.items() if self._stamps.get(file) != stamp]
            self._stamps = now
            for file in changed:
                saved(self._app, self._opened, self._opened.root / file)
            busy = self._app.runs(self._opened).busy
            if busy != self._busy:
                self._busy = busy
                self._draw()

    def _look(self) -> Stamps:
        """Time and size of every file of the exercise; None for one that is not there."""
        root = self._opened.root
        if not root.is_dir():
            raise TutorError(
                "NO_WORKSPACE",
                f"The folder {root} is gone. Start the exercise again, or resume another.",
            )
        found: Stamps = {}
        for file in self._opened.exercise.files:
            try:
                status = os.stat(root / file)  # noqa: PTH116 - five times a second
            except OSError:
                found[file] = None
            else:
                found[file] = (status.st_mtime_ns, status.st_size)
        return found

    def _check_all(self) -> None:
        units = self._opened.exercise.units
        if units:
            saved(self._app, self._opened, self._opened.root / units[0].file)

    def _begin(self, doing: str, work: Callable[[], Awaitable[None]]) -> None:
        """Run an action; one at a time."""
        if self._action is not None and not self._action.done():
            return

        async def action() -> None:
            self.doing(doing)
            try:
                await work()
            except TutorError as error:
                self.say([(error.message,)])
            except JobFailed as failed:
                self.say([(str(failed),)])
            finally:
                self.doing("")

        self._action = asyncio.create_task(action())
        self._action.add_done_callback(self._action_ended)

    def _action_ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and task.exception() is not None and not self._end.done():
            self._end.set_exception(task.exception() or RuntimeError())

    async def _command(self, command: str) -> Any:
        session = {"session": self._opened.session.id}
        return await self._invocation.execute(self._app, command, session)

    async def _hint(self) -> None:
        lines = Lines()
        render_report.hint(lines, await self._command("tutor.hint"))
        self.say(lines.lines[:-1])

    async def _attempt(self) -> None:
        lines = Lines()
        render_report.attempt(lines, await self._command("tutor.attempt"))
        self.say(lines.lines)

    def _next_key(self) -> None:
        view = self._opened.view()
        now = time.monotonic()
        if not (view.session.passed or view.all_green) and now - self._leaving_asked > TWICE_S:
            self._leaving_asked = now
            self.say([("This exercise is not passed yet. Press n again to leave it.",)])
            return
        self._begin("Finishing this exercise …", self._next)

    async def _next(self) -> None:
        ready = await self._command("tutor.next")
        opened = await self._app.adopt(Path(ready["workspace"]))
        if opened is not None:
            self._opened = opened
            self._stamps = self._look()
            self.say(watch_view.lesson_lines(opened.view()))
            self._check_all()
