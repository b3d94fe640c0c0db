"""The walk of one start, one attempt and one save: the files from the handler of a request to its
effects, as traced. Left out are `core/`, which is only queried on the way, files that are called on
the side, and pygls. The way into the store, which all writes share, is counted apart.
"""

import asyncio
import sys
import tempfile
import threading
from collections import defaultdict, deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace

import tutor_lsp
from tutor_lsp.lsp.features.execute_command import execute_command
from tutor_lsp.tutor.application.compose import compose
from tutor_lsp.tutor.running.saving import saved

TESTS = Path(__file__).parents[1] / "tests"
sys.path += [str(TESTS), str(TESTS / "tutor")]

ROOT = f"{Path(tutor_lsp.__file__).parent}/"
LEFT_OUT = "core/"
STORED = ("store/transaction.py", "Transaction.put_session")
KEEPS = {
    "start": ("tutor/starting/start.py", "_place"),
    "attempt": ("tutor/exercise/register.py", "OpenExercises.change_session"),
    "save": ("tutor/exercise/register.py", "OpenExercises.change_session"),
}
"""What has the session stored: from there on to the store, whose transactions all callers share."""
EFFECTS = {
    "start": {
        "a stage's answer": ("stages/runner.py", "Runner.run"),
        "the folder": ("authoring/workspace.py", "place"),
        "the open exercise": ("tutor/exercise/register.py", "OpenExercises.open_session"),
    },
    "attempt": {
        "the snapshot": ("tutor/exercise/snapshots.py", "take"),
        "the run": ("languages/python/run.py", "PythonRun._run"),
        "the stored result": ("tutor/exercise/register.py", "OpenExercises.change_session"),
        "the review": ("tutor/reviewing/review.py", "Reviewing._keep"),
    },
    "save": {
        "the run": ("languages/python/run.py", "PythonRun._run"),
        "the stored result": ("tutor/exercise/register.py", "OpenExercises.change_session"),
    },
}


class Received:
    """As much of the server's context as the handler of commands uses."""

    def __init__(self, app):
        self.app = self
        self.client = SimpleNamespace(flags=SimpleNamespace(shows_results=True))
        self._app = app

    @asynccontextmanager
    async def for_command(self, _name):
        yield self._app


class Calls:
    """Who called whom among our functions; who begins a task or a timer counts as its caller."""

    def __init__(self):
        self.callers = defaultdict(dict)

    def __call__(self, frame, event, _arg):
        if event == "call" and frame.f_code.co_filename.startswith(ROOT):
            self._note(_ours(frame.f_back), _name(frame.f_code))

    def begins(self, code):
        if code is not None and code.co_filename.startswith(ROOT):
            self._note(_ours(sys._getframe(2)), _name(code))  # noqa: SLF001

    def _note(self, caller, callee):
        if caller is not None and caller != callee:
            self.callers[callee].setdefault(caller)

    def way_to(self, name, since=None):
        """The shortest chain of functions that ends with `name`, from `since` on if given."""
        waiting, seen = deque([(name,)]), {name}
        way = (name,)
        while waiting:
            way = waiting.popleft()
            before = [each for each in self.callers[way[0]] if each not in seen]
            if way[0] == since or not self.callers[way[0]]:
                return way
            seen.update(before)
            waiting.extend((each, *way) for each in before)
        return way


def _name(code):
    return code.co_filename.removeprefix(ROOT), code.co_qualname


def _ours(frame):
    while frame is not None and not frame.f_code.co_filename.startswith(ROOT):
        frame = frame.f_back
    return None if frame is None else _name(frame.f_code)


async def traced(work):
    calls, loop = Calls(), asyncio.get_running_loop()

    def task(loop, coroutine, **more):
        calls.begins(getattr(coroutine, "cr_code", None))
        return asyncio.Task(coroutine, loop=loop, **more)

    later = loop.call_later

    def call_later(delay, callback, *arguments, **more):
        calls.begins(getattr(callback, "__code__", None))
        return later(delay, callback, *arguments, **more)

    in_thread = asyncio.to_thread

    def to_thread(work, *arguments, **more):
        calls.begins(getattr(work, "__code__", None))
        return in_thread(work, *arguments, **more)

    asyncio.to_thread = to_thread
    loop.set_task_factory(task)
    loop.call_later = call_later
    threading.setprofile(calls)
    loop.set_default_executor(ThreadPoolExecutor())  # threads that were there are not traced
    sys.setprofile(calls)
    try:
        return calls, await work()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        loop.set_task_factory(None)
        loop.call_later = later
        asyncio.to_thread = in_thread


def tell(name, calls):
    files = {}
    for what, goal in EFFECTS[name].items():
        if goal not in calls.callers:
            raise SystemExit(f"{name}: {goal} was not reached")
        way = [file for file, _ in calls.way_to(goal) if not file.startswith(LEFT_OUT)]
        files.update(dict.fromkeys(way))
        print(f"  {what}: {' → '.join(dict.fromkeys(way))}")
    print(f"{name}: {len(files)} files (bar 15)")
    stores = [file for file, _ in calls.way_to(STORED, since=KEEPS[name])]
    if stores[0] != KEEPS[name][0]:
        raise SystemExit(f"{name}: {KEEPS[name]} stored nothing")
    more = [file for file in dict.fromkeys(stores) if file not in files]
    print(f"{name}, into the store: {len(more)} more: {' → '.join(more)}")


async def _walk():
    from tutor_kit import Desk, stub_file, write_wrong

    with tempfile.TemporaryDirectory() as home:
        desk = Desk()
        app = compose(desk, {"home": home, "backend": "auto"})
        received = Received(app)

        async def start():
            begun = await execute_command(received, "tutor.start", [{"language": "python"}])
            job = app.services.jobs.get(begun["jobId"])
            await job.task
            return next(p for m, p in desk.notified if m == "tutor/sessionReady")

        async def attempt():
            return await execute_command(
                received, "tutor.attempt", [{"session": ready["sessionId"]}]
            )

        async def save():
            opened = await app.exercises.adopt(stub_file(ready))
            queue = app.runs.of(opened)
            saved(app.services, queue, opened, stub_file(ready))
            before = opened.session.last_report
            while opened.session.last_report is before or queue.busy:  # noqa: ASYNC110
                await asyncio.sleep(0.01)

        try:
            calls, ready = await traced(start)
            tell("start", calls)
            write_wrong(ready)
            tell("attempt", (await traced(attempt))[0])
            while beside := app.services.tasks.tasks:  # no part of the save that comes next
                await asyncio.gather(*beside)
            stub_file(ready).write_text(stub_file(ready).read_text() + "\n# more\n")
            tell("save", (await traced(save))[0])
        finally:
            await app.close()


def walk():
    asyncio.run(_walk())
