"""What a language provides, so that nothing else needs to name it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.core.language.dialect import Dialect
from tutor_lsp.core.ports import Toolchain
from tutor_lsp.core.setting_values import SettingInfo

Contain_contra = TypeVar("Contain_contra", contravariant=True)
"""What contains runs: `process.contain.Contain`."""


@dataclass(frozen=True, slots=True)
class Lines:
    """What a language's lines look like, for text that cannot be parsed.

    `definition` matches the first line of a function's definition, with `%s` for its name;
    `begins` a line that starts something at its own indent. `comment` are the marks of comments to
    the end of a line, `block` those around a comment of any length; `above` are prefixes of lines
    that belong to the definition below them, `closes` lines that end what was begun. A function's
    comment is above it, unless `inside` matches the line that opens its docstring, with the quotes
    as its group. `prints` finds, in a line, a statement that prints; `imports` begin one that
    brings in what lies elsewhere.

    `declares` matches the lines that declare something of the name `%s`, which is its only group;
    without it the language has no units of the kind `declare`. Of these lines those that `adds`
    matches add to what is declared elsewhere.

    `catches` finds what makes an expected error harmless. `codes` is what its errors are called,
    and `fails` what the output of a program that failed begins with, besides `error` and such a
    name.
    """

    definition: str
    begins: re.Pattern[str]
    comment: tuple[str, ...]
    above: tuple[str, ...]
    prints: str
    block: tuple[str, ...] = ()
    closes: tuple[str, ...] = ("}", "};")
    inside: re.Pattern[str] | None = None
    imports: tuple[str, ...] = ()
    catches: str = r"\btry\b"
    codes: str = r"[A-Z]\w*(?:Error|Exception|Exit|Interrupt)"
    fails: str | None = None
    declares: str | None = None
    adds: re.Pattern[str] | None = None

    @property
    def marks(self) -> str:
        """A pattern for what opens a comment."""
        return "|".join(map(re.escape, (*self.comment, *self.block[:1])))


@dataclass(frozen=True, slots=True)
class Names:
    """Names with a meaning for a language or its tools.

    `fences` are the info strings of code blocks in the language, in lower case. `reserved` are
    names of files and folders that its tools own, in lower case: no model may write one. `loads`
    are files and folders that tools read or run by themselves; folders in `makes` are filled by
    tools and contain nothing of the learner's. `folders` are those at the top of a workspace,
    besides `src` and `tests`, that tools look into.
    """

    fences: frozenset[str] = frozenset()
    reserved: frozenset[str] = frozenset()
    loads: frozenset[str] = frozenset()
    makes: frozenset[str] = frozenset()
    folders: frozenset[str] = frozenset()

    def __or__(self, other: "Names") -> "Names":
        pairs = ((getattr(self, part), getattr(other, part)) for part in self.__slots__)
        return Names(*(ours | theirs for ours, theirs in pairs))


class Language(Protocol[Contain_contra]):
    """One language: a class named by an entry point of the group `tutor_lsp.languages`, created
    without arguments. Creating it loads no tools and reads no files.
    """

    id: str
    """The language id, as editors call it: `rust`."""
    name: str
    """The name shown to people: `Rust`."""
    place: int
    """Its place in lists; languages with the same place are ordered by id."""
    suffixes: tuple[str, ...]
    """Suffixes of its source files, including the dot."""
    blank_lines: int
    """Blank lines between two definitions."""
    lines: Lines
    """What its lines look like."""
    error_codes: re.Pattern[str] | None
    """Matches only its compiler's error codes; None if they are not distinctive."""
    names: Names
    """Names with a meaning for it or its tools."""
    kinds: frozenset[UnitKind]
    """The kinds of units that its toolchain can run."""

    settings: tuple[SettingInfo, ...]
    """Its own settings (`core.setting_values.setting`)."""

    def is_unwritten(self, body: str) -> bool:
        """Whether a function's body is that of an unwritten stub."""

    def loaded_from_above(self, root: Path) -> Iterator[Path]:
        """Files in the folders above an exercise that its tools load by themselves. Blocks; reads
        no files."""

    def text(self, name: str) -> str | None:
        """One of its texts, None if there is none: `constructs.toml`, `curriculum.toml`,
        `explained.toml`, `practises.toml`, `prompt.toml`, `remedial.md`, `template.txt`.
        Blocks."""

    def toolchain(self, settings: Mapping[str, Any], contain: Contain_contra) -> Toolchain:
        """A new toolchain. It picks its own from `settings`, which are by dotted name."""

    def dialect(self) -> Dialect:
        """What the proof knows about it."""
