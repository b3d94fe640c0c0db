"""Every toolchain by language id, made when first used."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from tutor_lsp.core.ports import Toolchain
from tutor_lsp.languages.registry import languages
from tutor_lsp.process.contain import Contain

NO_SETTINGS: Mapping[str, Any] = MappingProxyType({})


class _Lazy(Mapping[str, Toolchain]):
    def __init__(self, contain: Contain, settings: Mapping[str, Any]) -> None:
        self._contain = contain
        self._settings = settings
        self._made: dict[str, Toolchain] = {}

    def __getitem__(self, language: str) -> Toolchain:
        if language not in self._made:
            made = languages()[language].toolchain(self._settings, self._contain)
            # Two threads may get here: the first one's is everybody's.
            self._made.setdefault(language, made)
        return self._made[language]

    def __iter__(self) -> Iterator[str]:
        return iter(languages())

    def __len__(self) -> int:
        return len(languages())


def toolchains(
    settings: Mapping[str, Any] = NO_SETTINGS, *, contain: Contain | None = None
) -> Mapping[str, Toolchain]:
    """Toolchains by language id, in the order in which they are offered.

    `settings` are those that languages declare, by their keys. `contain` keeps test runs in; pass
    `Contain(enabled=False)` to turn that off. Nothing of a language loads before it is asked for.
    """
    return _Lazy(contain or Contain(), settings)
