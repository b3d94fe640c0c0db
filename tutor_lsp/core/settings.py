"""Settings: their names, their meanings, and how their sources are merged.

The fields of `Settings` are the only list of settings; documentation, the editors' settings and
the reading of `config.toml`, `TUTOR_LSP_*` and client settings are derived from it.
"""

import dataclasses
import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tutor_lsp.core.exercise.files import FileLimits
from tutor_lsp.core.mend import Mend, Problem
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.core.setting_values import (
    ENVIRONMENT_PREFIX,
    Kind,
    SettingInfo,
    expand,
    flatten,
    read_value,
    shown,
)

EDITOR_ONLY = frozenset({"server", "trace"})
"""Settings below `tutor` that are used only by the editor's side."""
LANGUAGE = r"(?=.{1,40}\Z)[^\W\d_][\w()'-]*( [\w()'-]+){0,2}([.@][\w@-]+)*"
"""What can name a language: a tag, or up to three words, since it goes into a prompt."""
AUTO = "The library first, a model for what it lacks, after asking once."


@dataclass(frozen=True, slots=True)
class Installed:
    """What is installed beside the settings that are always there: ids of languages, backends by
    name with what each is (empty where it is not offered in lists), and their own settings.
    Where no languages or backends are given, any may be named."""

    languages: Sequence[str] = ()
    backends: Mapping[str, str] = field(default_factory=dict)
    settings: Sequence[SettingInfo] = ()
    problems: Sequence[str] = ()
    """What is installed and cannot be used, one sentence each."""


def _setting(
    kind: Kind,
    description: str,
    default: Any,
    *,
    choices: Mapping[str, str] | None = None,
    bounds: tuple[float, float] | None = None,
    group: str = "",
    form: tuple[str, str] = ("", ""),
) -> Any:
    """A setting whose key is its field's name in camelCase, after that of its `group`."""
    details = {"kind": kind, "description": description, "choices": choices or {}, "bounds": bounds}
    details["form"], details["form_words"] = form
    return field(default=default, metadata={"group": group, "details": details})


def _limit(kind: Kind, description: str, default: float, least: float, most: float) -> Any:
    return _setting(kind, description, default, bounds=(least, most), group="limits.")


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings with their defaults. Paths are absolute or start with `~/`."""

    home: str = _setting(
        "path", "Folder for your exercises and the record of your work.", "~/tutor-lsp"
    )
    backend: str = _setting(
        "text",
        "Where exercises and hints come from; `auto`: the library first, a model for the rest.",
        "auto",
    )
    model: str | None = _setting(
        "text", "Model for the backend to use; the backend's default if empty.", None
    )
    language: str | None = _setting(
        "text", "Language to practise when none is named, such as `rust`.", None
    )
    answer_language: str | None = _setting(
        "text",
        "Language in which a model writes hints, answers and reviews, such as `de` or `German`; "
        "your editor's, in a terminal your locale's, if empty.",
        None,
        form=(LANGUAGE, "the name or tag of a language, such as `German` or `de`"),
    )
    run_on_save: bool = _setting(
        "switch", "Run the tests whenever a file of the exercise is saved.", default=True
    )
    build_errors: str = _setting(
        "text",
        "Whether to show build errors; choose `never` if another language server shows them.",
        "always",
        choices={
            "always": "The tutor shows the first build error of a run.",
            "never": "Another language server shows them.",
        },
    )
    layout: str = _setting(
        "text",
        "Who arranges the window of an exercise in editors that have several views.",
        "focused",
        choices={
            "focused": "The tutor: code and lesson have the room, in exercise windows only.",
            "mine": "Only you: what the tutor has set is taken back.",
        },
    )
    confirm_plan: bool = _setting(
        "switch", "Show the plan of a generated exercise before it is made.", default=True
    )
    libraries: tuple[str, ...] = _setting(
        "paths",
        "Your own exercises: folders of exercises or of languages, or single exercises.",
        (),
    )
    plain: bool = _setting(
        "switch", "Plain text in the terminal: no colours, no progress bars.", default=False
    )
    resident: str = _setting(
        "text",
        "Whether a command in the terminal leaves a process behind for five minutes, which does "
        "the next ones several times as fast.",
        "terminal",
        choices={
            "terminal": "Where somebody is at a terminal, except on battery.",
            "always": "In scripts, too.",
            "never": "Each command is on its own.",
            "0": "",  # as other programs have it
        },
    )
    debounce_ms: int = _setting(
        "whole",
        "Milliseconds to wait after a save, for another one, before the tests run.",
        50,
        bounds=(0, 100),
    )
    run_seconds: float = _limit(
        "number", "Seconds after which a whole test run is stopped.", 60.0, 1, 3600
    )
    test_seconds: float = _limit(
        "number", "Seconds after which a single test is stopped.", 5.0, 0.1, 600
    )
    output_bytes: int = _limit(
        "whole", "Bytes of output kept per test.", 64 * 1024, 1024, 16 * 1024 * 1024
    )
    stage_seconds: float = _limit(
        "number", "Seconds after which a model call is stopped.", 300.0, 5, 3600
    )
    hint_seconds: float = _limit(
        "number",
        "Seconds to wait for a model's hint or answer, with trying it out; you see the author's "
        "hint meanwhile.",
        60.0,
        5,
        600,
    )
    review_seconds: float = _limit(
        "number",
        "Seconds to wait for a model's review; then the tests alone are the review.",
        180.0,
        10,
        3600,
    )
    session_calls: int = _limit(
        "whole",
        "Most model calls per session, for the exercise, hints and reviews together.",
        200,
        1,
        100_000,
    )
    session_bytes: int = _limit(
        "whole",
        "Most bytes sent to a model per session, all prompts together.",
        20_000_000,
        10_000,
        10_000_000_000,
    )
    import_bytes: int = _limit(
        "whole",
        "Size limit of an imported record or recording, in bytes.",
        64 * 1024 * 1024,
        64 * 1024,
        1024**3,
    )
    exercise_bytes: int = _limit(
        "whole",
        "Size limit of an exercise from elsewhere, all its files together, in bytes.",
        16 * 1024 * 1024,
        64 * 1024,
        1024**3,
    )
    file_bytes: int = _limit(
        "whole",
        "Size limit of each file of an exercise from elsewhere, in bytes.",
        256 * 1024,
        16 * 1024,
        16 * 1024 * 1024,
    )
    exercise_files: int = _limit(
        "whole", "Most files in an exercise from elsewhere.", 500, 10, 10_000
    )

    more: Mapping[str, Any] = field(default_factory=dict)
    """By key, the settings of languages and backends that were set, or have a default."""

    @property
    def file_limits(self) -> FileLimits:
        """The limits of an exercise from elsewhere."""
        return FileLimits(self.file_bytes, self.exercise_bytes, self.exercise_files)

    @property
    def run_limits(self) -> RunLimits:
        """The limits of one test run."""
        return RunLimits(self.run_seconds, self.test_seconds, self.output_bytes)


NOTHING_ELSE = Installed()


def describe(installed: Installed = NOTHING_ELSE) -> tuple[SettingInfo, ...]:
    """All settings in the order of documentation, those of what is installed last."""
    backends = {"auto": AUTO, **installed.backends} if installed.backends else {}
    chosen = {"language": dict.fromkeys(installed.languages, ""), "backend": backends}
    own = []
    for each in dataclasses.fields(Settings):
        if each.metadata:
            details = each.metadata["details"]
            key = each.metadata["group"] + re.sub("_(.)", lambda part: part[1].upper(), each.name)
            choices = chosen.get(key, details["choices"])
            own.append(
                SettingInfo(each.name, key, default=each.default, **{**details, "choices": choices})
            )
    return (*own, *installed.settings)


def resolve(
    defaults: Settings,
    config: object,
    environment: Mapping[str, str],
    client: object,
    installed: Installed = NOTHING_ELSE,
    config_file: str | None = None,
    *,
    opens_settings: bool = True,
) -> tuple[Settings, list[str]]:
    """The effective settings and, in plain words, what was wrong with the given ones.

    Later sources win: `config` is the table of `<home>/config.toml`, `environment` the process
    environment, `client` the client's section `tutor` or None, nested or with dotted keys. Invalid
    values are reported and ignored; the others apply. Null and the empty text mean "not
    set", and so does a client's value that equals the built-in default, because some editors
    send all defaults. `opens_settings`: the client has a page where its own can be mended.
    """
    reading = _Reading(environment.get("HOME", ""), installed, config_file)
    reading.opens_settings = opens_settings
    reading.problems += installed.problems
    if isinstance(config, Mapping):
        reading.table(_CONFIG, config)
    elif config is not None:
        reading.tell(_CONFIG, f"must contain settings, not {shown(config)}.")
    reading.variables(environment)
    if isinstance(client, Mapping):
        reading.table(_CLIENT, client)
    elif client is not None:
        reading.tell(_CLIENT, f"must be an object, not {shown(client)}.")
    fallback = {info.key: info.default for info in installed.settings}
    more = {**fallback, **defaults.more, **reading.more}
    settings = dataclasses.replace(defaults, **reading.chosen, more=more)
    home = expand(settings.home, reading.user_home)
    return dataclasses.replace(settings, home=home), reading.problems


_CONFIG = "config.toml"
_CLIENT = "editor settings"


class _Reading:
    """The values chosen so far, and the problems with others."""

    def __init__(self, user_home: str, installed: Installed, config_file: str | None) -> None:
        self.user_home = user_home
        self.config_file = config_file
        self.opens_settings = True
        self.chosen: dict[str, Any] = {}
        self.more: dict[str, Any] = {}
        self.problems: list[str] = []
        self._known = {info.key: info for info in describe(installed)}
        self._own = {each.name for each in dataclasses.fields(Settings)}

    def table(self, source: str, table: Mapping[str, Any]) -> None:
        for key, value in flatten(table, self._known):
            info = self._known.get(key)
            if info is None and source == _CLIENT and key.partition(".")[0] in EDITOR_ONLY:
                continue
            if info is None:
                self.tell(source, f"`{key}` is not a setting{self._near(key)}")
            elif source == _CONFIG and key == "home":
                self.tell(
                    source,
                    "`home` cannot be set in this file, which lies in it; "
                    f"set {ENVIRONMENT_PREFIX}HOME.",
                )
            else:
                self._take(source, key, info, value, skip_default=source == _CLIENT)

    def tell(self, source: str, said: str, key: str | None = None) -> None:
        """Add a problem, with the place where it is mended."""
        mends: tuple[Mend, ...] = ()
        if source == _CONFIG and self.config_file is not None:
            mends = (Mend("file", file=self.config_file),)
        elif source == _CLIENT and key is not None and self.opens_settings:
            mends = (Mend("setting", setting=key),)
        self.problems.append(Problem(f"{source}: {said}", *mends))

    def variables(self, environment: Mapping[str, str]) -> None:
        named = {info.environment: info for info in self._known.values()}
        for name, text in sorted(environment.items()):
            if name in named:
                self._take("environment", name, named[name], text)
            elif name.startswith(ENVIRONMENT_PREFIX):
                near = difflib.get_close_matches(name, named, n=1, cutoff=0.85)
                self.problems += [
                    f"environment: `{name}` is not a setting; {near[0]} is." for _ in near
                ]

    def _take(
        self, source: str, key: str, info: SettingInfo, value: Any, *, skip_default: bool = False
    ) -> None:
        if value is None or value == "":
            return
        try:
            read = read_value(info, value, self.user_home)
        except ValueError as error:
            self.tell(source, f"`{key}` {error}; it is ignored.", key)
            return
        if not (skip_default and read == info.default):
            found = self.chosen if info.name in self._own else self.more
            found[info.name] = read

    def _near(self, key: str) -> str:
        folded = {name.casefold(): name for name in self._known}
        near = [name for name in folded if name.startswith(f"{key.casefold()}.")]
        near += difflib.get_close_matches(key.casefold(), folded, n=1)
        return f"; did you mean `{folded[near[0]]}`?" if near else "."
