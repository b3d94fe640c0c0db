"""What the server sends to the supervisor about one run."""

from typing import TypedDict


class Powers(TypedDict):
    """What the supervisor can do on this machine.

    `landlock` is the kernel's Landlock version, 0 for none. `network` tells whether a filter can
    cut it off. `why_not` is the reason there are no namespaces, if they were wanted.
    """

    landlock: int
    network: bool
    why_not: str


class Plan(TypedDict):
    """Where a run works, and within which limits; `again` if other runs follow it there in turn.

    The socket of its guard comes with it, over which a `Start` follows. All paths are absolute,
    those of folders resolved. `cpu_s`, `file_bytes` and `memory_bytes` are resource limits and
    `nice` a niceness, None for none. `level` is `namespaces`, `landlock` or `limits`; only the
    first lets others follow. `hidden` cannot be read, except for `shown`. `links` are paths in use
    with what they link to. See `Area` for the fields from `workspace` to `written`.
    """

    again: bool
    cpu_s: int | None
    file_bytes: int | None
    memory_bytes: int | None
    nice: int | None
    level: str
    hidden: list[str]
    shown: list[str]
    links: dict[str, str]
    workspace: str
    copied: bool
    later: bool
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
