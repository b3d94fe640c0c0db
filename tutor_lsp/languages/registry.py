"""Every language by its id, found by the entry points of the group `tutor_lsp.languages`."""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import TYPE_CHECKING

from tutor_lsp.languages.language import Language

if TYPE_CHECKING:
    from tutor_lsp.languages.common.proof.dialect import Dialect
    from tutor_lsp.languages.common.proof.guard import Guards

GROUP = "tutor_lsp.languages"


@cache
def languages() -> Mapping[str, Language]:
    """Every installed language by its id, in the order in which they are offered. Blocks at the
    first call: it looks through the installed packages. Raises RuntimeError without any."""
    found: list[Language] = [point.load()() for point in entry_points(group=GROUP)]
    if not found:
        raise RuntimeError("No language is installed: install tutor-lsp with pip, not by copying.")
    ordered = sorted(found, key=lambda language: (language.place, language.id))
    return MappingProxyType({language.id: language for language in ordered})


def language_of(suffix: str) -> str | None:
    """The id of the language whose source files end so, dot included; None if there is none."""
    return next((each.id for each in languages().values() if suffix in each.suffixes), None)


def dialect(language: str) -> "Dialect":
    """What the proof knows of a language. Raises KeyError for one that is not installed."""
    return languages()[language].dialect()


def guards(language: str) -> "Guards":
    """How a language asks a unit's domain. Raises KeyError for one that is not installed."""
    return languages()[language].guards()
