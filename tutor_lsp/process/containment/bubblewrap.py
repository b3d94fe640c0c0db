"""Bubblewrap: the command line that runs another one in its own namespaces."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from tutor_lsp.process.box import AREA_BYTES, Area
from tutor_lsp.process.supervisor.contents import listing

_KEPT_KIB = 256
_SOURCE = "/dev/tutor"
_SHELL = "/bin/sh"
_BEGUN = "/dev/shm/begun"  # noqa: S108 - private to every run
_TICK = "/dev/shm/tick"  # noqa: S108
# File times advance in steps of some milliseconds: anything written in the same step as `_BEGUN`
# would not be newer.
_NEXT_STEP = f'until [ -n "$(find {_TICK} -newer {_BEGUN} 2>/dev/null)" ]; do : >{_TICK}; done'


def boxed(
    program: str,
    argv: Sequence[str],
    cwd: Path,
    area: Area,
    hidden: Sequence[str],
    shown: Sequence[str],
) -> tuple[str, ...]:
    """The command line that runs `argv` in its own namespaces, without network. Reads the
    workspace and creates the files that are kept: takes a millisecond.

    `hidden` cannot be read, except for the area and what is `shown`.
    """
    size = ("--size", str(AREA_BYTES))
    box = [program, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    box += [*size, "--tmpfs", "/dev/shm"]  # noqa: S108
    inner = list(argv)
    workspace = str(area.workspace)
    box += ["--ro-bind", workspace, _SOURCE, *_covers(hidden)]
    for place in shown:
        box += ["--ro-bind", place, place]
    if area.copied:
        inner = _copied(box, area, size, inner)
    elif hidden:
        box += ["--ro-bind", workspace, workspace]
    if area.scratch is not None:
        box += [*size, "--tmpfs", str(area.scratch)]
    area.prepare()
    for path in (*area.writable, *area.kept()):
        box += ["--bind", str(path), str(path)]
    box += ["--remount-ro", "/dev", "--unshare-all", "--die-with-parent"]
    return (*box, "--chdir", str(cwd), "--", *inner)


def _covers(hidden: Sequence[str]) -> list[str]:
    """An empty folder over each folder, nothing over each file."""
    covers: list[str] = []
    done: list[Path] = []
    for path in map(Path, sorted(hidden)):
        if any(path.is_relative_to(each) for each in done):
            continue
        if path.is_dir():
            covers += ["--tmpfs", str(path)]
            done.append(path)
        elif path.is_file():
            covers += ["--ro-bind", "/dev/null", str(path)]
    return covers


def _copied(box: list[str], area: Area, size: tuple[str, str], argv: list[str]) -> list[str]:
    """Give the run a copy of the workspace; returns the command that makes the copy first."""
    workspace = str(area.workspace)
    copied, shared = listing(workspace)
    box += [*size, "--tmpfs", workspace]
    for name in shared:
        box += ["--ro-bind", f"{workspace}/{name}", f"{workspace}/{name}"]
    return [_SHELL, "-c", _script(area, copied), _SHELL, *argv]


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
