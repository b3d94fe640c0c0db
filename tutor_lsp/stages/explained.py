"""What compilers and interpreters mean, in plain words: `explained.toml` of each language."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache

from tutor_lsp.languages.registry import languages


@dataclass(frozen=True, slots=True)
class Meaning:
    """`means` says in one sentence what is wrong, `mend` where to look; neither has a solution."""

    means: str
    mend: str


@dataclass(frozen=True, slots=True)
class _Entry:
    code: str | None
    match: re.Pattern[str] | None
    meaning: Meaning


def of_build_error(language: str, code: str | None, message: str) -> Meaning | None:
    """What a build error means, None where that is not known. An entry for the code wins."""
    entries = _entries(language, "error")
    for entry in entries:
        if code is not None and entry.code == code and entry.match is None:
            return entry.meaning
    for entry in entries:
        if entry.match is not None and entry.match.search(message):
            return entry.meaning
    return next((e.meaning for e in entries if code is not None and e.code == code), None)


def of_failure(language: str, text: str) -> Meaning | None:
    """What an exception, panic or crash means, None where that is not known."""
    return next(
        (
            e.meaning
            for e in _entries(language, "run")
            if e.match is not None and e.match.search(text)
        ),
        None,
    )


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
        )
        for item in data.get(kind, ())
    )
