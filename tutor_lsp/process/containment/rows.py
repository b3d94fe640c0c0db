"""What `tutor.doctor` says of each thing that can be kept in."""

import sys
from collections.abc import Mapping, Sequence

from tutor_lsp.core.ports import ToolStatus
from tutor_lsp.process.supervisor.plan import Powers

SUBJECTS = ("network", "files", "processes", "secrets", "server")
"""What there is a row for: the network, what may be written, what may stay running, what may be
read, and this server itself."""

TRUNCATES, SIGNALS = 3, 6
"""Versions of Landlock from which files cannot be emptied, and processes not be signalled."""

_NO_NETWORK = "a run has none"
_OWN_FILES = "a run writes to its exercise alone"
_ALL_END = "all that a run starts ends with it"
_ISOLATED = {
    "network": _NO_NETWORK,
    "files": "a run writes to a copy of the exercise",
    "processes": _ALL_END,
    "secrets": "a run cannot read keys, logins and the record",
    "server": "a run can neither see nor signal it",
}
_OPEN = {
    "network": "tests can use the network",
    "files": "tests can write to your files",
    "processes": "what leaves the group of a run can outlive it",
    "secrets": "tests can read your files",
    "server": "tests can signal this server",
}
_REMEDY = (
    "Install bubblewrap, or allow user namespaces"
    if sys.platform == "linux"
    else "There is no way to keep it in on this system"
)


def kept(level: str, powers: Powers | None) -> Mapping[str, str]:
    """What is kept in, and how that shows."""
    if level in ("bubblewrap", "namespaces"):
        return _ISOLATED
    found: dict[str, str] = {}
    if level == "seatbelt":
        found = {"network": _NO_NETWORK, "files": _OWN_FILES, "secrets": _ISOLATED["secrets"]}
    if powers is None:
        return found
    found["processes"] = _ALL_END
    if powers["network"]:
        found["network"] = _NO_NETWORK
    if level == "landlock":  # what holds depends on its version
        found["secrets"] = _ISOLATED["secrets"]
        if powers["landlock"] >= TRUNCATES:
            found["files"] = _OWN_FILES
        if powers["landlock"] >= SIGNALS:
            found["server"] = "a run cannot signal it"
    return found


def rows(level: str, why: str, powers: Powers | None) -> Sequence[ToolStatus]:
    """A row for each of `SUBJECTS`. `why` says why no better level is used."""
    held = kept(level, powers)
    return [_row(subject, level, why, held.get(subject)) for subject in SUBJECTS]


def _row(subject: str, level: str, why: str, held: str | None) -> ToolStatus:
    name = f"containment: {subject}"
    if held is not None:
        return ToolStatus(name, found=True, works=True, version=f"{level}: {held}")
    remedy = f"Not kept in: {_OPEN[subject]}. {_REMEDY} ({why})."
    return ToolStatus(name, found=level != "off", works=False, remedy=remedy)
