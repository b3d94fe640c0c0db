"""What a set-up is asked for, and what it works with."""

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tutor_lsp.authoring.proof import LIMITS
from tutor_lsp.core.exercise.exercise import Proof
from tutor_lsp.core.ports import Backend, Journal, RunLimits, StageRunner, Toolchain
from tutor_lsp.library.loader import Library, shipped_proof
from tutor_lsp.stages.conversation import LIMIT_S
from tutor_lsp.stages.subject import LearnerState, NodeBrief


@dataclass(frozen=True, slots=True)
class SetupRequest:
    """The request: exactly one of `node` and `topic`, a language, a depth target (D1–D3).

    `often` are rules that exercises before this one broke. `fresh` ignores an interrupted set-up;
    `challenge` leaves the lesson out; `minutes` is the node's estimate.
    """

    language: str
    depth: str
    node: NodeBrief | None = None
    topic: str | None = None
    near: NodeBrief | None = None
    selection: str | None = None
    learner: LearnerState = field(default_factory=LearnerState)
    often: tuple[str, ...] = ()
    fresh: bool = False
    challenge: bool = False
    minutes: int | None = None

    @property
    def subject(self) -> str:
        """The set-up's subject in the journal."""
        if self.node is not None:
            return self.node.id
        topic = f"topic:{' '.join((self.topic or '').split())}"
        if self.selection is None:
            return topic
        digest = hashlib.sha256(self.selection.encode("utf-8", "replace")).hexdigest()
        return f"{topic} from {digest[:16]}"


@dataclass(frozen=True, slots=True)
class AuthoringDeps:
    """A set-up's dependencies. `limit_s` limits one call in seconds, `limits` one proof run.

    `scratch` is where temporary copies go, the system's temporary folder by default. `strict` is as
    in `prove`.

    `note` writes an event. `agree` is called before the loops with the scaffold and the wish by
    which it was changed, if any: it returns None to accept, or a text to change it, once; it may
    raise TutorError `CANCELLED`.
    """

    runner: StageRunner
    backend: Backend
    toolchain: Toolchain
    library: Library
    journal: Journal | None = None
    shipped: Callable[[str], Proof | None] = shipped_proof
    limits: RunLimits = LIMITS
    limit_s: float = LIMIT_S
    scratch: Path | None = None
    strict: bool = False
    note: Callable[[str, Mapping[str, Any]], Awaitable[None]] | None = None
    agree: Callable[[Mapping[str, Any], str | None], Awaitable[str | None]] | None = None
