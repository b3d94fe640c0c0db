"""The description of a kind of backend, and what its backends are made from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.ports import Backend
from tutor_lsp.core.setting_values import SettingInfo


@dataclass(frozen=True, slots=True)
class BackendContext:
    """Input for making backends: settings by dotted name (those that the kind declares,
    and `model`), and services by name (`library`: a `library.loader.Library`; `editor.ask`: see
    `stages.backends.editor.Ask`; `scripted.lines`: see `stages.backends.scripted`)."""

    settings: Mapping[str, Any] = field(default_factory=dict)
    services: Mapping[str, Any] = field(default_factory=dict)

    def setting(self, name: str) -> str:
        """A setting that the backend requires. Raises TutorError `BAD_SETTINGS`."""
        value = self.settings.get(name)
        if not value:
            raise TutorError("BAD_SETTINGS", f"The setting {name} is missing. Set it to continue.")
        return str(value)


class BackendKind(Protocol):
    """A kind of backend, named by an entry point of the group `tutor_lsp.backends`. Loading it
    starts no programs and uses no network."""

    @property
    def name(self) -> str:
        """Its name in the setting `backend`, which its backends share."""

    @property
    def meaning(self) -> str:
        """What it is, in one sentence; empty if it is neither offered nor chosen by `auto`."""

    @property
    def place(self) -> int:
        """Its place in lists, and among models the order in which `auto` tries them; equal places
        are ordered by name."""

    @property
    def is_model(self) -> bool:
        """Whether a model answers; otherwise answers are authors' texts, used unchanged."""

    @property
    def asks_first(self) -> bool:
        """Whether a learner must agree before `auto` uses it: what is sent to it leaves this
        machine, or costs something."""

    @property
    def settings(self) -> tuple[SettingInfo, ...]:
        """Its own settings (`core.setting_values.setting`)."""

    def create(self, context: BackendContext) -> Backend:
        """A backend of this kind; starts nothing. Raises TutorError `BAD_SETTINGS`."""
