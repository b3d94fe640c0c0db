"""An exercise of one's own that has a unit of some kind: begun once, and copied for each test."""

import asyncio
import contextlib
import shutil
from pathlib import Path

from started_home import moved
from taken_as_proven import taken_as_proven
from tutor_kit import Tutor

from tutor_lsp.authoring.own.new_exercise import new_exercise
from tutor_lsp.tutor.application.compose import compose


class OwnLearner(Tutor):
    """With a library of one's own; `file` is that of the unit, `given` its text at first."""

    file = ""

    def __init__(self, home, library):
        super().__init__(home)
        self.settings = {"home": str(home), "backend": "auto", "libraries": [str(library)]}
        self.app = compose(self.desk, self.settings)

    async def begin(self):
        ready = await self.start(language="python", node="python-weather", trust=True)
        return Path(ready["workspace"])

    async def take_up(self, root):
        await self.app.exercises.adopt(root)
        self.root, self.path = root, root / self.file
        self.given = self.path.read_text()

    @property
    def opened(self):
        return self.app.exercises.open_at(self.root)

    @property
    def view(self):
        return self.opened.view()

    async def unit(self):
        return (await self.do("status"))["units"][3]


def begun_with(folder, kind, learner=OwnLearner):
    """A home in which the exercise is begun, its library, and the exercise's folder in the home."""

    def write(library):
        new_exercise(library / "python-weather-notes", "python", kinds=[kind])

    return begun_of(folder, write, learner)


def begun_of(folder, write, learner=OwnLearner):
    """The same with an exercise that is written into the library."""
    library, home = folder / "library", folder / "home"
    library.mkdir()
    write(library)

    async def begin():
        made = learner(home, library)
        try:
            with taken_as_proven():
                return await made.begin()
        finally:
            await made.app.close()

    return home, library, asyncio.run(begin()).relative_to(home)


@contextlib.asynccontextmanager
async def taken_up(begun, home, learner):
    """A learner in a copy of that home, with a copy of the library beside it."""
    first, library, root = begun
    shutil.copytree(first, home, symlinks=True)
    moved(home, first)
    library = shutil.copytree(library, home.parent / "library")
    made = learner(home, library)
    try:
        await made.take_up(home / root)
        yield made
    finally:
        await made.app.close()
