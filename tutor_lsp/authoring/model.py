"""What goes into a set-up and what comes out of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tutor_lsp.core.exercise.exercise import Exercise, Proof, Unit
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.ports import JournalKey
from tutor_lsp.core.session import Vault

LESSON = "LESSON.md"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An exercise that is to be proven.

    `authored` are lesson, starter and tests as written; `files` the same with what the toolchain
    added; `solution` is keyed by the starter file that it replaces, `accepts` by the unit's id.
    """

    language: str
    authored: Mapping[str, str]
    files: Mapping[str, str]
    solution: Mapping[str, str]
    units: tuple[Unit, ...]
    accepts: Mapping[str, str] = field(default_factory=dict)

    def under(self, base: str) -> dict[str, str]:
        """The authored files under `src` or `tests`."""
        return {path: text for path, text in self.authored.items() if path.startswith(f"{base}/")}


@dataclass(frozen=True, slots=True)
class ProofResult:
    """A proof and, where it does not hold, every reason; `solution` is the reference that it was
    made with, keyed by the starter file that it replaces, `accepts` the domains that hold, by
    unit."""

    proof: Proof
    findings: tuple[ProofFinding, ...] = ()
    solution: Mapping[str, str] = field(default_factory=dict)
    accepts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProvenExercise:
    """An exercise that holds, ready to be placed. `files` are all that the learner gets.

    `folder` is the name of its folder in the home. `resumed` is the number of stages taken over
    from an interrupted set-up. `record` is the open journal record, to be closed with
    `close_record` once the exercise is saved; None where nothing was journalled.
    """

    exercise: Exercise
    vault: Vault
    files: Mapping[str, str]
    folder: str
    resumed: int = 0
    record: JournalKey | None = None


@dataclass(frozen=True, slots=True)
class Stages:
    """Accepted payloads of a set-up, by role."""

    scaffold: Mapping[str, Any]
    starter: Sequence[Mapping[str, Any]] = field(default_factory=tuple)
    test: Sequence[Mapping[str, Any]] = field(default_factory=tuple)
    lesson: Sequence[Mapping[str, Any]] = field(default_factory=tuple)
