"""Constructs that units practise: what they are called, and whether code uses them.

A language's are in its text `practises.toml`, by their names in `exercise.toml`.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from tutor_lsp.core.exercise.declared import declares
from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.core.exercise.parts import parts, text_of
from tutor_lsp.core.learner.curriculum import normal_code
from tutor_lsp.core.ports import Files, FunctionSite
from tutor_lsp.core.text.translation import t
from tutor_lsp.languages.common.texts import words
from tutor_lsp.languages.common.treesitter import Source, finds
from tutor_lsp.languages.registry import dialect, languages

TEXT = "practises.toml"
_EVERYWHERE = words(
    "argument block break conditional definition expression for function if impl key let of"
    " parameter pointer set statement with"
)
"""Words that speak of a construct only together with all others of its name."""


@dataclass(frozen=True, slots=True)
class Construct:
    """`name` goes into a sentence with its article, `one` stands for it the second time. Code uses
    it if each of the patterns of tree-sitter in `queries` is found in it; `codes` are the errors of
    the language's compiler that are about it. `outside` of functions, it is nothing to write in
    one."""

    name: str
    queries: tuple[str, ...]
    one: str = "one"
    codes: tuple[str, ...] = ()
    outside: bool = False


@cache
def constructs(language: str) -> Mapping[str, Construct]:
    """A language's constructs by name; none where it has no such text, or is not installed. Blocks
    at the first call."""
    known = languages().get(language)
    text = known.text(TEXT) if known is not None else None
    named = tomllib.loads(text or "")
    return {
        name: Construct(
            about["name"],
            tuple(about["queries"]),
            about.get("one", "one"),
            tuple(about.get("codes", ())),
            about.get("outside", False),
        )
        for name, about in named.items()
    }


def kept(language: str, names: Iterable[str], kind: UnitKind) -> list[str]:
    """Those of the names that the language knows and a unit of that kind may be about."""
    known = constructs(language)
    inside = kind is UnitKind.BODY
    return [name for name in names if name in known and not (inside and known[name].outside)]


def named(language: str, names: Iterable[str]) -> list[str]:
    """What the named constructs are called in a sentence, in the learner's language."""
    known = constructs(language)
    return [t(known[name].name) for name in names if name in known]


def about_code(language: str, code: str) -> frozenset[str]:
    """The constructs that an error code of the language's compiler is about."""
    wanted = normal_code(code)
    return frozenset(
        name
        for name, each in constructs(language).items()
        if wanted in map(normal_code, each.codes)
    )


def about_words(language: str, text: str) -> tuple[str, ...]:
    """The constructs that a text speaks of, by the words of their names."""
    said = {_stem(word) for word in re.findall(r"[a-z]+", text.lower())}

    def spoken_of(name: str) -> bool:
        parts = name.split("-")
        own = [_stem(part) in said for part in parts if part not in _EVERYWHERE]
        return any(own) or (not own and all(_stem(part) in said for part in parts))

    return tuple(name for name in constructs(language) if spoken_of(name))


def _stem(word: str) -> str:
    return word.rstrip("s").rstrip("e") if len(word) > 3 else word


class About(Protocol):
    """A unit, in an exercise or in its `exercise.toml`."""

    @property
    def id(self) -> str: ...
    @property
    def stub(self) -> str: ...
    @property
    def file(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def practises(self) -> tuple[str, ...]: ...


def left_out(
    language: str, unit: About, texts: Files, functions: Callable[[str], Sequence[FunctionSite]]
) -> tuple[str, ...]:
    """The constructs of `unit.practises` that are not in what its learner writes: the body of its
    function, in all versions that a text has, or the whole file of a unit that has its own, or its
    part of one. Those that the language does not know are not asked for."""
    known = constructs(language) if unit.practises else {}
    asked = [name for name in unit.practises if name in known]
    if not asked:
        return ()
    text = texts.get(unit.file, "")
    if unit.kind == UnitKind.BODY:
        sites = [site for site in functions(text) if site.name == unit.stub]
        text = "\n".join(text[site.start : site.end] for site in sites)
    elif unit.kind == UnitKind.DECLARE:
        text = _its_part(language, unit, text)
    source = Source(dialect(language).grammar.name, text)
    return tuple(
        name for name in asked if not all(finds(source, each) for each in known[name].queries)
    )


def _its_part(language: str, unit: About, text: str) -> str:
    """What a unit declares of a file that it shares: its part, if it is declared there."""
    lines = languages()[language].lines
    part = text_of(text, unit.id, lines) if len(parts(text, lines)) > 1 else None
    return part if part is not None and declares(part, unit.stub, lines) else text
