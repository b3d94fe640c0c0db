"""Which paths a payload may name, decided on the text alone. Pure."""

import re
from collections.abc import Iterator

from tutor_lsp.languages.registry import special_names

MAX_PATH = 120
MAX_PART = 60
MAX_DEPTH = 6

RESERVED = frozenset(
    {"exercise.toml", "exercise.json", "lesson.md", "node_modules", "solution", "hints"}
)
"""Names that the tutor owns, in lower case, beside those of the languages' tools."""

_DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.\-]*")


def path_breaches(path: str, *, base: str | None = None) -> Iterator[tuple[str, str]]:
    """Every rule id that `path` breaks, with the reason.

    With `base` (`src` or `tests`) a path under the other of the two is `path-outside`.
    """
    if path.startswith(("/", "\\", "~")) or re.match(r"[A-Za-z][A-Za-z0-9+.\-]*:", path):
        yield "path-absolute", "is not relative to the exercise"
    parts = path.replace("\\", "/").split("/")
    if ".." in parts:
        yield "path-parent", "leads out of the exercise"
    if len(path) > MAX_PATH or len(parts) > MAX_DEPTH or max(map(len, parts)) > MAX_PART:
        yield "path-too-long", "is too long or too deep"
    named = [part for part in parts if part not in ("", "..", ".")]
    reserved = RESERVED | special_names().reserved
    for part in named:
        if part.lower() in reserved or part.startswith(".") or _DEVICES.fullmatch(part):
            yield "path-reserved", f"uses the reserved name {part[:MAX_PART]}"
    odd = [p for p in named if not p.startswith(".") and (not _PART.fullmatch(p) or p[-1] == ".")]
    if odd or "\\" in path or "." in parts or "" in parts[1:]:
        yield "path-characters", "may hold letters, digits, _, - and . only, with single /"
    other = {"src": "tests", "tests": "src"}.get(base or "")
    if other is not None and parts[0] == other:
        yield "path-outside", f"is not a file under {base}/"
