"""An exercise per language, its right and a wrong text, and attempts on them."""

import asyncio
from contextlib import asynccontextmanager
from pathlib import Path

from tutor_kit import DEADLINE_S, Tutor, tutor

from tutor_lsp.core.exercise.units import files_hash
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.library.loader import BUNDLED, Library
from tutor_lsp.process.contain import Contain

LIBRARY = Library([BUNDLED])
FOLDERS = {
    "python": "python-functions-movie-night",
    "rust": "rust-functions-split-the-bill",
    "c": "c-functions-kitchen-timer",
}
WRONG = {
    "python": ("hours * 60 + minutes", "hours + minutes"),
    "rust": ("bill * percent / 100", "bill * percent"),
    "c": ("SECONDS_PER_MINUTE", "1u"),
}


class Desk:
    """One exercise of a language, open in an application."""

    def __init__(self, t: Tutor, ready, language):
        self.t = t
        self.language = language
        self.root = Path(ready["workspace"])
        entry = next(e for e in LIBRARY.entries(language) if e.folder == FOLDERS[language])
        (self.file, self.right), *others = LIBRARY.load(entry).solution.items()
        assert not others
        before, after = WRONG[language]
        assert before in self.right
        self.wrong = self.right.replace(before, after)
        self.t.desk.document = self.root / self.file

    @property
    def opened(self):
        """The exercise as the application has it."""
        (opened,) = self.t.app.exercises.all()
        return opened

    @property
    def session(self):
        """The session as it is kept."""
        return self.opened.session

    def write(self, text, file=None):
        """Put a file on the disk, at once, as an editor does."""
        path = self.root / (file or self.file)
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f".{path.name}.new")
        new.write_text(text)
        new.replace(path)

    def save(self, text):
        """Put the learner's file on the disk and tell the application of it."""
        from tutor_lsp.tutor.running.saving import saved

        self.write(text)
        saved(
            self.t.app.services,
            self.t.app.runs.of(self.opened),
            self.opened,
            self.root / self.file,
        )

    def hash_of(self, text):
        """What an attempt on that text is kept under."""
        return files_hash({self.file: text})

    def begin(self):
        """Ask for an attempt; the task whose result is its answer."""
        return asyncio.ensure_future(self.t.do("attempt"))

    async def attempt(self):
        """The answer of an attempt."""
        return await self.t.do("attempt")

    async def quiet(self):
        """Wait until nothing runs here any more."""
        runs = self.t.app.runs.of(self.opened)
        async with asyncio.timeout(DEADLINE_S):
            while runs.busy or runs.pending():  # noqa: ASYNC110 - many things may end it
                await asyncio.sleep(0.005)

    def uncontained(self):
        """Let what is run write to its own folder, as where nothing keeps it from that."""
        self.opened.toolchain = toolchains(contain=Contain(enabled=False))[self.language]


@asynccontextmanager
async def desk(home, language):
    """An exercise of that language, just started."""
    async with tutor(home) as t:
        node = next(e.node for e in LIBRARY.entries(language) if e.folder == FOLDERS[language])
        ready = await t.start(language=language, node=node)
        yield Desk(t, ready, language)
