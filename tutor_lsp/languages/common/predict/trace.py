"""The steps of a program up to an answer that is wrong, without the value that is asked for."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tutor_lsp.core.exercise.exercise import Aside, Unit
from tutor_lsp.core.exercise.report import RawTest
from tutor_lsp.core.exercise.told_value import inner, is_distinct
from tutor_lsp.core.language.predictions import SEP, STEP, Answer
from tutor_lsp.core.ports import Files, RunLimits, Toolchain
from tutor_lsp.core.text.plain_text import clip
from tutor_lsp.languages.registry import dialect

SHOWN = 20
"""How many steps are shown: the last ones."""
VALUE = 60
UNKNOWN = "?"


@dataclass(frozen=True, slots=True)
class Step:
    """A line of a program that gave a name a value."""

    file: str
    line: int
    name: str
    value: str


def steps_in(output: str) -> list[Step]:
    """The steps that a traced test printed."""
    found: list[Step] = []
    for line in output.splitlines():
        parts = line.split(SEP)
        if len(parts) == 5 and parts[0].endswith(STEP) and parts[2].isdigit():
            found.append(Step(parts[1], int(parts[2]), parts[3], parts[4]))
    return found


def without(steps: Sequence[Step], values: Sequence[str], texts: Sequence[str]) -> list[Step]:
    """The steps without the values that are asked for: where a name is given one for good, and
    wherever one stands that the program itself (`texts`) does not have."""
    last = {(step.file, step.name): at for at, step in enumerate(steps)}
    kept: list[Step] = []
    for at, step in enumerate(steps):
        ends = last[step.file, step.name] == at
        told = any(
            (ends and same(step.value, value))
            or (is_distinct(value, texts) and inner(value) in step.value)
            for value in values
        )
        kept.append(replace(step, value=UNKNOWN) if told else step)
    return kept


def same(one: str, other: str) -> bool:
    """Whether two values are one, however they are written."""
    return _plain(one) == _plain(other)


def _plain(value: str) -> str:
    text = "".join(inner(value).split()).replace("'", '"').replace("_", "")
    try:
        return str(float(text))
    except ValueError:
        return text.lower() if text.lower() in ("true", "false") else text.lstrip("&")


def lines_of(steps: Sequence[Step], files: Files) -> str:
    """The last steps, each on a line: the program's own line, and what it gave."""
    shown = steps[-SHOWN:]
    rows = [(f"{step.line}", _code(files, step), f"{step.name} = {_short(step)}") for step in shown]
    wide = max((len(number) for number, _, _ in rows), default=0)
    broad = min(max((len(code) for _, code, _ in rows), default=0), VALUE)
    told = [f"{number:>{wide}}  {code:<{broad}}  {value}" for number, code, value in rows]
    return "\n".join(["…", *told] if len(shown) < len(steps) else told)


def _short(step: Step) -> str:
    return clip(step.value, VALUE)


def _code(files: Files, step: Step) -> str:
    rows = files.get(step.file, "").split("\n")
    text = rows[step.line - 1].strip() if 0 < step.line <= len(rows) else ""
    return clip(text, VALUE)


def told_values(raw: RawTest, right: Sequence[Answer]) -> list[str]:
    """Whatever the value that is asked for may be written as: one of the two sides of the
    comparison, or the reference's literal."""
    found = [raw.left, raw.right, *(each.text for each in right)]
    return [each for each in dict.fromkeys(found) if each]


async def run_traced(
    toolchain: Toolchain, folder: Path, aside: Sequence[Aside], test: str, limits: RunLimits
) -> RawTest | None:
    """The result of one test of traced files, with all that it prints: for nobody but who asks."""
    whole = [replace(each, predicts=False) for each in aside]
    raw = await toolchain.run(folder, tests=[test], limits=limits, aside=whole)
    return next((each for each in raw.tests if each.name == test), None)


def traced_files(
    toolchain: Toolchain, files: Files, program: Sequence[str], unit: Unit, test: str
) -> dict[str, str]:
    """All files, in which that test of a unit tells the steps of the program. Blocks: parses."""
    known = dialect(toolchain.language).predictions
    return {**files, **known.traced(files, program, unit.test_file, test)}
