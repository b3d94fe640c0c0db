"""Step `giveaway`, in words: the reference of a stub that stands in a sentence. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence

from tutor_lsp.authoring.model import LESSON
from tutor_lsp.authoring.proof.giveaway import FENCED, SIGN, TELLING, Suspect, constants, reckoning
from tutor_lsp.authoring.proof.trial import Trial
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.ports import FunctionSite
from tutor_lsp.languages.common.proof.splice import site_of, with_body
from tutor_lsp.languages.common.syntax import body_of, parameter_names, parameters_of, parse

_CODE = re.compile(r"(?<!`)`(?P<code>[^`\n]+)`(?!`)")
_NAME = re.compile(r"[A-Za-z_]\w*")
_PIECE = re.compile(r"\w+|[^\w\s]")
_RETURN = re.compile(r"\A\s*return\b(?P<value>[^\n]*?);?\s*\Z")


def suspects(trial: Trial, solved: Mapping[str, str]) -> list[Suspect]:
    """Code in backticks that may solve a stub, and every place where its reference stands word for
    word. `solved` are all files with the reference in place."""
    found: list[Suspect] = []
    for unit in trial.units:
        text = solved.get(unit.file, "")
        mine = site_of(trial.toolchain, text, unit.stub, trial.stub_site(unit))
        if mine is not None:
            found += [*_quoted(trial, unit, solved, mine), *_spelled(trial, unit, solved, mine)]
    return found


def _spelled(
    trial: Trial, unit: Unit, solved: Mapping[str, str], mine: FunctionSite
) -> Iterator[Suspect]:
    """A reference of one expression, spelled out in lesson or comment, whatever its names are."""
    text = solved[unit.file]
    parsed = parse(text, trial.dialect.grammar)
    body = text[mine.body_start : mine.body_end].strip().strip("{}").strip()
    value = _RETURN.sub(lambda found: found["value"], body).strip()
    used = reckoning(body_of(parsed, mine), constants(solved))
    if "\n" in value or ";" in value or len(used) < TELLING:
        return
    pieces = _PIECE.findall(value)
    names = set(parameter_names(parameters_of(parsed, mine)))
    site = trial.stub_site(unit)
    places = [(LESSON, 1, trial.candidate.authored.get(LESSON, ""))]
    if site is not None and site.comment:
        places.append((unit.file, site.comment_line, site.comment))
    for file, first, said in places:
        at = _stands(pieces, names, said)
        if at is not None:
            line = first + said.count("\n", 0, at)
            yield Suspect(unit, file, line, f"`{value}`, whatever its names are,", dict(solved))


def _stands(pieces: Sequence[str], names: set[str], text: str) -> int | None:
    """Where the pieces stand in a text in a row, with other names for `names`."""
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
    """Code in backticks, in the stub's comment or in the text of the lesson, that reckons with the
    same signs and values as the reference."""
    site = trial.stub_site(unit)
    lesson = trial.candidate.authored.get(LESSON, "")
    prose = FENCED.sub(lambda found: "\n" * found[0].count("\n"), lesson)
    places = [(LESSON, 1, prose)]
    if site is not None and site.comment:
        places.append((unit.file, site.comment_line, site.comment))
    text = solved[unit.file]
    parsed = parse(text, trial.dialect.grammar)
    names = set(parameter_names(parameters_of(parsed, mine)))
    values = constants(solved)
    reckoned = reckoning(body_of(parsed, mine), values)
    tried: set[str] = set()
    for file, first, said in places:
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
