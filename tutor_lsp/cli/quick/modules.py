"""Lets parts of the standard library load when something of them is first used.

Others import them for cases that hardly a verb meets: TLS, archives, statistics, HTTP.
"""

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

NAMES = (
    "asyncio.sslproto",
    "bz2",
    "difflib",
    "ipaddress",
    "lzma",
    "secrets",
    "ssl",
    "statistics",
    "urllib.error",
    "urllib.request",
    "zipfile",
)


class Later(ModuleType):
    """Stands for a module until then. Whoever imports it afterwards gets the module itself."""

    def __getattr__(self, name: str) -> Any:
        own = self.__name__
        if name.startswith("__"):  # the import system looks for more than a module has
            raise AttributeError(name)
        _PUT_OFF.discard(own)
        if isinstance(sys.modules.get(own), Later):
            # What two threads need at once is loaded by one of them, for which the other waits.
            sys.modules.pop(own, None)
        __import__(own)
        return getattr(sys.modules[own], name)


class _Finder:
    """Finds what is put off before the import system finds the module itself."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:
        del path, target
        return ModuleSpec(name, self) if name in _PUT_OFF else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return Later(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing: that is what is put off."""


_PUT_OFF: set[str] = set()


def install() -> None:
    """From now on, put off loading those that are not there yet."""
    _PUT_OFF.update(name for name in NAMES if name not in sys.modules)
    sys.meta_path.insert(0, _Finder())
