"""A learner in the new exercise of a language, whose author knows some mistakes."""

import asyncio
import contextlib
import shutil
from pathlib import Path

from started_home import moved
from taken_as_proven import taken_as_proven
from tutor_kit import Tutor

from tutor_lsp.authoring.own.new_exercise import new_exercise
from tutor_lsp.languages.common.proof.splice import site_of
from tutor_lsp.tutor.application.compose import compose

NODES = {"python": "python-functions", "rust": "rust-ownership", "c": "c-functions"}
"""A topic of each language with misconceptions of its own."""
UNIT = "ex-3"


class Learner(Tutor):
    """With a library of one's own, in an exercise that is begun."""

    def __init__(self, home, library, **settings):
        super().__init__(home)
        given = {"home": str(home), "backend": "auto", "libraries": [str(library)], **settings}
        self.app = compose(self.desk, given)

    async def take_up(self, root):
        await self.app.exercises.adopt(root)
        self.root = root
        self.file = root / self.opened.unit(UNIT).file

    @property
    def opened(self):
        return self.app.exercises.open_at(self.root)

    def solve(self):
        """Put the reference in place of all stubs."""
        for file, text in self.opened.vault.solution.items():
            (self.root / file).write_text(text)

    def write(self, code, unit=UNIT):
        """Put this definition in the unit's place."""
        text, stub = self.file.read_text(), self.opened.unit(unit).stub
        site = site_of(self.opened.toolchain, text, stub)
        self.file.write_text(text[: site.start] + code.rstrip("\n") + text[site.end :])

    async def sightings(self):
        """The misconceptions that were counted: tag, source, quote; and how often each counts."""
        events = await self.app.services.db(lambda tx: tx.events(kind="misconception"))
        data = [event["data"] for event in events]
        session = self.opened.session
        record = await self.app.services.db(lambda tx: tx.node(session.language, session.node))
        counts = {tag: kept.count for tag, kept in record.tags.items()}
        return [(each["tag"], each["source"], each.get("quote")) for each in data], counts


def begun_in(folder, language, *mistakes):
    """A home in which the exercise is begun, its library, the exercise's folder in the home, and
    the tag that stands for `{tag}` in the mistakes."""
    library, home = folder / "library", folder / "home"
    node = NODES[language]
    made = library / f"{node}-weather"
    library.mkdir()
    new_exercise(made, language, {node: "D1"})
    (made / "mistakes").mkdir()

    async def begin():
        learner = Learner(home, library)
        try:
            tag = learner.app.services.curriculum.node(node).tags[0]
            texts = (
                f"## {name}\n\n{above}\n\n```{language}\n{code}```\n"
                for name, above, code in mistakes
            )
            written = "\n".join(texts).replace("{tag}", tag)
            (made / f"mistakes/{UNIT}.md").write_text(written)
            with taken_as_proven():
                ready = await learner.start(language=language, node=node, trust=True)
            assert ready["exerciseId"] == made.name
            return Path(ready["workspace"]), tag
        finally:
            await learner.app.close()

    root, tag = asyncio.run(begin())
    return home, library, root.relative_to(home), tag


@contextlib.asynccontextmanager
async def taken_up(begun, home, **settings):
    """A learner in a copy of that home, with a copy of the library beside it."""
    first, library, root, _ = begun
    shutil.copytree(first, home, symlinks=True)
    moved(home, first)
    library = shutil.copytree(library, home.parent / "library")
    made = Learner(home, library, **settings)
    try:
        await made.take_up(home / root)
        yield made
    finally:
        await made.app.close()
