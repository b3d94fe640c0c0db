"""Units that ask for declarations in one file: what of it a proof puts back. Pure."""

import re
from collections.abc import Iterator, Mapping

from tutor_lsp.authoring.proof.trial import Trial
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.parts import put_back, text_of
from tutor_lsp.core.text.positions import split_lines
from tutor_lsp.languages.common.syntax import mentioned, parse


def with_put_back(trial: Trial, solved: Mapping[str, str], unit: Unit) -> str | None:
    """The solved file with the unit's part as in the starter, and those of the units whose parts
    use what that declares: without it the file would not build, and no test would tell anything.

    None where the reference lacks the comment of one of the units.
    """
    text = solved.get(unit.file, "")
    every = trial.sharing(unit)
    if any(text_of(text, each.id, trial.lines) is None for each in every):
        return None
    gone = [unit]
    for later in every[every.index(unit) + 1 :]:
        if any(_uses(trial, text, later, each) for each in gone):
            gone.append(later)
    given = trial.candidate.files.get(unit.file, "")
    return put_back(text, given, [each.id for each in gone], trial.lines)


def uses(trial: Trial, files: Mapping[str, str], unit: Unit, needed: Unit) -> bool:
    """Whether a unit's part of a file uses what an earlier one's declares."""
    every = trial.sharing(unit)
    return needed in every and _uses(trial, files.get(unit.file, ""), unit, needed)


def _uses(trial: Trial, text: str, unit: Unit, needed: Unit) -> bool:
    mine = text_of(text, unit.id, trial.lines) or ""
    words = mentioned(parse(mine, trial.dialect.grammar).tokens)
    return not words.isdisjoint(_declared(trial, text, needed))


def _declared(trial: Trial, text: str, unit: Unit) -> set[str]:
    """The names that a part declares, and none above it, which it may add to."""
    every = trial.sharing(unit)
    above = every[: every.index(unit)]
    known = {name for each in above for name in _named(trial, text, each)}
    return set(_named(trial, text, unit)) - known


def _named(trial: Trial, text: str, unit: Unit) -> Iterator[str]:
    yield unit.stub
    pattern = re.compile((trial.lines.declares or "(%s)").replace("%s", r"\w+"))
    for row in split_lines(text_of(text, unit.id, trial.lines) or ""):
        if not row[:1].isspace() and (found := pattern.match(row)) is not None:
            yield found[1]
