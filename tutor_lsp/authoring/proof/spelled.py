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
_MEANT = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|\"[^\"]*\"|//|\*\*|<<|>>|&&|\|\||" + SIGN.pattern)
_LIKE = {"//": "/", "&&": "and", "||": "or", "!": "not"}
_OPERATIONS = {
    "times": "*", "multiplied by": "*", "multiply by": "*", "plus": "+", "add": "+", "added": "+",
    "minus": "-", "subtract": "-", "divided by": "/", "divide by": "/", "modulo": "%",
    "equals": "==",
}  # fmt: skip
_WORDS = re.compile(
    r"(?<!`)`(?P<code>[^`\n]+)`(?!`)|\b(?:\d[\w.]*\w|\d|"
    + "|".join(word.replace(" ", r"\s+") for word in _OPERATIONS)
    + r")\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?:`[^`\n]*`|[^.!?\n]|[.!?](?!\s)|\n(?![^\S\n]*+\n))+")
_AS_CODE = 2
"""So many of them are in backticks in a lesson that dictates; else it says what anybody knows."""
DICTATED = 4
"""So many operators and values in a sentence are no chance."""
_RETURN = re.compile(r"\A\s*return\b(?P<value>[^\n]*?);?\s*\Z")


def suspects(trial: Trial, solved: Mapping[str, str]) -> list[Suspect]:
    """Code in backticks that may solve a stub, and every place that has its reference word for
    word. `solved` are all files with the reference in place."""
    found: list[Suspect] = []
    for unit in trial.units:
        mine = trial.solved_site(unit, solved)
        if mine is not None and unit.aside is None:
            found += [*_quoted(trial, unit, solved, mine), *_spelled(trial, unit, solved, mine)]
            found += _dictated(trial, unit, solved, mine)
    return found


def spells_out(trial: Trial, unit: Unit, solved: Mapping[str, str], text: str) -> bool:
    """Whether a text has the unit's reference of one expression in it, or names every operator and
    value of it in order."""
    mine = trial.solved_site(unit, solved)
    if mine is None or unit.aside is not None:
        return False
    source = solved[unit.file]
    parsed = parse(source, trial.dialect.grammar)
    names = set(parameter_names(parameters_of(parsed, mine)))
    value = _one_expression(source, mine)
    pieces = _PIECE.findall(value)
    if not SIGN.search(value) or not names & set(pieces):
        return False
    if _stands(pieces, set(), text) is not None:
        return True
    told = [each for each in _signs(value) if each not in names]
    return _enough(told) and any(_in_order(told, _told(m[0])) for m in _SENTENCE.finditer(text))


def _places(
    trial: Trial, unit: Unit, lesson: str, *, contracts: bool = True
) -> Iterator[tuple[str, int, str]]:
    """The lesson, the stub's comment, and those of its file that belong to no stub: file, first
    line, text. Without `contracts`, which have to say what is asked for, only what is below."""
    yield LESSON, 1, lesson
    site = trial.stub_site(unit)
    if site is not None and site.comment:
        rows = site.comment.split("\n")
        begin = next((n for n, row in enumerate(rows) if row.strip().startswith(unit.id)), 0)
        first = 0 if contracts else begin
        yield unit.file, site.comment_line + first, "\n".join(rows[first:])
    sites = [trial.stub_site(each) for each in trial.units if each.file == unit.file]
    own = {
        line
        for each in sites
        if each is not None and each.comment
        for line in range(each.comment_line, each.comment_end_line + 1)
    }
    for comment in parse(trial.candidate.files.get(unit.file, ""), trial.dialect.grammar).comments:
        if comment.line not in own:
            yield unit.file, comment.line, comment.text


def _spelled(
    trial: Trial, unit: Unit, solved: Mapping[str, str], mine: FunctionSite
) -> Iterator[Suspect]:
    """A reference of one expression, spelled out in lesson or comment, with any names; a short one
    in a comment, with its own."""
    text = solved[unit.file]
    parsed = parse(text, trial.dialect.grammar)
    value = _one_expression(text, mine)
    used = reckoning(body_of(parsed, mine), constants(trial, solved))
    pieces = _PIECE.findall(value)
    names = set(parameter_names(parameters_of(parsed, mine)))
    if not SIGN.search(value) or not names & set(pieces):
        return
    any_names = len(used) >= TELLING
    lesson = trial.candidate.authored.get(LESSON, "")
    for file, first, said in _places(trial, unit, lesson, contracts=any_names):
        if not any_names and file == LESSON:
            continue
        at = _stands(pieces, names if any_names else set(), said)
        if at is not None:
            line = first + said.count("\n", 0, at)
            what = f"`{value}`, whatever its names are,"
            yield Suspect(unit, file, line, what if any_names else f"`{value}`", dict(solved))


def _one_expression(text: str, site: FunctionSite) -> str:
    """What a function gives that is one expression; empty for any other."""
    body = text[site.body_start : site.body_end].strip().strip("{}").strip()
    value = _RETURN.sub(lambda found: found["value"], body).strip()
    return "" if "\n" in value or ";" in value else value


def _dictated(
    trial: Trial, unit: Unit, solved: Mapping[str, str], mine: FunctionSite
) -> Iterator[Suspect]:
    """A sentence that names every operator and value of a reference of one expression, in order."""
    text = solved[unit.file]
    parsed = parse(text, trial.dialect.grammar)
    names = set(parameter_names(parameters_of(parsed, mine)))
    value = _one_expression(text, mine)
    pieces = [each for each in _signs(value) if each not in names]
    if not _enough(pieces):
        return
    prose = without_code(trial.candidate.authored.get(LESSON, ""))
    for file, first, said in _places(trial, unit, prose, contracts=False):
        for found in _SENTENCE.finditer(said):
            code = [sign for each in _CODE.findall(found[0]) for sign in _signs(each)]
            known = file == LESSON and sum(sign in pieces for sign in code) < _AS_CODE
            if not known and _in_order(pieces, _told(found[0])):
                blanks = len(found[0]) - len(found[0].lstrip())
                line = first + said.count("\n", 0, found.start() + blanks)
                what = f"the sentence that spells out `{value}`"
                yield Suspect(unit, file, line, what, dict(solved))


def _signs(code: str) -> list[str]:
    """The operators, values and names of code, one sign for each operation."""
    return [_LIKE.get(each, each) for each in _MEANT.findall(code)]


def _told(sentence: str) -> list[str]:
    """The same of a sentence: its code, its numbers, and the words for operations."""
    found: list[str] = []
    for each in _WORDS.finditer(sentence):
        if each["code"] is not None:
            found += _signs(each["code"])
        else:
            word = " ".join(each[0].lower().split())
            found.append(_OPERATIONS.get(word, word))
    return found


def _enough(pieces: Sequence[str]) -> bool:
    return len(pieces) >= DICTATED and sum(not each[0].isalnum() for each in pieces) > 1


def _in_order(pieces: Sequence[str], told: Sequence[str]) -> bool:
    rest = iter(told)
    return all(piece in rest for piece in pieces)


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
