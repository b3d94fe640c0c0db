"""What the server tells the supervisor about one run."""

from typing import TypedDict


class Powers(TypedDict):
    """What the supervisor found that it can do here.

    `landlock` is the kernel's version of it, 0 for none. `network` holds where it can be taken
    away by a filter. `why_not` says why there are no namespaces, if they were wanted.
    """

    landlock: int
    network: bool
    why_not: str


class Plan(TypedDict):
    """Where a run works, and within which bounds; `again` if others follow it there one by one.

    The socket of its guard comes with it, over which a `Start` follows. All paths are absolute;
    those of folders are resolved. `cpu_s`, `file_bytes` and `memory_bytes` are resource limits,
    None for none. `level` is `namespaces`, `landlock` or `limits`; only the first lets others
    follow. `hidden` cannot be read, apart from `shown`. `links` are paths that are used with what
    they lead to. See `Area` for the fields from `workspace` to `written`.
    """

    again: bool
    cpu_s: int | None
    file_bytes: int | None
    memory_bytes: int | None
    level: str
    hidden: list[str]
    shown: list[str]
    links: dict[str, str]
    workspace: str | None
    copied: bool
    scratch: str | None
    outputs: list[str]
    writable: list[str]
    gathered: list[str] | None
    written: str | None
    room: int


class Start(TypedDict):
    """The program of a run. A descriptor comes with it for each number in `fds`."""

    argv: list[str]
    program: str
    cwd: str
    env: dict[str, str]
    fds: list[int]
