"""Compilers' and interpreters' errors in plain words, from each language's `explained.toml`."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain

from tutor_lsp.languages.registry import languages


@dataclass(frozen=True, slots=True)
class Meaning:
    """`means` says in one sentence what is wrong, `mend` where to look; neither reveals a
    solution."""

    means: str
    mend: str


About = Mapping[str, str]
"""What an error is about: the unit's `contract` and signature, its `tests`, and the `line`."""
_ANYTHING: About = {}


@dataclass(frozen=True, slots=True)
class _Unless:
    """Advice for where one of these patterns is found in what an error is about: there the usual
    one is forbidden. It may be empty."""

    patterns: Mapping[str, re.Pattern[str]]
    mend: str

    def applies(self, about: About) -> bool:
        return any(each.search(about.get(where, "")) for where, each in self.patterns.items())


@dataclass(frozen=True, slots=True)
class _Entry:
    code: str | None
    match: re.Pattern[str] | None
    meaning: Meaning
    unless: tuple[_Unless, ...]

    def about(self, about: About) -> Meaning:
        other = next((each for each in self.unless if each.applies(about)), None)
        return self.meaning if other is None else Meaning(self.meaning.means, other.mend)


def of_build_error(
    language: str, code: str | None, message: str, about: About = _ANYTHING
) -> Meaning | None:
    """The meaning of a build error, None if unknown. An entry for the code takes precedence."""
    entries = _entries(language, "error")
    same = [entry for entry in entries if code is not None and entry.code == code]
    exact = (entry for entry in same if entry.match is None)
    matching = (entry for entry in entries if entry.match and entry.match.search(message))
    return next((entry.about(about) for entry in chain(exact, matching, same)), None)


def of_failure(language: str, text: str) -> Meaning | None:
    """The meaning of an exception, panic or crash, None if unknown."""
    entries = _entries(language, "run")
    return next((e.meaning for e in entries if e.match and e.match.search(text)), None)


def of_warning(language: str, rule: str, message: str) -> Meaning | None:
    """The meaning of a compiler's or linter's warning, None if unknown."""
    entries = _entries(language, "warning")
    found = (
        e for e in entries if e.code in (None, rule) and (not e.match or e.match.search(message))
    )
    return next((entry.meaning for entry in found), None)


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
            tuple(_unless(each) for each in item.get("unless", ())),
        )
        for item in data.get(kind, ())
    )


def _unless(written: Mapping[str, str]) -> _Unless:
    patterns = {where: re.compile(found) for where, found in written.items() if where != "mend"}
    return _Unless(patterns, written.get("mend", ""))
