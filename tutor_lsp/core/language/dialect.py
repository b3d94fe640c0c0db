"""What the proof must know about a language besides its toolchain."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.report import BuildError
from tutor_lsp.core.ports import Files, FunctionSite, Toolchain

if TYPE_CHECKING:  # the parts of a dialect, none of which a list or a status needs
    from tutor_lsp.core.language.guards import Guards
    from tutor_lsp.core.language.mutants import Mutations
    from tutor_lsp.core.language.predictions import Predictions
    from tutor_lsp.core.language.probes import Probes
    from tutor_lsp.core.language.syntax import Grammar
    from tutor_lsp.core.language.variants import Merged, Variant
    from tutor_lsp.core.language.watching import Watch


@dataclass(frozen=True, slots=True)
class Built:
    """The result of building the starter alone: errors and warnings with their places."""

    errors: tuple[BuildError, ...] = ()
    warnings: tuple[BuildError, ...] = ()


@dataclass(frozen=True, slots=True)
class Tried:
    """The result of trying a code block. `built` and `ran` are None if that was not tried.

    `output` is what it printed, `said` the compiler's or interpreter's output; `codes` are the
    error codes or exception names in that.
    """

    built: bool | None = None
    ran: bool | None = None
    output: str = ""
    said: str = ""
    codes: frozenset[str] = frozenset()


class Ended(Protocol):
    """How a program ended: `returncode` is negative if a signal killed it, `timed_out` if it ran
    out of time."""

    @property
    def returncode(self) -> int: ...
    @property
    def stdout(self) -> bytes: ...
    @property
    def stderr(self) -> bytes: ...
    @property
    def timed_out(self) -> bool: ...


class Bench(Protocol):
    """Where a proof works: its own folder, in which programs run contained."""

    @property
    def folder(self) -> Path:
        """A folder in which to create folders; it is removed after the proof."""

    @property
    def toolchain(self) -> Toolchain:
        """The toolchain of the exercise under proof."""

    async def execute(
        self,
        argv: Sequence[str],
        folder: Path,
        *,
        limit_s: float,
        environment: Mapping[str, str] | None = None,
        builds: bool = False,
    ) -> Ended:
        """Run one program to its end in `folder`, contained. With `builds` (a compiler) the files
        it writes there stay, otherwise they are thrown away. Raises `process.child`'s
        ProgramNotFound."""


class Dialect(Protocol):
    """One language's specifics."""

    @property
    def language(self) -> str:
        """The language id."""

    @property
    def grammar(self) -> Grammar:
        """How to read its syntax trees."""

    @property
    def guards(self) -> Guards:
        """How it checks a unit's domain. Raises NoGuard if it cannot."""

    @property
    def probes(self) -> Probes:
        """How it makes a test of a call. Raises ProbeRefused if it cannot."""

    @property
    def mutations(self) -> Mutations | None:
        """How it makes and tries wrong versions of a function; None if it does not."""

    @property
    def watch(self) -> Watch:
        """How it looks at what code comes to. Raises NoWatch if it cannot."""

    @property
    def predictions(self) -> Predictions:
        """How it reads answers, for units that ask what a program gives. Asked for only where the
        language has such units."""

    @property
    def shares_process(self) -> bool:
        """Whether the tests of a file run in one process, so their order may matter."""

    @property
    def unsure(self) -> re.Pattern[str]:
        """Signs that a test depends on more than the code: waiting, randomness, clocks, network."""

    def lacks(self, code: str, said: str, files: Files) -> str:
        """A sentence on what code of a lesson lacks of the exercise's files, where what was `said`
        when it failed shows that; else an empty text."""

    def undefined(self, file: str, text: str) -> tuple[str, ...]:
        """Names that a text uses and that nothing defines, where its build does not say so."""

    def elsewhere(self, files: Files) -> Sequence[Mapping[str, str]]:
        """Other surroundings, as variables of the environment, in which tests of these files must
        end the same: time zone, locale, and what decides the order of things without one."""

    @property
    def missing_name(self) -> re.Pattern[str]:
        """What a build says, as `code: message`, about a name that is not declared."""

    @property
    def unknown_name(self) -> str:
        """What a run that ends at an undefined name says; "" where a build refuses the name."""

    @property
    def crash_word(self) -> str | None:
        """The word for every crash, so that a text which mentions one is recognised; None if each
        kind of crash has its own name."""

    @property
    def stub_body(self) -> re.Pattern[str]:
        """The only form of a stub's body in the library; its group is the name."""

    def shape(self, authored: Files, files: Files, stubs: Sequence[str]) -> list[ProofFinding]:
        """Misused or misplaced parts, because of which the files do not fit together."""

    def completed(self, authored: Files, files: Files) -> list[ProofFinding]:
        """What `authored` lacked and `files` adds."""

    async def build_starter(self, files: Files, bench: Bench) -> Built:
        """Build src/ alone; check tests as far as possible without running them."""

    async def check(self, files: Files, bench: Bench) -> tuple[BuildError, ...]:
        """What a build of everything would say, if that can be had for less than a build."""

    def neutral(self, src: Files, file: str, site: FunctionSite) -> str | None:
        """A body that returns the neutral value of the function's type (0, "", nothing, …);
        None if that is unknown."""

    def merge(
        self,
        solved: Files,
        variants: Sequence[Variant],
        again: Sequence[Variant],
        toolchain: Toolchain,
    ) -> Merged | None:
        """As many of the variants as possible as one exercise, including `again` (more runs of
        the reference) if runs share a process anyway; None if merging is not possible."""

    def mend_imports(self, tests: Files, src: Files, toolchain: Toolchain) -> dict[str, str]:
        """The tests with wrong imports corrected. Raises ImportRefusedError for an import that
        cannot be corrected."""

    def used_imports(self, text: str) -> str:
        """A test file without the names that it imports and does not use."""

    def full_names(self, text: str) -> Mapping[str, str]:
        """What names that a file imports are called in full: `roll` is `random.randint`."""

    def uncalled(self, text: str, test: str) -> str:
        """A test file without the line that has this test run, where tests are listed in one."""

    def complete_block(self, code: str) -> str:
        """Returns `program` (to run), `part` (to build), `excerpt` (only to read), or `broken`."""

    async def try_blocks(
        self, blocks: Sequence[str], reference: Files, bench: Bench
    ) -> list[Tried]:
        """Build each block, and run those that are programs. `reference` are the solved files,
        for blocks that use the exercise."""
