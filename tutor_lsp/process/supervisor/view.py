"""What a run in namespaces sees: everything read-only except its own area and private places."""

from __future__ import annotations

import os
import stat

from tutor_lsp.process.supervisor import contents, kernel
from tutor_lsp.process.supervisor.later import Later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tutor_lsp.process.supervisor.plan import Plan

PRIVATE = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 - masked, not used
"""Folders that a run sees as its own, empty ones."""
FILES = 100_000
"""How many files a run may make in each place."""

_DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
_LINKS = {"fd": "/proc/self/fd", "stdin": "fd/0", "stdout": "fd/1", "stderr": "fd/2"}
_EMPTY = "/dev/empty"
_OUTER = kernel.NOSUID | kernel.NODEV


def prepare() -> None:
    """Prepare what all runs share, in our own mount namespace. Raises OSError."""
    kernel.protect("/", recursive=True)
    _devices()


def build(plan: Plan) -> tuple[contents.Copied | None, Later | None]:
    """Add the rest, for one run, in a copy of that namespace. Raises OSError.

    Returns what was copied if the plan wants to know what was written, and what makes the copy of
    the workspace later if the plan wants that.
    """
    kernel.mount("proc", "/proc", "proc", _OUTER | kernel.NOEXEC | kernel.RDONLY)
    # what must be reachable whatever is hidden, parents before children
    needed = sorted({plan["workspace"], *plan["shown"], *plan["outputs"], *plan["writable"]})
    fds = {path: os.open(path, os.O_PATH | os.O_CLOEXEC) for path in needed}
    room = f"size={plan['room']},nr_inodes={FILES}"
    for path in PRIVATE:
        if os.path.isdir(path) and not os.path.islink(path):
            kernel.mount("tmpfs", path, "tmpfs", _OUTER, f"{room},mode=1777")
    masked = [path for path in plan["hidden"] if _hide(path, needed)]
    covers = (*masked, *PRIVATE)
    for path in (*plan["shown"], plan["workspace"]):
        if _is_below(path, covers):
            _place(path, fds[path])
    kept, later = _area(plan, fds, room)
    for path, real in plan["links"].items():
        if _is_below(path, covers) and not os.path.lexists(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            os.symlink(real, path)
    for path in masked:
        kernel.protect(path)
    for fd in fds.values():
        os.close(fd)
    return kept, later


def _is_below(path: str, folders: tuple[str, ...]) -> bool:
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)


def _devices() -> None:
    """A /dev with what programs may expect, and nothing of the machine's own."""
    held = {name: os.open(f"/dev/{name}", os.O_PATH | os.O_CLOEXEC) for name in _DEVICES}
    kernel.mount("tmpfs", "/dev", "tmpfs", kernel.NOSUID, "size=64k,mode=755")
    for name, fd in held.items():
        _place(f"/dev/{name}", fd)
        os.close(fd)
    for name, target in _LINKS.items():
        os.symlink(target, f"/dev/{name}")
    for name in ("shm", "pts", "empty"):
        os.mkdir(f"/dev/{name}")
    kernel.mount(
        "devpts",
        "/dev/pts",
        "devpts",
        kernel.NOSUID | kernel.NOEXEC,
        "newinstance,ptmxmode=0666,mode=620",
    )
    os.symlink("pts/ptmx", "/dev/ptmx")
    kernel.protect("/dev")


def _hide(path: str, needed: list[str]) -> bool:
    """Mask a path if it exists. True if something below it has yet to be put back."""
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return False
    if stat.S_ISDIR(mode) and any(_is_below(each, (path,)) for each in needed):
        kernel.mount("tmpfs", path, "tmpfs", _OUTER, "size=64k,mode=755")
        return True
    if stat.S_ISDIR(mode):
        kernel.mount(_EMPTY, path, None, kernel.BIND)
    elif stat.S_ISREG(mode):
        kernel.mount("/dev/null", path, None, kernel.BIND)
    return False


def _place(path: str, fd: int) -> None:
    """Put a file or folder back at its path."""
    if stat.S_ISDIR(os.fstat(fd).st_mode):
        os.makedirs(path, exist_ok=True)
    else:
        _touch(path)
    kernel.bind(fd, path)


def _touch(path: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))


def _area(
    plan: Plan, held: dict[str, int], room: str
) -> tuple[contents.Copied | None, Later | None]:
    kept, later = _copy(plan, plan["workspace"], room) if plan["copied"] else (None, None)
    scratch = plan["scratch"]
    if scratch is not None:
        os.makedirs(scratch, exist_ok=True)
        kernel.mount("tmpfs", scratch, "tmpfs", _OUTER, f"{room},mode=700")
    for path in (*plan["writable"], *plan["outputs"]):
        _place(path, held[path])
        kernel.release(path)
    return kept, later


def _copy(plan: Plan, workspace: str, room: str) -> tuple[contents.Copied | None, Later | None]:
    source = os.open(workspace, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    later = Later(source, workspace) if plan["later"] else None
    try:
        copied, shared = contents.listing(source)
        kernel.mount("tmpfs", workspace, "tmpfs", _OUTER, f"{room},mode=755")
        if later is None:
            contents.copy(source, workspace, copied)
        for name in shared:
            fd = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=source)
            try:
                _place(f"{workspace}/{name}", fd)
            finally:
                os.close(fd)
    finally:
        if later is None:
            os.close(source)
    if later is not None:
        later.shared = shared
    return contents.remember(workspace) if plan["written"] is not None else None, later
