"""Every language by its id, found by the entry points of the group `tutor_lsp.languages`."""

from collections.abc import Mapping
from functools import cache, reduce
from operator import or_
from types import MappingProxyType
from typing import Any, TypeAlias

from tutor_lsp.core.language.dialect import Dialect
from tutor_lsp.core.language.guards import Guards
from tutor_lsp.core.language.language import Language, Names
from tutor_lsp.core.language.probes import Probes
from tutor_lsp.languages.added import Loaded, load
from tutor_lsp.process.contain import Contain

AnyLanguage: TypeAlias = "Language[Contain]"
GROUP = "tutor_lsp.languages"


@cache
def languages() -> Mapping[str, AnyLanguage]:
    """Every installed language by its id, in the order in which they are offered. Blocks at the
    first call: it looks through the installed packages. Raises RuntimeError without any."""
    found = _loaded()[0].values()
    if not found:
        raise RuntimeError("No language is installed: install tutor-lsp with pip, not by copying.")
    ordered = sorted(found, key=lambda language: (language.place, language.id))
    return MappingProxyType({language.id: language for language in ordered})


def problems() -> tuple[str, ...]:
    """One sentence for each installed language that cannot be used."""
    return _loaded()[1]


def is_ours(language: str) -> bool:
    """Whether a language comes with the tutor. Blocks at the first call."""
    return language in _loaded()[2]


@cache
def _loaded() -> Loaded[AnyLanguage]:
    def made(kind: Any) -> AnyLanguage:
        language: AnyLanguage = kind()
        return language

    return load(GROUP, made, lambda language: language.id)


def language_of(suffix: str) -> str | None:
    """The id of the language whose source files end so, dot included; None if there is none."""
    return next((each.id for each in languages().values() if suffix in each.suffixes), None)


def name_of(language: str) -> str:
    """The name of a language as people write it; its id where it is not installed."""
    known = languages().get(language)
    return known.name if known is not None else language


@cache
def special_names() -> Names:
    """What names mean to any of the languages."""
    return reduce(or_, (language.names for language in languages().values()))


def fenced_as(word: str) -> str | None:
    """The id of the language that a word behind ``` means, None if it means none of them."""
    return next((each.id for each in languages().values() if word in each.names.fences), None)


def dialect(language: str) -> Dialect:
    """What the proof knows of a language. Raises KeyError for one that is not installed."""
    return languages()[language].dialect()


def guards(language: str) -> Guards:
    """How a language asks a unit's domain. Raises KeyError for one that is not installed."""
    return dialect(language).guards


def probes(language: str) -> Probes:
    """How a call becomes a test in a language. Raises ProbeRefused where there is no such way, and
    KeyError for one that is not installed."""
    return dialect(language).probes
