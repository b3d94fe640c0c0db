"""A hint's code put into the learner's stub, in every way in which a learner would do it. Pure."""

import builtins
import itertools
import keyword
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tutor_lsp.core.ports import FunctionSite, SourceReader
from tutor_lsp.languages.common.proof.splice import with_body, with_names
from tutor_lsp.languages.common.syntax import (
    Grammar,
    Token,
    is_call,
    parameter_names,
    parameters_of,
    parse,
)
from tutor_lsp.tutor.hinting.coach.pieces import Piece

_BUILTIN = frozenset(dir(builtins)) | frozenset(keyword.kwlist)
_NAMES = ("id", "field")
_PERMUTED = 6
_LINES = 12
_SPANS, _EXCHANGED = 16, 8
_STORED = re.compile(r"(?:let\s+(?:mut\s+)?|[\w ]+[ *])?(\w+)(?:\s*:[^=]+)?\s*[-+*/%|&]?=(?!=)")
_BEFORE_A_NEW_NAME = (".", "->", "let", "mut", "for", "as")


@dataclass(frozen=True, slots=True)
class Target:
    """Where code is put: `blank` is the file with the unit's stub as delivered and `mine` with
    the learner's function, each with the references of all other units; None where the learner
    has not begun. `stub` is the function's name."""

    reader: SourceReader
    grammar: Grammar
    stub: str
    blank: str
    mine: str | None


@dataclass(frozen=True, slots=True)
class Version:
    """The file with a piece in it. `renamed` says whether names of ours were put in the place of
    its own."""

    text: str
    piece: Piece
    renamed: bool = False


def versions(target: Target, found: Sequence[Piece]) -> list[Version]:
    """Every version worth running, the most telling first, each once; only what parses."""
    made: dict[str, Version] = {}
    groups = [list(_of_piece(target, piece)) for piece in found]
    for layer in itertools.zip_longest(*groups):
        for version in layer:
            if version is not None:
                made.setdefault(_same(target, version.text), version)
    for known in (target.blank, target.mine):
        made.pop(_same(target, known or ""), None)
    return [v for v in made.values() if reads(target, v.text)]


def exchanged(target: Target, spans: Sequence[str]) -> list[Version]:
    """The learner's function with one span of a hint in the place of another one, such as `>=` in
    the place of `>`; only what parses, at most `_EXCHANGED`, of the first `_SPANS` spans."""
    if target.mine is None:
        return []
    site = _site(target, target.mine)
    body = target.mine[site.body_start : site.body_end]
    made: dict[str, Version] = {}
    for old, new in itertools.permutations(spans[:_SPANS], 2):
        sides = (
            (r"(?<!\w)", r"(?!\w)")
            if old[:1].isalnum()
            else (r"(?<![<>=!&|+*/-])", r"(?![<>=&|+])")
        )
        for match in re.finditer(sides[0] + re.escape(old) + sides[1], body):
            text = body[: match.start()] + new + body[match.end() :]
            text = target.mine[: site.body_start] + text + target.mine[site.body_end :]
            made[text] = Version(text, Piece(new))
    return list(itertools.islice((v for v in made.values() if reads(target, v.text)), _EXCHANGED))


def reads(target: Target, text: str) -> bool:
    """Whether a text parses, for the syntax tree and for the language's own reader."""
    if parse(text, target.grammar).broken:
        return False
    return target.reader.syntax_error("", text) is None


def _same(target: Target, text: str) -> str:
    """Equal for texts that differ in layout only."""
    return text if target.grammar.wrapped is None else "".join(text.split())


def _of_piece(target: Target, piece: Piece) -> Iterator[Version]:
    sites = [s for s in target.reader.functions(piece.text) if s.body_end > s.body_start]
    for site in sites:
        yield from _whole_function(target, piece, site, sites)
    if sites and len(sites) > 1:
        return
    if not sites:
        for body, renamed in _bodies(target, piece.text):
            yield Version(_with(target, target.blank, body), piece, renamed=renamed)
    if target.mine is not None and not sites and piece.kind in ("code", "words"):
        yield from _onto(target, piece, target.mine)


def _site(target: Target, text: str) -> FunctionSite:
    return next(site for site in target.reader.functions(text) if site.name == target.stub)


def _with(target: Target, text: str, body: str) -> str:
    return with_body(text, _site(target, text), body)


def _whole_function(
    target: Target, piece: Piece, site: FunctionSite, sites: Sequence[FunctionSite]
) -> Iterator[Version]:
    """A function's body under our own header, its parameters under our names."""
    parsed = parse(piece.text, target.grammar)
    theirs = parameter_names(parameters_of(parsed, site))
    blank = _site(target, target.blank)
    ours = parameter_names(parameters_of(parse(target.blank, target.grammar), blank))
    if theirs[:1] in (("self",), ("cls",)) and ours[:1] != theirs[:1]:
        theirs = theirs[1:]
    renames = dict(zip(theirs, ours, strict=False)) | {site.name: target.stub}
    start = piece.text.rfind("\n", 0, site.body_start) + 1
    margin = piece.text[start : site.body_start]
    body = with_names((site.body_start, site.body_end), parsed, renames, _NAMES)
    body = textwrap.dedent((margin if margin.isspace() else "") + body)
    text = _with(target, target.blank, body)
    others = [piece.text[o.start : o.end] for o in sites if o is not site and o.name != target.stub]
    if others:
        at = text.rfind("\n", 0, _first(target, text)) + 1
        text = text[:at] + "\n\n".join(others) + "\n\n" + text[at:]
    yield Version(text, piece, renamed=site.name != target.stub)


def _first(target: Target, text: str) -> int:
    """Offset of the first function: helpers stand before it."""
    sites = target.reader.functions(text)
    line = min(min(site.line, site.comment_line or site.line) for site in sites)
    return sum(len(each) for each in text.splitlines(keepends=True)[: line - 1]) + 1


def _bodies(target: Target, code: str) -> Iterator[tuple[str, bool]]:
    """The code as a body: as it is, with its free names as our parameters (then the second is
    true), giving back its last value."""
    ours = parameter_names(
        parameters_of(parse(target.blank, target.grammar), _site(target, target.blank))
    )
    parsed = parse(code, target.grammar)
    free = _free(parsed.tokens, target)
    ways: list[dict[str, str]] = [{}]
    unknown = [name for name in free if name not in ours]
    left = [name for name in ours if name not in free]
    if unknown and left:
        count = min(len(unknown), len(left))
        chosen = itertools.permutations(left, count)
        ways = [
            dict(zip(unknown[:count], way, strict=True))
            for way in itertools.islice(chosen, _PERMUTED)
        ] + ways
    for way in ways:
        text = with_names((0, len(code)), parsed, way, _NAMES)
        for body in _ended(text, target.grammar):
            yield body, bool(way)


def _ended(code: str, grammar: Grammar) -> Iterator[str]:
    yield code
    lines = code.rstrip().split("\n")
    last = lines[-1].strip()
    before = "\n".join(lines[:-1])
    lead = f"{before}\n" if before else ""
    margin = lines[-1][: len(lines[-1]) - len(lines[-1].lstrip())]
    stored = _STORED.match(last)
    if grammar.wrapped is None:
        if "return" not in code:
            yield f"{lead}{margin}return {last}"
            if stored:
                yield f"{code.rstrip()}\nreturn {stored[1]}"
        if last.endswith(":"):
            yield f"{code.rstrip()}\n{margin}    pass"
    elif grammar.gives == "{}":
        if last.endswith(";"):
            yield f"{lead}{margin}{last[:-1].removeprefix('return ')}"
        if stored:
            yield f"{code.rstrip()}{'' if last.endswith(';') else ';'}\n{stored[1]}"
    else:
        plain = last.rstrip(";")
        if "return" not in code:
            yield f"{lead}{margin}return {plain};"
            if stored:
                yield f"{lead}{margin}{plain};\nreturn {stored[1]};"
        elif not last.endswith((";", "}")):
            yield f"{code.rstrip()};"


def _free(tokens: Sequence[Token], target: Target) -> list[str]:
    """Names that come from outside, in order: not given a value in the code, not called, and not
    known in the file."""
    known = {t.text for t in parse(target.blank, target.grammar).tokens if t.kind == "id"}
    ours = parameter_names(
        parameters_of(parse(target.blank, target.grammar), _site(target, target.blank))
    )
    known -= set(ours)
    made: set[str] = set()
    found: list[str] = []
    for at, token in enumerate(tokens):
        if token.kind != "id" or token.text in _BUILTIN or token.text in known:
            continue
        before = tokens[at - 1] if at else None
        after = tokens[at + 1].text if at + 1 < len(tokens) else ""
        given = (after == "=" or _in_for(tokens, at)) and token.text not in found
        new = before is not None and (before.text in _BEFORE_A_NEW_NAME or before.kind == "type")
        if new or given:
            made.add(token.text)
        elif not is_call(tokens, at) and token.text not in {*made, *found}:
            found.append(token.text)
    return found


def _in_for(tokens: Sequence[Token], at: int) -> bool:
    """Whether the name stands between `for` and `in`."""
    for token in reversed(tokens[max(at - 8, 0) : at]):
        if token.text == "for":
            return True
        if token.text in ("in", ":", "=", ";"):
            return False
    return False


def _onto(target: Target, piece: Piece, mine: str) -> Iterator[Version]:
    """The learner's function with the piece in the place of one of its lines, or between them."""
    site = _site(target, mine)
    first = mine.rfind("\n", 0, site.body_start) + 1
    body = mine[first : site.body_end]
    lines = body.split("\n")
    numbers = [number for number, line in enumerate(lines) if line.strip()][:_LINES]
    words = set(re.findall(r"\w+", piece.text))
    likely = sorted(numbers, key=lambda n: -len(words & set(re.findall(r"\w+", lines[n]))))
    margins = [line[: len(line) - len(line.lstrip())] for line in lines]
    places = [(number, 1, margins[number]) for number in likely]
    for number in (len(lines), *reversed(numbers)):
        # Between two lines a piece may belong to the block of either, or to one around both.
        near = {margins[at] for at in (number - 1, number) if 0 <= at < len(lines)}
        around = {m for m in margins[:number] if m and any(len(m) < len(n) for n in near)}
        places += [(number, 0, margin) for margin in sorted(near | around, key=len, reverse=True)]
    for number, instead, margin in places:
        put = textwrap.indent(textwrap.dedent(piece.text), margin).split("\n")
        made = "\n".join([*lines[:number], *put, *lines[number + instead :]])
        yield Version(mine[:first] + made + mine[site.body_end :], piece)
