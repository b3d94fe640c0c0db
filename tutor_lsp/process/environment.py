"""The environment of children: an allow-list, never the server's own."""

import os
from collections.abc import Iterable, Mapping

ALLOWED = frozenset(
    {
        "PATH",
        "HOME",
        "USER",
        "LOGNAME",
        "LANG",
        "LANGUAGE",
        "TMPDIR",
        "TZ",
        "XDG_RUNTIME_DIR",
        # without these two the macOS linker finds no system libraries
        "SDKROOT",
        "DEVELOPER_DIR",
    }
)
"""Names that every child gets, besides `LC_*`; names for one language's tools are added for those
tools alone."""


def child_environment(
    extra: Mapping[str, str] | None = None,
    *,
    also: Iterable[str] = (),
    source: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """The environment of a child: the allow-list and the names in `also`, then `extra` on top.

    Values are taken from `source` (default: this process's environment). PATH is always set.
    """
    values = os.environ if source is None else source
    names = ALLOWED.union(also)
    chosen = {
        name: value for name, value in values.items() if name in names or name.startswith("LC_")
    }
    chosen.setdefault("PATH", os.defpath)
    chosen.update(extra or {})
    return chosen
