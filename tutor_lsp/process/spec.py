"""What is to be run, and within which bounds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tutor_lsp.process.supervised import Supervision


@dataclass(frozen=True, slots=True)
class Limits:
    """Resource limits of a child and what it starts; None leaves one alone.

    `cpu_s` seconds of processor time, `file_bytes` the largest file it may write, `memory_bytes`
    its address space (leave None where a sanitizer reserves terabytes).
    """

    cpu_s: int | None = None
    file_bytes: int | None = None
    memory_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Spec:
    """What to run and within which bounds.

    `env` is the whole environment (see `child_environment`). `limit_s` is wall clock in seconds.
    `output_bytes` are kept per stream, `tail_bytes` of them from its end; what lies between is
    read and dropped. `stdin` is written and closed; without it the
    child reads end of file. `pass_fds` keep their numbers. `grace_s` is the time between TERM and
    KILL. `merge` sends stderr into stdout. `under` has the supervisor start it, as that says.
    """

    argv: tuple[str, ...]
    cwd: Path
    env: Mapping[str, str]
    limit_s: float
    output_bytes: int = 1024 * 1024
    stdin: bytes | None = None
    pass_fds: tuple[int, ...] = ()
    tail_bytes: int = 0
    grace_s: float = 0.0
    merge: bool = False
    limits: Limits = field(default_factory=Limits)
    under: "Supervision | None" = None


@dataclass(frozen=True, slots=True)
class Streams:
    """The child's ends of its streams: descriptors, to be closed by whoever made them."""

    stdin: int | None
    stdout: int
    stderr: int


class ProgramNotFound(Exception):  # noqa: N818 - says what is the case, not a defect
    """The program of a Spec does not exist or may not be executed; `program` names it."""

    def __init__(self, program: str) -> None:
        super().__init__(f"{program} was not found")
        self.program = program
