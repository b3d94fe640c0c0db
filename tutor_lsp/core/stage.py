"""One model call with a role: its request, its answer, why that may be rejected."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Role(StrEnum):
    """The role of a stage."""

    SCAFFOLD = "scaffold"
    STARTER = "starter-expand"
    TEST = "test-expand"
    LESSON = "lesson-expand"
    SOLUTION = "solution"
    MISTAKES = "mistakes"
    MISTAKE_TAGS = "mistake-tags"
    WITHOUT = "solution-without"
    COACH = "coach"
    REVIEWER = "reviewer"


CONTRACTS: dict[Role, str] = {
    Role.SCAFFOLD: "scaffold_v1",
    Role.STARTER: "starter_section_v1",
    Role.TEST: "test_section_v1",
    Role.LESSON: "lesson_section_v1",
    Role.SOLUTION: "solution_v2",
    Role.MISTAKES: "mistakes_v1",
    Role.MISTAKE_TAGS: "mistake_tags_v1",
    Role.WITHOUT: "solution_without_v1",
    Role.COACH: "hint_pack_v1",
    Role.REVIEWER: "review_report_v1",
}

EXPAND_ROLES = (Role.STARTER, Role.TEST, Role.LESSON)

SEVERAL: dict[Role, str] = {
    Role.STARTER: "starter_section_v2",
    Role.TEST: "test_section_v2",
    Role.LESSON: "lesson_section_v2",
}
"""The contracts of the loops' calls, which may answer with several sections."""


UNSCRIPTED = "unscripted"
"""In the details of a failure: a record holds no such answer, and no later call will bring one."""


class Rejection(StrEnum):
    """Why a stage result was not accepted; `BUDGET`: the session's limit is reached."""

    EXECUTION_FAILED = "EXECUTION_FAILED"
    SCHEMA_VALIDATION_FAILED = "SCHEMA_VALIDATION_FAILED"
    POLICY_VIOLATION = "POLICY_VIOLATION"
    INVALID_CONTEXT = "INVALID_CONTEXT"
    CANCELLED = "CANCELLED"
    BUDGET = "BUDGET"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt in its order: one head, an append-only log, a short tail.

    `entries` is a prefix of the entries of every later prompt of the same set-up.
    """

    head: str
    entries: tuple[str, ...]
    tail: str

    @property
    def text(self) -> str:
        """The text that is sent."""
        return "".join((self.head, *self.entries, self.tail))


@dataclass(frozen=True, slots=True)
class StageRequest:
    """One call. `packet` is a `context_packet_v1`; `iteration` counts from 1 within a loop, `again`
    how often it was asked before in vain. `several` sections may be in the answer; one that
    `repairs` is about a document that did not hold. `heard` takes the pieces of the answer's text
    in order, from a backend that has them before the whole.
    """

    role: Role
    packet: Mapping[str, Any]
    prompt: Prompt | None
    iteration: int = 1
    limit_s: float = 300.0
    again: int = 0
    several: bool = False
    repairs: bool = False
    heard: Callable[[str], None] | None = field(default=None, compare=False, repr=False)

    @property
    def contract(self) -> str:
        """Name of the contract that the answer must fulfil."""
        return (SEVERAL if self.several else CONTRACTS)[self.role]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as counted by the provider; 0 if it does not say."""

    input_tokens: int = 0
    cached_input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True)
class BackendAnswer:
    """A backend's answer: the raw text of one JSON document, not yet checked."""

    text: str
    usage: Usage = field(default_factory=Usage)


class BackendFailed(Exception):  # noqa: N818 - a failure to answer, not a bug
    """The backend could not answer; `details` is JSON data (exit code, stderr tail, status)."""

    def __init__(self, reason: str, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.details = dict(details or {})


@dataclass(frozen=True, slots=True)
class StageResult:
    """Accepted with a payload, or rejected with kind, reason and machine-readable details."""

    role: Role
    accepted: bool
    payload: Mapping[str, Any] | None = None
    kind: Rejection | None = None
    reason: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
    duration_ms: float = 0.0
    usage: Usage = field(default_factory=Usage)


def sections_of(payload: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The sections of a call, each as a call of its own would have given it: all but the last go
    on. A payload of one section is that section, and so is one of a record that is not in order."""
    versions = {version: role for role, version in SEVERAL.items()}
    role = versions.get(str(payload.get("schema_version")))
    given = payload.get("sections")
    if role is None or not isinstance(given, list) or not given:
        return [payload]
    if not all(isinstance(section, Mapping) for section in given):
        return [payload]
    head = {"schema_version": CONTRACTS[role], "role": role.value}
    ends = {key: payload.get(key) for key in ("is_complete", "next_focus")}
    goes_on = {"is_complete": False, "next_focus": None}
    return [
        {**head, **section, **(ends if number == len(given) else goes_on)}
        for number, section in enumerate(given, start=1)
    ]


def section_count(payloads: Sequence[Mapping[str, Any]]) -> int:
    """How many sections calls gave."""
    return sum(len(sections_of(payload)) for payload in payloads)


def first_sections(payload: Mapping[str, Any], room: int) -> Mapping[str, Any]:
    """The payload with at most so many sections."""
    if len(sections_of(payload)) <= room:
        return payload
    return {**payload, "sections": payload["sections"][:room]}
