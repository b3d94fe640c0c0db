"""Whether a text tells a value that a learner is still to predict."""

import html
import re
from collections.abc import Iterator

from tutor_lsp.core.exercise.exercise import Unit, UnitKind
from tutor_lsp.core.exercise.told_value import is_distinct, says, stands_in
from tutor_lsp.core.language.predictions import Answer
from tutor_lsp.core.session import Session, Vault
from tutor_lsp.languages.common.predict.program import answers_of, program_files, right_values
from tutor_lsp.languages.common.predict.trace import same
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise

NEAR = 60
"""Characters after an answer's name in which its value is told."""


def unmet(units: tuple[Unit, ...], session: Session) -> Iterator[Unit]:
    """The units that ask what a program gives, and whose answers their learner does not know."""
    for unit in units:
        known = session.progress.get(unit.id)
        if unit.kind is UnitKind.PREDICT and not (known and (known.passes or known.revealed)):
            yield unit


def without_values(vault: Vault, units: tuple[Unit, ...], session: Session) -> dict[str, str]:
    """The reference without the files whose values are still to be predicted: nobody who is not
    told them can tell them."""
    hidden = {unit.file for unit in unmet(units, session)}
    return {file: text for file, text in vault.solution.items() if file not in hidden}


def tells_value(opened: OpenExercise, text: str) -> str | None:
    """The name of an answer that a text tells, or None. Blocks: parses."""
    language, exercise = opened.exercise.language, opened.exercise
    own = {unit.file for unit in exercise.units}
    given = opened.vault.originals
    program = [given[file] for file in program_files(given, own)]
    for unit in unmet(exercise.units, opened.session):
        for right in right_values(language, opened.vault.solution.get(unit.file, "")):
            if _tells(right, text, program, language):
                return right.name
    return None


def _tells(right: Answer, text: str, program: list[str], language: str) -> bool:
    if is_distinct(right.text, program):
        return stands_in(right.text, text) or says(right.text, text)
    mine = answers_of(language, text).named(right.name)
    if mine is not None and same(mine.text, right.text):
        return True
    return says(right.text, text) or _stands_near(right, text)


def _stands_near(right: Answer, text: str) -> bool:
    """Whether the value follows the answer's name closely, however its lines are marked."""
    name, value = re.escape(right.name), re.escape(right.text)
    near = rf"(?<!\w){name}(?!\w).{{0,{NEAR}}}?(?<![\w.]){value}(?![\w.])"
    return re.search(near, html.unescape(text), re.DOTALL) is not None
