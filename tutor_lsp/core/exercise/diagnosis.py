"""Which of the known mistakes a learner's code makes. Pure: what code is and what runs showed is
given. Nothing is named that could also be something else."""

import re
from collections.abc import Iterable, Mapping, Sequence

from tutor_lsp.core.exercise.mistakes import Mistake
from tutor_lsp.core.exercise.report import BuildError


def agreed(found: Iterable[Mistake]) -> Mistake | None:
    """The mistake that all of these come down to: the first, if all have one tag, or are one."""
    known = list(found)
    kinds = {mistake.tag or f"untagged: {mistake.name}" for mistake in known}
    return known[0] if len(kinds) == 1 else None


def with_form(
    form: str | None,
    known: Mapping[str, str | None],
    mistakes: Sequence[Mistake],
    right: str | None,
) -> Mistake | None:
    """The mistake whose code has this form; `known` are the forms of mistakes by name. That of the
    reference, `right`, is nobody's mistake."""
    if form is None or form == right:
        return None
    return agreed(mistake for mistake in mistakes if known.get(mistake.name) == form)


def with_error(
    error: BuildError,
    form: str | None,
    known: Mapping[str, str | None],
    mistakes: Sequence[Mistake],
) -> Mistake | None:
    """The mistake that does not build because of the same error in the same statement: `form` is
    the statement's, `known` has those of mistakes by name."""
    if form is None:
        return None
    said = error.labelled.lower()
    alike = (each for each in mistakes if each.error and known.get(each.name) == form)
    return agreed(mistake for mistake in alike if mistake.error.lower() in said)


def first_error(
    errors: Iterable[BuildError], file: str, first: int, last: int
) -> BuildError | None:
    """The first of these errors in a file that is on the lines of a function, 1-based."""
    mine = (e for e in errors if e.file == file and first <= e.line <= last)
    return min(mine, key=lambda error: (error.line, error.column), default=None)


def first_line(code: str, given: str, right: str) -> int:
    """The first line of a learner's code, counted from 0, that is not in the reference either, else
    the first that was not given: where it may begin to be wrong."""
    lines = [_flat(line) for line in code.split("\n")]
    for known in (f"{given}\n{right}", given):
        others = {_flat(line) for line in known.split("\n")} | {""}
        found = next((at for at, line in enumerate(lines) if line not in others), None)
        if found is not None:
            return found
    return 0


def _flat(line: str) -> str:
    return re.sub(r"\s+", " ", line).strip()
