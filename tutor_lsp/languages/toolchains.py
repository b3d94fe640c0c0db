"""Every toolchain by language id, loaded when first used."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import cast

from tutor_lsp.core.ports import Toolchain
from tutor_lsp.process.contain import Contain

LANGUAGES = {"rust": "Rust", "python": "Python", "c": "C"}
"""Every language id, in the order in which they are offered, with how names of classes begin."""


class _Lazy(Mapping[str, Toolchain]):
    def __init__(self, contain: Contain, python_interpreter: str | None) -> None:
        self._options = {"python": {"interpreter": python_interpreter}}
        self._contain = contain
        self._made: dict[str, Toolchain] = {}

    def __getitem__(self, language: str) -> Toolchain:
        if language not in LANGUAGES:
            raise KeyError(language)
        if language not in self._made:
            module = import_module(f"tutor_lsp.languages.{language}")
            make = getattr(module, f"{LANGUAGES[language]}Toolchain")
            made = make(contain=self._contain, **self._options.get(language, {}))
            # Two threads may get here: the first one's is everybody's.
            self._made.setdefault(language, cast("Toolchain", made))
        return self._made[language]

    def __iter__(self) -> Iterator[str]:
        return iter(LANGUAGES)

    def __len__(self) -> int:
        return len(LANGUAGES)


def toolchains(
    *, python_interpreter: str | None = None, contain: Contain | None = None
) -> Mapping[str, Toolchain]:
    """Toolchains by language id, in the order in which they are offered.

    `python_interpreter` is the setting `python.interpreter`. `contain` keeps test runs in; pass
    `Contain(enabled=False)` to turn that off. Nothing of a language loads before it is asked for.
    """
    return _Lazy(contain or Contain(), python_interpreter)
