"""Settings: what they are called, what they mean, and how their sources are put together.

The fields of `Settings` are the one list of settings; documentation, the editors' settings and
the reading of `config.toml`, `TUTOR_LSP_*` and client settings are made from it.
"""

import dataclasses
import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from tutor_lsp.core.exercise.files import FileLimits
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.core.setting_values import Kind, SettingInfo, expand, flatten, read_value, shown

ENVIRONMENT_PREFIX = "TUTOR_LSP_"
EDITOR_ONLY = frozenset({"server", "trace"})
"""Settings below `tutor` that are for the editor's own side."""
BACKENDS: Mapping[str, str] = MappingProxyType(
    {
        "auto": "The library first, a model for what it lacks; a model's first use is asked about.",
        "library": "The exercises and hints that come along. Nothing leaves this machine.",
        "codex": "The Codex CLI.",
        "claude": "Claude Code.",
        "openai": "A service with OpenAI's interface, at the address `openai.baseUrl`.",
        "editor": "Your editor's own language model.",
        "scripted": "",
    }
)
"""What each backend is; empty where it is for tests and not offered in lists."""


def _setting(
    kind: Kind,
    description: str,
    *,
    default: Any,
    key: str,
    choices: Mapping[str, str] | None = None,
    bounds: tuple[float, float] | None = None,
) -> Any:
    details = {"kind": kind, "description": description, "key": key, "bounds": bounds}
    values = {"choices": tuple(choices or ()), "meanings": tuple((choices or {}).values())}
    return dataclasses.field(default=default, metadata={**details, **values})


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings with their defaults. Paths are absolute or start with `~/`."""

    home: str = _setting(
        "path",
        "Folder for exercises and the record of your work.",
        default="~/tutor-lsp",
        key="home",
    )
    backend: str = _setting(
        "text",
        "What makes exercises and hints. `auto` takes the library first and a model for the rest.",
        default="auto",
        key="backend",
        choices=BACKENDS,
    )
    model: str | None = _setting(
        "text",
        "Model that the backend should use; its own default if empty.",
        default=None,
        key="model",
    )
    openai_base_url: str | None = _setting(
        "text",
        "Address of an OpenAI-compatible service, for the backend `openai`.",
        default=None,
        key="openai.baseUrl",
    )
    openai_key_variable: str = _setting(
        "text",
        "Environment variable with the key for the backend `openai`; a service on this machine "
        "needs none.",
        default="OPENAI_API_KEY",
        key="openai.keyVariable",
    )
    codex_command: str = _setting(
        "program", "Program name or path of the Codex CLI.", default="codex", key="codex.command"
    )
    claude_command: str = _setting(
        "program", "Program name or path of Claude Code.", default="claude", key="claude.command"
    )
    language: str | None = _setting(
        "text",
        "Language to practise when none is named, such as `rust`.",
        default=None,
        key="language",
    )
    run_on_save: bool = _setting(
        "switch",
        "Run the tests whenever a file of the exercise is saved.",
        default=True,
        key="runOnSave",
    )
    build_errors: str = _setting(
        "text",
        "Whether to show build errors: `never` where another language server shows them.",
        default="always",
        key="buildErrors",
        choices={
            "always": "The tutor shows the first build error of a run.",
            "never": "Another language server shows them.",
        },
    )
    confirm_plan: bool = _setting(
        "switch",
        "Show the plan of a generated exercise before it is made.",
        default=True,
        key="confirmPlan",
    )
    libraries: tuple[str, ...] = _setting(
        "paths", "Folders with exercises of your own.", default=(), key="libraries"
    )
    plain: bool = _setting(
        "switch",
        "Plain text in the terminal: no colours, no progress bars.",
        default=False,
        key="plain",
    )
    python_interpreter: str | None = _setting(
        "program",
        "Python that runs your tests, else the tutor's own; a `.venv` in the exercise is not used.",
        default=None,
        key="python.interpreter",
    )
    debounce_ms: int = _setting(
        "whole",
        "Milliseconds to wait after a save for another one before the tests run.",
        default=50,
        key="debounceMs",
        bounds=(0, 100),
    )
    run_seconds: float = _setting(
        "number",
        "Seconds after which a whole test run is stopped.",
        default=60.0,
        key="limits.runSeconds",
        bounds=(1, 3600),
    )
    test_seconds: float = _setting(
        "number",
        "Seconds after which a single test is stopped.",
        default=5.0,
        key="limits.testSeconds",
        bounds=(0.1, 600),
    )
    output_bytes: int = _setting(
        "whole",
        "Bytes of output kept of each test.",
        default=64 * 1024,
        key="limits.outputBytes",
        bounds=(1024, 16 * 1024 * 1024),
    )
    stage_seconds: float = _setting(
        "number",
        "Seconds after which a call of a model is stopped.",
        default=300.0,
        key="limits.stageSeconds",
        bounds=(5, 3600),
    )
    session_calls: int = _setting(
        "whole",
        "Most calls to a model for one session: making the exercise, hints and reviews.",
        default=200,
        key="limits.sessionCalls",
        bounds=(1, 100_000),
    )
    session_bytes: int = _setting(
        "whole",
        "Most bytes sent to a model for one session, all prompts together.",
        default=20_000_000,
        key="limits.sessionBytes",
        bounds=(10_000, 10_000_000_000),
    )

    import_bytes: int = _setting(
        "whole",
        "Bytes of the largest record or recording that is taken in.",
        default=64 * 1024 * 1024,
        key="limits.importBytes",
        bounds=(64 * 1024, 1024**3),
    )
    exercise_bytes: int = _setting(
        "whole",
        "Bytes of the largest exercise that is taken in from elsewhere, all its files together.",
        default=16 * 1024 * 1024,
        key="limits.exerciseBytes",
        bounds=(64 * 1024, 1024**3),
    )
    file_bytes: int = _setting(
        "whole",
        "Bytes of the largest file of an exercise that is taken in from elsewhere.",
        default=256 * 1024,
        key="limits.fileBytes",
        bounds=(16 * 1024, 16 * 1024 * 1024),
    )
    exercise_files: int = _setting(
        "whole",
        "Most files of an exercise that is taken in from elsewhere.",
        default=500,
        key="limits.exerciseFiles",
        bounds=(10, 10_000),
    )

    @property
    def file_limits(self) -> FileLimits:
        """The limits of an exercise that is taken in from elsewhere."""
        return FileLimits(self.file_bytes, self.exercise_bytes, self.exercise_files)

    @property
    def run_limits(self) -> RunLimits:
        """The limits of one test run."""
        return RunLimits(self.run_seconds, self.test_seconds, self.output_bytes)


def describe() -> tuple[SettingInfo, ...]:
    """All settings in the order in which they are documented."""
    return tuple(
        SettingInfo(
            name=field.name,
            environment=ENVIRONMENT_PREFIX + _upper(field.metadata["key"]),
            default=field.default,
            **field.metadata,
        )
        for field in dataclasses.fields(Settings)
    )


def resolve(
    defaults: Settings,
    config: object,
    environment: Mapping[str, str],
    client: object,
    languages: Sequence[str] = (),
) -> tuple[Settings, list[str]]:
    """The settings in force and, in plain words, what was wrong with those that were given.

    Later sources win: `config` is the table of `<home>/config.toml`, `environment` the process
    environment, `client` the client's section `tutor` or None, nested or with dotted keys. What
    cannot be used is reported and left out; the others stay. Null and the empty text mean "not
    set", and so does a client's value that equals the built-in default, because some editors
    send all defaults. `languages` are the ids that `language` may be, any where none are given.
    """
    reading = _Reading(environment.get("HOME", ""), languages)
    if isinstance(config, Mapping):
        reading.table(_CONFIG, config)
    elif config is not None:
        reading.problems.append(f"{_CONFIG}: settings are needed, not {shown(config)}.")
    reading.variables(environment)
    if isinstance(client, Mapping):
        reading.table(_CLIENT, client)
    elif client is not None:
        reading.problems.append(f"{_CLIENT}: an object is needed, not {shown(client)}.")
    settings = dataclasses.replace(defaults, **reading.chosen)
    home = expand(settings.home, reading.user_home)
    return dataclasses.replace(settings, home=home), reading.problems


_CONFIG = "config.toml"
_CLIENT = "editor settings"


class _Reading:
    """The values chosen so far and what was wrong with others."""

    def __init__(self, user_home: str, languages: Sequence[str]) -> None:
        self.user_home = user_home
        self.chosen: dict[str, Any] = {}
        self.problems: list[str] = []
        self._known = {info.key: info for info in describe()}
        language = self._known["language"]
        self._known["language"] = dataclasses.replace(language, choices=tuple(languages))

    def table(self, source: str, table: Mapping[str, Any]) -> None:
        for key, value in flatten(table, self._known):
            info = self._known.get(key)
            if info is None and source == _CLIENT and key.partition(".")[0] in EDITOR_ONLY:
                continue
            if info is None:
                self.problems.append(f"{source}: `{key}` is no setting{self._near(key)}")
            elif source == _CONFIG and key == "home":
                self.problems.append(f"{source}: `home` is where this file lies; set it elsewhere.")
            else:
                self._take(source, key, info, value, skip_default=source == _CLIENT)

    def variables(self, environment: Mapping[str, str]) -> None:
        named = {info.environment: info for info in self._known.values()}
        for name, text in sorted(environment.items()):
            if name in named:
                self._take("environment", name, named[name], text)
            elif name.startswith(ENVIRONMENT_PREFIX):
                near = difflib.get_close_matches(name, named, n=1, cutoff=0.85)
                self.problems += [
                    f"environment: `{name}` is no setting; {near[0]} is." for _ in near
                ]

    def _take(
        self, source: str, key: str, info: SettingInfo, value: Any, *, skip_default: bool = False
    ) -> None:
        if value is None or value == "":
            return
        try:
            read = read_value(info, value, self.user_home)
        except ValueError as error:
            self.problems.append(f"{source}: `{key}` {error}; it is left out.")
            return
        if not (skip_default and read == info.default):
            self.chosen[info.name] = read

    def _near(self, key: str) -> str:
        folded = {name.casefold(): name for name in self._known}
        near = [name for name in folded if name.startswith(f"{key.casefold()}.")]
        near += difflib.get_close_matches(key.casefold(), folded, n=1)
        return f"; did you mean `{folded[near[0]]}`?" if near else "."


def _upper(key: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])|\.", "_", key).upper()
