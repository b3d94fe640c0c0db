"""Step `giveaway`, in words: a stub's reference given away in a sentence. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence

from tutor_lsp.authoring.proof.giveaway import SIGN, TELLING, Suspect, constants, reckoning
from tutor_lsp.authoring.proof.trial import Trial
from tutor_lsp.core.exercise.exercise import LESSON, Unit
from tutor_lsp.core.ports import FunctionSite
from tutor_lsp.languages.common.proof.splice import with_body
from tutor_lsp.languages.common.syntax import body_of, parameter_names, parameters_of, parse
from tutor_lsp.library.markdown import without_code

_CODE = re.compile(r"(?<!`)`(?P<code>[^`\n]+)`(?!`)")
_NAME = re.compile(r"[A-Za-z_]\w*")
_PIECE = re.compile(r"\w+|[^\w\s]")
_RETURN = re.compile(r"\A\s*return\b(?P<value>[^\n]*?);?\s*\Z")


def suspects(trial: Trial, solved: Mapping[str, str]) -> list[Suspect]:
    """Code in backticks that may solve a stub, and every place that has its reference word for
    word. `solved` are all files with the reference in place."""
    found: list[Suspect] = []
    for unit in trial.units:
        mine = trial.solved_site(unit, solved)
        if mine is not None and unit.aside is None:
            found += [*_quoted(trial, unit, solved, mine), *_spelled(trial, unit, solved, mine)]
    return found


def _places(trial: Trial, unit: Unit, lesson: str) -> Iterator[tuple[str, int, str]]:
    """The lesson and the stub's comment: file, first line, text."""
    yield LESSON, 1, lesson
    site = trial.stub_site(unit)
    if site is not None and site.comment:
        yield unit.file, site.comment_line, site.comment


def _spelled(
    trial: Trial, unit: Unit, solved: Mapping[str, str], mine: FunctionSite
) -> Iterator[Suspect]:
    """A reference of one expression, spelled out in lesson or comment, with any names."""
    text = solved[unit.file]
    parsed = parse(text, trial.dialect.grammar)
    body = text[mine.body_start : mine.body_end].strip().strip("{}").strip()
    value = _RETURN.sub(lambda found: found["value"], body).strip()
    used = reckoning(body_of(parsed, mine), constants(trial, solved))
    if "\n" in value or ";" in value or len(used) < TELLING:
        return
    pieces = _PIECE.findall(value)
    names = set(parameter_names(parameters_of(parsed, mine)))
    for file, first, said in _places(trial, unit, trial.candidate.authored.get(LESSON, "")):
        at = _stands(pieces, names, said)
        if at is not None:
            line = first + said.count("\n", 0, at)
            yield Suspect(unit, file, line, f"`{value}`, whatever its names are,", dict(solved))


def _stands(pieces: Sequence[str], names: set[str], text: str) -> int | None:
    """The place of these consecutive pieces in a text, with other names for `names`."""
    found = list(_PIECE.finditer(text))
    for begin in range(len(found) - len(pieces) + 1):
        mapped: dict[str, str] = {}
        for piece, other in zip(pieces, found[begin:], strict=False):
            said = other[0]
            if piece in names:
                if not said.isidentifier() or mapped.setdefault(piece, said) != said:
                    break
            elif piece != said:
                break
        else:
            return found[begin].start()
    return None


def _quoted(
    trial: Trial, unit: Unit, solved: Mapping[str, str], mine: FunctionSite
) -> Iterator[Suspect]:
    """Code in backticks, in the stub's comment or the lesson's text, that computes with the same
    operators and values as the reference."""
    prose = without_code(trial.candidate.authored.get(LESSON, ""))
    text = solved[unit.file]
    parsed = parse(text, trial.dialect.grammar)
    names = set(parameter_names(parameters_of(parsed, mine)))
    values = constants(trial, solved)
    reckoned = reckoning(body_of(parsed, mine), values)
    tried: set[str] = set()
    for file, first, said in _places(trial, unit, prose):
        for found in _CODE.finditer(said):
            code = found["code"].strip().removeprefix("return ").rstrip(";").strip()
            if code in tried or not SIGN.search(code) or not names & set(_NAME.findall(code)):
                continue
            tried.add(code)
            body = trial.dialect.grammar.gives.replace("{}", code)
            new = with_body(text, mine, body)
            whole = parse(new, trial.dialect.grammar)
            inside = whole.within(mine.body_start, mine.body_start + len(body))
            if not whole.broken and reckoning(inside, values) == reckoned:
                line = first + said.count("\n", 0, found.start())
                files = {**solved, unit.file: new}
                yield Suspect(unit, file, line, f"`{code}`", files)
