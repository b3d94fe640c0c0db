"""Putting functions of one text into another. Pure."""

from collections.abc import Collection, Iterable, Mapping

from tutor_lsp.core.exercise.stub_comment import parse_stub_comment
from tutor_lsp.core.language.syntax import Parsed
from tutor_lsp.core.ports import FunctionSite, SourceReader


def site_of(
    reader: SourceReader, text: str, name: str, like: FunctionSite | None = None
) -> FunctionSite | None:
    """The function of that name; of several the one that is marked as a stub by its comment, or
    whose signature is that of `like`."""
    named = [site for site in reader.functions(text) if site.name == name]
    if len(named) > 1:  # several types may have a method of one name
        named = [site for site in named if parse_stub_comment(site.comment or "")] or named
    if like is not None:
        alike = [site for site in named if site.signature == like.signature]
        named = alike or named
    return named[0] if named else None


def replaced(text: str, changes: Iterable[tuple[int, int, str]]) -> str:
    """The text with each range of offsets replaced by its text. Ranges must not overlap."""
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def put_back(reader: SourceReader, solved: str, starter: str, name: str) -> str | None:
    """The solved text with one function as in the starter; None if either text lacks it."""
    stub = site_of(reader, starter, name)
    mine = site_of(reader, solved, name, stub)
    if stub is None or mine is None:
        return None
    return with_definition(solved, mine, starter[stub.start : stub.end])


def with_definition(text: str, site: FunctionSite, definition: str) -> str:
    """The text with that function replaced as a whole."""
    return text[: site.start] + definition + text[site.end :]


def with_body(text: str, site: FunctionSite, body: str) -> str:
    """The text with that function's body replaced; further lines are indented like the first."""
    line = text.rfind("\n", 0, site.body_start) + 1
    before = text[line : site.body_start]
    indent = before if before.isspace() else " " * 4
    lines = body.split("\n")
    shown = "\n".join([lines[0], *(f"{indent}{rest}" if rest else "" for rest in lines[1:])])
    return text[: site.body_start] + shown + text[site.body_end :]


def with_names(
    part: tuple[int, int],
    parsed: Parsed,
    names: Mapping[str, str],
    kinds: Collection[str] = ("id",),
) -> str:
    """The part of a text from one offset to another, each name of these kinds replaced by what
    `names` has for it."""
    at, end = part
    made = []
    for token in parsed.within(at, end):
        if token.kind in kinds and token.text in names:
            made += [parsed.text[at : token.start], names[token.text]]
            at = token.end
    return "".join([*made, parsed.text[at:end]])
