"""Inserts a hint's code into the learner's stub, in every way in which a learner would. Pure."""

import itertools
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tutor_lsp.core.language.syntax import Grammar
from tutor_lsp.core.ports import FunctionSite, SourceReader
from tutor_lsp.languages.common.proof.splice import with_body, with_names
from tutor_lsp.languages.common.syntax import parameter_names, parameters_of, parse

_NAMES = ("id", "field")
_LINES = 12
_PLACES = 4
"""Most places of a piece in the learner's function where it is replaced."""
_GOES_ON = re.compile(r"[-+*/%<>=&|^!.]|(?:and|or|if)\b")
_EXPRESSION = re.compile(
    r"(?m)^[ \t]*((?:return\s+)|(?:[\w\s*.>\[\]-]*[^=!<>]=(?!=)\s*)|)(.+?)(;?)[ \t]*$"
)
_STORED = re.compile(r"(?:[\w\s]+[\s*])?(\w+)(?:\s*:[^=]+)?\s*[-+*/%|&]?=(?!=)")


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
    """The file with a piece inserted; `renamed` if the piece's names were replaced by ours."""

    text: str
    piece: str
    renamed: bool = False


def versions(target: Target, found: Sequence[str]) -> list[Version]:
    """Every version worth running, most likely first, without duplicates; only those that parse.
    Each has what its names need, whether the hint says so or not."""
    made: dict[str, Version] = {}
    brings = target.grammar.words.brings
    told = [row.strip() for piece in found for row in piece.split("\n") if row.startswith(brings)]
    own = [_without(piece, brings) if brings else piece for piece in found]
    groups = [
        [replace(version, text=_with_library(target, version, told)) for version in group]
        for group in (_of_piece(target, piece) for piece in dict.fromkeys(filter(str.strip, own)))
    ]
    for layer in itertools.zip_longest(*groups):
        for version in layer:
            if version is not None:
                made.setdefault(_same(target, version.text), version)
    for known in (target.blank, target.mine):
        made.pop(_same(target, known or ""), None)
    return [v for v in made.values() if reads(target, v.text)]


def changed(target: Target, pairs: Sequence[tuple[str, str]]) -> list[Version]:
    """Every version in which a piece of the learner's function is replaced by the other one of a
    pair, or goes on with it where that begins with an operator; only those that parse."""
    if target.mine is None:
        return []
    site = _site(target, target.mine)
    first = target.mine.rfind("\n", 0, site.body_start) + 1
    body, end = target.mine[first : site.body_end], target.mine[site.body_end :]
    made: dict[str, Version] = {}
    for old, new in pairs:
        for put in (*_replaced(body, old, new), *_continued(body, new)):
            text = target.mine[:first] + put + end
            made.setdefault(_same(target, text), Version(text, new))
    made.pop(_same(target, target.mine), None)
    return [version for version in made.values() if reads(target, version.text)]


def _replaced(body: str, old: str, new: str) -> Iterator[str]:
    edge = (
        {True: r"(?<!\w)", False: ""}[old[:1].isalnum()],
        {True: r"(?!\w)", False: ""}[old[-1:].isalnum()],
    )
    for found in list(re.finditer(edge[0] + re.escape(old) + edge[1], body))[:_PLACES]:
        yield body[: found.start()] + new + body[found.end() :]


def _continued(body: str, new: str) -> Iterator[str]:
    if not _GOES_ON.match(new):
        return
    for found in _EXPRESSION.finditer(body):
        for value in (f"({found[2]}) {new}", f"{found[2]} {new}"):
            yield body[: found.start(2)] + value + body[found.end(2) :]


def _without(piece: str, brings: tuple[str, ...]) -> str:
    rows = (row for row in piece.split("\n") if not row.startswith(brings))
    return "\n".join(rows).strip("\n")


def _with_library(target: Target, version: Version, told: Sequence[str]) -> str:
    """A version's text with what makes known the names of its piece that stand in it alone."""
    text, words = version.text, target.grammar.words
    names = set(re.findall(r"\w+", version.piece))
    names -= set(re.findall(r"\w+", target.blank))
    said = (row for row in told if names & set(re.findall(r"\w+", row)))
    lines = dict.fromkeys(
        [*said, *(words.brought[n] for n in sorted(names & words.brought.keys()))]
    )
    if not lines:
        return text
    if words.brings[0].startswith("#"):
        return "".join(f"{line}\n" for line in lines) + text
    site = next((site for site in target.reader.functions(text) if site.name == target.stub), None)
    if site is None:
        return text
    start = text.rfind("\n", 0, site.body_start) + 1
    margin = text[start : site.body_start]
    between = f"\n{margin}" if margin.isspace() or not margin else "\n    "
    return (
        text[: site.body_start] + "".join(f"{x}{between}" for x in lines) + text[site.body_start :]
    )


def reads(target: Target, text: str) -> bool:
    """Whether a text parses, for the syntax tree and for the language's own reader."""
    if parse(text, target.grammar).broken:
        return False
    return target.reader.syntax_error("", text) is None


def _same(target: Target, text: str) -> str:
    """Equal for texts that differ in layout only."""
    return text if target.grammar.wrapped is None else "".join(text.split())


def _of_piece(target: Target, piece: str) -> Iterator[Version]:
    sites = [s for s in target.reader.functions(piece) if s.body_end > s.body_start]
    for site in sites:
        yield from _whole_function(target, piece, site, sites)
    if sites:
        return
    for body in _ended(piece, target.grammar):
        yield Version(_with(target, target.blank, body), piece)
    if target.mine is not None:
        yield from _onto(target, piece, target.mine)


def _site(target: Target, text: str) -> FunctionSite:
    return next(site for site in target.reader.functions(text) if site.name == target.stub)


def _with(target: Target, text: str, body: str) -> str:
    return with_body(text, _site(target, text), body)


def _whole_function(
    target: Target, piece: str, site: FunctionSite, sites: Sequence[FunctionSite]
) -> Iterator[Version]:
    """A function's body under our own header, its parameters under our names."""
    parsed = parse(piece, target.grammar)
    theirs = parameter_names(parameters_of(parsed, site))
    blank = _site(target, target.blank)
    ours = parameter_names(parameters_of(parse(target.blank, target.grammar), blank))
    if theirs[:1] != ours[:1] and {*theirs[:1]} & target.grammar.words.receivers:
        theirs = theirs[1:]
    renames = dict(zip(theirs, ours, strict=False)) | {site.name: target.stub}
    start = piece.rfind("\n", 0, site.body_start) + 1
    margin = piece[start : site.body_start]
    body = with_names((site.body_start, site.body_end), parsed, renames, _NAMES)
    body = textwrap.dedent((margin if margin.isspace() else "") + body)
    text = _with(target, target.blank, body)
    others = [piece[o.start : o.end] for o in sites if o is not site and o.name != target.stub]
    if others:
        at = text.rfind("\n", 0, _first(target, text)) + 1
        text = text[:at] + "\n\n".join(others) + "\n\n" + text[at:]
    yield Version(text, piece, renamed=site.name != target.stub)


def _first(target: Target, text: str) -> int:
    """Offset of the first function; helpers go before it."""
    sites = target.reader.functions(text)
    line = min(min(site.line, site.comment_line or site.line) for site in sites)
    return sum(len(each) for each in text.splitlines(keepends=True)[: line - 1]) + 1


def _ended(code: str, grammar: Grammar) -> Iterator[str]:
    yield code
    *before, end = code.rstrip().split("\n")
    margin = end[: len(end) - len(end.lstrip())]
    lead = "".join(f"{line}\n" for line in before) + margin
    last, braces = end.strip(), grammar.wrapped is not None
    plain = last.rstrip(";") if braces else last
    if "return" not in code or grammar.gives == "{}":
        yield lead + grammar.gives.replace("{}", plain.removeprefix("return "))
        if stored := _STORED.match(last):
            yield f"{lead}{plain}{';' * braces}\n{grammar.gives.replace('{}', stored[1])}"
    elif braces and not last.endswith((";", "}")):
        yield f"{code.rstrip()};"
    if not braces and last.endswith(":"):
        yield f"{code.rstrip()}\n{margin}    {grammar.nothing}"


def _onto(target: Target, piece: str, mine: str) -> Iterator[Version]:
    """The learner's function with the piece instead of one of its lines, or between two."""
    site = _site(target, mine)
    first = mine.rfind("\n", 0, site.body_start) + 1
    body = mine[first : site.body_end]
    lines = body.split("\n")
    numbers = [number for number, line in enumerate(lines) if line.strip()][:_LINES]
    words = set(re.findall(r"\w+", piece))
    likely = sorted(numbers, key=lambda n: -len(words & set(re.findall(r"\w+", lines[n]))))
    margins = [line[: len(line) - len(line.lstrip())] for line in lines]
    places = [(number, 1, margins[number]) for number in likely]
    for number in (len(lines), *reversed(numbers)):
        # A piece between two lines may belong to either's block, or to one that encloses both.
        near = {margins[at] for at in (number - 1, number) if 0 <= at < len(lines)}
        around = {m for m in margins[:number] if m and any(len(m) < len(n) for n in near)}
        places += [(number, 0, margin) for margin in sorted(near | around, key=len, reverse=True)]
    for number, instead, margin in places:
        put = textwrap.indent(textwrap.dedent(piece), margin).split("\n")
        made = "\n".join([*lines[:number], *put, *lines[number + instead :]])
        yield Version(mine[:first] + made + mine[site.body_end :], piece)
