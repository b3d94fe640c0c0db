"""The sets of hints, and checking one as the tutor does."""

import tomllib
from pathlib import Path

from open_kit import open_exercise, reference, with_body

from tutor_lsp.stages.tutoring import TutoringContext
from tutor_lsp.tutor.hinting.coach import checks, showing

HERE = Path(__file__).parent


def read(name):
    """The hints of a set, each with its exercise, unit and language."""
    found = tomllib.loads((HERE / f"{name}.toml").read_text("utf-8"))["hint"]
    for hint in found:
        hint["folder"], hint["unit"] = hint["on"].split()
        hint["language"] = hint["on"].split("-")[0]
        hint["id"] = f"{hint['on']}: {hint.get('how', hint.get('in', 'honest'))}"
    return found


class Desk:
    """Exercises that are opened once, and a hidden copy for each."""

    def __init__(self, folder, trials):
        self.folder = folder
        self.trials = trials
        self.opened = {}
        self.reports = {}

    def exercise(self, hint):
        if hint["folder"] not in self.opened:
            root = self.folder / "work" / hint["folder"]
            self.opened[hint["folder"]] = open_exercise(root, hint["language"], hint["folder"])
        return self.opened[hint["folder"]]

    def texts(self, hint):
        """The learner's files, with what they have of the unit by then."""
        opened = self.exercise(hint)
        unit = opened.exercise.unit(hint["unit"])
        texts = dict(opened.texts())
        if "mine" in hint:
            before = opened.exercise.units[: opened.exercise.units.index(unit)]
            for each in (each for each in before if each.aside is None):
                opened.buffers[opened.root / each.file] = reference(opened, each.id)
            mine = with_body(opened, unit.id, hint["mine"].strip("\n"))
            texts = {**opened.texts(), unit.file: mine}
            opened.buffers.clear()
        return opened, unit, texts

    async def shown(self, hint, *, fixed=True):
        """What a learner sees of a hint beside a fix that is right, or why they see nothing."""
        opened, unit, texts = self.texts(hint)
        of = (hint["folder"], texts[unit.file])
        if of not in self.reports:
            self.reports[of] = await self.trials.run(opened, texts=texts)
        context = TutoringContext(
            exercise=opened.exercise,
            vault=opened.vault,
            texts=texts,
            report=self.reports[of],
            contracts={unit.id: opened.starter_site(unit).comment or ""},
        )
        wanted = showing.Wanted(context, unit.id, hint.get("level", 1))
        payload = {
            "text": hint["text"],
            "code": hint.get("code"),
            "fix": [{"file_path": unit.file, "content": reference(opened, unit.id)}] * fixed,
            "claims": hint.get("claims"),
        }
        return await showing.check(self.trials, opened, wanted, payload)

    async def check(self, hint, level=None):
        """The fault of a hint, or None."""
        opened, unit, texts = self.texts(hint)
        level = level or (2 if "code" in hint else 1)
        return await checks.leak(
            self.trials, opened, unit, level, hint["text"], hint.get("code"), texts
        )
