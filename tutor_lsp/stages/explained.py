"""Compilers' and interpreters' errors in plain words, from each language's `explained.toml`."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain

from tutor_lsp.languages.common.treesitter import Node, Source, walk
from tutor_lsp.languages.registry import languages


@dataclass(frozen=True, slots=True)
class Meaning:
    """`means` says in one sentence what is wrong, `mend` where to look; neither reveals a
    solution."""

    means: str
    mend: str


About = Mapping[str, str]
"""What an error is about: its `message`, the unit's `contract` and signature and its `tests`; and
of the learner's code there the `line`, the `code` of the function and the kinds of its `nodes`."""
_ANYTHING: About = {}


@dataclass(frozen=True, slots=True)
class _Case:
    """What is said where one of these patterns is found in what an error is about."""

    patterns: Mapping[str, re.Pattern[str]]
    means: str | None
    mend: str

    def applies(self, about: About) -> bool:
        return any(each.search(about.get(where, "")) for where, each in self.patterns.items())


@dataclass(frozen=True, slots=True)
class _Entry:
    """In the place of `meaning` comes the first of `unless` that applies, whose advice may be
    empty; behind the advice comes that of each of `also` that applies."""

    code: str | None
    match: re.Pattern[str] | None
    meaning: Meaning
    unless: tuple[_Case, ...]
    also: tuple[_Case, ...]

    def about(self, about: About) -> Meaning:
        other = next((each for each in self.unless if each.applies(about)), None)
        means, mend = self.meaning.means, self.meaning.mend
        if other is not None:
            means, mend = other.means or means, other.mend
        more = (each.mend for each in self.also if each.applies(about))
        return Meaning(means, " ".join(filter(None, (mend, *more))))


def of_build_error(
    language: str, code: str | None, message: str, about: About = _ANYTHING
) -> Meaning | None:
    """The meaning of a build error, None if unknown. An entry for the code takes precedence, the
    one whose pattern is in the message first."""
    entries = _entries(language, "error")
    same = [entry for entry in entries if code is not None and entry.code == code]
    told = [entry for entry in entries if entry.match and entry.match.search(message)]
    first = (entry for entry in same if entry in told)
    exact = (entry for entry in same if entry.match is None)
    matching = (entry for entry in told if code is None or entry.code is None)
    found = next(chain(first, exact, matching, same), None)
    return None if found is None else found.about({**about, "message": message})


def of_failure(language: str, text: str, about: About = _ANYTHING) -> Meaning | None:
    """The meaning of an exception, panic or crash, None if unknown."""
    entries = _entries(language, "run")
    found = next((entry for entry in entries if entry.match and entry.match.search(text)), None)
    return None if found is None else found.about({**about, "message": text})


def of_warning(language: str, rule: str, message: str, about: About = _ANYTHING) -> Meaning | None:
    """The meaning of a compiler's or linter's warning, None if unknown."""
    entries = _entries(language, "warning")
    found = (
        e for e in entries if e.code in (None, rule) and (not e.match or e.match.search(message))
    )
    entry = next(found, None)
    return None if entry is None else entry.about({**about, "message": message})


def codes(language: str) -> frozenset[str]:
    """The error codes that are explained."""
    return frozenset(entry.code for entry in _entries(language, "error") if entry.code)


@cache
def _entries(language: str, kind: str) -> tuple[_Entry, ...]:
    known = languages().get(language)
    data = tomllib.loads((known and known.text("explained.toml")) or "")
    return tuple(
        _Entry(
            item.get("code"),
            re.compile(item["match"]) if "match" in item else None,
            Meaning(item["means"], item["mend"]),
            tuple(_case(each) for each in item.get("unless", ())),
            tuple(_case(each) for each in item.get("also", ())),
        )
        for item in data.get(kind, ())
    )


def _case(written: Mapping[str, str]) -> _Case:
    said = ("means", "mend")
    patterns = {where: re.compile(found) for where, found in written.items() if where not in said}
    return _Case(patterns, written.get("means"), written.get("mend", ""))


def about_place(language: str, text: str, line: int) -> Mapping[str, str]:
    """Of a 1-based line of a text: the `line` itself, the `code` of the function around it, or what
    else stands there at the top, and the kinds of `nodes` in that. Without a line, the text."""
    lines = text.split("\n")
    if not 0 < line <= len(lines):
        return {"code": text}
    code, nodes = _around(language, text, line)
    return {"line": lines[line - 1], "code": code, "nodes": nodes}


@lru_cache(maxsize=8)
def _around(language: str, text: str, line: int) -> tuple[str, str]:
    try:
        source = Source(language, text)
    except ImportError:  # a language without a grammar
        return "", ""
    around = source.root
    for node in walk(source.root, lambda each: _covers(source, each, line)):
        is_function = "function" in node.type and "declarator" not in node.type
        if _covers(source, node, line) and (is_function or node.parent == source.root):
            around = node
    if around == source.root:
        return "", ""
    return source.text_of(around), " ".join(sorted({each.type for each in walk(around)}))


def _covers(source: Source, node: Node, line: int) -> bool:
    return source.line(node) <= line <= source.end_line(node)
