"""The corpus of tricks, accidents, honest programs, and the small exercises they are tried on."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tutor_lsp.core.exercise.report import RawReport, RunOutcome, TestOutcome
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.process.contain import Contain

TOOLS = toolchains(contain=Contain(enabled=False))
LIMITS = RunLimits(total_s=60, test_s=4)
CORPUS = Path(__file__).parent / "tricks"


@cache
def exercises() -> dict[str, Any]:
    """The small exercises by language."""
    return tomllib.loads((CORPUS / "exercises.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Case:
    """One entry of the corpus: `kind` is `tricks`, `accidents` or `honest`.

    Mechanisms were built with the `first` half in sight; the `second` was written before and looked
    at afterwards.
    """

    language: str
    half: str
    kind: str
    name: str
    code: str

    @property
    def id(self) -> str:
        """How pytest names it."""
        return f"{self.language}-{self.half}-{self.kind}-{self.name}"

    def files(self) -> dict[str, str]:
        """The exercise with this as the learner's text, or as the file that it names."""
        exercise = exercises()[self.language]
        code, more = self.code, {}
        if code.startswith("//file "):
            head, _, text = code.partition("\n")
            folder = exercise["stub"].rpartition("/")[0]
            code, more = "", {f"{folder}/{head.removeprefix('//file ').strip()}": text}
        texts = [exercise["top"], code]
        for part in exercise["parts"]:
            if not re.search(part["known"], code, re.MULTILINE):
                texts.append(part["right" if self.kind == "honest" else "wrong"])
        return {**exercise["given"], exercise["stub"]: "\n".join(texts) + "\n", **more}


def corpus() -> list[Case]:
    """All cases, in the order of the files."""
    found = []
    for file in sorted(CORPUS.glob("*_*.toml")):
        language, _, half = file.stem.partition("_")
        for kind, cases in tomllib.loads(file.read_text(encoding="utf-8")).items():
            found += [Case(language, half, kind, name, code) for name, code in cases.items()]
    return found


async def passes(case: Case, folder: Path) -> tuple[bool, RawReport]:
    """Whether all tests of the case's exercise pass, as an attempt counts, and the report."""
    tool = TOOLS[case.language]
    for name, text in tool.complete(case.files()).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    report = await tool.run(folder, limits=LIMITS)
    green = all(test.outcome is TestOutcome.PASSED for test in report.tests)
    return report.outcome is RunOutcome.PASSED and green, report
