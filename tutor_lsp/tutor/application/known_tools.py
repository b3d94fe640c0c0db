"""The tools of the settings in force, kept as long as settings mean the same ones."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tutor_lsp.core.settings import Settings
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.process.contain import Contain
from tutor_lsp.tutor.services.tool_search import Tools


class KnownTools:
    """What is known of the tools here, also from before there is an application."""

    def __init__(self) -> None:
        self._means: tuple[str, Mapping[str, Any]] | None = None
        self._tools: Tools | None = None

    def of(self, settings: Settings) -> Tools:
        """The tools of these settings; the same object while they mean the same ones."""
        means = (settings.home, settings.more)
        if self._tools is None or self._means != means:
            self._means = means
            contain = Contain(home=Path(settings.home), private=True)
            found = toolchains(settings.more, contain=contain)
            self._tools = Tools(found, prepare=contain.get)
        return self._tools
