"""Whether a sentence on a mistake tells what only the reference holds. Pure."""

import re
from collections.abc import Iterator

from tutor_lsp.authoring.proof.trial import Trial
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.ports import Files
from tutor_lsp.core.text.plain_text import unescaped
from tutor_lsp.languages.common.syntax import body_of, parse
from tutor_lsp.stages.reveal import reveals, solution_lines

_NAMES = frozenset({"id", "type", "field"})
_CODE = re.compile(r"`[^`]*`")
_TEXT = 3
"""Characters from which the inside of a literal text says something."""


class Told:
    """What learners see of an exercise, and what its reference has besides."""

    def __init__(self, trial: Trial, solution: Files) -> None:
        self._trial = trial
        self._solution = solution
        self._seen = "\n".join(trial.candidate.files.values())
        self._words = frozenset(re.findall(r"\w+", self._seen))

    def tells(self, unit: Unit, level: int, text: str, code: str) -> bool:
        """Whether a hint of this level gives the unit's reference away: all of its lines, or a name
        or value that stands neither in what learners see nor in the mistake's `code`."""
        starter = self._trial.candidate.files.get(unit.file, "")
        reference = self._solution.get(unit.file, "")
        language, whole = self._trial.dialect.language, unit.aside is not None
        lines = solution_lines(language, starter, reference, unit.stub, mended=whole)
        text = unescaped(text)
        if reveals({"text": text, "code": None}, level, lines):
            return True
        return any(_is_named(each, text) for each in self._hidden(unit, code))

    def _hidden(self, unit: Unit, code: str) -> Iterator[str]:
        solved = self._trial.solved(self._solution)
        site = self._trial.solved_site(unit, solved)
        if site is None:
            return
        words = self._words | set(re.findall(r"\w+", code))
        for token in body_of(parse(solved[unit.file], self._trial.dialect.grammar), site):
            if token.kind in _NAMES and token.text not in words:
                yield token.text
            elif token.kind == "literal" and token.text not in self._seen + code:
                yield token.text
                inner = token.text.strip("\"'")
                if inner != token.text and len(inner.strip()) >= _TEXT:
                    yield inner


def _is_named(piece: str, text: str) -> bool:
    """Whether a text names a piece of code. A plain word is one in code alone: names are often
    words that a sentence needs as well."""
    spans = [found.span() for found in _CODE.finditer(text)]
    for found in re.finditer(rf"(?<!\w){re.escape(piece)}(?!\w)", text):
        in_code = any(start < found.start() and found.end() < end for start, end in spans)
        called = text[found.end() : found.end() + 1] == "("
        if in_code or called or not (piece.isalpha() and piece.islower()):
            return True
    return False
