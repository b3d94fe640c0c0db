"""What to run, and within which limits."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Limits:
    """Resource limits of a child and what it starts; None leaves a limit unchanged.

    `cpu_s` is in seconds of processor time, `file_bytes` is the largest file it may write,
    `memory_bytes` its address space (leave None if a sanitizer reserves terabytes).
    """

    cpu_s: int | None = None
    file_bytes: int | None = None
    memory_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Spec:
    """What to run, and within which limits.

    `env` is the whole environment (see `child_environment`). `limit_s` is wall clock in seconds.
    `output_bytes` are kept per stream, `tail_bytes` of them from its end; the rest is read and
    dropped. `stdin` is written and closed; without it the child reads end of file. `pass_fds` keep
    their numbers. `grace_s` is the time between TERM and KILL, in seconds. `merge` sends stderr to
    stdout.
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


@dataclass(frozen=True, slots=True)
class Streams:
    """The child's ends of its streams: descriptors, closed by whoever made them."""

    stdin: int | None
    stdout: int
    stderr: int


class ProgramNotFound(Exception):  # noqa: N818 - names a condition, not an error
    """The program of a Spec does not exist or is not executable; `program` names it."""

    def __init__(self, program: str) -> None:
        super().__init__(f"{program} was not found")
        self.program = program
