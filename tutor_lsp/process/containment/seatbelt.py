"""Seatbelt, the sandbox of macOS: a profile for `sandbox-exec`, where later rules win."""

import os
from collections.abc import Iterator, Sequence

from tutor_lsp.process.box import Area

_DEVICES = (
    "/dev/null",
    "/dev/zero",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
    "/dev/dtracehelper",
)


def confined(
    program: str,
    argv: Sequence[str],
    area: Area | None,
    hidden: Sequence[str],
    shown: Sequence[str],
) -> tuple[str, ...]:
    """The command line that runs `argv` without network, writing to its area alone and unable to
    read what is hidden. Makes the files that outlive the run."""
    if area is not None:
        area.prepare()
    return (program, "-p", profile(area, hidden, shown), *argv)


def profile(area: Area | None, hidden: Sequence[str], shown: Sequence[str]) -> str:
    """What is allowed, in the sandbox' own language."""
    written = [os.path.realpath(path) for path in _written(area)]
    lines = [
        "(version 1)",
        "(allow default)",
        "(deny network*)",
        "(deny signal)",
        "(allow signal (target same-sandbox))",
        "(deny process-info* (target others))",
        "(deny file-write*)",
        f"(allow file-write* {' '.join(f'(literal {_text(path)})' for path in _DEVICES)})",
        '(allow file-write* (regex #"^/dev/ttys[0-9]+$") (regex #"^/dev/fd/"))',
    ]
    if hidden:
        lines.append(f"(deny file-read* {_below(hidden)})")
    if readable := (*shown, *([] if area is None else [os.path.realpath(area.workspace)])):
        lines.append(f"(allow file-read* {_below(readable)})")
    if written:
        lines.append(f"(allow file-read* file-write* {_below(written)})")
    return "\n".join(lines)


def _written(area: Area | None) -> Iterator[str]:
    if area is None:
        return
    if area.copied:
        yield str(area.workspace)
    if area.scratch is not None:
        yield str(area.scratch)
    yield from map(str, (*area.writable, *area.kept()))


def _below(paths: Sequence[str]) -> str:
    return " ".join(f"(subpath {_text(path)})" for path in paths)


def _text(path: str) -> str:
    """A string of the profile."""
    escaped = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
