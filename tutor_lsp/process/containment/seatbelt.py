"""Seatbelt, the macOS sandbox: a profile for `sandbox-exec`, where later rules win."""

import os
from collections.abc import Sequence

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
    area: Area,
    hidden: Sequence[str],
    shown: Sequence[str],
) -> tuple[str, ...]:
    """The command line that runs `argv` without network, able to write only to its area and unable
    to read what is hidden. Creates the files that outlive the run."""
    area.prepare()
    return (program, "-p", profile(area, hidden, shown), *argv)


def profile(area: Area, hidden: Sequence[str], shown: Sequence[str]) -> str:
    """What is allowed, in the sandbox's own language."""
    written = [area.workspace] if area.copied else []
    written += [path for path in (area.scratch, *area.writable, *area.kept()) if path is not None]
    readable = (*shown, os.path.realpath(area.workspace))
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
    lines.append(f"(allow file-read* {_below(readable)})")
    if written:
        real = [os.path.realpath(path) for path in written]
        lines.append(f"(allow file-read* file-write* {_below(real)})")
    return "\n".join(lines)


def _below(paths: Sequence[str]) -> str:
    return " ".join(f"(subpath {_text(path)})" for path in paths)


def _text(path: str) -> str:
    """A string of the profile."""
    escaped = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
