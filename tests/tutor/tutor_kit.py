"""The application in this process, with a front end that remembers: no server, no terminal."""

import asyncio
from contextlib import asynccontextmanager
from pathlib import Path

from placeholders import with_body

from tutor_lsp.core.errors import TutorError
from tutor_lsp.library.loader import BUNDLED, Library
from tutor_lsp.tutor.application.compose import compose
from tutor_lsp.tutor.commands.dispatch import execute
from tutor_lsp.tutor.services.frontend import Abilities

DEADLINE_S = 30.0


class _Progress:
    def report(self, percent, message):
        pass

    def done(self, message):
        pass


class Desk:
    """Implements tutor.frontend.Frontend. `buffers` are open documents, by path."""

    def __init__(self):
        self.abilities = Abilities()
        self.buffers = {}
        self.document = None
        self.documents = []
        self.around = []
        self.notified = []
        self.said = []
        self.shown = []

    def buffer(self, path):
        return self.buffers.get(path)

    position_unit = "utf-16"

    def current_document(self):
        return self.document

    def documents_in_use(self):
        return self.documents

    def folders(self):
        return self.around

    def exercise_opened(self, document):
        self.document = document

    def notify(self, method, payload):
        self.notified.append((method, payload))

    async def progress(self, job_id, title):
        return _Progress()

    async def choose(self, prompt, choices):
        return None

    async def ask_text(self, prompt):
        return None

    def model(self):
        return None

    async def open(self, path, line, *, take_focus=True):
        return False

    def message(self, text, *, warning=False):
        self.said.append(text)

    async def replace(self, path, text):
        if path not in self.buffers:
            return False
        self.buffers[path] = text
        return True

    def exercise_changed(self, exercise):
        self.shown.append(exercise.view())


async def until(what, why):
    """Wait until `what` is true; fail with `why` at the deadline."""
    end = asyncio.get_running_loop().time() + DEADLINE_S
    while not (found := what()):
        assert asyncio.get_running_loop().time() < end, why
        await asyncio.sleep(0.005)
    return found


class Tutor:
    """What a test does with an application."""

    def __init__(self, home):
        self.desk = Desk()
        self.app = compose(self.desk, {"home": str(home), "backend": "auto"})
        self.home = home

    async def do(self, name, **argument):
        """Run a command; its JSON result."""
        return await execute(self.app, f"tutor.{name}", [argument])

    async def refused(self, name, **argument):
        """The error of a command that must be refused."""
        try:
            result = await self.do(name, **argument)
        except TutorError as error:
            return error
        raise AssertionError(f"{name} was not refused: {result}")

    async def ready(self, begun):
        """The payload of sessionReady of a job that was begun."""
        job = self.app.services.jobs.get(begun["jobId"])
        async with asyncio.timeout(DEADLINE_S):
            await job.task
        assert job.error is None, job.error
        found = [p for m, p in self.desk.notified if m == "tutor/sessionReady"]
        return next(payload for payload in found if payload["jobId"] == begun["jobId"])

    async def start(self, **argument):
        """Start an exercise and wait until it is ready."""
        return await self.ready(await self.do("start", **argument))

    def folders(self):
        """Names of the exercise folders."""
        return sorted(path.name for path in (self.home / "exercises").iterdir())


def stub_file(ready):
    """The file of the first unit."""
    return Path(ready["workspace"], ready["units"][0]["file"])


def write_wrong(ready, value="-1"):
    """Give the first unit a body that fails its tests; the new text."""
    path = stub_file(ready)
    stub = ready["units"][0]["stub"]
    text = with_body(path.read_text(), stub, f"return {value}")
    path.write_text(text)
    return text


def solve(ready):
    """Put the reference in place of all stub files."""
    library = Library([BUNDLED])
    bundled = library.load(library.by_id(ready["exerciseId"]))
    for file, text in bundled.solution.items():
        Path(ready["workspace"], file).write_text(text)


def solve_first_unit(ready):
    """Solve the first unit of the first Python exercise; the new text."""
    assert ready["units"][0]["stub"] == "to_minutes"
    return write_wrong(ready, "hours * 60 + minutes")


@asynccontextmanager
async def tutor(home):
    """An application that is closed at the end."""
    found = Tutor(home)
    try:
        yield found
    finally:
        await found.app.close()
