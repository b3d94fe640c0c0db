"""Ruff's remarks, with rules that say something to a learner and none about layout."""

import json
import shutil
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

from tutor_lsp.core.exercise.report import Remark
from tutor_lsp.languages.common.toolchain import contained
from tutor_lsp.process.box import Area
from tutor_lsp.process.contain import Containment
from tutor_lsp.process.environment import child_environment
from tutor_lsp.process.spec import Spec

RULES = "F,E7,B,C4,SIM,RET,PIE"
NOT = "F401,B905,RET503,SIM105,SIM117"
"""Left out: what is true of given code too, and what an early lesson does not teach."""
OUTPUT_BYTES = 1024 * 1024
_DEFECTS = ("F", "B", "E711", "E712", "E721")
_STYLE = ("B009", "B010", "B028", "B904")
"""Rules of that kind about what works as it is."""


def find() -> str | None:
    """Path of ruff: on the PATH, or beside the Python that this server runs in."""
    beside = Path(sys.executable).with_name("ruff")
    found = shutil.which("ruff", path=child_environment()["PATH"])
    return found or (str(beside) if beside.is_file() else None)


async def lint(
    folder: Path, files: Collection[str], limit_s: float, containment: Containment
) -> tuple[Remark, ...]:
    """See `core.ports.Toolchain.lint`."""
    ruff = find()
    if ruff is None:
        return ()
    options = ("--isolated", "--no-cache", "--output-format=json")
    argv = (ruff, "check", *options, "--select", RULES, "--ignore", NOT, "--", *sorted(files))
    spec = Spec(argv, folder, child_environment(), limit_s, output_bytes=OUTPUT_BYTES)
    ended = await contained(spec, Area(folder, copied=False), containment)
    if ended is None:
        return ()
    return tuple(remarks(ended.stdout.decode("utf-8", "replace"), folder, files))


def remarks(output: str, folder: Path, files: Collection[str]) -> Iterator[Remark]:
    """The remarks in ruff's JSON that have a rule and lie in one of `files`."""
    try:
        found = json.loads(output)
    except ValueError:
        return
    names = {str(folder / file): file for file in files}
    names |= {str((folder / file).resolve()): file for file in files}
    for each in found:
        file, rule = names.get(each["filename"]), each["code"]
        if file is None or not rule:
            continue
        yield Remark(
            file=file,
            line=each["location"]["row"],
            end_line=each["end_location"]["row"],
            rule=rule,
            message=each["message"],
            rank=0 if rule.startswith(_DEFECTS) and rule not in _STYLE else 1,
        )
