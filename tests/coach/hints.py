"""The sets of hints, and checking one as the tutor does."""

import tomllib
from pathlib import Path

from open_kit import open_exercise, with_body

from tutor_lsp.tutor.hinting.coach import checks

HERE = Path(__file__).parent


def read(name):
    """The hints of a set, each with its exercise, unit and language."""
    found = tomllib.loads((HERE / f"{name}.toml").read_text("utf-8"))["hint"]
    for hint in found:
        hint["folder"], hint["unit"] = hint["on"].split()
        hint["language"] = hint["on"].split("-")[0]
        hint["id"] = f"{hint['on']}: {hint.get('how', 'honest')}"
    return found


class Desk:
    """Exercises that are opened once, and a hidden copy for each."""

    def __init__(self, folder, trials):
        self.folder = folder
        self.trials = trials
        self.opened = {}

    def exercise(self, hint):
        if hint["folder"] not in self.opened:
            root = self.folder / "work" / hint["folder"]
            self.opened[hint["folder"]] = open_exercise(root, hint["language"], hint["folder"])
        return self.opened[hint["folder"]]

    async def check(self, hint, level=None):
        """The fault of a hint, or None."""
        opened = self.exercise(hint)
        unit = opened.exercise.unit(hint["unit"])
        texts = dict(opened.texts())
        if "mine" in hint:
            texts[unit.file] = with_body(opened, unit.id, hint["mine"].strip("\n"))
        level = level or (2 if "code" in hint else 1)
        return await checks.leak(
            self.trials, opened, unit, level, hint["text"], hint.get("code"), texts
        )
