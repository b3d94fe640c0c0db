"""What the proof must know of a language beside its toolchain: one file each."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.report import BuildError
from tutor_lsp.core.ports import FunctionSite, Toolchain
from tutor_lsp.languages.common.proof.bench import Bench
from tutor_lsp.languages.common.proof.imports import Mended
from tutor_lsp.languages.common.proof.merge import Merged, Variant
from tutor_lsp.languages.common.syntax import Grammar


@dataclass(frozen=True, slots=True)
class Built:
    """What building the starter alone says: errors, and warnings with their places."""

    errors: tuple[BuildError, ...] = ()
    warnings: tuple[BuildError, ...] = ()


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of a code block. `built` and `ran` are None where that was not tried.

    `output` is what it printed, `said` what compiler or interpreter said; `codes` are the error
    codes or exception names in it.
    """

    built: bool | None = None
    ran: bool | None = None
    output: str = ""
    said: str = ""
    codes: frozenset[str] = frozenset()


class Dialect(Protocol):
    """The specifics of one language."""

    @property
    def language(self) -> str:
        """The language id."""

    @property
    def grammar(self) -> Grammar:
        """How its syntax trees are read."""

    @property
    def fences(self) -> frozenset[str]:
        """The words behind ``` that mean this language, in small letters."""

    @property
    def shares_process(self) -> bool:
        """Whether the tests of a file run in one process, so that their order may matter."""

    @property
    def unsure(self) -> re.Pattern[str]:
        """What makes a test depend on more than the code: waiting, dice, clocks, the network."""

    @property
    def crash_word(self) -> str | None:
        """What every crash is called, so what a text says that speaks of one; None where each kind
        has a name of its own."""

    @property
    def stub_body(self) -> re.Pattern[str]:
        """The one form that the body of a stub has in the library; its group is the name."""

    def shape(
        self, authored: Mapping[str, str], files: Mapping[str, str], stubs: Sequence[str]
    ) -> list[ProofFinding]:
        """What is misused or lies in the wrong place, so that the parts make no whole."""

    def completed(
        self, authored: Mapping[str, str], files: Mapping[str, str]
    ) -> list[ProofFinding]:
        """What was missing in `authored` and has been added in `files`."""

    async def build_starter(self, files: Mapping[str, str], bench: Bench) -> Built:
        """Build what is under src/ alone; for tests, what can be said without running them."""

    def neutral(self, src: Mapping[str, str], file: str, site: FunctionSite) -> str | None:
        """A body that gives back the neutral value of the function's type (0, "", nothing, …);
        None where there is no telling."""

    def merge(
        self,
        solved: Mapping[str, str],
        variants: Sequence[Variant],
        again: Sequence[Variant],
        toolchain: Toolchain,
    ) -> Merged | None:
        """As many of the variants as possible as one exercise, `again` (more runs of the
        reference) too where a run is not a process of its own anyway; None where it cannot be."""

    def mend_imports(
        self, tests: Mapping[str, str], src: Mapping[str, str], toolchain: Toolchain
    ) -> Mended:
        """The tests with what they import wrongly put right, and one sentence per mend. Raises
        ImportRefusedError for an import that cannot be mended."""

    def complete_block(self, code: str) -> str:
        """`program` (to be run), `part` (to be built), `excerpt` (to be read), or `broken`."""

    async def try_blocks(
        self, blocks: Sequence[str], reference: Mapping[str, str], bench: Bench
    ) -> list[Tried]:
        """Build each block, and run those that are programs. `reference` are the solved files,
        for blocks that use the exercise."""
