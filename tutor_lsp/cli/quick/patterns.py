"""Lets the regular expressions of our own modules be compiled when they are first used: compiling
all of them takes a tenth of the time of a short verb, and few are used."""

import re
import sys
from typing import Any

PACKAGE = "tutor_lsp."


class Later:
    """A pattern that is compiled when something of it is needed."""

    def __init__(self, given: tuple[Any, ...], named: dict[str, Any]) -> None:
        self._given = given, named
        self._made: re.Pattern[Any] | None = None

    def __getattr__(self, name: str) -> Any:
        if self._made is None:
            given, named = self._given
            self._made = _USUAL(*given, **named)
        found = getattr(self._made, name)
        setattr(self, name, found)
        return found


_USUAL = re.compile


def _compile(*given: Any, **named: Any) -> Any:
    """As `re.compile`; what a module of ours makes while it is loaded comes later."""
    caller = sys._getframe(1)  # noqa: SLF001 - who calls is known nowhere else
    if caller.f_code.co_name == "<module>" and caller.f_globals["__name__"].startswith(PACKAGE):
        return Later(given, named)
    return _USUAL(*given, **named)


def install() -> None:
    """From now on, put off compiling."""
    re.compile = _compile
