"""What `tutor.doctor` reports on each subject of containment."""

import sys
from collections.abc import Mapping, Sequence

from tutor_lsp.core.ports import ToolStatus
from tutor_lsp.process.supervisor.plan import Powers

SUBJECTS = ("network", "files", "processes", "secrets", "server")
"""The subjects, a row for each: the network, what may be written, what may stay running, what may
be read, and this server itself."""

TRUNCATES, SIGNALS = 3, 6
"""Landlock versions from which on files cannot be truncated, and processes cannot be signalled."""

_NO_NETWORK = "a run has none"
_OWN_FILES = "a run can only write to its exercise"
_ALL_END = "everything a run starts ends with it"
_ISOLATED = {
    "network": _NO_NETWORK,
    "files": "a run only writes to a copy of the exercise",
    "processes": _ALL_END,
    "secrets": "a run cannot read keys, logins or the record",
    "server": "a run can neither see nor signal it",
}
_OPEN = {
    "network": "tests can use the network",
    "files": "tests can write to your files",
    "processes": "processes that leave a run's group can outlive it",
    "secrets": "tests can read your files",
    "server": "tests can signal this server",
}
_REMEDY = (
    "Install bubblewrap, or allow user namespaces"
    if sys.platform == "linux"
    else "This system offers no way to contain it"
)


def kept(level: str, powers: Powers | None) -> Mapping[str, str]:
    """What is contained, and how to put that."""
    if level in ("bubblewrap", "namespaces"):
        return _ISOLATED
    contained: dict[str, str] = {}
    if level == "seatbelt":
        contained = {"network": _NO_NETWORK, "files": _OWN_FILES, "secrets": _ISOLATED["secrets"]}
    if powers is None:
        return contained
    contained["processes"] = _ALL_END
    if powers["network"]:
        contained["network"] = _NO_NETWORK
    if level == "landlock":  # depends on its version
        contained["secrets"] = _ISOLATED["secrets"]
        if powers["landlock"] >= TRUNCATES:
            contained["files"] = _OWN_FILES
        if powers["landlock"] >= SIGNALS:
            contained["server"] = "a run cannot signal it"
    return contained


def rows(level: str, why: str, powers: Powers | None) -> Sequence[ToolStatus]:
    """A row for each of `SUBJECTS`. `why` is the reason no better level is used."""
    contained = kept(level, powers)
    return [_row(subject, level, why, contained.get(subject)) for subject in SUBJECTS]


def _row(subject: str, level: str, why: str, containment: str | None) -> ToolStatus:
    name = f"containment: {subject}"
    if containment is not None:
        return ToolStatus(name, found=True, works=True, version=f"{level}: {containment}")
    remedy = f"Not contained: {_OPEN[subject]}. {_REMEDY} ({why})."
    return ToolStatus(name, found=level != "off", works=False, remedy=remedy)
