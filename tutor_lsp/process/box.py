"""The bubblewrap of one run: what it sees, what it may write to, and what is taken out of it."""

import contextlib
import os
import shlex
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

AREA_BYTES = 64 * 1024 * 1024
"""What a run may write in all, in bytes, to each of its places."""
SHARED = frozenset({"target", "build", ".venv", ".git", ".tutor", "node_modules"})
"""Folders of a workspace that are read where they lie; all else is copied."""

_LARGE, _MANY = 8 * 1024 * 1024, 500
_KEPT_KIB = 256
_KEPT_BYTES = 4 * 1024 * 1024
_SOURCE = "/dev/tutor"
_SHELL = "/bin/sh"
_BEGUN = "/dev/shm/begun"  # noqa: S108 - a place of its own in every run
_TICK = "/dev/shm/tick"  # noqa: S108
# Times of files move on in steps of some milliseconds: what is written in the step of `_BEGUN`
# would not be newer.
_NEXT_STEP = f'until [ -n "$(find {_TICK} -newer {_BEGUN} 2>/dev/null)" ]; do : >{_TICK}; done'


@dataclass(frozen=True, slots=True)
class Area:
    """Where a run works and what outlives it; without bubblewrap all of it is simply written to.

    `workspace` is given to it as a throw-away copy, `scratch` as an empty folder, both bounded by
    `AREA_BYTES`. `outputs` are files whose content is kept. `gathered` are put together in the
    second path: all files of `scratch` whose names begin with the first. What the run writes to
    `workspace` goes to the archive `written`, as far as it is small, for `put_written`.
    """

    workspace: Path
    scratch: Path | None = None
    outputs: tuple[Path, ...] = ()
    gathered: tuple[Path, Path] | None = None
    written: Path | None = None


def boxed(program: str, argv: Sequence[str], cwd: Path, area: Area | None) -> tuple[str, ...]:
    """The command line that runs `argv` in a namespace of its own, without network. Reads the
    workspace and makes the files that are kept: takes a millisecond."""
    size = ("--size", str(AREA_BYTES))
    box = [program, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    box += [*size, "--tmpfs", "/dev/shm"]  # noqa: S108
    inner = list(argv)
    if area is not None:
        workspace = str(area.workspace)
        copied, shared = _contents(area.workspace)
        box += ["--ro-bind", workspace, _SOURCE, *size, "--tmpfs", workspace]
        for name in shared:
            box += ["--ro-bind", f"{workspace}/{name}", f"{workspace}/{name}"]
        if area.scratch is not None:
            box += [*size, "--tmpfs", str(area.scratch)]
        for output in _outputs(area):
            output.touch()
            box += ["--bind", str(output), str(output)]
        inner = [_SHELL, "-c", _script(area, copied), _SHELL, *inner]
    box += ["--remount-ro", "/dev", "--unshare-all", "--die-with-parent"]
    return (*box, "--chdir", str(cwd), "--", *inner)


def _outputs(area: Area) -> Iterator[Path]:
    yield from area.outputs
    if area.gathered is not None:
        yield area.gathered[1]
    if area.written is not None:
        yield area.written


def _contents(workspace: Path) -> tuple[list[str], list[str]]:
    """Names of what is copied, and of what is shared because it is large or belongs to builds."""
    copied, shared = [], []
    with os.scandir(workspace) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            folder = entry.is_dir(follow_symlinks=False)
            plain = folder or entry.is_file(follow_symlinks=False)
            if plain and (entry.name in SHARED or _is_large(Path(entry.path))):
                shared.append(entry.name)
            else:
                copied.append(entry.name)
    return copied, shared


def _is_large(path: Path) -> bool:
    size = 0
    inside = [path] if path.is_file() else path.rglob("*")
    for count, each in enumerate(inside):
        with contextlib.suppress(OSError):
            size += each.lstat().st_size
        if size > _LARGE or count > _MANY:
            return True
    return False


def _script(area: Area, copied: Sequence[str]) -> str:
    workspace = shlex.quote(str(area.workspace))
    lines = []
    if copied:
        sources = " ".join(shlex.quote(f"{_SOURCE}/{name}") for name in copied)
        lines.append(f"cp -pR -- {sources} {workspace} 2>/dev/null")
    if area.gathered is None and area.written is None:
        return "\n".join([*lines, 'exec "$@"'])
    lines.append(f": >{_BEGUN}")
    if area.written is not None:
        lines.append(_NEXT_STEP)
    lines += ['"$@"', "code=$?"]
    if area.gathered is not None:
        prefix, out = (shlex.quote(str(path)) for path in area.gathered)
        lines.append(f"cat {prefix}* >{out} 2>/dev/null")
    if area.written is not None:
        lines += [
            f"cd {workspace}",
            f"find . -xdev -newer {_BEGUN} -type f -size -{_KEPT_KIB}k -print0 2>/dev/null"
            f" | tar -c --null -T - -f - 2>/dev/null >{shlex.quote(str(area.written))}",
        ]
    return "\n".join([*lines, "exit $code"])


def put_written(area: Area) -> None:
    """Put what a run wrote to its copy of the workspace into the workspace itself. Blocks."""
    if area.written is None or not area.written.is_file():
        return
    with contextlib.suppress(tarfile.TarError, OSError), tarfile.open(area.written) as archive:
        size = 0
        for member in archive:
            name = PurePosixPath(member.name)
            size += member.size
            data = archive.extractfile(member) if member.isfile() else None
            if data is None or name.is_absolute() or ".." in name.parts or size > _KEPT_BYTES:
                continue
            path = area.workspace / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data.read())
