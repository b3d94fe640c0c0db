"""The input and output of a set-up."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tutor_lsp.core.exercise.exercise import Exercise, Proof, Unit
from tutor_lsp.core.exercise.files import below
from tutor_lsp.core.exercise.mistakes import Mistake
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.ports import JournalKey
from tutor_lsp.core.session import Programs, Vault


@dataclass(frozen=True, slots=True)
class Candidate:
    """An exercise to be proven.

    `authored` are lesson, starter and tests as written; `files` the same plus what the toolchain
    added; `solution` is keyed by the starter file that it replaces, `accepts`, `mistakes`
    and `programs` by unit id.
    """

    language: str
    authored: Mapping[str, str]
    files: Mapping[str, str]
    solution: Mapping[str, str]
    units: tuple[Unit, ...]
    accepts: Mapping[str, str] = field(default_factory=dict)
    mistakes: Mapping[str, tuple[Mistake, ...]] = field(default_factory=dict)
    programs: Mapping[str, Programs] = field(default_factory=dict)

    def under(self, base: str) -> dict[str, str]:
        """The authored files under `src` or `tests`."""
        return below(self.authored, base)


@dataclass(frozen=True, slots=True)
class ProofResult:
    """A proof and, if it failed, every reason; `solution` is the reference used, keyed by the
    starter file that it replaces, `accepts` the domains that passed, by unit. `advice` is what
    could be better and does not matter to `proof`, `overruled` what rules on texts say and a
    solver refuted, who passed without having seen the tests. `left` is advice that was a finding
    before, and that no repair mended. `holds` is whether the reference passes."""

    proof: Proof
    findings: tuple[ProofFinding, ...] = ()
    solution: Mapping[str, str] = field(default_factory=dict)
    accepts: Mapping[str, str] = field(default_factory=dict)
    advice: tuple[ProofFinding, ...] = ()
    overruled: tuple[ProofFinding, ...] = ()
    holds: bool = False
    left: tuple[ProofFinding, ...] = ()


@dataclass(frozen=True, slots=True)
class ProvenExercise:
    """A proven exercise, ready to be placed. `files` are all of the learner's files.

    `folder` is the name of its folder in the home. `resumed` is the number of stages taken over
    from an interrupted set-up. `record` is the open journal record, to be closed with
    `close_record` once the exercise is saved; None where nothing was journalled. `advice` is the
    proof's.
    """

    exercise: Exercise
    vault: Vault
    files: Mapping[str, str]
    folder: str
    resumed: int = 0
    record: JournalKey | None = None
    advice: tuple[ProofFinding, ...] = ()


@dataclass(frozen=True, slots=True)
class Stages:
    """Accepted payloads of a set-up, by role."""

    scaffold: Mapping[str, Any]
    starter: Sequence[Mapping[str, Any]] = field(default_factory=tuple)
    test: Sequence[Mapping[str, Any]] = field(default_factory=tuple)
    lesson: Sequence[Mapping[str, Any]] = field(default_factory=tuple)
