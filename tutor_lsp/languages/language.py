"""What a language gives, so that everything else can do without naming it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tutor_lsp.core.ports import Toolchain
    from tutor_lsp.languages.common.proof.dialect import Dialect
    from tutor_lsp.languages.common.proof.guard import Guards
    from tutor_lsp.process.contain import Contain


@dataclass(frozen=True, slots=True)
class Lines:
    """How the lines of a language look where its text cannot be parsed.

    `definition` finds the first line of a function's definition, with `%s` for its name; `begins`
    a line that begins something at its own indent. `comment` are the marks that begin a comment
    line, `above` those of lines that belong to the definition below them. `inside`: a function's
    comment is the docstring in it, else it stands above it.
    """

    definition: str
    begins: re.Pattern[str]
    comment: tuple[str, ...]
    above: tuple[str, ...]
    inside: bool = False


class Language(Protocol):
    """One language: a class named by an entry point of the group `tutor_lsp.languages`, made
    without arguments. Making it loads no tools and reads no file.
    """

    id: str
    """The language id, as editors call it: `rust`."""
    name: str
    """The name that people read: `Rust`."""
    place: int
    """Its place in lists; languages of the same place go by their ids."""
    suffixes: tuple[str, ...]
    """What the names of its source files end with, dot included."""
    blank_lines: int
    """Blank lines between two definitions."""
    lines: Lines
    """How its lines look."""
    error_codes: re.Pattern[str] | None
    """What only codes of its compiler look like, None where there is no telling."""
    comes_along: bool
    """Whether its tools are there wherever the tutor runs."""

    def is_unwritten(self, body: str) -> bool:
        """Whether a function's body is that of a stub nobody has written yet."""

    def loaded_from_above(self, root: Path) -> Iterator[Path]:
        """Files in the folders above an exercise that its tools load by themselves. Blocks; no
        file is read."""

    def text(self, name: str) -> str | None:
        """One of its texts, None if there is none: `curriculum.toml`, `explained.toml`,
        `prompt.toml`, `remedial.md`, `template.txt`. Blocks."""

    def toolchain(self, settings: Mapping[str, str | None], contain: "Contain") -> "Toolchain":
        """Its toolchain, made anew. Of `settings`, by their dotted names, it takes its own."""

    def dialect(self) -> "Dialect":
        """What the proof knows of it."""

    def guards(self) -> "Guards":
        """How it asks the domain of a unit."""
