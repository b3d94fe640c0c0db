"""`tutor-lsp watch`: results of every save, live, with the tutor's verbs on single keys."""

import asyncio
import contextlib
import os
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from tutor_lsp.cli.exit_codes import DONE
from tutor_lsp.cli.runtime import Invocation, JobFailed, options_of, run
from tutor_lsp.cli.screen import render, watch_view
from tutor_lsp.cli.screen.out import KeptLines, Part
from tutor_lsp.cli.screen.watch_keys import COMMAND_KEYS, WAY_KEYS, WORDS, Typing
from tutor_lsp.cli.screen.watch_panel import Body, Panel, nothing
from tutor_lsp.cli.screen.watch_screen import Line, Screen, make_screen
from tutor_lsp.cli.screen.words import voice_with
from tutor_lsp.cli.work.perform import LOOKING, RUNNING
from tutor_lsp.cli.work.watch_frontend import WatchFrontend
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import UnitState
from tutor_lsp.core.session import Session
from tutor_lsp.core.text.translation import marked, t
from tutor_lsp.tutor.application.app import App
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.state import saved_at
from tutor_lsp.tutor.ide.actions import ways_on
from tutor_lsp.tutor.ide.view import View, Viewable
from tutor_lsp.tutor.interface.arguments import NoArguments
from tutor_lsp.tutor.running.saving import saved

POLL_S = 0.2
"""How often the files' times are checked, in seconds."""
TWICE_S = 5.0
"""How soon a key must be pressed again that leaves or takes away something, in seconds."""
READING_S = 60.0
"""How long a refusal may be read before the solution is asked for again, in seconds."""
FOLLOW_S = 1.0
"""How often the record is asked whether another exercise was begun elsewhere, in seconds."""

Stamps = dict[str, tuple[int, int] | None]


def watch(values: dict[str, Any]) -> int:
    """Watch an exercise until `q` or a signal, to the exit code. The parameter `place` is an
    exercise's folder."""
    place = values.pop("place")
    if place is not None:
        values["path"] = place
    invocation = Invocation(options_of(values))
    voice = voice_with(COMMAND_KEYS, WAY_KEYS)
    frontend = WatchFrontend(invocation.err, invocation.progresses, asks=False, voice=voice)
    invocation.frontend = frontend

    async def work(app: App) -> int:
        app.services.settings = replace(app.services.settings, run_on_save=True)
        screen = make_screen(invocation.out, plain=invocation.plain)
        invocation.leave_screen = screen.leave
        located = NoArguments(**invocation.options.located())
        watching = Watch(app, invocation, screen, await app.exercises.locate(located))
        frontend.watching = watching
        try:
            return await watching.run()
        finally:
            frontend.watching = None
            await watching.stop()
            screen.leave()

    return run(invocation, work)


class Watch:
    """One exercise under watch; `n` may put another in its place."""

    def __init__(
        self, app: App, invocation: Invocation, screen: Screen, opened: OpenExercise
    ) -> None:
        self._app = app
        self._invocation = invocation
        self._screen = screen
        self._opened = opened
        self._stamps: Stamps = {}
        self._panel = Panel()
        self._heard: list[Line] | None = None
        self._doing = ""
        self._busy = False
        self._asked: tuple[tuple[str, ...], float] = ((), 0.0)
        self._typing: Typing | None = None
        self._action: asyncio.Task[None] | None = None
        self._end: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._keys: Mapping[str, Callable[[], None]] = {
            "check": lambda: self._begin(RUNNING, partial(self._told, "tutor.check")),
            "hint": lambda: self._begin(LOOKING, partial(self._told, "tutor.hint")),
            "next": self._next_key,
            "lesson": lambda: self._look_at(watch_view.lesson_lines),
            "attempt": lambda: self._begin(RUNNING, partial(self._told, "tutor.attempt")),
            "units": lambda: self._look_at(watch_view.unit_lines),
            "output": lambda: self._look_at(watch_view.output_lines),
            "ask": self._ask_key,
            "compare": lambda: self._begin(LOOKING, partial(self._told, "tutor.compare")),
            "solution": self._solution_key,
            "easier": self._easier_key,
            "reset": self._reset_key,
            "undo": lambda: self._begin(LOOKING, partial(self._told, "tutor.reset", undo=True)),
            "review": lambda: self._begin(LOOKING, self._review),
            "more": self._turn,
            "close": lambda: self._look_at(nothing),
            "keys": lambda: self._look_at(lambda _view: watch_view.key_lines()),
            "quit": lambda: self._finish(DONE),
        }

    async def run(self) -> int:
        """Show and check until the learner quits."""
        active = await self._active()
        self._screen.enter(self._key, self._draw)
        self._stamps = self._look()
        self._draw()
        self._check_all()
        tasks = [asyncio.create_task(work) for work in (self._poll(), self._follow(active))]
        for task in tasks:
            task.add_done_callback(self._task_ended)
        try:
            return await self._end
        finally:
            for task in tasks:
                task.cancel()

    async def stop(self) -> None:
        """End what a key began."""
        if self._action is not None:
            self._action.cancel()
            await asyncio.wait([self._action])

    def changed(self, exercise: Viewable) -> None:
        """Results of an exercise changed."""
        if exercise is self._opened:
            self._draw()

    def hear(self, lines: list[Line]) -> None:
        """Show a message; one on the way to another exercise is shown with that."""
        if self._heard is None:
            self.say(lines)
        else:
            self._heard += lines

    def grown(self, lines: list[Line]) -> None:
        """Show an answer that is still being written; where lines stay, only the whole one."""
        if not self._screen.by_line:
            self.say(lines)

    def say(self, lines: list[Line], *, of_run: bool = False) -> None:
        """Show a text below the focus, as long as that is on the same unit; the result of a run
        only until the next save."""
        self._panel.say(lines, self._opened.view(), of_run=of_run)
        self._screen.say(lines)
        self._draw()

    def _look_at(self, body: Body) -> None:
        """Show below the focus what is true of it at any time."""
        self._panel.look_at(body)
        self._screen.say(body(self._opened.view()))
        self._draw()

    def doing(self, text: str) -> None:
        """Show the work in progress."""
        self._doing = text
        self._draw()

    def _key(self, key: str) -> bool:
        if self._typing is not None:
            if not self._typing.key(key):
                self._typing = None
            self._draw()
        elif (action := self._keys.get(WORDS.get(key.lower(), ""))) is not None:
            action()
        return self._typing is not None

    def _finish(self, code: int) -> None:
        if not self._end.done():
            self._end.set_result(code)

    def _draw(self) -> None:
        running = t("running the tests …") if self._busy else ""
        view = self._opened.view()
        if self._screen.by_line and self._check_follows(view):
            return  # the line would be on results that the next one replaces
        typing = self._typing
        typed = f"{typing.prompt} {typing.text}▏" if typing is not None else ""
        doing = typed or self._doing or running
        body = self._panel.lines(view)
        self._screen.show(watch_view.frame(view, body, doing, self._panel.page))

    def _check_follows(self, view: View) -> bool:
        if self._app.runs.of(self._opened).testing:
            return True
        # While a result is being stored, earlier ones are not called old, though nothing is tested.
        stale = (each for each in view.standing.units if each.state is UnitState.STALE)
        behind = view.standing.old or any(not each.unchecked for each in stale)
        return view.session.trusted and behind and view.build_error is None

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(POLL_S)
            now = self._look()
            changed = [file for file, stamp in now.items() if self._stamps.get(file) != stamp]
            self._stamps = now
            if changed:
                self._panel.saved()
            for file in changed:
                self._saved(file)
            busy = self._app.runs.of(self._opened).busy
            if busy != self._busy:
                self._busy = busy
                self._draw()

    async def _active(self) -> Session | None:
        return await self._app.exercises.active_session()

    async def _follow(self, known: Session | None) -> None:
        """Go on with the exercise that was begun or resumed elsewhere, unless one was named.
        `known` is the active one so far."""
        if self._invocation.options.located():
            return
        while True:
            await asyncio.sleep(FOLLOW_S)
            # The record may be locked for a while, and the exercise's folder may be gone again.
            with contextlib.suppress(TutorError):
                active = await self._active()
                moved = active is not None and (known is None or active.id != known.id)
                known = active
                if moved and active is not None and active.id != self._opened.session.id:
                    self._take(await self._app.exercises.open_session(active))

    def _take(self, opened: OpenExercise, heard: list[Line] | None = None) -> None:
        self._opened = opened
        self._stamps = self._look()
        if heard:
            self.say([*heard, (), *watch_view.lesson_lines(opened.view())])
        else:
            self._look_at(watch_view.lesson_lines)
        self._check_all()

    def _look(self) -> Stamps:
        """Time and size of every file of the exercise; None for a missing one."""
        root = self._opened.root
        if not root.is_dir():
            raise TutorError(
                "NO_WORKSPACE",
                f"The folder {root} is gone. Start the exercise again, or resume another.",
            )
        found: Stamps = dict.fromkeys(self._opened.exercise.files)
        for file in found:
            with contextlib.suppress(OSError):
                status = os.stat(root / file)  # noqa: PTH116 - five times a second
                found[file] = (status.st_mtime_ns, status.st_size)
        return found

    def _check_all(self) -> None:
        units = self._opened.exercise.units
        if units:
            self._saved(units[0].file)

    @property
    def _acting(self) -> bool:
        return self._action is not None and not self._action.done()

    def _begin(self, doing: str, work: Callable[[], Awaitable[None]]) -> None:
        """Run an action; one at a time."""
        if self._acting:
            return

        async def action() -> None:
            self.doing(t(doing))
            try:
                await work()
            except (TutorError, JobFailed) as error:
                self.say([(str(error),)])
            finally:
                self.doing("")

        self._action = asyncio.create_task(action())
        self._action.add_done_callback(self._task_ended)

    def _task_ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and task.exception() is not None and not self._end.done():
            self._end.set_exception(task.exception() or RuntimeError())

    async def _command(self, command: str, **more: Any) -> Any:
        argument = {"session": self._opened.session.id, **more}
        return await self._invocation.execute(self._app, command, argument)

    async def _told(self, command: str, **more: Any) -> None:
        lines = KeptLines()
        render.say(lines, await self._command(command, **more))
        self.say(lines.lines, of_run=command in ("tutor.check", "tutor.attempt"))

    async def _review(self) -> None:
        lines = KeptLines()
        render.review(lines, await self._command("tutor.review"))
        self.say(lines.lines)

    def _saved(self, file: str) -> None:
        opened = self._opened
        self._app.runs.ready.touch(opened)
        path = opened.root / file
        saved(self._app.services, self._app.runs.of(opened), opened, path, saved_at(path))

    def _twice(self, key: str, question: str, unit: str = "") -> bool:
        """Whether a key that takes something away was pressed again; else asks for that."""
        if self._again(key, unit, TWICE_S):
            return True
        self._ask_again(key, unit, question)
        return False

    def _ask_again(self, key: str, unit: str, *texts: Part) -> None:
        self._asked = ((key, self._opened.session.id, unit), time.monotonic())
        self.say([(text,) for text in texts])

    def _again(self, key: str, unit: str, within_s: float) -> bool:
        """Whether a key answers what was asked about this very unit, which is settled then."""
        (asked, at), self._asked = self._asked, ((), 0.0)
        same = asked == (key, self._opened.session.id, unit)
        return same and time.monotonic() - at <= within_s

    def _next_key(self) -> None:
        view = self._opened.view()
        done = view.session.passed or view.standing.all_green
        leave = t("This exercise is not passed yet. Press n again to leave it.")
        if done or self._twice("n", leave):
            self._begin(marked("Finishing this exercise …"), partial(self._other, "tutor.next"))

    def _easier_key(self) -> None:
        view = self._opened.view()
        ways = ways_on(view, view.focus) if view.focus is not None else []
        easier = next((way for way in ways if way.command == "tutor.start"), None)
        if easier is None:
            self.say([(t("An easier exercise is offered after the last hint, if there is one."),)])
        else:
            doing = marked("Starting an easier exercise …")
            self._begin(doing, partial(self._other, easier.command, **easier.argument))

    def _reset_key(self) -> None:
        item = self._opened.view().focus
        if item is None:
            return
        stub = item.unit.stub
        back = t(f"Press x again to put {stub} back as it was given. Your text is kept.")
        if self._twice("x", back, item.unit.id):
            self._begin(LOOKING, partial(self._told, "tutor.reset", unit=item.unit.id))

    def _solution_key(self) -> None:
        item = self._opened.view().focus
        if item is not None:
            confirmed = self._again("s", item.unit.id, READING_S)
            self._begin(LOOKING, partial(self._solution, item.unit.id, confirmed))

    async def _solution(self, unit: str, confirmed: bool) -> None:
        try:
            await self._told("tutor.reveal", unit=unit, confirm=confirmed)
        except TutorError as error:
            if not error.details.get("confirm"):
                raise
            self._ask_again("s", unit, error.message, t("Press s again to see it now."))

    def _ask_key(self) -> None:
        def done(question: str | None) -> None:
            if question is not None:
                self._begin(LOOKING, partial(self._told, "tutor.ask", question=question))
            elif self._screen.by_line:
                self.say([(t("Write your question behind the key: ? why …"),)])

        if self._acting:
            return  # a question that is typed now could not be asked
        self._typing = Typing(t("Your question (Enter asks, Esc leaves):"), done)
        self._draw()

    def _turn(self) -> None:
        self._panel.page += 1
        self._draw()

    async def _other(self, command: str, **more: Any) -> None:
        """Go on with the exercise that a command starts, and say what was said on the way."""
        heard: list[Line] = []
        self._heard = heard
        try:
            ready = await self._command(command, **more)
            opened = await self._app.exercises.adopt(Path(ready["workspace"]))
        finally:
            self._heard = None
        if opened is not None:
            self._take(opened, heard)
